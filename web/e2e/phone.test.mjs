// The page on a phone: one column, in which everything is a touch away and large enough for it.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { closeChrome, Deck, test, until } from './deck.mjs';

after(closeChrome);

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const story = (name, tell) =>
  test(name, async () => {
    const deck = await Deck.start();
    try {
      await tell(deck, await deck.page(PHONE));
    } finally {
      await deck.stop();
    }
  });

story('what needs somebody is a touch away from a panel', async (_deck, page) => {
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name: 'Files' }).tap();
  await page.locator('.panel').waitFor();
  await page.locator('.needs').tap();
  await page.locator('.panel').waitFor({ state: 'detached' });
  assert.ok(await page.locator('.attention-body').isVisible());
  // Once more puts it away, as without a panel.
  await page.locator('.needs').tap();
  await page.locator('.attention').waitFor({ state: 'detached' });
});

story('two questions are answered without scrolling, and commands are found by touch', async (deck, page) => {
  const [one, two] = [await deck.agent('claude'), await deck.agent('codex')];
  await deck.call('openspace.terminal.create', {});
  const waiting = [one.tool('flightdeck.terminal.run', { command: 'rm -rf x' }), two.tool('flightdeck.terminal.run', { command: 'rm -rf y' })];
  const dialog = page.locator('.approval-dialog');
  const cards = page.locator('.attention [data-need]', { hasText: 'wants to run' });
  await until('both are there', async () => (await cards.count()) === 2);
  await dialog.locator('[data-ready=true]').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await cards.last().getByRole('button', { name: 'Deny', exact: true }).waitFor();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/phone-cards.png` });
  const [body, button] = [await page.locator('.attention-body').boundingBox(), await cards.last().getByRole('button', { name: 'Deny', exact: true }).boundingBox()];
  assert.ok(button.y + button.height <= body.y + body.height, JSON.stringify({ body, button }));
  for (const left of [1, 0]) {
    // What is touched while the cards move counts for nothing.
    await until('it is answered', async () => {
      if ((await cards.count()) > left) await cards.first().getByRole('button', { name: 'Deny', exact: true }).tap({ timeout: 2000 }).catch(() => {});
      return (await cards.count()) <= left;
    });
  }
  await Promise.all(waiting);
  await page.locator('.rail-commands').tap();
  const option = page.getByRole('option').first();
  await option.waitFor();
  assert.ok((await option.boundingBox()).height >= 44);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/phone-palette.png` });
});
