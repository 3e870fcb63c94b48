// A person talks with agents that the hub runs: a real process that speaks the Agent Client Protocol, and does what its
// prompt says.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, afterEach, test as story } from 'node:test';
import { closeChrome, Deck, SOON, until } from './deck.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const AGENT = new URL('../../crates/e2e/agents/script_agent.py', import.meta.url).pathname;
const COMMAND = ['python3', AGENT];
const FILES = { 'src/handler.rs': 'fn main() {}\n', 'src/orders.rs': 'struct Order;\n', 'README.md': '# Shop\n' };

let deck;
before(async () => {
  // It is found by the name of one that many have.
  deck = await Deck.start({ files: FILES, programs: { 'claude-agent-acp': `#!/bin/sh\nexec python3 ${AGENT} --name claude\n` } });
});
afterEach(async () => {
  for (const context of deck.contexts.splice(0)) await context.close();
  for (const { id } of (await deck.call('flightdeck.chat.list')).chats) await deck.call('flightdeck.chat.remove', { id });
});
after(async () => {
  await deck?.stop();
  await closeChrome();
});

const test = (name, run) => story(name, { timeout: 6 * SOON }, run);

const chat = (page) => page.locator('.chat');
const log = (page) => page.locator('.chat-log');
const field = (page) => page.locator('.composer textarea');
const rail = (page) => page.getByRole('navigation').getByRole('button', { name: 'Chat' });
const chats = async () => (await deck.call('flightdeck.chat.list')).chats;
const stateOf = async (id) => (await chats()).find((one) => one.id === id)?.state;

/** A conversation that can be prompted. */
async function begin(...args) {
  const { id } = await deck.call('flightdeck.chat.new', { command: [...COMMAND, ...args] });
  await until('the agent is ready', async () => (await stateOf(id)) === 'ready', chats);
  return id;
}

/** A page that shows it. */
async function talk(id, options) {
  const page = await deck.page(options);
  await rail(page).click();
  await page.locator('.chat-row').first().click();
  await field(page).waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('flightdeck.chat')), id);
  return page;
}

/** What a person types, as one line, and Enter. */
async function say(page, what) {
  await field(page).fill(typeof what === 'string' ? what : JSON.stringify(what));
  await field(page).press('Enter');
}

const stands = (page, word) => page.locator('.chat-head .chat-state', { hasText: word }).waitFor();
const file = (name) => join(deck.workspace, name);

test('an agent is chosen, started, prompted, and its answer streams in', async () => {
  const page = await deck.page();
  await rail(page).click();
  const picker = page.locator('.agent-picker');
  await picker.getByRole('button', { name: 'Claude Code' }).waitFor();
  assert.match(await picker.getByRole('list', { name: 'Agents that are not installed' }).innerText(), /npm install -g @agentclientprotocol\/codex-acp/);
  await picker.getByRole('button', { name: 'Claude Code' }).click();
  await stands(page, 'ready');
  // Who started it wants to type now.
  await until('the keyboard is in the composer', () => field(page).evaluate((area) => document.activeElement === area));
  await say(page, [
    { think: 'I *wonder*.' },
    { say: 'Hello **wor' },
    { until_file: file('go-on') },
    { say: 'ld**, <img src=x onerror=alert(1)>\n\n```js\nlet a;\n```\n' },
  ]);
  await stands(page, 'working');
  await log(page).locator('.answer', { hasText: 'Hello' }).waitFor();
  assert.equal(await log(page).locator('.answer strong').count(), 0, 'it is not finished yet');
  await deck.write('go-on', '');
  await log(page).locator('.answer strong', { hasText: 'world' }).waitFor();
  await stands(page, 'done');
  assert.equal(await log(page).locator('.answer img').count(), 0);
  assert.match(await log(page).locator('.answer').innerText(), /<img src=x onerror=alert\(1\)>/);
  assert.equal(await log(page).locator('.md-code code').innerText(), 'let a;');
  assert.equal(await log(page).locator('.thought').getAttribute('open'), null, 'thoughts are folded');
  assert.equal(await field(page).inputValue(), '');
  assert.deepEqual(page.problems, []);
});

