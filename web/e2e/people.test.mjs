// What a person sees of their agents: consent, what needs them, who does what, what was done, and the rules.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test as story } from 'node:test';
import { closeChrome, Deck, SOON, until } from './deck.mjs';

after(closeChrome);

/** A story with a hub of its own. */
function test(name, options, run) {
  story(name, { timeout: 6 * SOON }, async () => {
    const deck = await Deck.start(options);
    try {
      await run(deck);
    } finally {
      await deck.stop();
    }
  });
}

const rail = (page, name) => page.getByRole('navigation').getByRole('button', { name });
const needs = (page) => page.locator('.attention [data-need]');
const panel = (page) => page.locator('.panel');

/** Opens a panel and waits for what it shows. */
async function open(page, name) {
  if ((await rail(page, name).getAttribute('aria-pressed')) !== 'true') await rail(page, name).click();
  await panel(page).getByRole('heading', { name, exact: true }).waitFor();
  return panel(page);
}

test('the first agent brings the question whether agents may control the workbench', { consent: false }, async (deck) => {
  const page = await deck.page();
  await needs(page).getByText('May agents control the workbench?').waitFor();
  assert.equal(await page.locator('.consent-dialog').count(), 0, 'nobody is interrupted before there is an agent');
  const agent = await deck.agent();
  const dialog = page.locator('.consent-dialog');
  await dialog.locator('[data-ready=true]').waitFor();
  // The sentences of the document, and below them what is asked.
  assert.match(await dialog.innerText(), /The AI agent can now control your IDE[^]*dangerous ones ask you[^]*Do you allow agents to control the workbench\?/);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Not now');
  // Put away it stays among what needs somebody, and can be read again.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await deck.call('flightdeck.consent.show')).ask, true);
  await needs(page).getByRole('button', { name: 'Read and decide' }).click();
  await dialog.locator('[data-ready=true]').waitFor();
  await dialog.getByRole('button', { name: 'Allow', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.attention').getByText('Nothing needs you').waitFor();
  const { allowed, by } = await deck.call('flightdeck.consent.show');
  assert.equal(allowed, true);
  assert.match(by, /^web:\d+$/);
  await deck.write('a.txt', 'x\n');
  await agent.do('openspace.editor.open', { path: 'a.txt' });
});

test('no is an answer too, and another window learns of it', { consent: false }, async (deck) => {
  const [page, other] = [await deck.page(), await deck.page()];
  const agent = await deck.agent();
  await page.locator('.consent-dialog [data-ready=true]').waitFor();
  await other.locator('.consent-dialog').waitFor();
  await page.getByRole('button', { name: 'Don’t allow' }).click();
  await other.locator('.consent-dialog').waitFor({ state: 'detached' });
  await other.locator('.attention').getByText('Nothing needs you').waitFor();
  await deck.write('a.txt', 'x\n');
  const refused = await agent.tool('openspace.editor.open', { path: 'a.txt' });
  assert.equal(refused.isError, true);
});

test('a code is shown that pairs a program, and works only as it is shown', {}, async (deck) => {
  const page = await deck.page();
  await page.keyboard.press('F1');
  await page.keyboard.type('pair a program');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Pair a program' });
  await dialog.waitFor();
  const code = await dialog.locator('.pairing-code').innerText();
  assert.match(code, /^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  // The page itself is a person's already.
  await assert.rejects(deck.call('flightdeck.hub.pair', { code }), /already/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('the title and the icon count what needs somebody', {}, async (deck) => {
  const page = await deck.page();
  const icon = () => page.locator('#favicon').getAttribute('href');
  await until('the name is known', async () => (await page.title()) === 'shop · Flightdeck');
  assert.equal(await icon(), '/favicon.svg');
  await page.locator('.attention').getByText('Nothing needs you').waitFor();
  const [one, two] = [await deck.agent('claude'), await deck.agent('codex')];
  await until('both are seen', async () => (await page.locator('.attention .agent-row').count()) === 2);
  const waiting = [one.tool('flightdeck.terminal.run', { command: 'rm -rf x' }), two.tool('flightdeck.terminal.run', { command: 'rm -rf y' })];
  await until('both are counted', async () => (await page.title()) === '(2) shop · Flightdeck');
  assert.match(decodeURIComponent(await icon()), />2<\/text>/);
  assert.equal(await page.locator('.needs').innerText(), '2 need you');
  for (let left = 2; left > 0; left -= 1) {
    await page.locator('.approval-dialog [data-ready=true]').waitFor();
    await page.keyboard.press('Enter');
    await until('it is counted no more', async () => (await needs(page).count()) === left - 1);
  }
  await Promise.all(waiting);
  await until('the count is gone', async () => (await page.title()) === 'shop · Flightdeck');
  assert.equal(await icon(), '/favicon.svg');
});

test('a program that asks for a password needs somebody, and is one click away', {}, async (deck) => {
  const page = await deck.page();
  const agent = await deck.agent('claude');
  const { id } = (await agent.do('flightdeck.terminal.new')).data;
  await agent.do('flightdeck.terminal.run', { id, command: 'read -s -p "Password: " x' });
  // The call has returned: nothing waits for it but the program.
  const card = needs(page).filter({ hasText: `${id} asks for a password` });
  await card.waitFor();
  await page.locator('.chip', { hasText: 'claude' }).getByText('waits').waitFor();
  const [state] = JSON.parse(await deck.cli('agents', '--json'));
  assert.deepEqual([state.state, state.terminal, state.asks], ['waits_for_input', id, 'password']);
  // It does not matter what the agent does meanwhile, nor that the page is loaded again.
  await agent.do('flightdeck.terminal.list');
  await page.reload();
  await card.getByRole('button', { name: `Open ${id}` }).click();
  await page.locator('.tab-body:not([hidden]) .xterm').waitFor();
  await until('it has the keyboard', () => page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea')));
  await page.keyboard.type('secret');
  await page.getByText('You hold the controls').waitFor();
  // The hub looks again about once a second at what programs wait for.
  await agent.do('flightdeck.terminal.run', { command: 'sleep 2; echo meanwhile' });
  await page.locator('[role=tab]', { hasText: 'meanwhile' }).waitFor();
  assert.equal(await card.count(), 1, 'it waits until Enter');
  await page.keyboard.press('Enter');
  await card.waitFor({ state: 'detached' });
  assert.deepEqual(page.problems, []);
});

test('what waits for somebody stands above what only tells something', {}, async (deck) => {
  const page = await deck.page();
  const agent = await deck.agent('claude');
  // It has failed for a while when the question comes.
  await page.clock.install();
  await agent.tool('flightdeck.terminal.kill', { id: 't99' });
  await until('the failure is told', async () => {
    await page.clock.runFor(6000);
    return (await needs(page).filter({ hasText: 'stopped after an error' }).count()) === 1;
  });
  const other = await deck.agent('codex');
  const { id } = (await other.do('flightdeck.terminal.new')).data;
  await other.do('flightdeck.terminal.run', { id, command: 'read -p "Name: " x' });
  await needs(page).filter({ hasText: `${id} asks for input` }).waitFor();
  await until('it stands first', async () => /asks for input/.test(await needs(page).first().innerText()), () => needs(page).allInnerTexts());
  assert.equal(await needs(page).count(), 2);
});

test('a file that changed on disk under unsaved changes needs somebody', { files: { 'a.txt': 'one\n' } }, async (deck) => {
  const page = await deck.page();
  await deck.call('openspace.editor.open', { path: 'a.txt' });
  const { version } = await deck.call('flightdeck.workbench.document', { path: 'a.txt' });
  const changes = [{ from: 0, to: 0, insert: 'mine ' }];
  await deck.call('flightdeck.workbench.edit', { path: 'a.txt', base: version, changes, client: 'test', clientSeq: 1 });
  await writeFile(join(deck.workspace, 'a.txt'), 'theirs\n');
  await needs(page).filter({ hasText: 'a.txt has changed on disk' }).getByRole('button', { name: 'Open' }).click();
  await deck.call('flightdeck.workbench.resolve', { path: 'a.txt', keep: 'theirs' });
  await page.locator('.attention').getByText('Nothing needs you').waitFor();
});

test('who is there, what they do and what they hold is seen, and can be taken over', {}, async (deck) => {
  const page = await deck.page();
  await page.locator('.attention').getByText('Agents show here').waitFor();
  const agent = await deck.agent('claude');
  const chip = page.locator('.chip', { hasText: 'claude' });
  await chip.getByText('idle').waitFor();
  const { id } = (await agent.do('flightdeck.terminal.new')).data;
  await agent.do('flightdeck.terminal.lease', { id, action: 'take', reason: 'tests' });
  const running = agent.tool('flightdeck.terminal.run', { id, command: 'sleep 5; echo done', timeoutMs: 60_000 });
  await chip.getByText('working').waitFor();
  await page.locator('.attention .agent-row').getByText(`sleep 5; echo done in ${id}`).waitFor();
  await chip.click();
  const row = panel(page).locator('.agent-row');
  await row.getByText(`holds ${id}`).waitFor();
  await row.getByRole('button', { name: `Take over ${id}` }).click();
  await page.locator('.toasts').getByText(`You hold ${id}`).waitFor();
  const { holder } = await deck.call('flightdeck.terminal.lease', { id });
  assert.equal(holder.human, true);
  await row.getByRole('button', { name: 'All it did' }).click();
  await panel(page).locator('.entry').getByText(`took the controls of ${id}`).waitFor();
  await running;
});

test('what failed is not told as done', {}, async (deck) => {
  const page = await deck.page();
  const agent = await deck.agent('claude');
  await agent.do('openspace.terminal.create');
  await agent.tool('openspace.terminal.create', { cwd: '/nowhere' });
  await agent.tool('flightdeck.terminal.kill', { id: 't999' });
  await page.locator('.attention .agent-row').getByText('there is no terminal t999').waitFor();
  await page.locator('.chip', { hasText: 'claude' }).click();
  const deeds = panel(page).locator('.agent-deeds li');
  await deeds.filter({ hasText: 'failed to end t999' }).getByText('terminal not found').waitFor();
  await deeds.filter({ hasText: 'failed to open a terminal' }).getByText('cwd missing').waitFor();
  assert.equal(await deeds.filter({ hasText: /(?<!failed to )(ended|opened)/ }).count(), 1);
});

test('five agents are four chips and one more', {}, async (deck) => {
  const page = await deck.page();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await deck.agent(name);
  await page.getByRole('button', { name: '1 more agents' }).waitFor();
  assert.equal(await page.locator('.chip').count(), 5);
});

test('agents with long names are named as far as there is room, and the others are counted', {}, async (deck) => {
  const page = await deck.page();
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six']) await deck.agent(`an-agent-with-a-long-name-${name}`);
  const more = page.locator('.chip-more');
  const named = async () => {
    const bar = await page.locator('.bar-agents').boundingBox();
    const boxes = await Promise.all((await page.locator('.chip').filter({ visible: true }).all()).map((chip) => chip.boundingBox()));
    assert.ok(boxes.every((box) => box.x >= bar.x && box.x + box.width <= bar.x + bar.width), JSON.stringify({ bar, boxes }));
    return boxes.length - 1;
  };
  for (const width of [1440, 1000, 800]) {
    await page.setViewportSize({ width, height: 900 });
    await until(`all are named or counted at ${width}`, async () => Number((await more.innerText()).slice(1)) + (await named()) === 6, () => page.locator('.chips').innerText());
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/chips-${width}.png` });
  }
});

test('the keys that lead to what needs somebody do so from the chat, also when nothing does', {}, async (deck) => {
  const page = await deck.page();
  await page.keyboard.press('Control+Shift+K');
  await page.getByRole('tab', { name: 'Chat', selected: true }).waitFor();
  await page.keyboard.press('Control+Shift+U');
  await page.locator('.attention').getByText('Nothing needs you').waitFor();
});

test('the activity has what agents did, in words, and finds it again', { files: { 'src/x.ts': 'old\n' } }, async (deck) => {
  const early = await deck.agent('codex');
  await early.tool('openspace.file.read', { path: 'nowhere.txt' });
  const page = await deck.page();
  const agent = await deck.agent('claude');
  await agent.do('flightdeck.terminal.run', { command: 'echo one two' });
  await agent.do('openspace.editor.open', { path: 'src/x.ts', line: 1 });
  const shown = await open(page, 'Activity');
  const entries = shown.locator('.entry');
  await entries.filter({ hasText: 'claude ran echo one two' }).waitFor();
  await entries.filter({ hasText: 'claude opened src/x.ts:1' }).waitFor();
  await entries.filter({ hasText: 'codex failed to read nowhere.txt' }).getByText('file not found').waitFor();
  // It grows by itself, the newest first.
  await agent.do('openspace.file.write', { path: 'src/x.ts', content: 'new\n' });
  await until('the newest is first', async () => /claude wrote src\/x\.ts/.test(await entries.first().innerText()));
  // Filters: by result, by name, by text.
  await shown.getByRole('combobox', { name: 'Result' }).selectOption('failed');
  await until('only what failed is left', async () => (await entries.count()) === 1);
  assert.match(await entries.innerText(), /nowhere\.txt/);
  await shown.getByRole('button', { name: 'Clear' }).click();
  await shown.getByRole('combobox', { name: 'By whom' }).selectOption('claude#2');
  await until('only one agent is left', async () => (await entries.filter({ hasText: 'codex' }).count()) === 0);
  await shown.getByRole('searchbox', { name: 'Text' }).fill('one two');
  await until('only what holds the text is left', async () => (await entries.count()) === 1);
  await shown.getByRole('button', { name: 'Clear' }).click();
  // All that is known of a call, and the way back from a write.
  const write = entries.filter({ hasText: 'claude wrote src/x.ts' });
  await write.getByRole('button', { name: 'Details of openspace.file.write' }).click();
  await write.getByText('mcp-stdio').waitFor();
  await write.getByRole('button', { name: 'Take this write back' }).click();
  await page.locator('.toasts').getByText('The write to src/x.ts was taken back').waitFor();
  assert.equal(await deck.read('src/x.ts'), 'old\n');
});

test('from the activity one gets to what a write changed, and to the command that ran', { files: { 'src/x.ts': 'old\n' } }, async (deck) => {
  const agent = await deck.agent('claude');
  await agent.do('openspace.file.write', { path: 'src/x.ts', content: 'new\n' });
  const { terminalId: id } = await agent.do('openspace.terminal.create', {});
  for (const command of ['echo one', 'echo two', 'echo one']) await agent.do('flightdeck.terminal.run', { id, command });
  const page = await deck.page();
  const entries = (await open(page, 'Activity')).locator('.entry');
  const write = entries.filter({ hasText: 'claude wrote src/x.ts' });
  await write.getByRole('button', { name: 'Details of openspace.file.write' }).click();
  await write.getByRole('button', { name: 'What it changed' }).click();
  const review = page.getByRole('region', { name: 'What was written' });
  await review.locator('.cm-deletedChunk', { hasText: 'old' }).waitFor();
  await review.locator('.cm-changedLine', { hasText: 'new' }).waitFor();

  await entries.filter({ hasText: 'claude ran echo two' }).getByRole('button', { name: 'echo two', exact: true }).click();
  await until('the command has the keyboard', () => page.evaluate(() => document.activeElement?.getAttribute('data-command') === '2'));
  assert.deepEqual(page.problems, []);
});

test('the activity says what ran, how it ended, and who did it', {}, async (deck) => {
  const page = await deck.page();
  const agent = await deck.agent('codex');
  const asked = agent.do('flightdeck.terminal.run', { command: 'rm -rf build' });
  await page.locator('.approval-dialog [data-ready=true]').waitFor();
  const [{ id }] = (await deck.call('flightdeck.approval.list')).approvals;
  await deck.call('flightdeck.approval.answer', { id, choice: 'approve', command: 'echo nothing to remove' });
  await asked;
  await agent.do('flightdeck.terminal.run', { command: 'exit 128' });
  await agent.do('flightdeck.terminal.run', { command: 'sleep 60', timeoutMs: 50 });
  await deck.call('openspace.terminal.create');
  const entries = (await open(page, 'Activity')).locator('.entry');
  const edited = entries.filter({ hasText: 'codex ran echo nothing to remove' });
  await edited.getByText('you changed it').waitFor();
  assert.equal(await entries.filter({ hasText: 'codex ran rm -rf build' }).count(), 0);
  await edited.getByRole('button', { name: 'Details of flightdeck.terminal.run' }).click();
  await edited.getByText('rm -rf build').waitFor();
  await entries.filter({ hasText: 'codex ran exit 128' }).getByText('exit 128', { exact: true }).last().waitFor();
  await entries.filter({ hasText: /codex ran sleep 60 in t\d+\s+kept running/ }).waitFor();
  await entries.filter({ hasText: /you opened (a terminal|t\d+)/ }).waitFor();
  await entries.filter({ hasText: 'you changed rm -rf build to echo nothing to remove' }).waitFor();
  // What windows and connections watch is nobody's deed, and no failure when it ends.
  const other = await deck.page();
  await other.close();
  agent.end();
  await (await open(page, 'Activity')).getByRole('combobox', { name: 'Result' }).selectOption('failed');
  await until('only the command failed', async () => (await entries.count()) === 1, () => entries.allInnerTexts());
  const ended = async () => (await deck.call('flightdeck.hub.audit', { command: 'flightdeck.hub.watch', limit: 50 })).calls.map(({ result }) => result);
  await until('the end of a watch is no failure', async () => (await ended()).includes('ok'), ended);
  assert.deepEqual((await ended()).filter((result) => result !== 'ok' && result !== 'running'), []);
});

test('a long log is shown a page at a time', {}, async (deck) => {
  const agent = await deck.agent('claude');
  for (let i = 0; i < 130; i += 1) await agent.tool('openspace.file.read', { path: `missing-${i}.txt` });
  const page = await deck.page();
  const shown = await open(page, 'Activity');
  await until('the first page is there', async () => (await shown.locator('.entry').count()) === 100);
  await shown.getByRole('button', { name: 'Show older' }).click();
  await shown.getByText('missing-0.txt').waitFor();
});

test('the policy is seen, tried, rehearsed and added to', {}, async (deck) => {
  const page = await deck.page();
  const agent = await deck.agent('claude');
  await agent.do('flightdeck.terminal.run', { command: 'touch a-file' });
  const shown = await open(page, 'Policy');
  await shown.getByText('No rules of your own yet').waitFor();
  await shown.getByText('you are asked about what is dangerous').first().waitFor();
  // What would become of a command.
  await shown.getByRole('button', { name: 'Test a command' }).click();
  const dialog = page.locator('.policy-dialog');
  await dialog.getByRole('textbox').fill('ls && git push --force');
  await page.keyboard.press('Enter');
  await dialog.getByText('You would be asked').waitFor();
  assert.equal(await dialog.locator('.dangerous').innerText(), 'git push --force');
  await page.keyboard.press('Escape');
  // A rule, and what it would have changed, before it is added.
  await shown.getByRole('button', { name: 'Add a rule' }).click();
  await dialog.getByRole('radio', { name: 'Block' }).check();
  await dialog.getByRole('textbox', { name: /Commands/ }).fill('touch *');
  assert.equal(await dialog.getByRole('button', { name: 'Add the rule' }).isDisabled(), true);
  await dialog.getByRole('button', { name: 'What would it have changed?' }).click();
  await dialog.getByText('touch a-file').waitFor();
  assert.match(await dialog.locator('.rehearsed').innerText(), /runs → blocked/);
  await dialog.getByRole('button', { name: 'Add the rule' }).click();
  await dialog.waitFor({ state: 'detached' });
  await shown.locator('.rule').getByText('touch *').waitFor();
  const blocked = await agent.tool('flightdeck.terminal.run', { command: 'touch b-file' });
  assert.match(JSON.stringify(blocked.structuredContent), /"code":"blocked"/);
});

test('a rule is changed, with examples that are checked, and removed', {}, async (deck) => {
  const page = await deck.page();
  const agent = await deck.agent('claude');
  await agent.do('flightdeck.terminal.run', { command: 'touch a-file' });
  await deck.call('flightdeck.policy.add', { patterns: ['touch *'], action: 'block', name: 'no-touch', reason: 'leave it' });
  const shown = await open(page, 'Policy');
  const rule = shown.getByRole('article', { name: 'Rule no-touch' });
  await rule.getByText('leave it').waitFor();
  await rule.getByRole('button', { name: 'Change no-touch' }).click();
  const dialog = page.locator('.policy-dialog');
  const patterns = dialog.getByRole('textbox', { name: /Commands/ });
  assert.equal(await patterns.inputValue(), 'touch *');
  // An example that the rule gets wrong is told where it was written.
  await dialog.getByRole('textbox', { name: 'Examples that it is not about' }).fill('touch a-file');
  await dialog.getByRole('button', { name: 'What would it have changed?' }).click();
  await dialog.getByRole('alert').getByText(/touch a-file/).waitFor();
  await patterns.fill('touch /etc/*');
  await dialog.getByRole('textbox', { name: 'Examples that it is about', exact: true }).fill('touch /etc/x');
  await dialog.getByRole('button', { name: 'What would it have changed?' }).click();
  await dialog.locator('.rehearsed').getByText('touch a-file').waitFor();
  assert.match(await dialog.locator('.rehearsed').innerText(), /blocked → runs/);
  await dialog.getByRole('button', { name: 'Change the rule' }).click();
  await dialog.waitFor({ state: 'detached' });
  await rule.getByText('touch /etc/*').waitFor();
  await agent.do('flightdeck.terminal.run', { command: 'touch b-file' });
  // Removing asks once more, and the harmless answer has the keyboard.
  await rule.getByRole('button', { name: 'Remove no-touch' }).click();
  await dialog.getByText('It would have changed nothing').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Keep it');
  await dialog.getByRole('button', { name: 'Remove it' }).click();
  await shown.getByText('No rules of your own yet').waitFor();
  assert.deepEqual((await deck.call('flightdeck.policy.show')).rules, []);
  assert.deepEqual(page.problems, []);
});

test('a pattern that allows too much is refused where it was written', {}, async (deck) => {
  const page = await deck.page();
  await page.keyboard.press('F1');
  await page.keyboard.type('Policy: Add');
  await page.getByRole('option', { name: /Policy: Add a rule/ }).first().waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.locator('.policy-dialog');
  await dialog.getByRole('textbox', { name: /Commands/ }).fill('sudo *');
  await dialog.getByRole('button', { name: 'What would it have changed?' }).click();
  await dialog.getByRole('alert').getByText(/too much/).waitFor();
});
