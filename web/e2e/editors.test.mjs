// Editors: what agents show, what people type, and what happens when both write the same file.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before } from 'node:test';
import { closeChrome, Deck, test, until } from './deck.mjs';

const LINES = Array.from({ length: 120 }, (_, index) => `let line_${index + 1} = ${index + 1};`).join('\n') + '\n';

let deck;
let agent;
before(async () => {
  const names = ['opened', 'marked', 'saved', 'shared', 'written', 'mine', 'theirs', 'gone', 'reading', 'restarted', 'own', 'behind', 'front'];
  deck = await Deck.start({
    files: { ...Object.fromEntries(names.map((name) => [`src/${name}.rs`, LINES])), 'dos.txt': 'one\r\ntwo\r\nthree\r\n' },
  });
  agent = await deck.agent('claude');
});
afterEach(async () => {
  for (const context of deck.contexts.splice(0)) await context.close();
});
after(async () => {
  await deck?.stop();
  await closeChrome();
});

/** The editor of a file: its frame, and the text in it. */
function editor(page, path) {
  const text = page.getByRole('textbox', { name: `Text of ${path}` });
  return { text, frame: page.locator('.editor', { has: text }) };
}

/** Opens a file by hand, `src/a.rs:42` at a line, and waits until it can be typed in. */
async function open(page, place) {
  const [path] = place.split(':');
  await page.keyboard.press('Control+p');
  await page.getByRole('combobox', { name: 'Open a file' }).fill(place);
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  const opened = editor(page, path);
  await opened.text.waitFor();
  await until(`${path} has the keyboard`, () => opened.text.evaluate((element) => element === document.activeElement));
  return opened;
}

/** The lines that are drawn, without chips. */
function shownLines(text) {
  return text.evaluate((element) =>
    [...element.querySelectorAll('.cm-line')].map((line) => {
      const copy = line.cloneNode(true);
      for (const extra of copy.querySelectorAll('.hl-chip, .other-caret')) extra.remove();
      return copy.textContent;
    }),
  );
}

/** Whether a line is seen in the middle third of the editor. */
async function inTheMiddle(frame, line) {
  const [box, all] = [await line.boundingBox(), await frame.boundingBox()];
  if (!box || !all) return false;
  const place = (box.y + box.height / 2 - all.y) / all.height;
  return place > 1 / 3 && place < 2 / 3;
}

const line = (frame, number) => frame.locator('.cm-line', { hasText: `line_${number} ` });
const documentAtHub = (path) => deck.call('flightdeck.workbench.document', { path });

test('an agent opens a file at line 42, and a person sees it there', async () => {
  const page = await deck.page();
  await agent.do('openspace.editor.open', { path: 'src/opened.rs', line: 42 });
  const { frame } = editor(page, 'src/opened.rs');
  await until('line 42 is in the middle', () => inTheMiddle(frame, line(frame, 42)));
  assert.deepEqual(page.problems, []);
});

test('an agent opens a file behind the one that a person is in; it is at its line when they get there', async () => {
  const page = await deck.page();
  await open(page, 'src/reading.rs');
  await agent.do('openspace.editor.open', { path: 'src/behind.rs', line: 90 });
  await page.getByRole('tab', { name: 'behind.rs' }).waitFor();
  assert.ok(await editor(page, 'src/reading.rs').text.isVisible());
  await page.getByRole('tab', { name: 'behind.rs' }).click();
  const { frame } = editor(page, 'src/behind.rs');
  await until('line 90 is in the middle', () => inTheMiddle(frame, line(frame, 90)));
  assert.deepEqual(page.problems, []);
});