test('a tool call shows its terminal live, and a permission is answered where it is asked', async () => {
  const page = await talk(await begin());
  await say(page, 'demo');
  const embedded = log(page).locator('.embedded').first();
  await screen(embedded).getByText('line 1').waitFor();
  await embedded.getByText('● running').waitFor();
  const card = log(page).locator('.chat-permission');
  await card.waitFor();
  await stands(page, 'waits for approval');
  assert.equal(await page.locator('.needs').getAttribute('data-count'), '1', 'it is among what needs somebody as well');
  assert.equal(await field(page).evaluate((area) => document.activeElement === area), true, 'the keyboard stays');
  assert.match(await card.innerText(), /Edit demo\.txt/);
  assert.match(await card.innerText(), /Always allow/);
  assert.equal(await card.locator('.answers button').first().innerText(), 'Deny');
  await log(page).locator('.chat-permission[data-ready=true]').waitFor();
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  await log(page).getByText('That was all: the command ended with 0, and you said yes.').waitFor();
  assert.equal(await deck.read('demo.txt'), 'one\nthree\n');
  // Released by the agent, and still there to be read.
  await screen(embedded).getByText('line 5').waitFor();
  await embedded.getByText('exit 0').waitFor();
  assert.match(await log(page).locator('.plan').innerText(), /3 of 3/);
  const own = log(page).locator('.embedded', { hasText: 'own shell' });
  await screen(own).getByText('own output').waitFor();
  await page.locator('.composer').getByText('1.2k of 200k in context · $0.02').waitFor();
  // Its place in the file is one click away, and so is the terminal.
  await log(page).locator('.tool-diff').getByRole('button', { name: 'demo.txt' }).click();
  await page.locator('.cm-line', { hasText: 'three' }).waitFor();
  assert.deepEqual(page.problems, []);
});

/** The rows that a terminal shows within a tool call. */
const screen = (embedded) => embedded.locator('.xterm-rows');
const rows = (embedded) => screen(embedded).evaluate((all) => [...all.children].map((row) => row.textContent.replaceAll('\u00a0', ' ').trimEnd()));
/** Runs a command in a terminal that is shown in a tool call, and gives it up when it has ended. */
const runs = (name, command) => [
  { call: 'terminal/create', params: { command }, as: name },
  { update: { sessionUpdate: 'tool_call', toolCallId: name, title: name, kind: 'execute', status: 'in_progress', content: [{ type: 'terminal', terminalId: `\${${name}.terminalId}` }] } },
  { call: 'terminal/wait_for_exit', params: { terminalId: `\${${name}.terminalId}` }, as: `${name}-exit` },
  { call: 'terminal/release', params: { terminalId: `\${${name}.terminalId}` }, as: `${name}-released` },
];

test('a terminal in a tool call is one: colours, a progress bar in its line, a screen that is drawn over', async () => {
  const page = await talk(await begin());
  const bar = 'for i in 1 2 3 4 5; do printf "\\r[%-5s] %d%%" "$(printf "#%.0s" $(seq $i))" $((i * 20)); done; echo';
  const red = 'printf "\\033[31mred\\033[0m plain\\n"';
  const over = 'printf "first\\nsecond\\n\\033[2A\\033[2Kagain\\n\\n"';
  await say(page, [...runs('t', `${bar}; ${red}; ${over}; seq 100`), ...runs('u', 'echo short; exit 4')]);
  await stands(page, 'done');
  const [long, short] = [log(page).locator('.embedded').nth(0), log(page).locator('.embedded').nth(1)];
  await short.getByText('exit 4', { exact: true }).waitFor();
  await until('one line is as high as one line', async () => (await short.locator('.glance-view').boundingBox()).height < 24);
  await screen(short).getByText('short').waitFor();
  assert.deepEqual((await rows(short)).filter((row) => row !== ''), ['short']);
  // What scrolled away is unfolded, and read by scrolling there.
  await screen(long).getByText('100', { exact: true }).waitFor();
  assert.ok((await long.locator('.glance-view').boundingBox()).height < 220, 'its last lines');
  await long.getByRole('button', { name: /lines before/ }).click();
  await long.hover();
  await until('its beginning is in sight', async () => {
    await page.mouse.wheel(0, -2000);
    return (await rows(long))[0].startsWith('[');
  }, () => rows(long));
  assert.deepEqual((await rows(long)).slice(0, 5), ['[#####] 100%', 'red plain', 'again', 'second', '1']);
  const colours = await long.evaluate((box) => {
    const red = [...box.querySelectorAll('.xterm-rows span')].find((span) => span.textContent === 'red');
    const wanted = document.createElement('i');
    wanted.style.color = getComputedStyle(document.documentElement).getPropertyValue('--term-red');
    document.body.append(wanted);
    return [getComputedStyle(red).color, getComputedStyle(wanted).color];
  });
  assert.equal(colours[0], colours[1]);
  // There is nothing to type into, and nothing was: what it printed is read out instead.
  assert.equal(await short.locator('textarea').getAttribute('tabindex'), '-1');
  assert.match(await short.locator('pre').textContent(), /short/);
  assert.deepEqual(page.problems, []);
});

