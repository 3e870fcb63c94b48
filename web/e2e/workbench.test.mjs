// The workbench as a whole: panes, the keyboard, several browsers, and who is let in.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after } from 'node:test';
import { chrome, closeChrome, story, until } from './deck.mjs';

after(closeChrome);

const FILES = { 'a.txt': 'alpha\n', 'b.txt': 'beta\n', 'c.txt': 'gamma\n' };
const tab = (page, title) => page.locator('[role=tab]', { hasText: title });
const shown = (page) => page.locator('.tab-body:not([hidden])');

story('a newcomer is told what to do, and begins with a terminal', {}, async (deck) => {
  const page = await deck.page();
  await page.getByRole('heading', { name: 'Nothing is open yet' }).waitFor();
  await page.getByRole('tab', { name: 'Codex' }).click();
  const { program } = JSON.parse(await deck.cli('status', '--json'));
  // The line works as it stands, wherever the program is.
  await page.getByText(`codex mcp add flightdeck -- ${program} mcp`).waitFor();
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

story('tabs change their order by dragging, and go to the left of what is there', FILES, async (deck) => {
  const page = await deck.page();
  for (const path of ['a.txt', 'b.txt', 'c.txt']) await deck.call('openspace.editor.open', { path });
  await tab(page, 'c.txt').waitFor();
  const order = async () => (await page.locator('#dock').getByRole('tab').allTextContents()).join();
  const drag = async (title, x, y) => {
    const from = await tab(page, title).boundingBox();
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 6 });
    await page.locator('.drop').waitFor();
    await page.mouse.up();
  };
  const first = await tab(page, 'a.txt').boundingBox();
  await drag('c.txt', first.x + 5, first.y + 10);
  await until('c is the first', async () => (await order()) === 'c.txt,a.txt,b.txt', order);
  const dock = await page.locator('#dock').boundingBox();
  await drag('b.txt', dock.x + dock.width * 0.05, dock.y + dock.height * 0.5);
  await until('b has a pane at the left', async () => {
    const { panes } = await deck.call('openspace.pane.list');
    const left = panes.find((pane) => pane.geometry.x === 0);
    return panes.length === 2 && left.tabs.length === 1 && left.tabs[0].contentId === 'b.txt';
  });
  assert.deepEqual(page.problems, []);
});

