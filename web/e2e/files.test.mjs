// Files: the tree that follows the disk, opening by name, searching.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import { closeChrome, Deck, test, until } from './deck.mjs';

const EVIL = '<img src=x onerror=alert(1)>.txt';
/** One reads as another name, the other moves the cursor of whoever prints it. */
const DISGUISED = 'invoice-\u202efdp.sh';
const SPELLED = 'invoice-\\u{202e}fdp.sh';
const CONTROLS = 'controls-\x1b[1A.sh';
const LINES = Array.from({ length: 90 }, (_, index) => `line ${index + 1}`).join('\n');

let deck;
before(async () => {
  deck = await Deck.start({
    files: {
      'src/main.rs': 'fn main() {\n    let total = Total::new();\n}\n',
      'src/net/tcp.rs': '// the total of all bytes\n',
      'src/net/udp.rs': '// nothing here\n',
      'docs/long.md': LINES,
      'README.md': '# Shop\n',
      [EVIL]: 'needle in <b>markup</b>\n',
      [DISGUISED]: 'a disguised haystack\n',
      [CONTROLS]: '',
    },
  });
});
afterEach(async () => {
  for (const context of deck.contexts.splice(0)) await context.close();
});
after(async () => {
  await deck?.stop();
  await closeChrome();
});

const tree = (page) => page.getByRole('tree', { name: 'Files' });
const row = (page, name) => tree(page).getByRole('treeitem', { name, exact: true });
const names = async (page) => (await tree(page).getByRole('treeitem').allTextContents()).map((text) => text.trim());
const shown = (page, path) => page.getByRole('textbox', { name: `Text of ${path}` });

test('the tree opens folders, and follows files that come and go', async () => {
  const page = await deck.page();
  await row(page, 'src').click();
  await row(page, 'net').click();
  await row(page, 'tcp.rs').waitFor();
  await deck.write('src/net/quic.rs', '// new\n');
  await row(page, 'quic.rs').waitFor();
  await rm(join(deck.workspace, 'src/net/quic.rs'));
  await row(page, 'quic.rs').waitFor({ state: 'detached' });
  await deck.write('docs/deep/er/new.md', 'new\n');
  await row(page, 'docs').click();
  await row(page, 'deep').click();
  await row(page, 'er').click();
  await row(page, 'new.md').waitFor();

  // A folder that is closed takes what is in it out of sight.
  await row(page, 'src').click();
  await row(page, 'net').waitFor({ state: 'detached' });
  assert.deepEqual(page.problems, []);
});

test('the keyboard walks the tree, and letters jump', async () => {
  const page = await deck.page();
  await row(page, 'src').waitFor();
  await tree(page).focus();
  await page.keyboard.press('s');
  await page.keyboard.press('ArrowRight');
  await row(page, 'main.rs').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await row(page, 'udp.rs').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.keyboard.type('udp');
  await page.keyboard.press('Enter');
  await shown(page, 'src/net/udp.rs').waitFor();
  assert.equal(await row(page, 'udp.rs').getAttribute('aria-selected'), 'true');
  assert.equal(await row(page, 'udp.rs').getAttribute('aria-level'), '3');
  await tree(page).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await row(page, 'udp.rs').waitFor({ state: 'detached' });
  assert.deepEqual(page.problems, []);
});

test('the filter finds files in folders that are closed', async () => {
  const page = await deck.page();
  await page.getByLabel('Filter files').fill('tcp');
  await until('only what leads to it is shown', async () => (await names(page)).join() === 'src,net,tcp.rs', () => names(page));
  await page.getByLabel('Filter files').press('Escape');
  await row(page, 'README.md').waitFor();
  assert.deepEqual(page.problems, []);
});