test('an agent marks lines 42 to 50; the marks follow what a person types, and Escape takes them away', async () => {
  const page = await deck.page();
  const { frame } = await open(page, 'src/marked.rs:45');
  await agent.do('openspace.editor.highlight', {
    path: 'src/marked.rs',
    ranges: [{ startLine: 42, endLine: 50 }],
    highlightId: 'entry-point',
    color: 'purple',
  });
  const marked = async () => (await frame.locator('.hl').allTextContents()).map((one) => /line_(\d+)/.exec(one)?.[1]);
  const wanted = ['42', '43', '44', '45', '46', '47', '48', '49', '50'];
  await until('nine lines are marked', async () => (await marked()).join() === wanted.join(), marked);
  assert.equal(await frame.locator('.hl-chip').textContent(), 'claude · entry point');

  await line(frame, 41).click();
  await page.keyboard.press('Home');
  await page.keyboard.type('// above\n');
  await until('the marks of the hub have moved too', async () => {
    const { highlights } = await deck.call('flightdeck.workbench.snapshot');
    return highlights.find(({ path }) => path === 'src/marked.rs')?.ranges[0].startLine === 43;
  });
  assert.deepEqual(await marked(), wanted);

  await page.keyboard.press('Escape');
  await until('no line is marked', async () => (await frame.locator('.hl').count()) === 0);
  const { highlights } = await deck.call('flightdeck.workbench.snapshot');
  assert.deepEqual(highlights.filter(({ path }) => path === 'src/marked.rs'), []);

  // The agent marks a word, and clears it itself.
  await agent.do('openspace.editor.highlight', {
    path: 'src/marked.rs',
    ranges: [{ startLine: 46, endLine: 46, startColumn: 5, endColumn: 12 }],
    highlightId: 'word',
  });
  await until('the word is marked', async () => (await frame.locator('.hl-text').allTextContents()).join('') === 'line_45');
  await agent.do('openspace.editor.clear_highlight', { highlightId: 'word' });
  await until('it is not any more', async () => (await frame.locator('.hl-text').count()) === 0);
  assert.deepEqual(page.problems, []);
});

test('a person edits a file and saves it', async () => {
  const page = await deck.page();
  const { text, frame } = await open(page, 'src/saved.rs');
  await page.keyboard.type('// typed by hand\n');
  const unsaved = page.getByRole('tab', { selected: true }).getByLabel('unsaved');
  await unsaved.waitFor();
  await frame.locator('.author.person').first().waitFor();
  await page.keyboard.press('Control+s');
  await until('it is on disk', async () => (await deck.read('src/saved.rs')) === `// typed by hand\n${LINES}`);
  await unsaved.waitFor({ state: 'detached' });
  await until('no line is marked as unsaved', async () => (await frame.locator('.author').count()) === 0);

  // Undo takes back what was typed here.
  await text.focus();
  await until('the hub has the old text', async () => {
    await page.keyboard.press('Control+z');
    return (await documentAtHub('src/saved.rs')).text === LINES;
  });
  assert.deepEqual(page.problems, []);
});

test('two browsers type at the same place at once, and end with the same text', async () => {
  const [one, two] = [await deck.page(), await deck.page()];
  const [first, second] = [await open(one, 'src/shared.rs'), await open(two, 'src/shared.rs')];
  await Promise.all([one.keyboard.type('abcdefghijklmnop', { delay: 3 }), two.keyboard.type('0123456789', { delay: 5 })]);
  await one.keyboard.press('Enter');
  const settled = async () => {
    const { text } = await documentAtHub('src/shared.rs');
    const shown = [(await shownLines(first.text))[0], (await shownLines(second.text))[0]];
    return shown[0].length + shown[1].length > 20 && shown.every((top) => top === text.split('\n')[0]) && text;
  };
  const text = await until('all have the same text', settled, async () => (await documentAtHub('src/shared.rs')).text.slice(0, 80));
  const typed = text.slice(0, text.indexOf('let line_1 '));
  assert.equal(typed.replace(/[^a-z]/g, ''), 'abcdefghijklmnop');
  assert.equal(typed.replace(/[^0-9]/g, ''), '0123456789');

  // Each sees where the other is.
  await first.frame.locator('.other-caret').waitFor();
  await second.frame.locator('.other-caret').waitFor();
  assert.deepEqual([...one.problems, ...two.problems], []);
});

