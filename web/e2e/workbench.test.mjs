// The workbench as a whole: panes, the keyboard, several browsers, and who is let in.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { chrome, closeChrome, Deck, until } from './deck.mjs';

after(closeChrome);

const story = (name, files, tell) =>
  test(name, async () => {
    const deck = await Deck.start({ files });
    try {
      await tell(deck);
    } finally {
      await deck.stop();
    }
  });

const FILES = { 'a.txt': 'alpha\n', 'b.txt': 'beta\n', 'c.txt': 'gamma\n' };
const tab = (page, title) => page.locator('[role=tab]', { hasText: title });
const shown = (page) => page.locator('.tab-body:not([hidden])');

story('a newcomer is told what to do, and begins with a terminal', {}, async (deck) => {
  const page = await deck.page();
  await page.getByRole('heading', { name: 'Nothing is open yet' }).waitFor();
  await page.getByRole('tab', { name: 'Codex' }).click();
  await page.getByText('codex mcp add flightdeck -- flightdeck mcp').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'New terminal' }).click();
  await tab(page, 't1').waitFor();
  assert.deepEqual(page.problems, []);
});

story('a tab is dragged beside another one, and a border gives it room; another browser sees both', FILES, async (deck) => {
  const [mine, other] = [await deck.page(), await deck.page()];
  for (const path of ['a.txt', 'b.txt']) await deck.call('openspace.editor.open', { path });
  await tab(mine, 'b.txt').waitFor();
  const dock = await mine.locator('#dock').boundingBox();
  const from = await tab(mine, 'b.txt').boundingBox();
  await mine.mouse.move(from.x + 20, from.y + 10);
  await mine.mouse.down();
  await mine.mouse.move(dock.x + dock.width * 0.5, dock.y + dock.height * 0.5, { steps: 5 });
  await mine.mouse.move(dock.x + dock.width * 0.95, dock.y + dock.height * 0.4, { steps: 5 });
  await mine.locator('.drop').waitFor();
  await mine.mouse.up();
  for (const page of [mine, other]) await until('two panes', async () => (await shown(page).count()) === 2);

  const sash = mine.locator('.sash').first();
  const line = await sash.boundingBox();
  await mine.mouse.move(line.x + line.width / 2, line.y + 100);
  await mine.mouse.down();
  await mine.mouse.move(dock.x + dock.width * 0.3, line.y + 100, { steps: 4 });
  await mine.mouse.up();
  for (const page of [mine, other]) {
    await until('the left pane has 30 percent', async () => {
      const box = await shown(page).first().boundingBox();
      return box && Math.abs(box.width / dock.width - 0.3) < 0.03;
    });
  }
  await sash.focus();
  await mine.keyboard.press('ArrowRight');
  await until('the keyboard moves it too', async () => {
    const { panes } = await deck.call('openspace.pane.list');
    return panes.some((pane) => Math.abs(pane.geometry.width - 32) < 1);
  });
});

story('a pane is maximised and restored', FILES, async (deck) => {
  const page = await deck.page();
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  await deck.call('openspace.pane.open', { type: 'editor', contentId: 'b.txt', splitDirection: 'vertical' });
  await until('two panes', async () => (await shown(page).count()) === 2);
  await page.getByRole('button', { name: 'Maximise the pane' }).first().click();
  await until('one pane', async () => (await shown(page).count()) === 1);
  await page.getByRole('button', { name: 'Restore the pane' }).click();
  await until('two panes again', async () => (await shown(page).count()) === 2);
});

story('everything is reached by the keyboard alone', FILES, async (deck) => {
  const page = await deck.page();
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  await tab(page, 'a.txt').waitFor();
  await page.keyboard.press('F1');
  await page.getByRole('combobox', { name: 'Commands' }).waitFor();
  await page.keyboard.type('terminal new');
  await page.getByRole('option', { name: 'Terminal: New' }).waitFor();
  await page.keyboard.press('Enter');
  await tab(page, 't1').waitFor();
  // F6 goes from pane to pane.
  await until('the terminal has the keyboard', async () => {
    await page.keyboard.press('F6');
    return page.evaluate(() => document.activeElement?.closest('.tab-body')?.querySelector('.xterm') !== null);
  });
  await until('the editor has the keyboard', async () => {
    await page.keyboard.press('F6');
    return page.evaluate(() => document.activeElement?.closest('.cm-editor') !== null);
  });
});

