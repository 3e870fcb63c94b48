// A person answers what agents may not do by themselves.
import assert from 'node:assert/strict';
import { after, afterEach, before, test as story } from 'node:test';
import { closeChrome, Deck, SOON, until } from './deck.mjs';

/** An agent that is never answered would wait for ten minutes. */
const test = (name, run) => story(name, { timeout: 4 * SOON }, run);

let deck;
let agent;

before(async () => {
  deck = await Deck.start({ files: { 'keep/this.txt': 'precious\n' } });
});
afterEach(async () => {
  agent?.end();
  agent = undefined;
  for (const context of deck.contexts.splice(0)) await context.close();
  await until('nothing waits', async () => (await deck.call('flightdeck.approval.list')).approvals.length === 0);
});
after(async () => {
  await deck?.stop();
  await closeChrome();
});

/** An agent that wants to do something; it waits for a person as long as a page is open. */
async function asks(command, more = {}) {
  agent ??= await deck.agent('codex');
  return agent.tool('flightdeck.terminal.run', { command, ...more });
}

/** The same, where nobody should be asked. */
async function unasked(page, command, more) {
  const asked = card(page).waitFor().then(async () => {
    throw new Error(`somebody was asked: ${JSON.stringify((await deck.call('flightdeck.approval.list')).approvals)}`);
  });
  asked.catch(() => {});
  return Promise.race([asks(command, more), asked]);
}

/** A page that knows how things stand: what comes from now on is new to it. */
async function watching(page) {
  await page.locator('.attention .agent-row').first().waitFor();
  return page;
}
async function look(options) {
  agent ??= await deck.agent('codex');
  return watching(await deck.page(options));
}

const dialog = (page) => page.locator('.approval-dialog');
const card = (page) => page.locator('.attention .approval');
const told = (result) => JSON.stringify(result.structuredContent);

/** The dialog, once keys and clicks count in it. */
async function ready(page) {
  await dialog(page).locator('[data-ready=true]').waitFor();
  return dialog(page);
}

/** Puts the dialog away, and gives the card that stays. */
async function cardOf(page) {
  await ready(page);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  return card(page);
}

const gone = (page) => card(page).waitFor({ state: 'detached' });

test('a dangerous command comes forward, with what is dangerous underlined and Deny under the fingers', async () => {
  const page = await look();
  const answer = asks('cd keep && rm -rf ../dist');
  const shown = await ready(page);
  assert.equal(await shown.locator('.dangerous').innerText(), 'rm -rf ../dist');
  assert.match(await shown.innerText(), /codex wants to run/);
  assert.match(await shown.innerText(), /deletes \.\.\/dist/);
  assert.match(await shown.innerText(), /in shop/);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Deny');
  await page.keyboard.press('Enter');
  assert.match(told(await answer), /"code":"declined"/);
  await dialog(page).waitFor({ state: 'detached' });
  await gone(page);
  assert.deepEqual(page.problems, []);
});

test('a denial with a reason reaches the agent', async () => {
  const page = await look();
  const answer = asks('git push --force origin main');
  const shown = await cardOf(page);
  await shown.getByRole('button', { name: 'Deny with a reason' }).click();
  await page.keyboard.type('use the staging server');
  await page.keyboard.press('Enter');
  assert.match(told(await answer), /use the staging server/);
  await gone(page);
});

test('a yes for once runs it once, and the next time it is asked again', async () => {
  const page = await look();
  await deck.write('out/x.txt', 'x');
  const first = asks('rm -rf out && echo removed');
  await (await cardOf(page)).getByRole('button', { name: 'Allow once', exact: true }).click();
  assert.match(told(await first), /removed/);
  await gone(page);
  await assert.rejects(deck.read('out/x.txt'));
  const second = asks('rm -rf out && echo removed');
  await (await ready(page)).getByRole('button', { name: 'Deny', exact: true }).click();
  assert.match(told(await second), /"code":"declined"/);
});

test('a person runs something else instead', async () => {
  const page = await look();
  const answer = asks('rm -rf keep');
  const shown = await cardOf(page);
  await shown.getByRole('button', { name: 'Edit' }).click();
  const field = shown.getByRole('textbox', { name: 'Command to run instead' });
  assert.equal(await field.inputValue(), 'rm -rf keep');
  await field.fill('echo kept it');
  await shown.getByRole('button', { name: 'Run edited' }).click();
  assert.match(told(await answer), /kept it/);
  assert.equal(await deck.read('keep/this.txt'), 'precious\n');
  await gone(page);
});

test('who goes back from a longer answer finds the keyboard where it was', async () => {
  const page = await look();
  void asks('rm -rf keep');
  const shown = await cardOf(page);
  await shown.getByRole('button', { name: 'Edit' }).click();
  await page.keyboard.press('Escape');
  await until('Edit has the keyboard', () => page.evaluate(() => document.activeElement.textContent === 'Edit'));
  assert.equal(await card(page).count(), 1);
});

