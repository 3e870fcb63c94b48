// Measures terminals in a browser: ours and wetty's, in one run, on this machine. Both draw with xterm.js, so what differs is
// the way of the bytes and how much of them is let through.
//
//     node bench.mjs [--quick]
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { Deck, chrome, closeChrome, until } from '../../web/e2e/deck.mjs';

const quick = process.argv.includes('--quick');
const KEYS = quick ? 40 : 150;
const FLOOD_MB = quick ? 20 : 100;
const INTERRUPTS = quick ? 3 : 10;

const rounded = (value) => (value >= 100 ? Math.round(value) : Number(value.toFixed(1)));
const quantile = (values, part) => rounded([...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]);
const spread = (values) => `p50 ${quantile(values, 0.5)} ms, p95 ${quantile(values, 0.95)} ms`;

/** What runs in the page: it finds the terminal that is shown, and times what is seen in its rows. */
function instruments() {
  const rows = () => [...document.querySelectorAll('.xterm-rows')].find((one) => one.offsetParent !== null && one.getBoundingClientRect().width > 0);
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
    /** From a key to the frame whose rows match `seen`. */
    key(name, seen) {
      return new Promise((resolve) => {
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

const renderers = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer');
    } catch {
      return false;
    }
  });
const memory = () =>
  Math.max(0, ...renderers().map((pid) => {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  }));

async function focusTerminal(page) {
  await page.locator('.xterm-helper-textarea').last().focus();
}

async function line(page, text) {
  await focusTerminal(page);
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
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
    const seen = page.evaluate(([key, want]) => window.bench.key(key, want), [letter, `\\$ ${typed}\\s*$`]);
    await page.keyboard.press(letter);
    times.push(await seen);
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
    const seen = page.evaluate(() => window.bench.key('c', '\\$ \\s*$'));
    await page.keyboard.press('Control+c');
    times.push(await seen);
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
  const print = (what, value) => console.log(`${name.padEnd(12)} ${what.padEnd(38)} ${value}`);
  const idle = await typing(page);
  print('key to glyph, idle', spread(idle));
  const interrupted = await interrupts(page);
  print('Ctrl+C to prompt under `yes`', `p50 ${quantile(interrupted, 0.5)} ms, worst ${rounded(Math.max(...interrupted))} ms`);
  const { seconds, perSecond, worst } = await flood(page);
  print(`${FLOOD_MB} MB through one terminal`, `${rounded(seconds)} s, ${rounded(perSecond)} frames/s, longest ${rounded(worst)} ms`);
  print('memory of the page after it', `${Math.round(memory())} MiB`);
  return { idle: quantile(idle, 0.5), interrupted: quantile(interrupted, 0.5), seconds };
}

async function ours() {
  const deck = await Deck.start();
  try {
    await deck.call('openspace.terminal.create', {});
    const page = await deck.page();
    const result = await measure('Flightdeck', page);

    // Another terminal floods while this one is typed into.
    const other = await deck.call('openspace.terminal.create', { title: 'flood' });
    await deck.cli('send', other.terminalId, 'yes', '-e');
    await page.locator('[role=tab]', { hasText: 't1' }).click();
    console.log(`${'Flightdeck'.padEnd(12)} ${'key to glyph, another one floods'.padEnd(38)} ${spread(await typing(page))}`);
    await deck.cli('kill', other.terminalId);

    const [small, all, ready] = await load(deck);
    console.log(`${'Flightdeck'.padEnd(12)} ${'transfer until a terminal is usable'.padEnd(38)} ${small} kB, with an editor ${all} kB`);
    console.log(`${'Flightdeck'.padEnd(12)} ${'from the link to a prompt'.padEnd(38)} ${rounded(ready)} ms`);
    console.log(`${'Flightdeck'.padEnd(12)} ${'20 terminals at once, key to glyph'.padEnd(38)} ${spread(await twenty(deck))}`);
    return result;
  } finally {
    await deck.stop();
  }
}

/** A fresh browser: what it loads, and how long that takes. */
async function load(deck) {
  const link = (await deck.cli('open', '--print')).trim();
  const context = await (await chrome()).newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  let bytes = 0;
  await network.send('Network.enable');
  network.on('Network.loadingFinished', (event) => (bytes += event.encodedDataLength));
  const began = performance.now();
  await page.goto(link);
  await page.waitForFunction(() => /\$/.test(document.querySelector('.xterm-rows')?.textContent ?? ''));
  const ready = performance.now() - began;
  const small = Math.round(bytes / 1000);
  await deck.write('main.rs', 'fn main() {}\n');
  await deck.call('openspace.editor.open', { path: 'main.rs' });
  await page.locator('.cm-line').first().waitFor();
  await until('the colours', async () => (await page.locator('.cm-line span').count()) > 0);
  await context.close();
  return [small, Math.round(bytes / 1000), ready];
}

async function twenty(deck) {
  for (let count = 0; count < 19; count++) {
    const { terminalId } = await deck.call('openspace.terminal.create', {});
    await deck.call('openspace.pane.open', { type: 'terminal', contentId: terminalId, splitDirection: count % 2 ? 'vertical' : 'horizontal' }).catch(() => {});
  }
  const page = await deck.page({ viewport: { width: 2560, height: 1440 } });
  await page.evaluate(instruments);
  await page.locator('[role=tab]', { hasText: 't1 ' }).first().click();
  await page.waitForFunction(() => document.querySelectorAll('.xterm').length > 1);
  return typing(page);
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
    const context = await (await chrome()).newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await until('wetty listens', () => fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.ok, () => false));
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.locator('.xterm-rows').waitFor({ timeout: 20_000 });
    return await measure('wetty', page);
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
