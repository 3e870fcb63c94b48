// Measures long conversations in a browser, as they stream in and as they are scrolled back to their beginning, page by page:
// 5,000 tool calls of a real agent, and 200 commands of it with a terminal each.
//
//     node chat.mjs
import { Deck, closeChrome, until } from '../../web/e2e/deck.mjs';

const AGENT = new URL('../../crates/e2e/agents/script_agent.py', import.meta.url).pathname;
const STEP = { sessionUpdate: 'tool_call', kind: 'read', status: 'completed' };
const each = Array.from({ length: 100 }, (_, at) => ({ update: { ...STEP, toolCallId: `c\${n}-${at}`, title: `Step \${n}.${at}` } }));
const UPDATES = [{ many: 50, each }];
const of = { terminalId: '${t.terminalId}' };
const TERMINALS = [
  {
    many: 200,
    each: [
      { call: 'terminal/create', params: { command: 'seq ${n}; printf "\\033[32m✓\\033[0m over\\n"' }, as: 't' },
      { update: { ...STEP, kind: 'execute', toolCallId: 'c${n}', title: 'Command ${n}', content: [{ type: 'terminal', ...of }] } },
      { call: 'terminal/wait_for_exit', params: of, as: 'exit' },
      { call: 'terminal/release', params: of, as: 'released' },
    ],
  },
];

/** Notes each frame, and each task that held the page up for more than 50 ms. */
function instruments() {
  const told = { frames: [], tasks: [] };
  let before = performance.now();
  const frame = (now) => {
    told.frames.push(now - before);
    before = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => told.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  window.told = () => told;
  window.forget = () => {
    told.frames = [];
    told.tasks = [];
  };
}

async function report(page, what, ms) {
  const { frames, tasks } = await page.evaluate(() => window.told());
  frames.sort((a, b) => a - b);
  const at = (part) => Math.round(frames[Math.min(frames.length - 1, Math.floor(frames.length * part))]);
  const long = `${tasks.length} tasks above 50 ms, longest ${Math.round(Math.max(0, ...tasks))} ms`;
  console.log(`${what.padEnd(28)} ${(ms / 1000).toFixed(1)} s, frames p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${long}`);
  await page.evaluate(() => window.forget());
}

/** `stride`: how far each turn of the wheel goes. */
async function measure(deck, what, steps, stride) {
  const { id } = await deck.call('flightdeck.chat.new', { command: ['python3', AGENT] });
  const chat = async () => (await deck.call('flightdeck.chat.list')).chats.find((one) => one.id === id);
  await until('the agent is ready', async () => (await chat()).state === 'ready', chat);
  const page = await deck.page();
  await page.getByRole('navigation').getByRole('button', { name: 'Chat' }).click();
  await page.locator('.chat-row').first().click();
  await page.locator('.composer textarea').waitFor();
  await page.evaluate(instruments);

  let began = Date.now();
  await deck.call('flightdeck.chat.prompt', { id, content: [{ type: 'text', text: JSON.stringify(steps) }] });
  await page.locator('.chat-head', { hasText: 'done' }).waitFor({ timeout: 120_000 });
  await report(page, `${what} stream in`, Date.now() - began);

  await page.locator('.chat-log').hover();
  began = Date.now();
  let live = 0;
  for (let top = false; !top; ) {
    await page.mouse.wheel(0, -stride);
    top = await page.evaluate(() => document.querySelector('.chat-log').scrollTop === 0 && document.querySelector('[data-entry="1"]') !== null);
    live = Math.max(live, await page.locator('.chat-log .xterm').count());
  }
  await report(page, 'back to the first of them', Date.now() - began);
  if (live > 0) console.log(`${'terminals at once'.padEnd(28)} ${live} at most`);

  began = Date.now();
  await page.locator('.chat-end').click();
  for (let end = false; !end; ) {
    end = await page.evaluate(() => {
      const log = document.querySelector('.chat-log');
      return log.scrollHeight - log.scrollTop - log.clientHeight < 60;
    });
  }
  await report(page, 'and to the end again', Date.now() - began);
  await page.context().close();
  await deck.call('flightdeck.chat.remove', { id });
}

const deck = await Deck.start();
try {
  await measure(deck, '5,000 updates', UPDATES, 3000);
  await measure(deck, '200 terminals', TERMINALS, 300);
} finally {
  await deck.stop();
  await closeChrome();
}
