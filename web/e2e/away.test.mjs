// What a person sees and can do while the hub is away, and what of it is there when it is back.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { closeChrome, story, until } from './deck.mjs';

after(closeChrome);

const live = (page) => page.locator('.status-line .ok').waitFor({ state: 'attached' });

story('no key is lost when the hub is killed while somebody types', {}, async (deck) => {
  const { terminalId: id } = await deck.call('openspace.terminal.create', {});
  const page = await deck.page();
  const pane = page.locator(`.term[data-terminal="${id}"]`);
  await pane.locator('.xterm-screen').click();
  const newest = async () => (await deck.call('flightdeck.terminal.history', { id, limit: 1 })).commands[0];
  for (let life = 0; life < 3; life += 1) {
    let [line, gone] = [': ', false];
    await page.keyboard.type(line);
    const killing = deck.kill().then(() => (gone = true));
    for (let after = 0; after < 20; after += gone ? 1 : 0) {
      const key = String.fromCharCode(97 + (line.length % 26));
      await page.keyboard.type(key);
      line += key;
    }
    await killing;
    await page.keyboard.press('Enter');
    await live(page);
    await until('the line has run', async () => (await newest())?.text?.length > 2, async () => JSON.stringify(await newest()));
    await until('all of it has run, and nothing twice', async () => (await newest()).text === line, async () => `${line}\n${(await newest()).text}`);
    assert.equal(await page.getByText('Discard').count(), 0);
  }
  assert.deepEqual(page.problems, []);
});

story('a panel that is opened while the hub is away is there when it is back', { 'a.txt': 'needle\n' }, async (deck) => {
  const page = await deck.page();
  await deck.lose();
  await page.getByText('The hub is away').waitFor();
  for (const name of ['Search', 'Activity']) await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name }).click();
  await page.locator('.panel').getByText('This shows when the hub is back').waitFor();
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Search' }).click();
  await deck.revive();
  await page.locator('.panel').getByRole('heading', { name: 'Search' }).waitFor();
  assert.equal(await page.getByText('Flightdeck is newer than this page').count(), 0, 'it is the same one');
  assert.deepEqual(page.problems.filter((problem) => !/dynamically imported/.test(problem)), []);
});

story('what cannot be done while the hub is away is said', { 'a.txt': 'alpha\n' }, async (deck) => {
  const page = await deck.page();
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  await page.getByRole('textbox', { name: 'Text of a.txt' }).click();
  await page.keyboard.type('beta ');
  await until('the hub has it', async () => (await deck.call('flightdeck.workbench.document', { path: 'a.txt' })).text.includes('beta '));
  await deck.lose();
  await page.getByText('The hub is away').first().waitFor();
  const toasts = page.locator('.toasts');
  await page.keyboard.press('Control+Shift+Backquote');
  await toasts.getByText('The hub is away: no terminal was opened').waitFor();
  await toasts.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'New terminal' }).first().click();
  await toasts.getByText('The hub is away: no terminal was opened').waitFor();
  await page.getByRole('textbox', { name: 'Text of a.txt' }).click();
  await page.keyboard.press('Control+s');
  await toasts.getByText('a.txt is saved when the hub is back').waitFor();
  await deck.revive();
  await until('it is on disk', async () => /beta /.test(await deck.read('a.txt')));
  assert.equal((await deck.call('openspace.terminal.list')).terminals?.length ?? 0, 0, 'nothing is done later that was said not to be');
});

for (const [width, height] of [[800, 600], [1440, 900], [390, 844]]) {
  story(`at ${width}×${height} the banner covers nothing that is read or typed`, { 'a.txt': 'alpha\n' }, async (deck) => {
    const page = await deck.page({ viewport: { width, height } });
    await deck.call('openspace.editor.open', { path: 'a.txt' });
    await page.getByRole('textbox', { name: 'Text of a.txt' }).waitFor();
    await deck.lose();
    const banner = page.locator('.away');
    await banner.getByText('The hub is away').waitFor();
    const isClear = async () => {
      const [lower, ...upper] = await Promise.all(
        [banner, page.locator('#dock'), page.locator('.attention')].map((one) => one.boundingBox()),
      );
      return upper.every((box) => box === null || box.y >= lower.y + lower.height - 1) || JSON.stringify({ lower, upper });
    };
    assert.equal(await isClear(), true);
    await banner.getByText('If it does not come back, run').waitFor();
    assert.equal(await isClear(), true);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/away-${width}.png` });
    await deck.revive();
    await banner.waitFor({ state: 'detached' });
  });
}