test('what an agent writes is shown as a difference, and taken back', async () => {
  const page = await deck.page();
  const { frame } = await open(page, 'src/written.rs');
  const written = LINES.replace('let line_3 = 3;\n', 'let line_3 = 33;\nlet extra = true;\n');
  await agent.do('openspace.file.write', { path: 'src/written.rs', content: written });
  const bar = frame.locator('.editor-bar.wrote');
  await bar.getByText('claude wrote 2 lines').waitFor();
  await frame.locator('.author.agent').first().waitFor();

  await bar.getByRole('button', { name: 'Review' }).click();
  const review = frame.getByRole('region', { name: 'What was written' });
  await review.locator('.cm-deletedChunk', { hasText: 'line_3 = 3;' }).waitFor();
  await review.locator('.cm-changedLine', { hasText: 'extra' }).waitFor();

  await review.getByRole('button', { name: 'Undo this write' }).click();
  await until('the file is as it was', async () => (await deck.read('src/written.rs')) === LINES);
  await until('the text is as it was', async () => !(await shownLines(editor(page, 'src/written.rs').text)).join('\n').includes('extra'));
  await bar.waitFor({ state: 'detached' });

  // And the way back.
  await page.getByRole('button', { name: 'Redo' }).click();
  await until('it is written again', async () => (await deck.read('src/written.rs')) === written);
  assert.deepEqual(page.problems, []);
});

for (const keep of ['mine', 'theirs']) {
  test(`a file changes on disk below unsaved changes, and a person keeps ${keep}`, async () => {
    const path = `src/${keep}.rs`;
    const page = await deck.page();
    const { frame } = await open(page, path);
    await page.keyboard.type('// mine\n');
    await until('the hub has it', async () => (await documentAtHub(path)).text.startsWith('// mine\n'));
    await deck.write(path, `// theirs\n${LINES}`);
    const bar = frame.getByRole('alert');
    await bar.getByRole('button', { name: 'Compare' }).click();
    const sides = frame.getByRole('region', { name: 'Your text and the one on disk' });
    await sides.getByLabel('Your text').locator('.cm-changedLine', { hasText: '// mine' }).waitFor();
    await sides.getByLabel('The text on disk').locator('.cm-changedLine', { hasText: '// theirs' }).waitFor();

    await bar.getByRole('button', { name: keep === 'mine' ? 'Keep mine' : 'Take theirs' }).click();
    await bar.waitFor({ state: 'detached' });
    await sides.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+s');
    await until('the file is what was chosen', async () => (await deck.read(path)) === `// ${keep}\n${LINES}`);
    await until('the text too', async () => (await shownLines(editor(page, path).text))[0] === `// ${keep}`);
    assert.deepEqual(page.problems, []);
  });
}

test('a file that is deleted stays in its editor, and can be saved again', async () => {
  const page = await deck.page();
  const { frame } = await open(page, 'src/gone.rs');
  await rm(join(deck.workspace, 'src/gone.rs'));
  await frame.getByRole('button', { name: 'Save it again' }).click();
  await until('it is there again', () => deck.read('src/gone.rs').then((text) => text === LINES, () => false));
  await frame.getByText('Deleted on disk').waitFor({ state: 'detached' });
  assert.deepEqual(page.problems, []);
});

test('an agent that points elsewhere does not scroll what a person is typing', async () => {
  const page = await deck.page();
  const { frame, text } = await open(page, 'src/reading.rs');
  await page.keyboard.type('// here');
  await agent.do('openspace.editor.scroll_to', { path: 'src/reading.rs', line: 100 });
  const chip = frame.locator('.pointed');
  await chip.getByText('claude points to line 100').waitFor();
  assert.equal((await shownLines(text))[0], '// herelet line_1 = 1;');
  await chip.getByRole('button', { name: 'Go there' }).click();
  await until('line 100 is in the middle', () => inTheMiddle(frame, line(frame, 100)));
  await chip.waitFor({ state: 'detached' });
  assert.deepEqual(page.problems, []);
});

