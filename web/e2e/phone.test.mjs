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
