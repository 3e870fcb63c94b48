// Takes the pictures of the README and the docs: a small shop, three agents at work, and a person who is asked.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { closeChrome, Deck } from './deck.mjs';
import { script, talkWith } from './talk.mjs';

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
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.gitignore': 'node_modules\n',
  'node_modules/left-pad/index.js': '\n',
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
  'bin/deploy': '#!/bin/bash\nread -s -p "[sudo] password for pilot: " password\n',
};

async function scene() {
  const deck = await Deck.start({ files: FILES });
  const [claude, codex, gemini] = [await deck.agent('claude-code'), await deck.agent('codex'), await deck.agent('gemini-cli')];
  await claude.do('openspace.editor.open', { path: 'web/api.ts' });
  await claude.do('openspace.editor.open', { path: 'src/handler.rs', line: 12 });
  await claude.do('openspace.editor.highlight', {
    path: 'src/handler.rs',
    ranges: [{ startLine: 12, endLine: 14 }],
    highlightId: 'where-the-panic-starts',
    color: 'purple',
  });
  const { terminalId: tests } = await claude.do('openspace.terminal.create', { title: 'tests' });
  for (const command of ['sh bin/tests', 'sh bin/build']) await claude.do('flightdeck.terminal.run', { id: tests, command });
  void claude.tool('flightdeck.terminal.run', { id: tests, command: 'sh bin/watch', timeoutMs: 300_000 });
  const { id: deploy } = (await gemini.do('flightdeck.terminal.new', { title: 'deploy' })).data;
  await gemini.do('openspace.pane.open', { type: 'terminal', contentId: deploy });
  await gemini.do('flightdeck.terminal.run', { id: deploy, command: 'bash bin/deploy', timeoutMs: 500 });
  void gemini.tool('flightdeck.terminal.wait', { id: deploy, pattern: 'never', timeoutMs: 300_000 });
  return { deck, codex, tests };
}

const shot = (page, name) => page.screenshot({ path: join(folder, `${name}.png`) });
const size = { width: 1360, height: 850 };
const asked = 'git push --force origin main';

for (const theme of ['dark', 'light']) {
  const { deck, codex, tests } = await scene();
  try {
    const page = await deck.page({ theme, viewport: size });
    const front = page.locator(`.tab-body:not([hidden]):has([data-terminal="${tests}"])`);
    await page.getByRole('treeitem', { name: 'src', exact: true }).click();
    await page.locator('[role=tab]', { hasText: `${tests} tests` }).click();
    await front.locator('.xterm-rows', { hasText: 'mismatched types' }).waitFor();
    await page.locator('.cm-line', { hasText: 'pub async fn create' }).waitFor();
    await page.locator('[data-need]', { hasText: 'asks for a password' }).waitFor();
    void codex.tool('flightdeck.terminal.run', { command: asked });
    // It takes no key in its first moments.
    await page.locator("dialog[open] [data-ready='true']").waitFor();
    await page.locator('.touch').first().waitFor({ state: 'detached' });
    await shot(page, `approval-${theme}`);
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.locator('.card[data-fresh=true]').waitFor({ state: 'detached' });
    await page.locator('.bar strong').click();
    await shot(page, `workbench-${theme}`);
    if (theme === 'light') continue;

    await front.getByRole('button', { name: 'Commands', exact: true }).click();
    await front.getByText('expected Money, found f64').last().waitFor();
    await page.getByRole('button', { name: 'Maximise the pane' }).last().click();
    await front.locator('.block[data-outcome=failed]').hover();
    await shot(page, 'commands');
    const phone = await deck.page({ theme, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await phone.getByText(asked).first().waitFor();
    await phone.locator('[role=tab]', { hasText: `${tests} tests` }).tap();
    await phone.locator('.xterm-rows', { hasText: 'mismatched types' }).waitFor();
    await shot(phone, 'phone');
    // The terminals take their size from the window that is left.
    await phone.context().close();

    const talk = await talkWith(deck, 'claude');
    const content = [{ type: 'text', text: JSON.stringify(script(deck.workspace)) }];
    const reader = await deck.page({ theme, viewport: size });
    await deck.call('flightdeck.chat.prompt', { id: talk, content });
    await reader.getByRole('navigation').getByRole('button', { name: 'Chat' }).click();
    await reader.locator('.chat-row').first().click();
    await reader.locator('.chat-permission[data-ready=true]').waitFor();
    await reader.locator('.embedded', { hasText: '42 passing' }).waitFor();
    await shot(reader, 'chat');
  } finally {
    await deck.stop();
  }
}
await closeChrome();