test('an agent does not scroll the file that a person has in front, wherever the keyboard is', async () => {
  const page = await deck.page();
  const { frame, text } = await open(page, 'src/front.rs');
  await page.getByRole('button', { name: 'Commands' }).first().focus();
  await agent.do('openspace.editor.scroll_to', { path: 'src/front.rs', line: 100 });
  const chip = frame.locator('.pointed');
  await chip.getByText('claude points to line 100').waitFor();
  assert.equal((await shownLines(text))[0], 'let line_1 = 1;');
  // What is in sight needs no hint.
  await agent.do('openspace.editor.scroll_to', { path: 'src/front.rs', line: 3 });
  await chip.waitFor({ state: 'detached' });
  await agent.do('openspace.editor.scroll_to', { path: 'src/front.rs', line: 100 });
  await chip.getByRole('button', { name: 'Go there' }).click();
  await until('line 100 is in the middle', () => inTheMiddle(frame, line(frame, 100)));
  // Who follows agents is led.
  await page.getByRole('button', { name: 'Follow agents' }).click();
  await page.getByRole('button', { name: 'Commands' }).first().focus();
  await agent.do('openspace.editor.scroll_to', { path: 'src/front.rs', line: 20 });
  await until('line 20 is in the middle', () => inTheMiddle(frame, line(frame, 20)));
  assert.deepEqual(page.problems, []);
});

test('a person goes to a line, finds and replaces', async () => {
  const page = await deck.page();
  const { frame, text } = await open(page, 'src/own.rs');
  await page.keyboard.press('Control+g');
  await page.keyboard.type('80');
  await page.keyboard.press('Enter');
  await until('line 80 is seen', () => line(frame, 80).isVisible());
  await text.focus();
  await page.keyboard.press('Control+f');
  const find = frame.getByPlaceholder('Find');
  await find.fill('line_7 ');
  await frame.getByPlaceholder('Replace').fill('seven ');
  await frame.getByRole('button', { name: 'replace all' }).click();
  await until('the hub has it', async () => (await documentAtHub('src/own.rs')).text.includes('let seven = 7;'));
  assert.deepEqual(page.problems, []);
});

test('lines of a file with CRLF stay so', async () => {
  const page = await deck.page();
  await open(page, 'dos.txt');
  await page.keyboard.press('End');
  await page.keyboard.type(' more\nnew');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await page.keyboard.press('Backspace');
  await until('the hub has it', async () => (await documentAtHub('dos.txt')).text === 'one more\r\nnewtwo\r\nthree\r\n', () => documentAtHub('dos.txt').then(JSON.stringify));
  await page.keyboard.press('Control+s');
  await until('it is on disk', async () => (await deck.read('dos.txt')) === 'one more\r\nnewtwo\r\nthree\r\n');
  assert.deepEqual(page.problems, []);
});

test('what is typed while the hub is away arrives when it is back', async () => {
  const page = await deck.page();
  const { text } = await open(page, 'src/restarted.rs');
  await page.keyboard.type('before ');
  await until('the hub has it', async () => (await documentAtHub('src/restarted.rs')).text.startsWith('before '));
  await deck.lose();
  await page.getByText('The hub is away').waitFor();
  await page.keyboard.type('while away ');
  await deck.revive();
  await page.locator('.status-line .ok').waitFor();
  await page.keyboard.type('after ');
  // The next hub has the document once the page has come back to it.
  const textAtHub = () => documentAtHub('src/restarted.rs').then(({ text }) => text, (error) => `${error}`);
  await until('the hub has all of it', async () => (await textAtHub()).startsWith('before while away after let line_1 '), textAtHub);
  assert.equal((await shownLines(text))[0], 'before while away after let line_1 = 1;');
});