test('a yes for the terminal counts there, and only there', async () => {
  const page = await look();
  const { id } = (await agent.do('flightdeck.terminal.new')).data;
  await agent.do('flightdeck.terminal.run', { id, command: 'echo ready' });
  await agent.do('flightdeck.terminal.wait', { id, prompt: true });
  const first = asks('rm -rf nothing && echo here', { id });
  const shown = await ready(page);
  await shown.getByRole('button', { name: 'Allow further than once' }).click();
  await shown.getByRole('button', { name: /In this terminal/ }).click();
  assert.match(told(await first), /here/);
  await gone(page);
  await dialog(page).waitFor({ state: 'detached' });
  assert.match(told(await unasked(page, 'rm -rf nothing && echo here', { id })), /here/);
  const elsewhere = asks('rm -rf nothing && echo here');
  await (await ready(page)).getByRole('button', { name: 'Deny', exact: true }).click();
  assert.match(told(await elsewhere), /declined/);
});

test('a yes for the session lasts until the agent leaves', async () => {
  const page = await look();
  const first = asks('rm -rf session-thing');
  const shown = await cardOf(page);
  await shown.getByRole('button', { name: 'Allow further than once' }).click();
  await shown.getByRole('button', { name: /This session/ }).click();
  assert.match(told(await first), /"exitCode":0/);
  await gone(page);
  assert.match(told(await unasked(page, 'rm -rf session-thing')), /"exitCode":0/);
  agent.end();
  agent = await deck.agent('codex');
  const later = asks('rm -rf session-thing');
  await (await ready(page)).getByRole('button', { name: 'Deny', exact: true }).click();
  assert.match(told(await later), /declined/);
});

test('always shows the rule first, adds it, and it is seen among the rules', async () => {
  const page = await look();
  const first = asks('rm -rf build-of-always');
  const shown = await cardOf(page);
  await shown.getByRole('button', { name: 'Allow further than once' }).click();
  await shown.getByRole('button', { name: /Always/ }).click();
  assert.match(await shown.locator('.offer').innerText(), /allow = \["rm -rf build-of-always"\]/);
  await shown.getByRole('button', { name: 'Add the rule and allow' }).click();
  assert.match(told(await first), /"exitCode":0/);
  await page.locator('.toasts').getByRole('button', { name: 'Show' }).click();
  await page.locator('.panel .rule').getByText('rm -rf build-of-always', { exact: true }).waitFor();
  await gone(page);
  assert.match(told(await unasked(page, 'rm -rf build-of-always')), /"exitCode":0/);
  assert.equal(await card(page).count(), 0);
});

test('of two browsers one answers, and the other is told', async () => {
  const [one, other] = [await look(), await look()];
  const answer = asks('rm -rf shared');
  await Promise.all([ready(one), ready(other)]);
  await dialog(one).getByRole('button', { name: 'Deny', exact: true }).click();
  assert.match(told(await answer), /declined/);
  await dialog(other).waitFor({ state: 'detached' });
  await gone(other);
  await other.locator('.toasts').getByText('rm -rf shared: denied by you in another window').waitFor();
  assert.equal(await one.locator('.toasts li').count(), 0);
});

test('when both answer at the same moment, one counts and nobody sees an error', async () => {
  const [one, other] = [await look(), await look()];
  const answer = asks('rm -rf raced');
  await Promise.all([ready(one), ready(other)]);
  // Both have it before them when they press: the answer of the other takes it away.
  const both = await Promise.all([one, other].map((page) => dialog(page).getByRole('button', { name: 'Deny', exact: true }).elementHandle()));
  await Promise.all(both.map((deny) => deny.evaluate((element) => element.click())));
  assert.match(told(await answer), /declined/);
  await Promise.all([gone(one), gone(other)]);
  await until('one of them was told', async () => {
    const texts = await Promise.all([one, other].map((page) => page.locator('.toasts').innerText()));
    return texts.some((text) => /denied by you in another window|answered already: your answer came too late/.test(text));
  });
  for (const page of [one, other]) assert.equal(await page.locator('.toasts [data-severity=error]').count(), 0);
});

