// A person who follows agents sees the terminal in which one does something, however short it is.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { closeChrome, Deck, test, until } from './deck.mjs';

after(closeChrome);

test('who follows agents sees each terminal that one uses, also for commands that are over at once', async () => {
  const deck = await Deck.start();
  try {
    const agent = await deck.agent('claude');
    const page = await deck.page();
    await page.getByRole('button', { name: 'Follow agents' }).click();
    const ids = [];
    for (const title of ['one', 'two']) ids.push((await agent.do('openspace.terminal.create', { title })).terminalId);
    const [one, two] = ids;
    const shows = (id) => until(`${id} is in front`, () => page.locator(`.tab-body:not([hidden]) .term[data-terminal="${id}"]`).isVisible());
    await shows(two);
    await agent.do('flightdeck.terminal.run', { id: one, command: 'echo' });
    await shows(one);
    await agent.do('flightdeck.terminal.keys', { id: two, text: 'true\n' });
    await shows(two);
    await agent.do('openspace.terminal.send', { terminalId: one, text: 'true' });
    await shows(one);
    await agent.do('flightdeck.terminal.run', { id: two, command: 'true' });
    await shows(two);
    // Who does not follow any more stays where they are.
    await page.getByRole('button', { name: 'Following agents' }).click();
    await agent.do('flightdeck.terminal.run', { id: one, command: 'echo' });
    await page.locator('[role=tab]', { hasText: 'one' }).getByText('ran a command').or(page.locator('.status-line .ok')).first().waitFor();
    assert.ok(await page.locator(`.tab-body:not([hidden]) .term[data-terminal="${two}"]`).isVisible());
    assert.deepEqual(page.problems, []);
  } finally {
    await deck.stop();
  }
});