test('of many terminals in a long conversation only those in sight are there', async () => {
  const page = await talk(await begin());
  const each = [
    { call: 'terminal/create', params: { command: 'echo number ${n}; seq 5' }, as: 't' },
    { update: { sessionUpdate: 'tool_call', toolCallId: 'c${n}', title: 'c${n}', kind: 'execute', status: 'completed', content: [{ type: 'terminal', terminalId: '${t.terminalId}' }] } },
    { call: 'terminal/wait_for_exit', params: { terminalId: '${t.terminalId}' }, as: 'exit' },
    { call: 'terminal/release', params: { terminalId: '${t.terminalId}' }, as: 'released' },
  ];
  await say(page, [{ many: 80, each }]);
  await stands(page, 'done');
  await until('all are told', async () => (await log(page).locator('.embedded').count()) === 80);
  const live = () => log(page).locator('.embedded .xterm').count();
  const last = log(page).locator('.embedded').last();
  await last.scrollIntoViewIfNeeded();
  await last.locator('.xterm-rows', { hasText: 'number' }).waitFor();
  await until('few are there', async () => (await live()) <= 20, live);
  await log(page).hover();
  for (let top = false; !top; top = await log(page).evaluate((view) => view.scrollTop === 0)) {
    await page.mouse.wheel(0, -700);
    assert.ok((await live()) <= 40, 'scrolling past leaves none behind');
  }
  const first = log(page).locator('.embedded').first();
  await first.locator('.xterm-rows', { hasText: 'number' }).waitFor();
  await until('few are there', async () => (await live()) <= 20, live);
  assert.equal(await last.locator('.xterm').count(), 0, 'the last one is out of sight');
  assert.deepEqual(page.problems, []);
});