test('a file whose name is markup is only ever text', async () => {
  const page = await deck.page();
  page.on('dialog', (dialog) => page.problems.push(`a dialog: ${dialog.message()}`));
  await row(page, EVIL).click();
  await shown(page, EVIL).waitFor();
  await page.getByRole('tab', { name: EVIL }).waitFor();

  await page.keyboard.press('Control+p');
  await page.getByRole('combobox', { name: 'Open a file' }).fill('onerror');
  await page.getByRole('option', { name: EVIL }).waitFor();
  await page.keyboard.press('Escape');

  const agent = await deck.agent();
  await agent.do('openspace.editor.highlight', { path: EVIL, ranges: [{ startLine: 1, endLine: 1 }], highlightId: '<i>mark</i>' });
  await page.locator('.hl-chip', { hasText: '<i>mark</i>' }).waitFor();
  await agent.do('openspace.file.write', { path: EVIL, content: 'needle in <script>alert(2)</script>\n' });
  await tree(page).getByRole('treeitem', { name: EVIL }).getByRole('img', { name: 'claude-code wrote' }).waitFor();

  await page.keyboard.press('Control+Shift+F');
  await page.getByLabel('Search in files').fill('needle');
  await page.getByRole('button', { name: '<script>alert(2)</script>' }).waitFor();
  assert.equal(await page.locator('img[src=x], .search b, .hl-chip i, main script').count(), 0);
  assert.deepEqual(page.problems, []);
});

test('a few letters and a number open a file at a line', async () => {
  const page = await deck.page();
  await page.keyboard.press('Control+p');
  await page.getByRole('combobox', { name: 'Open a file' }).fill('long:80');
  await page.getByRole('option', { name: 'long.md' }).waitFor();
  await page.keyboard.press('Enter');
  const text = shown(page, 'docs/long.md');
  await text.locator('.cm-line', { hasText: /^line 80$/ }).waitFor();
  await page.keyboard.type('here ');
  await text.locator('.cm-line', { hasText: 'here line 80' }).waitFor();

  // What is open comes first, and what nobody is called is said.
  await page.keyboard.press('Control+p');
  await page.getByRole('option').first().filter({ hasText: 'open' }).waitFor();
  await page.getByRole('combobox', { name: 'Open a file' }).fill('zzzz');
  await page.getByText('No file is called that').waitFor();
  await page.keyboard.press('Escape');
  assert.deepEqual(page.problems, []);
});

test('a search finds lines in files, and opens them', async () => {
  const page = await deck.page();
  await page.keyboard.press('Control+Shift+F');
  const field = page.getByLabel('Search in files');
  await field.fill('total');
  await page.getByText('2 lines in 2 files').waitFor();
  assert.deepEqual(await page.locator('.search-match mark').allTextContents(), ['total', 'total']);

  await page.getByLabel('Match case').click();
  await field.fill('Total');
  await page.getByText('1 line in 1 file').waitFor();
  await page.getByLabel('Regular expression').click();
  await field.fill('Total::(');
  await page.locator('.search .danger').waitFor();
  await field.fill('Total::\\w+');
  await page.locator('mark', { hasText: 'Total::new' }).waitFor();

  await field.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await shown(page, 'src/main.rs').locator('.cm-activeLine', { hasText: 'let total' }).waitFor();
  assert.deepEqual(page.problems, []);
});

test('a workspace without files says what to do', async () => {
  const empty = await Deck.start();
  try {
    const page = await empty.page();
    await page.getByText('has no files yet').waitFor();
    await empty.write('first.txt', 'first\n');
    await row(page, 'first.txt').waitFor();
    assert.deepEqual(page.problems, []);
  } finally {
    await empty.stop();
  }
});

test('a name that hides something is spelled out wherever it is shown, and opens', async () => {
  const page = await deck.page();
  await row(page, 'controls-\\x1b[1A.sh').waitFor();
  await row(page, SPELLED).click();
  await page.getByRole('tab', { name: SPELLED }).waitFor();
  await page.locator('.cm-content', { hasText: 'a disguised haystack' }).waitFor();
  await page.keyboard.press('Control+Shift+F');
  await page.getByLabel('Search in files').fill('disguised');
  await page.locator('.panel summary', { hasText: SPELLED }).waitFor();
  await page.keyboard.press('Control+p');
  await page.getByRole('combobox', { name: 'Open a file' }).fill('invoice');
  await page.getByRole('option', { name: SPELLED }).waitFor();
  // Nothing that is seen or read aloud has the name as it is.
  assert.ok(!/[\u202e\x1b]/.test(await page.locator('body').innerText()));
  assert.equal(await page.locator('[title*="\u202e"], [aria-label*="\u202e"]').count(), 0);
  await page.keyboard.press('Enter');
  await until('it has the keyboard', () => page.evaluate(() => document.activeElement?.classList.contains('cm-content')));
  assert.deepEqual(page.problems, []);
});