story('any command of the hub is called by a form', FILES, async (deck) => {
  const page = await deck.page();
  await page.keyboard.press('F1');
  await page.keyboard.type('openspace.file.read');
  await page.getByRole('option').filter({ hasText: 'openspace.file.read' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('path').fill('c.txt');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('status').filter({ hasText: 'gamma' }).waitFor();
  await page.getByLabel('path').fill('none.txt');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('alert').waitFor();
});

story('an agent that opens a file does not take the keyboard', FILES, async (deck) => {
  const page = await deck.page();
  await deck.call('openspace.terminal.create', {});
  await tab(page, 't1').click();
  const typing = () => page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea'));
  await until('the terminal has the keyboard', typing);
  const agent = await deck.agent();
  await agent.do('openspace.editor.open', { path: 'a.txt', line: 1 });
  await tab(page, 'a.txt').waitFor();
  assert.ok(await typing(), 'the keyboard stays');
});

story('the hub is killed, comes back, and the page goes on by itself', FILES, async (deck) => {
  const page = await deck.page();
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  await tab(page, 'a.txt').waitFor();
  await deck.kill();
  await page.getByText('The hub is away').waitFor();
  await deck.cli('restart');
  await page.locator('.status-line .ok').waitFor();
  await page.getByText('The hub is away').waitFor({ state: 'hidden' });
  await deck.call('openspace.editor.open', { path: 'b.txt' });
  await tab(page, 'b.txt').waitFor();
});

story('a browser without the cookie sees nothing and is told what to do', FILES, async (deck) => {
  const known = await deck.page();
  const context = await (await chrome()).newContext();
  deck.contexts.push(context);
  const stranger = await context.newPage();
  await stranger.goto(new URL('/', known.url()).href);
  await stranger.getByText('This browser is not let in.').waitFor();
  assert.equal(await stranger.locator('.tab').count(), 0);
});

story('a page of a foreign origin gets nothing, even in a browser that is let in', FILES, async (deck) => {
  const page = await deck.page();
  const url = new URL(page.url());
  const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<h1>foreign</h1>'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const foreign = await page.context().newPage();
    await foreign.goto(`http://127.0.0.1:${server.address().port}/`);
    const outcome = await foreign.evaluate(
      (host) =>
        new Promise((resolve) => {
          const socket = new WebSocket(`ws://${host}/ws`);
          socket.onopen = () => resolve('open');
          socket.onerror = () => resolve('refused');
        }),
      url.host,
    );
    assert.equal(outcome, 'refused');
    const fetched = await foreign.evaluate((origin) => fetch(`${origin}/session`, { credentials: 'include' }).then(() => 'read', () => 'refused'), url.origin);
    assert.equal(fetched, 'refused');
    const framed = await foreign.evaluate(async (origin) => {
      const frame = document.createElement('iframe');
      frame.src = `${origin}/`;
      document.body.append(frame);
      await new Promise((resolve) => (frame.onload = resolve));
      return frame.contentDocument === null;
    }, url.origin);
    assert.ok(framed, 'a frame of it shows nothing to others');
  } finally {
    server.close();
  }
});

story('nothing inline runs', FILES, async (deck) => {
  const page = await deck.page();
  const blocked = await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('securitypolicyviolation', (event) => resolve(event.violatedDirective));
        const script = document.createElement('script');
        script.textContent = 'window.ran = true';
        document.head.append(script);
        setTimeout(() => resolve(window.ran ? 'it ran' : 'nothing'), 2000);
      }),
  );
  assert.match(blocked, /script-src/);
});