test('what a terminal printed stays in its tool call when the terminal is long gone', async () => {
  const page = await talk(await begin());
  const of = { terminalId: '${t.terminalId}' };
  await say(page, [
    { call: 'terminal/create', params: { command: 'seq 30; echo "the $((40+2))"; exit 3' }, as: 't' },
    { update: { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Count', content: [{ type: 'terminal', ...of }] } },
    { call: 'terminal/wait_for_exit', params: of, as: 'exit' },
    { call: 'terminal/release', params: of, as: 'released' },
  ]);
  await screen(log(page).locator('.embedded')).getByText('the 42').waitFor();
  const terminal = /Terminal (t\d+)/.exec(await log(page).locator('.embedded').getAttribute('aria-label'))[1];
  // Newer ones that have ended take its place.
  const crowd = await deck.agent('crowd');
  for (let round = 0; round < 11; round++) {
    await Promise.all(Array.from({ length: 20 }, () => crowd.do('flightdeck.terminal.new', { command: ['true'] })));
  }
  const there = async () => (await deck.call('flightdeck.terminal.list')).terminals.some(({ id }) => id === terminal);
  await until('the terminal is gone', async () => !(await there()));
  crowd.end();
  await page.reload();
  const kept = log(page).locator('.embedded');
  await kept.getByText(`${terminal} is gone; the end of its output is kept`).waitFor();
  await screen(kept).getByText('the 42').waitFor();
  await kept.getByText('exit 3').waitFor();
  assert.deepEqual(page.problems, []);
});

test('a click that was meant for something else answers nothing', async () => {
  const page = await talk(await begin());
  await say(page, [{ call: 'session/request_permission', params: permission('May I?') }]);
  const card = log(page).locator('.chat-permission');
  await card.waitFor();
  // Both in one turn of the page: it has been there for no time at all.
  const counted = await card.evaluate((element) => {
    if (element.dataset.ready === 'true') return 'too late to tell';
    [...element.querySelectorAll('.answers button')].find((button) => button.textContent === 'Allow').click();
    return 'clicked';
  });
  if (counted === 'clicked') assert.equal((await deck.call('flightdeck.approval.list')).approvals.length, 1);
  await log(page).locator('.chat-permission[data-ready=true]').waitFor();
  await card.getByRole('button', { name: 'Deny', exact: true }).click();
  await log(page).locator('.settled', { hasText: 'Reject' }).waitFor();
  await stands(page, 'done');
});

const permission = (title) => ({
  toolCall: { toolCallId: 'p1', title, kind: 'edit' },
  options: [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ],
});

test('Escape stops a turn, and so does the button', async () => {
  const id = await begin();
  const page = await talk(id);
  await say(page, [{ say: 'one' }, { until_cancelled: true }]);
  await log(page).getByText('one', { exact: true }).waitFor();
  await stands(page, 'working');
  await field(page).press('Escape');
  await log(page).locator('.turn-end', { hasText: 'Stopped' }).waitFor();
  await stands(page, 'done');
  await say(page, [{ say: 'two' }, { until_cancelled: true }]);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await until('both turns were stopped', async () => (await log(page).locator('.turn-end', { hasText: 'Stopped' }).count()) === 2);
  assert.equal(await stateOf(id), 'done');
});

test('a hub that is killed comes back to the same conversation', async () => {
  const page = await talk(await begin());
  await say(page, [{ say: 'before ' }, { until_file: file('after-kill') }, { say: 'after' }]);
  await log(page).locator('.answer', { hasText: 'before' }).waitFor();
  await field(page).fill('a draft');
  await deck.lose();
  await page.getByText('The hub is away').waitFor();
  await deck.revive();
  await page.locator('.status-line .ok').waitFor();
  await deck.write('after-kill', '');
  await log(page).locator('.answer', { hasText: /^before after$/ }).waitFor();
  await stands(page, 'done');
  assert.equal(await log(page).locator('.said').count(), 1, 'nothing is told twice');
  assert.equal(await field(page).inputValue(), 'a draft');
  // And so does a page that is loaded again.
  await page.reload();
  await log(page).locator('.answer', { hasText: /^before after$/ }).waitFor();
  assert.equal(await field(page).inputValue(), 'a draft');
  assert.deepEqual(page.problems, []);
});

/** So many tool calls, by many threads at once. */
const flood = (count) => [{ many: count / 100, each: Array.from({ length: 100 }, (_, at) => ({ update: { sessionUpdate: 'tool_call', toolCallId: `c\${n}-${at}`, title: `Step \${n}.${at}`, kind: 'read', status: 'completed' } })) }];

/** The first entry in sight, and where it is. */
const place = (page) =>
  log(page).evaluate((view) => {
    const edge = view.getBoundingClientRect().top;
    const below = (one) => one.getBoundingClientRect().bottom > edge + 1;
    // What is out of sight is not drawn, and need not be for this.
    const group = [...view.querySelectorAll('.chat-group')].find(below);
    const first = [...group.children].find(below);
    return { entry: Number(first?.dataset.entry), top: Math.round(first?.getBoundingClientRect().top - edge) };
  });

test('a conversation of 5,000 updates is read back to its beginning, page by page', async () => {
  const id = await begin();
  const page = await talk(id);
  await say(page, flood(5000));
  await until('all are told', async () => (await chats())[0].lastEntry >= 5002 && (await stateOf(id)) === 'done', chats);
  await stands(page, 'done');
  const last = (await chats())[0].lastEntry;
  await log(page).locator(`[data-entry="${last}"]`).waitFor();
  const atEnd = () => log(page).evaluate((view) => view.scrollHeight - view.scrollTop - view.clientHeight);
  await until('the end is in sight', async () => (await atEnd()) < 60, atEnd);
  // The page holds what is near, and not all that ever was.
  assert.ok((await log(page).locator('.chat-entry').count()) <= 1500);
  await page.evaluate(() => {
    window.frames18 = [];
    let before = performance.now();
    const frame = (now) => {
      window.frames18.push(now - before);
      before = now;
      window.timer18 = requestAnimationFrame(frame);
    };
    window.timer18 = requestAnimationFrame(frame);
  });
  await log(page).hover();
  const begun = Date.now();
  // As long as it gets on, it may take its time.
  for (let before = Infinity, top = false; !top; ) {
    before = await until('it gets on', async () => {
      await page.mouse.wheel(0, -6000);
      top = await log(page).evaluate((view) => view.scrollTop === 0 && view.querySelector('[data-entry="1"]') !== null);
      const { entry } = await place(page);
      return (top || entry < before) && entry;
    }, async () => JSON.stringify(await place(page)));
  }
  const frames = await page.evaluate(() => {
    cancelAnimationFrame(window.timer18);
    return window.frames18.slice(1).sort((a, b) => a - b);
  });
  const at = (part) => Math.round(frames[Math.floor(frames.length * part)] ?? 0);
  console.log(`# 5,000 updates back to the beginning in ${Date.now() - begun} ms: ${frames.length} frames, median ${at(0.5)} ms, 99 % ${at(0.99)} ms, longest ${at(1 - 1e-9)} ms`);
  assert.ok(at(0.5) < 100, `half of the frames take less than 100 ms: ${at(0.5)}`);
  assert.equal(await log(page).locator('.chat-entry').count(), last, 'all are there, each once');
  assert.deepEqual(page.problems, []);
});

test('nothing that comes moves what is read', async () => {
  const page = await talk(await begin());
  await say(page, flood(600));
  await stands(page, 'done');
  await say(page, [{ until_file: file('more') }, ...Array.from({ length: 40 }, (_, at) => ({ say: `A line ${at}\n\n` })), { update: { sessionUpdate: 'tool_call', toolCallId: 'late', title: 'late', kind: 'read', status: 'completed' } }]);
  await stands(page, 'working');
  await log(page).hover();
  await page.mouse.wheel(0, -900);
  await page.getByRole('button', { name: 'To the end' }).waitFor();
  let before = await place(page);
  // Earlier entries may still come in above.
  await until('it rests', async () => {
    const now = await place(page);
    const rests = now.entry === before.entry && now.top === before.top;
    before = now;
    return rests;
  });
  await deck.write('more', '');
  await page.getByRole('button', { name: 'New below' }).waitFor();
  await stands(page, 'done');
  assert.deepEqual(await place(page), before);
  await page.getByRole('button', { name: 'New below' }).click();
  await log(page).getByText('A line 39', { exact: true }).waitFor();
  const rest = () => log(page).evaluate((view) => view.scrollHeight - view.scrollTop - view.clientHeight);
  await until('the end is in sight', async () => (await rest()) < 60, rest);
});

test('two browsers agree', async () => {
  const id = await begin();
  const [one, two] = [await talk(id), await talk(id)];
  await say(one, [{ say: 'to both' }, { call: 'session/request_permission', params: permission('May I?'), as: 'asked' }]);
  for (const page of [one, two]) await log(page).locator('.chat-permission').waitFor();
  assert.match(await log(two).locator('.said').innerText(), /to both/);
  await log(two).locator('.chat-permission[data-ready=true]').waitFor();
  await log(two).getByRole('button', { name: 'Allow', exact: true }).click();
  for (const page of [one, two]) {
    await log(page).locator('.settled', { hasText: 'Allow' }).waitFor();
    await stands(page, 'done');
    await log(page).locator('.answer', { hasText: '"optionId": "yes"' }).waitFor();
  }
  const said = (page) => log(page).locator('.chat-entry').evaluateAll((all) => all.map((entry) => [entry.dataset.entry, entry.dataset.kind]));
  assert.deepEqual(await said(one), await said(two));
});

test('files are mentioned, pictures pasted, commands offered', async () => {
  const page = await talk(await begin());
  await field(page).pressSequentially('see @hand');
  await page.getByRole('option', { name: 'handler.rs' }).waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await field(page).inputValue(), 'see @src/handler.rs ');
  await field(page).evaluate((area) => {
    const bytes = Uint8Array.from(atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='), (c) => c.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await page.locator('.pictures img').waitFor();
  await page.keyboard.press('Enter');
  const answer = log(page).locator('.answer');
  await answer.getByText('image/png').waitFor();
  assert.match(await answer.innerText(), /handler\.rs/);
  await log(page).locator('.said').getByRole('button', { name: '@src/handler.rs' }).waitFor();
  assert.equal(await log(page).locator('.said img').count(), 1);
  assert.equal(await page.locator('.pictures').count(), 0);
  await stands(page, 'done');
  await field(page).pressSequentially('/de');
  await page.getByRole('option', { name: '/demo' }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await field(page).inputValue(), '/demo ');
  // Two lines, sent as one.
  await field(page).fill('first');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('second');
  await page.keyboard.press('Enter');
  await log(page).locator('.answer', { hasText: 'You said: first' }).waitFor();
  assert.match(await log(page).locator('.said').last().innerText(), /first\nsecond/);
});

test('mode, model and budget are chosen', async () => {
  const id = await begin();
  const page = await talk(id);
  await page.getByLabel('Mode', { exact: true }).selectOption('Code');
  await until('the mode is set', async () => (await chats())[0].modes.current === 'code', chats);
  await page.getByLabel('Model').selectOption('Large');
  await until('the model is set', async () => (await chats())[0].options[0].current === 'large', chats);
  await until('the page shows it', async () => (await page.getByLabel('Model').inputValue()) === 'large');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Budget…' }).click();
  await page.getByLabel('Tokens').fill('1000');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.locator('.composer').getByText('0 / 1k tokens').waitFor();
  await say(page, [{ say: 'costly' }, { usage: { totalTokens: 900, inputTokens: 800, outputTokens: 100 } }]);
  await page.locator('.composer .warn', { hasText: 'near the budget' }).waitFor();
});

test('a budget stops a turn, says so, and is raised where the next prompt waits', async () => {
  const id = await begin();
  const page = await talk(id);
  await deck.call('flightdeck.chat.budget', { id, budget: { tokens: 100 } });
  const use = (used) => ({ update: { sessionUpdate: 'usage_update', used, size: 1000 } });
  await say(page, [{ say: 'I begin.' }, use(85), { say: ' More.' }, use(120), { until_cancelled: true }]);
  await stands(page, 'failed');
  await log(page).getByText('Stopped: the budget is used up').waitFor();
  assert.match(await log(page).innerText(), /85 % of the budget is used[^]*The budget is used up \(120 of 100 tokens\): the agent is told to stop/);
  // What is typed meanwhile is not lost, and Enter leads to what has to be done first.
  await say(page, 'go on');
  await page.getByRole('dialog', { name: 'Budget' }).getByLabel('Tokens').fill('1000');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.locator('.composer').getByText('120 / 1k tokens').waitFor();
  assert.equal(await field(page).inputValue(), 'go on');
  assert.equal(await field(page).evaluate((area) => document.activeElement === area), true);
  await field(page).press('Enter');
  await log(page).locator('.answer', { hasText: 'You said: go on' }).waitFor();
  await stands(page, 'done');
});

test('an agent that wants a sign-in says how', async () => {
  const { id } = await deck.call('flightdeck.chat.new', { command: [...COMMAND, '--auth'] });
  await until('it waits', async () => (await stateOf(id)) === 'waits_for_sign_in', chats);
  const page = await deck.page();
  // It needs somebody, who is told where everything is told.
  await page.locator('.attention [data-need]', { hasText: 'wants you to sign in' }).getByRole('button', { name: 'Answer' }).click();
  await log(page).getByRole('button', { name: 'A key' }).click();
  await stands(page, 'ready');
});

test('an agent that wants a sign-in in a terminal gets it there, and goes on by itself', async () => {
  const { id } = await deck.call('flightdeck.chat.new', { command: [...COMMAND, '--terminal-auth'], env: { SCRIPT_AGENT_STATE: deck.workspace } });
  await until('it waits', async () => (await stateOf(id)) === 'waits_for_sign_in', chats);
  const page = await deck.page();
  await page.locator('.attention [data-need]', { hasText: 'wants you to sign in' }).getByRole('button', { name: 'Answer' }).click();
  await log(page).getByRole('button', { name: 'Run it in a terminal' }).click();
  await page.locator('#dock [role=tab]', { hasText: 'Sign in: Script agent' }).waitFor();
  await page.locator('.tab-body:not([hidden]) .xterm-rows', { hasText: 'The word:' }).waitFor();
  await until('it has the keyboard', () => page.evaluate(() => document.activeElement?.classList.contains('xterm-helper-textarea')));
  await page.keyboard.type('please\n');
  await stands(page, 'ready');
  assert.deepEqual(page.problems, []);
});

test('a page that an agent wants to be opened is shown with its host, and is done when the agent says so', async () => {
  const page = await talk(await begin());
  const params = { mode: 'url', elicitationId: 'login-1', message: 'Sign in there', url: 'https://login.example.org/start?next=bank.example' };
  await say(page, [
    { call: 'elicitation/create', params, as: 'opened' },
    { until_file: file('.finished') },
    { notify: 'elicitation/complete', params: { elicitationId: 'login-1' } },
  ]);
  const question = log(page).locator('.chat-question[data-ready=true]');
  await question.locator('strong', { hasText: /^login\.example\.org$/ }).waitFor();
  await question.getByRole('button', { name: 'I have done it' }).click();
  const settled = log(page).locator('.settled', { hasText: 'login.example.org' });
  await settled.waitFor();
  assert.equal(await settled.getByText('✓ done').count(), 0, 'nobody has said so');
  await deck.write('.finished', '');
  await settled.getByText('✓ done').waitFor();
  assert.deepEqual(page.problems, []);
});

test('a question with a form is answered in it', async () => {
  const page = await talk(await begin());
  const properties = {
    way: { type: 'string', title: 'Which way', enum: ['left', 'right'] },
    often: { type: 'integer', title: 'How often', minimum: 1, maximum: 3 },
    loud: { type: 'boolean', title: 'Loudly' },
  };
  const form = { mode: 'form', message: 'Where **to**?', requestedSchema: { type: 'object', properties, required: ['way'] } };
  await say(page, [{ call: 'elicitation/create', params: form, as: 'form' }]);
  const question = log(page).locator('.chat-question');
  await question.waitFor();
  await stands(page, 'waits for input');
  assert.equal(await question.getByRole('button', { name: 'Answer' }).isDisabled(), true, 'something has to be filled in first');
  await log(page).locator('.chat-question[data-ready=true]').waitFor();
  await question.getByLabel('Which way').selectOption('left');
  await question.getByLabel('How often').fill('4');
  await question.getByRole('button', { name: 'Answer' }).click();
  assert.equal(await question.getByLabel('How often').evaluate((input) => input.validity.rangeOverflow), true, 'it is told before it is sent');
  assert.equal(await question.count(), 1);
  await question.getByLabel('How often').fill('2');
  await question.getByRole('button', { name: 'Answer' }).click();
  await log(page).locator('.settled', { hasText: 'Which way: left' }).waitFor();
  await log(page).locator('.answer', { hasText: '"way": "left"' }).waitFor();
  assert.match(await log(page).locator('.answer').innerText(), /"often": 2/);
});

test('an agent that crashes shows why, and can be started again', async () => {
  const { id } = await deck.call('flightdeck.chat.new', { command: [...COMMAND, '--crash'] }).catch(() => ({ id: null }));
  const page = await deck.page();
  await rail(page).click();
  if (id !== null) {
    await page.locator('.chat-row').first().click();
    await log(page).getByText('cannot start: the key is missing').waitFor();
    await log(page).getByRole('button', { name: 'Start again' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true);
  } else {
    assert.fail('a conversation that fails to start is still one');
  }
});

test('a conversation whose agent is gone goes on with its session', async () => {
  const state = file('.sessions');
  await deck.write('.sessions/keep', '');
  const { id } = await deck.call('flightdeck.chat.new', { command: COMMAND, env: { SCRIPT_AGENT_STATE: state } });
  await until('it is ready', async () => (await stateOf(id)) === 'ready', chats);
  const page = await talk(id);
  await say(page, [{ say: 'remember this' }]);
  await stands(page, 'done');
  await say(page, [{ stderr: 'out of memory' }, { exit: 9 }]);
  await log(page).getByRole('button', { name: 'Go on with it' }).click();
  await stands(page, /done|ready/);
  await log(page).getByText('remember this').first().waitFor();
  await say(page, 'still there?');
  await log(page).getByText('You said: still there?').waitFor();
});

test('work that ends while somebody looks elsewhere is among what needs them, once', async () => {
  const id = await begin();
  const page = await talk(id);
  await say(page, [{ say: 'one' }, { until_file: file('ends') }]);
  await stands(page, 'working');
  await page.getByRole('tab', { name: 'Needs you' }).click();
  await deck.write('ends', '');
  const need = page.locator('.attention [data-need]', { hasText: 'has finished' });
  await need.waitFor();
  assert.match(await page.title(), /^\(1\)/);
  await need.getByRole('button', { name: 'Look at it' }).click();
  await stands(page, 'done');
  await page.getByRole('tab', { name: 'Needs you' }).click();
  await page.getByText('Nothing needs you').first().waitFor();
});

test('the list tells them apart, filters, and forgets what is removed', async () => {
  const [one, two] = [await begin(), await begin()];
  const page = await deck.page();
  await rail(page).click();
  await deck.call('flightdeck.chat.prompt', { id: one, content: [{ type: 'text', text: 'apples' }] });
  await deck.call('flightdeck.chat.prompt', { id: two, content: [{ type: 'text', text: 'pears' }] });
  await page.locator('.chat-row', { hasText: 'apples' }).waitFor();
  await page.getByLabel('Filter conversations').fill('pear');
  await until('one is left', async () => (await page.locator('.chat-row').count()) === 1);
  await page.keyboard.press('Enter');
  await log(page).getByText('You said: pears').waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Remove the conversation…' }).click();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Keep it');
  await page.getByRole('button', { name: 'Remove it' }).click();
  await until('it is gone', async () => (await chats()).length === 1, chats);
  await page.locator('.chat-row', { hasText: 'pears' }).waitFor({ state: 'detached' });
  await page.locator('.chat-row', { hasText: 'apples' }).waitFor();
});

test('it can be read by those who don’t see it, and fits a phone', async () => {
  const id = await begin();
  for (const theme of ['dark', 'light']) {
    const page = await talk(id, { theme });
    if (theme === 'dark') await say(page, 'demo');
    await asking(page);
    await check(page);
    await page.getByRole('button', { name: 'All conversations' }).click();
    await check(page);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.locator('.agent-choice').first().waitFor();
    await check(page);
  }
  const phone = await talk(id, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await asking(phone);
  const box = await chat(phone).boundingBox();
  assert.equal(box.width, 390);
  assert.ok(box.height > 600, `it has the screen: ${box.height}`);
  assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing hangs over the edge');
  await check(phone);
});

/** A question that can be answered: until then its answers are dim. */
async function asking(page) {
  await log(page).locator('.chat-permission[data-ready=true]').waitFor();
  const shine = () => log(page).locator('.chat-permission .answers').evaluate((row) => getComputedStyle(row).opacity);
  await until('it rests no more', async () => (await shine()) === '1', shine);
}

async function check(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run('.attention', { resultTypes: ['violations'] }));
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))]), []);
}

