// A terminal along a time line.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after } from 'node:test';
import { closeChrome, Deck, test, until } from './deck.mjs';

after(closeChrome);

test('a person replays what an agent ran, goes from command to command, and takes it along', async () => {
  const deck = await Deck.start();
  try {
    const agent = await deck.agent();
    const { terminalId } = await agent.do('openspace.terminal.create', {});
    // The keeper notes the time a few times a second at most.
    for (const command of ['echo first-$((1+1))', 'sleep 1.5; echo second-$((2+2)); false']) {
      await agent.do('flightdeck.terminal.run', { id: terminalId, command });
    }
    const page = await deck.page();
    await page.locator('[role=tab]', { hasText: terminalId }).click();
    await page.locator('.xterm-rows', { hasText: 'second-4' }).waitFor();
    // The page has another size than the terminal had, and what comes from here on is for that.
    const size = async () => (await deck.call('flightdeck.terminal.list')).terminals.find(({ id }) => id === terminalId).size;
    for (const [width, height] of [[1000, 700], [1300, 800]]) {
      const before = await size();
      await page.setViewportSize({ width, height });
      await until('the terminal follows the window', async () => (await size()).cols !== before.cols, async () => JSON.stringify([before, await size()]));
    }
    await agent.do('flightdeck.terminal.run', { id: terminalId, command: 'echo third-$((3+3))' });
    await page.locator('.xterm-rows', { hasText: 'third-6' }).waitFor();
    await page.keyboard.press('F1');
    await page.keyboard.type('terminal replay');
    await page.getByRole('option', { name: 'Terminal: Replay' }).waitFor();
    await page.keyboard.press('Enter');

    const dialog = page.getByRole('dialog', { name: `Replay of ${terminalId}` });
    const screen = async () => (await dialog.locator('.xterm-rows').textContent())?.replaceAll('\u00a0', ' ') ?? '';
    await until('it plays to the end', async () => (await screen()).includes('third-6'), screen);
    assert.equal(await dialog.getByRole('button', { name: /^Go to / }).count(), 3, 'a mark for each command');

    await dialog.getByRole('slider', { name: 'Time' }).fill('0');
    await until('the beginning is shown', async () => !(await screen()).includes('second-4'), screen);
    for (let step = 0; step < 3; step++) await dialog.getByRole('button', { name: 'command ›' }).click();
    await dialog.getByRole('button', { name: 'command ›' }).click();
    await until('the end is shown', async () => (await screen()).includes('second-4'), screen);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save as asciicast' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line));
    assert.equal(lines[0].version, 2);
    const printed = lines.slice(1).map(([, kind, text]) => (kind === 'o' ? text : '')).join('');
    assert.match(printed, /first-2[\s\S]*second-4[\s\S]*third-6/);
    const { rows, cols } = await size();
    assert.equal(lines.findLast(([, kind]) => kind === 'r')?.[2], `${cols}x${rows}`);
    assert.doesNotMatch(printed, /\x1b\]7733|\0/, 'what the shell tells the hub is for nobody else');
    assert.ok(lines.slice(1).every(([at], index, all) => index === 0 || all[index - 1][0] <= at), 'in order of time');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual(page.problems, []);
  } finally {
    await deck.stop();
  }
});
