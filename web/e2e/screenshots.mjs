// Takes the pictures of the README and the docs: a small shop, two agents at work, and a person who is asked.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { closeChrome, Deck, until } from './deck.mjs';

const folder = process.argv[2];
if (!folder) throw new Error('usage: screenshots.mjs FOLDER');
await mkdir(folder, { recursive: true });

const HANDLER = `//! Orders: how they come in, and what becomes of them.

use axum::{Json, extract::State};

use crate::app::App;
use crate::money::Money;
use crate::orders::{Line, NewOrder, Order, Problem};

/// Creates an order and returns it.
#[tracing::instrument(skip(state))]
pub async fn create(
    State(state): State<App>,
    Json(new): Json<NewOrder>,
) -> Result<Json<Order>, Problem> {
    let total: Money = new.lines.iter().map(Line::price).sum();
    if total > state.limit {
        return Err(Problem::new("over_limit"));
    }
    let order = state.store.insert(new, total).await?;
    Ok(Json(order))
}

/// The newest orders first.
pub async fn list(State(state): State<App>) -> Json<Vec<Order>> {
    Json(state.store.newest(50).await)
}
`;
const FILES = {
  'src/handler.rs': HANDLER,
  'src/main.rs': 'mod handler;\n\nfn main() {\n    println!("shop");\n}\n',
  'src/orders.rs': 'pub struct Order;\n',
  'web/api.ts': "export const orders = () => fetch('/orders').then((answer) => answer.json());\n",
  'web/App.tsx': 'export const App = () => <main>Shop</main>;\n',
  'Cargo.toml': '[package]\nname = "shop"\n',
  'README.md': '# Shop\n',
  // What the terminals print is the programs' own; these stand for a test run and a build.
  'bin/tests': '#!/bin/sh\nprintf "\\033[32m✓\\033[0m orders are created\\n\\033[32m✓\\033[0m orders have a limit\\n\\n42 passing\\n"\n',
  'bin/build': `#!/bin/sh
printf '\\033[1;32m   Compiling\\033[0m shop v0.1.0\\n\\033[1;31merror[E0308]\\033[0m: mismatched types\\n  \\033[1;34m-->\\033[0m src/handler.rs:15:24\\n   |     let total: Money = new.lines.iter().map(Line::price).sum();\\n   |                        \\033[1;31m^^^^^^^^^^^^^^^^ expected Money, found f64\\033[0m\\n'
exit 101
`,
  'bin/watch': '#!/bin/sh\necho "[Running tests on change]"\nexec sleep 600\n',
};

async function scene() {
  const deck = await Deck.start({ files: FILES });
  const [claude, codex] = [await deck.agent('claude-code'), await deck.agent('codex')];
  await claude.do('openspace.editor.open', { path: 'src/handler.rs', line: 12 });
  await claude.do('openspace.editor.highlight', {
    path: 'src/handler.rs',
    ranges: [{ startLine: 12, endLine: 14 }],
    highlightId: 'where-the-panic-starts',
    color: 'purple',
  });
  const { terminalId } = await claude.do('openspace.terminal.create', { title: 'tests' });
  for (const command of ['sh bin/tests', 'sh bin/build']) await claude.do('flightdeck.terminal.run', { id: terminalId, command });
  await claude.do('start_process', { window_id: (await claude.do('create_tab', { name: 'watch' })).window_id, command: 'sh bin/watch' }).catch(() => {});
  return { deck, claude, codex, terminalId };
}

const shot = (page, name) => page.screenshot({ path: join(folder, `${name}.png`) });
const size = { width: 1360, height: 850 };

for (const theme of ['dark', 'light']) {
  const { deck, codex, terminalId } = await scene();
  try {
    const page = await deck.page({ theme, viewport: size });
    await page.locator('.cm-line', { hasText: 'pub async fn create' }).waitFor();
    await page.locator('.xterm-rows', { hasText: 'mismatched types' }).waitFor();
    void codex.tool('flightdeck.terminal.run', { command: 'git push --force origin main' });
    await page.getByText('git push --force origin main').first().waitFor();
    await page.locator('dialog[open]').waitFor();
    // It takes no key in its first moments.
    await page.locator("dialog[open] [data-ready='true']").waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.locator('.touch').waitFor({ state: 'detached' });
    await shot(page, `workbench-${theme}`);

    await page.locator('.tab-body:not([hidden])').getByRole('button', { name: 'Commands' }).click();
    await page.locator('.tab-body:not([hidden])').getByText('expected Money, found f64').last().waitFor();
    await page.getByRole('button', { name: 'Maximise the pane' }).last().click();
    if (theme === 'dark') await shot(page, 'commands');
    if (theme === 'dark') {
      const phone = await deck.page({ theme, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
      await phone.getByText('git push --force origin main').first().waitFor();
      await phone.locator('.xterm-rows', { hasText: 'mismatched types' }).waitFor();
      await shot(phone, 'phone');
    }
  } finally {
    await deck.stop();
  }
}
await closeChrome();