test('what is long stays inside of its room, also on a phone', async () => {
  const long = `${'a-long-folder/'.repeat(4)}mention-${'of-a-long-name-'.repeat(8)}end.ts`;
  await deck.write(long, 'x\n');
  const id = await begin();
  const inside = (page, selector) =>
    page.locator(selector).evaluateAll((all) =>
      all.every((one) => {
        const [box, room] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];
        return one.scrollWidth <= one.clientWidth && box.left >= room.left && box.right <= Math.min(room.right, innerWidth) && box.height < 60;
      }),
    );
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    const page = await deck.page({ viewport });
    await rail(page).click();
    await page.locator('.chat-row').first().waitFor();
    assert.ok(await inside(page, '.chat-new'), `the button at ${viewport.width}`);
    const text = page.locator('.chat-new');
    assert.ok((await text.boundingBox()).width > 60, 'its word is beside its sign');
    await page.locator('.chat-row').first().click();
    await field(page).pressSequentially('see @mention');
    await page.getByRole('option', { name: 'mention-of' }).waitFor();
    assert.ok(await inside(page, '.suggestions li'), `the list at ${viewport.width}`);
    const names = page.locator('.suggestions li > span');
    assert.ok(await names.evaluateAll((all) => all.every((one) => one.getBoundingClientRect().right <= one.parentElement.getBoundingClientRect().right + 1)));
    assert.deepEqual(page.problems, []);
  }
  assert.equal(await stateOf(id), 'ready');
});