story('the columns beside the panes have the width that somebody gave them, also the next time', FILES, async (deck) => {
  const page = await deck.page();
  const edge = page.getByRole('separator', { name: 'Width of the panel' });
  const width = async () => (await page.locator('.panel').boundingBox()).width;
  const before = await width();
  const box = await edge.boundingBox();
  await page.mouse.move(box.x + 3, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 63, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await until('it is wider', async () => Math.abs((await width()) - before - 60) < 3, width);
  await edge.focus();
  await page.keyboard.press('ArrowLeft');
  await until('the keyboard moves it too', async () => (await width()) < before + 50, width);
  const given = await width();
  await page.reload();
  await page.locator('.panel').waitFor();
  assert.equal(await width(), given);
});

story('any terminal is found by what runs in it, also when no pane shows it', FILES, async (deck) => {
  const page = await deck.page();
  const agent = await deck.agent();
  const { id } = (await agent.do('flightdeck.terminal.new', { title: 'aside' })).data;
  await agent.do('flightdeck.terminal.run', { id, command: 'sleep 60', timeoutMs: 100 });
  const long = 'a title that goes on and on, '.repeat(6);
  const { id: other } = (await agent.do('flightdeck.terminal.new', { title: long })).data;
  await tab(page, `${other} a title`).waitFor();
  for (const { id: tabId, contentId } of (await deck.call('openspace.pane.list')).panes.flatMap((pane) => pane.tabs)) {
    if ([id, other].includes(contentId)) await deck.call('flightdeck.workbench.close_tab', { tabId });
  }
  await agent.do('flightdeck.terminal.run', { id: other, command: `sleep 50; : ${long}`, timeoutMs: 100 });
  await page.getByRole('button', { name: '2 terminals' }).click();
  await page.getByRole('option', { name: `${other} a title` }).getByText('claude-code').waitFor();
  const sizes = await page.getByRole('option').evaluateAll((rows) =>
    rows.map((row) => ({ height: row.offsetHeight, over: row.scrollWidth - row.clientWidth, owner: row.lastElementChild.getClientRects().length })),
  );
  assert.deepEqual(sizes, [1, 2].map(() => ({ height: sizes[0].height, over: 0, owner: 1 })));
  assert.ok(sizes[0].height <= 30, `one line each, not ${sizes[0].height} pixels`);
  // A whole id is that one, although the other's title has all these letters too.
  await page.getByRole('combobox', { name: 'Go to a terminal' }).fill(id);
  await page.getByRole('option', { name: `${id} aside`, selected: true }).waitFor();
  await page.getByRole('combobox', { name: 'Go to a terminal' }).fill('sleep 60');
  await page.getByRole('option', { name: `${id} aside` }).waitFor();
  await page.keyboard.press('Enter');
  await tab(page, `${id} aside`).waitFor();
  await until('it has the keyboard', () => page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea')));
});

story('on a phone every tab is a touch away, whichever pane it is in', FILES, async (deck) => {
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  const { terminalId } = await deck.call('openspace.terminal.create', {});
  const page = await deck.page({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await tab(page, terminalId).tap();
  await page.locator('.tab-body:not([hidden]) .xterm-rows').waitFor();
  await tab(page, 'a.txt').tap();
  await page.getByRole('textbox', { name: 'Text of a.txt' }).waitFor();
  assert.equal(await shown(page).count(), 1);
  assert.deepEqual(page.problems, []);
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
  await page.getByRole('option', { name: /^Terminal: New Ctrl/ }).waitFor();
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

story('a new terminal is found by its words, by a button and by its key, also with only files open', FILES, async (deck) => {
  const page = await deck.page();
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  await tab(page, 'a.txt').click();
  let count = 0;
  const another = () => tab(page, `t${(count += 1)}`).waitFor();
  await page.locator('.tab-strip').getByRole('button', { name: 'New terminal' }).click();
  await another();
  // As a keyboard of the US has it: with Shift the key types `~`.
  await page.keyboard.press('Control+Shift+Backquote');
  await another();
  for (const words of ['new terminal', 'new shell', 'term new']) {
    await page.keyboard.press('F1');
    await page.getByRole('combobox', { name: 'Commands' }).fill(words);
    await page.getByRole('option').first().filter({ hasText: 'Terminal: New' }).waitFor();
    // The commands of the hub come a moment later, and stand below.
    await page.getByRole('option').filter({ hasText: words === 'new shell' ? 'newBelow' : 'flightdeck.terminal.new' }).waitFor();
    await page.keyboard.press('Enter');
    await another();
  }
  await page.keyboard.press('F1');
  await page.getByRole('combobox', { name: 'Commands' }).fill('theme');
  await page.getByRole('option').filter({ hasText: 'memory_terminal' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('html[data-theme=light]').waitFor();
  // An editor that fills the dock leads to one, too.
  await page.getByRole('button', { name: 'Maximise the pane' }).first().click();
  await until('one pane', async () => (await shown(page).count()) === 1);
  await page.getByRole('button', { name: 'New terminal' }).click();
  await another();
  assert.deepEqual(page.problems, []);
});

story('the terminal that somebody chose stays when they turn to a file, whatever agents open', FILES, async (deck) => {
  const page = await deck.page();
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  for (const title of ['mine', 'other']) await deck.call('openspace.terminal.create', { title });
  await tab(page, 't1 mine').click();
  const agent = await deck.agent();
  const mine = async () => (await page.locator('.tab[aria-selected=true]').allTextContents()).some((text) => text.includes('t1 mine'));
  await agent.do('openspace.terminal.create', { title: 'theirs' });
  await tab(page, 't3 theirs').waitFor();
  await page.getByRole('textbox', { name: 'Text of a.txt' }).click();
  await until('the editor has the keyboard', () => page.evaluate(() => document.activeElement?.closest('.cm-editor') !== null));
  assert.ok(await mine(), 'it stays when the keyboard goes elsewhere');
  await agent.do('openspace.terminal.create', { title: 'newer' });
  await tab(page, 't4 newer').waitFor();
  assert.ok(await mine(), 'and when another one comes then');
  await page.keyboard.press('F6');
  await until('the keyboard is in it', () => page.evaluate(() => document.activeElement?.closest('.term')?.dataset.terminal === 't1'));
});

story('a narrow window keeps in reach what is needed, and has its panel again when it is wide', FILES, async (deck) => {
  const page = await deck.page();
  await page.locator('.panel').waitFor();
  await deck.call('openspace.terminal.create', {});
  await tab(page, 't1').click();
  await until('the terminal has the keyboard', () => page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea')));
  await page.keyboard.type('cat');
  const back = page.getByRole('button', { name: 'Hand back' });
  await back.waitFor();
  // What is at the middle of it is what a click meets; and none of it is cut off.
  const reachable = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.term-foot button')].filter((one) => one.checkVisibility()).every((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return [left + 1, right - 1].every((x) => one.contains(document.elementFromPoint(x, (top + bottom) / 2)));
      }),
    );
  for (const width of [960, 800, 701]) {
    await page.setViewportSize({ width, height: 600 });
    await page.locator('.panel').waitFor({ state: 'detached' });
    await until(`all can be pressed at ${width}`, reachable);
    await page.keyboard.press('Control+Shift+E');
    await page.locator('.panel').waitFor();
    await until(`all can be pressed beside a panel at ${width}`, reachable);
    // The same keys lead into a panel that has not got the keyboard yet.
    await until('the panel has the keyboard', () => page.evaluate(() => document.activeElement?.closest('.panel') !== null));
    await page.keyboard.press('Control+Shift+E');
  }
  await page.keyboard.press('Control+Shift+E');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('.panel').waitFor({ state: 'detached' });
  await page.getByText('Requests of agents, questions of their programs').waitFor();
  assert.ok(await page.locator('.attention').evaluate((one) => one.contains(document.elementFromPoint(100, 130))), 'what needs somebody is in sight');
  await until('all can be pressed on a phone', reachable);
  await back.click();
  await back.waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.locator('.panel[aria-label=Files]').waitFor();
  await page.reload();
  await page.locator('.panel[aria-label=Files]').waitFor();
  assert.deepEqual(page.problems, []);
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
  await deck.lose();
  await page.getByText('The hub is away').waitFor();
  await deck.revive();
  await page.locator('.status-line .ok').waitFor();
  await page.getByText('The hub is away').waitFor({ state: 'hidden' });
  await deck.call('openspace.editor.open', { path: 'b.txt' });
  await tab(page, 'b.txt').waitFor();
});

/** A browser that would open would be one more window. */
const NO_BROWSER = { programs: { 'xdg-open': '#!/bin/sh\n' } };

story('a hub that was stopped is told as stopped, with the line that starts it again', {}, async (deck) => {
  const page = await deck.page();
  await deck.cli('stop');
  const banner = page.locator('.away');
  await banner.getByText('The hub was stopped').waitFor();
  assert.ok(!/come|back/.test(await banner.innerText()), 'nothing brings it back by itself');
  const line = await banner.locator('pre').innerText();
  assert.ok(line.endsWith(` open -w ${deck.workspace}`), line);
  await banner.getByRole('button', { name: 'Copy' }).waitFor();
  await deck.shell(line);
  await banner.waitFor({ state: 'detached' });
  await page.locator('.status-line .ok').waitFor();
  const { terminalId: id } = await deck.call('openspace.terminal.create', {});
  await tab(page, id).waitFor();
  assert.deepEqual(page.problems, []);
}, NO_BROWSER);

story('a hub that does not come back is told as away, and after a while with the line that starts it', {}, async (deck) => {
  const page = await deck.page();
  // The page's clock stands still but where it is moved, however long anything takes here.
  await page.clock.install();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await deck.crash();
  const banner = page.locator('.away');
  await page.locator('.status-line .ok').waitFor({ state: 'detached' });
  await page.clock.runFor(2000);
  await banner.getByText('The hub is away').waitFor();
  assert.equal(await banner.locator('pre').count(), 0, 'it may be back in a moment');
  await page.clock.runFor(4000);
  await banner.getByText('If it does not come back, run').waitFor();
  await page.clock.resume();
  await deck.shell(await banner.locator('pre').innerText());
  await banner.waitFor({ state: 'detached' });
  await page.locator('.status-line .ok').waitFor();
  // The login has survived, also for a page that is loaded anew.
  await page.reload();
  await page.locator('.status-line .ok').waitFor();
  assert.deepEqual(page.problems, []);
}, NO_BROWSER);

story('a hub that nothing can start below its terminals says how to go on', {}, async (deck) => {
  const page = await deck.page();
  await deck.call('openspace.terminal.create', {});
  await deck.lose();
  process.kill(deck.spawner, 'SIGKILL');
  const banner = page.locator('.away');
  await banner.getByText('If it does not come back, run').waitFor();
  const line = await banner.locator('pre').innerText();
  await assert.rejects(deck.shell(line), /flightdeck stop --all/);
  await deck.cli('stop', '--all');
  await deck.shell(line);
  await banner.waitFor({ state: 'detached' });
  assert.deepEqual(page.problems, []);
}, NO_BROWSER);

story('a page that is older than the hub says so, and goes on working', FILES, async (deck) => {
  const page = await deck.page();
  await tab(page, 'none').waitFor({ state: 'detached' });
  await deck.lose();
  await page.getByText('The hub is away').waitFor();
  // As after an upgrade: the page that would be loaded now begins with another script.
  await page.route((url) => url.pathname === '/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/index-newer.js"></script>' }),
  );
  await deck.revive();
  await page.getByText('Flightdeck is newer than this page').waitFor();
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  await tab(page, 'a.txt').waitFor();
  await page.unroute((url) => url.pathname === '/').catch(() => {});
  await page.getByRole('button', { name: 'Reload' }).waitFor();
});

story('the branch is shown, and what git leaves out is dimmed', { ...FILES, '.gitignore': 'out\n', 'out/x': 'x', '.git/HEAD': 'ref: refs/heads/trunk\n' }, async (deck) => {
  const page = await deck.page();
  await page.locator('.bar').getByText('trunk').waitFor();
  await page.locator('[role=treeitem][data-path="out"][data-dim=true]').waitFor();
  assert.equal(await page.locator('[role=treeitem][data-path="a.txt"]').getAttribute('data-dim'), 'false');
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

const keyboardIn = (page, selector) => page.evaluate((one) => document.activeElement?.closest(one) != null, selector);
const tabs = (page) => page.locator('#dock [role=tab]');

story('what agents start is there in the background, and who follows them sees it', FILES, async (deck) => {
  const agent = await deck.agent('claude');
  const { id: early } = (await agent.do('flightdeck.terminal.new', { title: 'early' })).data;
  const page = await deck.page();
  await tab(page, `${early} early`).waitFor();
  assert.equal(await page.getByText('Nothing is open yet').count(), 0);
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  const text = page.getByRole('textbox', { name: 'Text of a.txt' });
  await text.click();
  await page.keyboard.type('mine ');
  // A terminal that stays, and commands of which each has a terminal of its own: of those the last one.
  const { id: late } = (await agent.do('flightdeck.terminal.new', { title: 'late' })).data;
  await tab(page, `${late} late`).waitFor();
  for (const word of ['one', 'two', 'three']) await agent.do('flightdeck.terminal.run', { command: `echo ${word}` });
  await tab(page, 'echo three').waitFor();
  const { terminals } = await deck.call('flightdeck.terminal.list', { all: true });
  const last = terminals.find(({ command }) => command.includes('three')).id;
  await agent.do('flightdeck.terminal.run', { command: 'echo four' });
  await tab(page, 'echo four').waitFor();
  assert.equal(await tab(page, last).count(), 0, 'one that is over makes room for the next');
  // Nothing of it has moved anything.
  assert.equal(await tab(page, `${early} early`).getAttribute('aria-selected'), 'true');
  await page.keyboard.type('still ');
  await until('the keyboard stayed in the file', async () => /mine still/.test(await text.innerText()));
  // Somebody closes it, and it stays closed.
  await tab(page, `${late} late`).click();
  await page.keyboard.press('Control+Alt+w');
  await tab(page, `${late} late`).waitFor({ state: 'detached' });
  await agent.do('flightdeck.terminal.run', { id: late, command: 'echo hidden' });
  await page.reload();
  await tab(page, `${early} early`).waitFor();
  assert.equal(await tab(page, `${late} late`).count(), 0);
  // Who follows is taken along.
  await page.getByRole('button', { name: 'Follow agents' }).click();
  await agent.do('flightdeck.terminal.run', { id: early, command: 'echo followed' });
  await until('the terminal is in front', async () => (await tab(page, `${early} early`).getAttribute('data-focused')) === 'true');
  const { id: next } = (await agent.do('flightdeck.terminal.new', { title: 'next' })).data;
  await until('and then the next', async () => (await tab(page, `${next} next`).getAttribute('aria-selected')) === 'true');
  // Also when another pane fills the dock.
  await page.getByRole('main').locator('.tab-strip', { hasText: 'a.txt' }).getByRole('button', { name: 'Maximise the pane' }).click();
  await tab(page, `${next} next`).waitFor({ state: 'detached' });
  await agent.do('flightdeck.terminal.run', { id: early, command: 'sleep 600', timeoutMs: 50 });
  await shown(page).locator('.xterm-rows', { hasText: 'sleep 600' }).waitFor();
  assert.deepEqual(page.problems, []);
});

story('a page that is loaded again shows what it has shown, whatever an agent opens meanwhile', FILES, async (deck) => {
  const page = await deck.page();
  const agent = await deck.agent('claude');
  for (const path of ['a.txt', 'b.txt']) await deck.call('openspace.editor.open', { path });
  const { terminalId } = await deck.call('openspace.terminal.create', {});
  await tab(page, terminalId).waitFor();
  await tab(page, 'a.txt').click();
  await page.getByRole('textbox', { name: 'Text of a.txt' }).waitFor();
  // The hub has another pane and another file in front.
  await agent.do('openspace.pane.open', { type: 'terminal', contentId: terminalId });
  await agent.do('openspace.editor.open', { path: 'b.txt' });
  await agent.do('openspace.pane.open', { type: 'terminal', contentId: terminalId });
  const selected = async (title) => (await tab(page, title).getAttribute('aria-selected')) === 'true';
  await until('a stays', () => selected('a.txt'));
  await page.reload();
  await tab(page, 'a.txt').waitFor();
  await page.getByRole('textbox', { name: 'Text of a.txt' }).waitFor();
  assert.equal(await selected('a.txt'), true, 'loading it again has changed the file');
  await agent.do('openspace.editor.open', { path: 'c.txt' });
  await tab(page, 'c.txt').waitFor();
  assert.equal(await selected('a.txt'), true, 'an agent has changed the file');
  assert.deepEqual(page.problems, []);
});

story('the file that somebody reads stays in sight while they type in a terminal, and what an agent opens is marked as new', FILES, async (deck) => {
  const page = await deck.page();
  const agent = await deck.agent('claude');
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  const { terminalId } = await deck.call('openspace.terminal.create', {});
  await tab(page, 'a.txt').click();
  await page.getByRole('textbox', { name: 'Text of a.txt' }).waitFor();
  await tab(page, terminalId).click();
  await until('the terminal has the keyboard', () => page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea')));
  await agent.do('openspace.editor.open', { path: 'b.txt' });
  const selected = async (title) => (await tab(page, title).getAttribute('aria-selected')) === 'true';
  const fresh = tab(page, 'b.txt').getByText('new', { exact: true });
  await fresh.waitFor();
  assert.equal(await selected('a.txt'), true, 'an agent has changed the file');
  await page.reload();
  await fresh.waitFor();
  assert.equal(await selected('a.txt'), true, 'and so has loading it again');
  // What the person opens elsewhere is opened to be seen.
  await deck.call('openspace.editor.open', { path: 'c.txt' });
  await until('it is seen', () => selected('c.txt'));
  await tab(page, 'b.txt').click();
  await fresh.waitFor({ state: 'detached' });
  assert.deepEqual(page.problems, []);
});

story('whoever closes a tab goes on in the one that stands there now', FILES, async (deck) => {
  const page = await deck.page();
  for (const path of ['a.txt', 'b.txt']) await deck.call('openspace.editor.open', { path });
  const { terminalId } = await deck.call('openspace.terminal.create', {});
  await tab(page, terminalId).waitFor();
  await tab(page, 'b.txt').click();
  await until('it has the keyboard', () => keyboardIn(page, '.cm-editor'));
  for (const [left, place] of [['a.txt', '.cm-editor'], [terminalId, '.xterm']]) {
    await page.keyboard.press('Control+Alt+w');
    await until(`${left} has the keyboard`, async () => (await tab(page, left).getAttribute('data-focused')) === 'true' && (await keyboardIn(page, place)));
  }
  await page.keyboard.press('Control+Alt+w');
  // The terminal runs on, and is a click away.
  await page.getByText('1 terminal runs that no pane shows').waitFor();
  await until('the keyboard is not lost', () => keyboardIn(page, 'main'));
  for (let times = 0; times < 3; times += 1) await page.keyboard.press('Control+Alt+w');
  await page.getByRole('main').getByRole('button', { name: 'Go to a terminal' }).click();
  await page.getByRole('combobox', { name: 'Go to a terminal' }).press('Enter');
  await tab(page, terminalId).waitFor();
  assert.equal(await page.locator('.toasts > li').count(), 0, 'with no tab there is nothing to complain about');
  assert.deepEqual(page.problems, []);
});

story('of many tabs the one that is shown stays in sight', {}, async (deck) => {
  const page = await deck.page({ viewport: { width: 900, height: 700 } });
  const ids = [];
  for (let number = 0; number < 9; number += 1) ids.push((await deck.call('openspace.terminal.create', {})).terminalId);
  // A title that a terminal was created with would not change.
  const name = async (id, title) => {
    await deck.cli('send', id, '--enter', `printf '\\033]0;${title}\\007'`);
    await tab(page, `${id} ${title}`).waitFor({ state: 'attached' });
  };
  for (const [number, id] of ids.entries()) await name(id, `number ${number} of the terminals`);
  await until('all are there', async () => (await tabs(page).count()) === 9);
  const inSight = (id) =>
    page.evaluate((one) => {
      const tab = [...document.querySelectorAll('#dock [role=tab]')].find(({ title }) => title === one).getBoundingClientRect();
      const room = document.querySelector('#dock [role=tablist]').getBoundingClientRect();
      return tab.left >= room.left - 1 && tab.right <= room.right + 1;
    }, id);
  for (const id of [ids[8], ids[0], ids[5]]) {
    await page.keyboard.press('Control+Alt+p');
    await page.getByRole('combobox', { name: 'Go to a terminal' }).fill(id);
    await page.keyboard.press('Enter');
    await until(`${id} is in sight`, () => inSight(id));
  }
  // Others get longer names, and the window less room.
  for (const id of ids.slice(0, 5)) await name(id, 'a much longer title than before');
  await page.setViewportSize({ width: 620, height: 700 });
  await until('it is still in sight', () => inSight(ids[5]));
  assert.deepEqual(page.problems, []);
});

story('the keys of the panels take the keyboard there, and back', FILES, async (deck) => {
  const page = await deck.page();
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  await page.getByRole('textbox', { name: 'Text of a.txt' }).click();
  for (const [key, name] of [['e', 'Files'], ['f', 'Search'], ['a', 'Agents'], ['y', 'Activity'], ['l', 'Policy']]) {
    await page.keyboard.press(`Control+Shift+${key}`);
    await page.getByRole('complementary', { name, exact: true }).waitFor();
    await until(`${name} has the keyboard`, () => keyboardIn(page, 'aside.panel'), () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200)));
  }
  await page.keyboard.press('Control+Shift+l');
  await page.locator('aside.panel').waitFor({ state: 'detached' });
  await until('it is back in the file', () => keyboardIn(page, '.cm-editor'));
  assert.deepEqual(page.problems, []);
});

story('an edit that is undone leaves nothing to save', FILES, async (deck) => {
  const page = await deck.page();
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  await page.getByRole('textbox', { name: 'Text of a.txt' }).click();
  await page.keyboard.type('new ');
  const mark = tab(page, 'a.txt').getByRole('img', { name: 'unsaved' });
  await mark.waitFor();
  await until('all is undone', async () => {
    await page.keyboard.press('Control+z');
    return (await deck.call('flightdeck.workbench.document', { path: 'a.txt' })).text === 'alpha\n';
  });
  await mark.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Alt+w');
  await tab(page, 'a.txt').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.toasts > li').count(), 0, 'nothing is asked about');
});