test('what is typed when it appears answers nothing', async () => {
  const page = await look();
  // When the dialog appeared and when keys were pressed, as the page saw it.
  await page.evaluate(() => {
    globalThis.keysAt = [];
    addEventListener('keydown', ({ timeStamp }) => globalThis.keysAt.push(timeStamp), true);
  });
  const burst = async () => {
    // Not in a text: whoever types there is left alone.
    await page.locator('.bar strong').click();
    await page.evaluate(() => {
      document.activeElement.blur();
      globalThis.keysAt.length = 0;
    });
    const answer = asks('rm -rf stray');
    // Somebody presses keys over and over, before and after it appears; nobody waits for one before the next.
    const presses = [];
    const timer = setInterval(() => presses.push(page.keyboard.press(presses.length % 3 === 2 ? 'Space' : 'Enter')), 40);
    try {
      await dialog(page).waitFor();
      const shownAt = await page.evaluate(() => performance.now());
      await until('keys came after it', async () => (await page.evaluate(() => globalThis.keysAt.at(-1))) > shownAt + 300);
    } finally {
      clearInterval(timer);
      await Promise.allSettled(presses);
    }
    // A machine that pauses for so long has typed no burst.
    const dense = await page.evaluate(() => globalThis.keysAt.every((at, i, all) => i === 0 || at - all[i - 1] < 500));
    return { answer, dense };
  };
  let tried = await burst();
  while (!tried.dense) {
    if (await dialog(page).isVisible()) await (await ready(page)).getByRole('button', { name: 'Deny', exact: true }).click();
    await tried.answer;
    tried = await burst();
  }
  assert.equal(await dialog(page).isVisible(), true);
  const { approvals } = await deck.call('flightdeck.approval.list');
  assert.equal(approvals.length, 1, 'it still waits');
  // A key after a pause is meant.
  await cardOf(page);
  assert.equal(await card(page).count(), 1);
  await card(page).getByRole('button', { name: 'Deny', exact: true }).click();
  assert.match(told(await tried.answer), /declined/);
});

test('typing is not interrupted: no dialog, no lost key, the card shows itself at the edge', async () => {
  const page = await look();
  await page.getByRole('navigation').getByRole('button', { name: 'Activity' }).click();
  const field = page.getByRole('searchbox', { name: 'Text' });
  await field.click();
  let typed = '';
  const answer = asks('rm -rf typed');
  await until('the card is there', async () => {
    typed += 'x';
    await page.keyboard.press('x');
    return card(page).isVisible();
  });
  for (let i = 0; i < 20; i += 1) {
    typed += 'y';
    await page.keyboard.press('y');
  }
  assert.equal(await dialog(page).count(), 0);
  assert.equal(await field.inputValue(), typed);
  assert.equal(await card(page).getAttribute('data-fresh'), 'true');
  assert.equal(await page.title(), '(1) shop · Flightdeck');
  // It can be reached without the mouse, and Deny is what the keyboard finds.
  await page.keyboard.press('Control+Shift+U');
  await until('Deny has the keyboard', () => page.evaluate(() => document.activeElement.textContent === 'Deny'));
  await page.keyboard.press('Enter');
  assert.match(told(await answer), /declined/);
});

test('typing in a terminal is not interrupted either', async () => {
  const page = await look();
  await page.keyboard.press('F1');
  await page.keyboard.type('Terminal: New');
  await page.getByRole('option', { name: /Terminal: New/ }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.xterm-helper-textarea:focus').waitFor();
  const answer = asks('rm -rf typed');
  await until('the card is there', async () => {
    await page.keyboard.press('x');
    return card(page).isVisible();
  });
  for (let i = 0; i < 20; i += 1) await page.keyboard.press('y');
  assert.equal(await dialog(page).count(), 0);
  assert.equal(await page.locator('.xterm-helper-textarea:focus').count(), 1);
  await card(page).getByRole('button', { name: 'Deny', exact: true }).click();
  assert.match(told(await answer), /declined/);
});

test('what can not be seen in a command is spelled out', async () => {
  const page = await look();
  const answer = asks('rm -rf keep\u202e # \u200bsafe');
  const shown = await ready(page);
  assert.match(await shown.locator('.asked-command').innerText(), /\\u\{202e\} # \\u\{200b\}safe/);
  assert.match(await shown.innerText(), /can’t be seen/);
  await shown.getByRole('button', { name: 'Deny', exact: true }).click();
  await answer;
});

test('a request whose agent leaves goes away, and that is told', async () => {
  const page = await look();
  void asks('rm -rf abandoned');
  await ready(page);
  agent.end();
  await dialog(page).waitFor({ state: 'detached' });
  await page.locator('.toasts').getByText(/rm -rf abandoned: the agent has given it up/).waitFor();
});

test('on a phone it is the first thing, and every answer is large enough for a thumb', async () => {
  const page = await look({ hasTouch: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await watching(page);
  const answer = asks('rm -rf thumb');
  const shown = await ready(page);
  for (const where of [shown, card(page)]) {
    for (const button of await where.locator('.answers button').all()) {
      const { width, height } = await button.boundingBox();
      assert.ok(width >= 44 && height >= 44, `${await button.innerText()}: ${width}×${height}`);
    }
  }
  await shown.getByRole('button', { name: 'Decide later' }).tap();
  await dialog(page).waitFor({ state: 'detached' });
  const box = await page.locator('.attention').boundingBox();
  assert.ok(box.y < 60 && box.height <= 844 * 0.45 + 1);
  await card(page).getByRole('button', { name: 'Deny', exact: true }).tap();
  assert.match(told(await answer), /declined/);
});
