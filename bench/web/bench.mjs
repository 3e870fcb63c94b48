// Measures terminals in a browser: ours and wetty's, in one run, on this machine. Both draw with xterm.js, so what differs is
// the way of the bytes and how much of them is let through.
//
//     node bench.mjs [--quick]
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Deck, chrome, closeChrome, until } from '../../web/e2e/deck.mjs';

const quick = process.argv.includes('--quick');
const KEYS = quick ? 40 : 150;
const FLOOD_MB = quick ? 20 : 100;
const INTERRUPTS = quick ? 3 : 10;
const LOADS = quick ? 2 : 7;
/** So long a key may take to be seen at all. */
const LATEST = 60_000;

const rounded = (value) => (value >= 100 ? Math.round(value) : Number(value.toFixed(1)));
const quantile = (values, part) => rounded([...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]);
const spread = (values) => `p50 ${quantile(values, 0.5)} ms, p95 ${quantile(values, 0.95)} ms`;

/** What runs in the page: it finds the terminal that is shown, and times what is seen in its rows. */
function instruments() {
  /** Those of the terminal that is meant, where there are several. */
  const rows = () => {
    const named = window.benchTerminal && document.querySelector(`[data-terminal="${window.benchTerminal}"] .xterm-rows`);
    return named || [...document.querySelectorAll('.xterm-rows')].find((one) => one.offsetParent !== null && one.getBoundingClientRect().width > 0);
  };
  const painted = (then) => {
    const channel = new MessageChannel();
    requestAnimationFrame(() => {
      channel.port1.onmessage = then;
      channel.port2.postMessage(0);
    });
  };
  const plain = (text) => text.replaceAll('\u00a0', ' ');
  window.bench = {
    text: () => plain(rows()?.textContent ?? ''),
    /** From now on it is looked for the key, and for the frame after it whose rows match `seen`; `time` becomes how long that took. */
    expect(name, seen) {
      this.time = new Promise((resolve) => {
        const wanted = new RegExp(seen);
        let began = 0;
        const pressed = (event) => {
          if (event.key === name) began = event.timeStamp;
        };
        addEventListener('keydown', pressed, true);
        const look = () => {
          if (!began || !wanted.test(plain(rows()?.textContent ?? ''))) return;
          observer.disconnect();
          clearInterval(timer);
          removeEventListener('keydown', pressed, true);
          painted(() => resolve(performance.now() - began));
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        const timer = setInterval(look, 20);
      });
    },
    frames() {
      let [on, last, worst, count] = [true, performance.now(), 0, 0];
      const began = last;
      const frame = (now) => {
        worst = Math.max(worst, now - last);
        last = now;
        count += 1;
        if (on) requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
      return () => {
        on = false;
        return { perSecond: count / ((performance.now() - began) / 1000), worst };
      };
    },
  };
}

/** What the largest page of our browser takes, in MiB. */
async function memory() {
  const session = await (await chrome()).newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  return Math.max(0, ...pages.map(({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024));
}

async function focusTerminal(page) {
  const named = await page.evaluate(() => window.benchTerminal);
  const place = named ? page.locator(`[data-terminal="${named}"] .xterm-helper-textarea`) : page.locator('.xterm-helper-textarea').last();
  await place.focus();
}

async function line(page, text) {
  await focusTerminal(page);
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** Presses a key when the page looks for it, and gives how long it took to be seen. */
async function timed(page, press, name, seen) {
  await page.evaluate(([key, want]) => window.bench.expect(key, want), [name, seen]);
  await page.keyboard.press(press);
  const late = AbortSignal.timeout(LATEST);
  return Promise.race([
    page.evaluate(() => window.bench.time),
    new Promise((_, reject) => late.addEventListener('abort', () => reject(new Error(`${press} was not seen in ${LATEST / 1000} s: ${seen}`)))),
  ]);
}

/** From the key to the glyph, letter by letter. */
async function typing(page) {
  const times = [];
  await focusTerminal(page);
  for (let index = 0; index < KEYS; index++) {
    if (index % 20 === 0) {
      await page.keyboard.press('Control+u');
      await page.waitForFunction(() => /\$\s*$/.test(window.bench.text()));
    }
    const letter = 'abcdefghijklmnopqrst'[index % 20];
    const typed = 'abcdefghijklmnopqrst'.slice(0, (index % 20) + 1);
    times.push(await timed(page, letter, letter, `\\$ ${typed}\\s*$`));
  }
  await page.keyboard.press('Control+u');
  return times;
}

/** From Ctrl+C to a prompt, while `yes` prints. */
async function interrupts(page) {
  const times = [];
  for (let count = 0; count < INTERRUPTS; count++) {
    await line(page, 'yes');
    await page.waitForFunction(() => /y\s*y\s*y/.test(window.bench.text()));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    times.push(await timed(page, 'Control+c', 'c', '\\$ \\s*$'));
  }
  return times;
}

async function flood(page) {
  await page.evaluate(() => (window.stopFrames = window.bench.frames()));
  const began = performance.now();
  // The words of the command are not those that it prints.
  await line(page, `head -c ${FLOOD_MB}000000 /dev/zero | tr '\\0' 'x' | fold -w 79; echo flood-$((40+2))`);
  await page.waitForFunction(() => /flood-42\s*\$/.test(window.bench.text()), undefined, { timeout: 300_000 });
  const seconds = (performance.now() - began) / 1000;
  const frames = await page.evaluate(() => window.stopFrames());
  return { seconds, ...frames };
}

async function measure(name, page) {
  await page.evaluate(instruments);
  await page.waitForFunction(() => /\$\s*$/.test(window.bench.text()));
  const tell = (what, value) => print(name, what, value);
  const idle = await typing(page);
  tell('key to glyph, idle', spread(idle));
  const interrupted = await interrupts(page);
  tell('Ctrl+C to prompt under `yes`', `p50 ${quantile(interrupted, 0.5)} ms, worst ${rounded(Math.max(...interrupted))} ms`);
  const { seconds, perSecond, worst } = await flood(page);
  tell(`${FLOOD_MB} MB through one terminal`, `${rounded(seconds)} s, ${rounded(perSecond)} frames/s, longest ${rounded(worst)} ms`);
  tell('memory of the page after it', `${Math.round(await memory())} MiB`);
  return { idle: quantile(idle, 0.5), interrupted: quantile(interrupted, 0.5), seconds };
}

const print = (name, what, value) => console.log(`${name.padEnd(12)} ${what.padEnd(42)} ${value}`);

async function ours() {
  const deck = await Deck.start();
  const tell = (what, value) => print('Flightdeck', what, value);
  try {
    const { terminalId } = await deck.call('openspace.terminal.create', {});
    const page = await deck.page();
    const result = await measure('Flightdeck', page);

    // Another terminal floods beside the one that is typed into; both are in sight.
    const { id: other } = await deck.call('flightdeck.terminal.new', { title: 'flood' });
    await deck.call('openspace.pane.open', { type: 'terminal', contentId: other, splitDirection: 'vertical' });
    await page.waitForFunction(() => [...document.querySelectorAll('.xterm-rows')].filter((one) => one.offsetParent !== null).length === 2);
    await deck.cli('send', other, 'yes', '-e');
    await page.evaluate((id) => (window.benchTerminal = id), terminalId);
    await page.waitForFunction((id) => /y\s*y\s*y/.test(document.querySelector(`[data-terminal="${id}"] .xterm-rows`).textContent), other);
    await page.evaluate(() => (window.stopFrames = window.bench.frames()));
    const beside = await typing(page);
    const { perSecond, worst } = await page.evaluate(() => window.stopFrames());
    tell('key to glyph, another one floods beside it', spread(beside));
    tell('frames meanwhile', `${rounded(perSecond)} a second, longest ${rounded(worst)} ms`);
    await deck.cli('kill', other);
    await page.context().close();

    const { first, withEditor, ready } = await load(deck);
    tell('transfer until a terminal is usable', `${first} kB, with an editor ${withEditor} kB`);
    tell('from the link to a prompt', `p50 ${ready} ms`);
    const { times, visible, drawn } = await twenty(deck, terminalId);
    tell(`${visible} terminals in sight, all drawn after`, `${rounded(drawn)} ms`);
    tell('key to glyph in one of them', spread(times));
    return result;
  } finally {
    await deck.stop();
  }
}

/** Counts what a page loads. */
async function counted(context, page) {
  const network = await context.newCDPSession(page);
  const so = { far: 0 };
  await network.send('Network.enable');
  network.on('Network.loadingFinished', (event) => (so.far += event.encodedDataLength));
  return () => Math.round(so.far / 1000);
}

/** Opens a page, and gives how long it took by its own clock until there was a prompt. */
async function prompted(page, link) {
  await page.goto(link);
  const time = () => (/\$/.test(document.querySelector('.xterm-rows')?.textContent ?? '') ? performance.now() : 0);
  return (await page.waitForFunction(time, undefined, { timeout: 20_000 })).jsonValue();
}

/** How long that takes in browsers that have seen nothing yet, in the middle. `begin`: a page, and what to open in it. */
async function firstPrompt(begin) {
  const times = [];
  for (let count = 0; count < LOADS; count++) {
    const { page, link } = await begin();
    times.push(await prompted(page, link));
    await page.context().close();
  }
  return quantile(times, 0.5);
}

/** A fresh browser: what it loads, and how long that takes. */
async function load(deck) {
  const begin = async () => {
    const context = await (await chrome()).newContext({ viewport: { width: 1440, height: 900 } });
    return { context, page: await context.newPage(), link: (await deck.cli('open', '--print')).trim() };
  };
  const ready = await firstPrompt(begin);
  const { context, page, link } = await begin();
  const loaded = await counted(context, page);
  await prompted(page, link);
  const first = loaded();
  await deck.write('main.rs', 'fn main() {}\n');
  await deck.call('openspace.editor.open', { path: 'main.rs' });
  await page.locator('.cm-line').first().waitFor();
  await until('the colours', async () => (await page.locator('.cm-line span').count()) > 0);
  await deck.call('openspace.editor.close', { path: 'main.rs' });
  await context.close();
  return { first, withEditor: loaded(), ready };
}

/** Five columns of four terminals, all in sight. */
async function twenty(deck, first) {
  const paneOf = async (terminal) => {
    const { panes } = await deck.call('openspace.pane.list');
    return panes.find((pane) => pane.tabs.some((tab) => tab.contentId === terminal)).id;
  };
  const beside = async (terminal, splitDirection, size) => {
    const { id } = await deck.call('flightdeck.terminal.new', {});
    await deck.call('openspace.pane.focus', { paneId: await paneOf(terminal) });
    await deck.call('openspace.pane.open', { type: 'terminal', contentId: id, splitDirection });
    // What is left of the row or the column is shared by those that are still to come.
    await deck.call('openspace.pane.resize', { paneId: await paneOf(terminal), ...size });
    return id;
  };
  const columns = [first];
  for (let column = 1; column < 5; column++) columns.push(await beside(columns.at(-1), 'vertical', { width: 20 }));
  for (const top of columns) {
    let above = top;
    for (let row = 1; row < 4; row++) above = await beside(above, 'horizontal', { height: 25 });
  }
  const began = performance.now();
  const page = await deck.page({ viewport: { width: 2560, height: 1440 } });
  const inSight = () => [...document.querySelectorAll('.xterm-rows')].filter((one) => one.offsetParent !== null && /\$/.test(one.textContent)).length;
  await until('all are drawn', async () => (await page.evaluate(inSight)) >= 20, () => page.evaluate(inSight));
  const drawn = performance.now() - began;
  await page.evaluate(instruments);
  await page.evaluate((id) => (window.benchTerminal = id), first);
  const times = await typing(page);
  return { times, visible: await page.evaluate(inSight), drawn };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function wetty() {
  const port = await freePort();
  const program = new URL('node_modules/.bin/wetty', import.meta.url).pathname;
  const shell = `env -i PATH=/usr/bin:/bin TERM=xterm-256color PS1='$ ' bash --norc --noprofile -i`;
  const server = spawn(program, ['--host', '127.0.0.1', '--port', String(port), '--base', '/', '--command', shell, '--log-level', 'error'], { stdio: 'ignore' });
  try {
    const link = `http://127.0.0.1:${port}/`;
    const begin = async () => {
      const context = await (await chrome()).newContext({ viewport: { width: 1440, height: 900 } });
      // It would draw by WebGL, which is software without a GPU, and has no rows to look at. Ours takes the same way here.
      await context.addInitScript(() => {
        const getContext = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
          return /webgl/.test(kind) ? null : getContext.call(this, kind, ...more);
        };
      });
      return { context, page: await context.newPage(), link };
    };
    await until('wetty listens', () => fetch(link).then((answer) => answer.ok, () => false));
    const ready = await firstPrompt(begin);
    const { context, page } = await begin();
    const loaded = await counted(context, page);
    await prompted(page, link);
    const transfer = loaded();
    const result = await measure('wetty', page);
    print('wetty', 'transfer until a terminal is usable', `${transfer} kB`);
    print('wetty', 'from the link to a prompt', `p50 ${ready} ms`);
    return result;
  } finally {
    server.kill();
  }
}

try {
  const mine = await ours();
  const theirs = await wetty().catch((error) => console.log(`wetty could not be measured: ${error.message.split('\n')[0]}`));
  if (theirs) {
    const ratio = (one, other) => `${(one / other).toFixed(2)}x`;
    console.log(`ratio        idle ${ratio(mine.idle, theirs.idle)}, Ctrl+C ${ratio(mine.interrupted, theirs.interrupted)}, ${FLOOD_MB} MB ${ratio(mine.seconds, theirs.seconds)} of wetty's time`);
  }
} finally {
  await closeChrome();
}
