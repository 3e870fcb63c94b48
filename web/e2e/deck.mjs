// A hub in a folder of its own, browsers and agents that use it, and the end of all of them.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test as tell } from 'node:test';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const run = promisify(execFile);
const ROOT = new URL('../..', import.meta.url).pathname;
const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, 'target');
const BINARY = process.env.FLIGHTDECK_BIN ?? join(TARGET, 'debug/flightdeck');
// An agent's client is a process of its own: this one is a person, with a browser.
const CLIENT = process.env.FLIGHTDECK_CLIENT_BIN ?? join(TARGET, 'debug/flightdeck-client');
// A build of the page to show in place of the hub's own, for work on it.
const DIST = process.env.FLIGHTDECK_E2E_DIST;
// Chromium does not know where such a page comes from, and asks before it lets it talk to this machine.
const ALLOWED = DIST ? { permissions: ['local-network-access'] } : {};

const CHROMIUM = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

/** How long anything may take on a busy machine. */
export const SOON = 20_000;
/** How long a whole story may take there: one that hangs ends, and the others are still told. */
const LONGEST = 6 * SOON;

export const test = (name, story) => tell(name, { timeout: LONGEST }, story);

let browser;
/** One Chromium for all tests of a file; a new one when it has gone away, so that it takes one story with it and not all. */
export async function chrome() {
  if (browser && !browser.isConnected()) {
    console.error('Chromium has gone away; what the kernel and the other processes say may tell why');
    browser = undefined;
  }
  browser ??= await chromium.launch(CHROMIUM);
  return browser;
}
export async function closeChrome() {
  await browser?.close();
  browser = undefined;
}

export class Deck {
  /**
   * Starts a hub. `files`: what is in its workspace. `programs`: what is on its PATH beside the system's. `consent`: whether
   * agents may use the workbench. `policy`, `settings`: a person's own files. `variables`: of its environment, beside the usual.
   */
  static async start({ files = {}, programs = {}, consent = true, policy, settings, shell = '/bin/bash', variables = {} } = {}) {
    const deck = new Deck();
    deck.folder = await mkdtemp('/tmp/fdw');
    deck.workspace = join(deck.folder, 'shop');
    deck.contexts = [];
    deck.agents = [];
    deck.env = {
      PATH: `${join(deck.folder, 'bin')}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      USER: 'pilot',
      SHELL: shell,
      HOME: join(deck.folder, 'h'),
      XDG_RUNTIME_DIR: join(deck.folder, 'r'),
      XDG_STATE_HOME: join(deck.folder, 's'),
      ...variables,
    };
    for (const name of ['h/.local/share/fish/generated_completions', 'r', 's', 'shop', 'bin']) {
      await mkdir(join(deck.folder, name), { recursive: true, mode: 0o700 });
    }
    await writeFile(join(deck.folder, 'h/.bashrc'), "PS1='$ '\n");
    await mkdir(join(deck.folder, 'h/.config/flightdeck'), { recursive: true });
    for (const [name, text] of Object.entries({ policy, settings })) {
      if (text) await writeFile(join(deck.folder, `h/.config/flightdeck/${name}.toml`), text);
    }
    for (const [path, text] of Object.entries(files)) await deck.write(path, text);
    for (const [name, text] of Object.entries(programs)) await writeFile(join(deck.folder, 'bin', name), text, { mode: 0o755 });
    await deck.cli('restart');
    if (consent) await deck.call('flightdeck.consent.set', { allow: true, version: (await deck.call('flightdeck.consent.show')).version });
    return deck;
  }

  async write(path, text) {
    const file = join(this.workspace, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  read(path) {
    return readFile(join(this.workspace, path), 'utf8');
  }

  /** Runs `flightdeck` to its end, and gives what it printed. */
  async cli(...args) {
    const { stdout } = await run(BINARY, args, { cwd: this.workspace, env: this.env, maxBuffer: 64 << 20 });
    return stdout;
  }

  /** Calls a command of the hub as a person at the command line. */
  async call(command, args = {}) {
    const answer = JSON.parse(await this.cli('call', command, JSON.stringify(args)));
    // The tools of `openspace` have their results beside `success`.
    return answer.data ?? answer;
  }

  /** A browser of a person, let in by a link. */
  async page({ theme = 'dark', viewport = { width: 1440, height: 900 }, ...options } = {}) {
    const context = await (await chrome()).newContext({ colorScheme: theme, viewport, ...ALLOWED, ...options });
    context.setDefaultTimeout(SOON);
    this.contexts.push(context);
    const page = await context.newPage();
    page.on('websocket', (socket) => (page.socket = socket));
    page.problems = [];
    page.on('pageerror', (error) => page.problems.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/WebSocket|ERR_CONNECTION|Failed to load resource/.test(message.text())) page.problems.push(message.text());
    });
    if (DIST) await serveFrom(context, DIST);
    const link = (await this.cli('open', '--print')).trim();
    await page.goto(link);
    // Where a login leads to is not taken from that folder.
    if (DIST) await page.goto(new URL('/', link).href);
    await page.locator('.status-line .ok').waitFor({ state: 'attached' });
    return page;
  }

  /** An agent over MCP, as clients start it. */
  async agent(name = 'claude-code') {
    const agent = new Agent(this, name);
    this.agents.push(agent);
    await agent.begin();
    return agent;
  }

  /**
   * Kills the hub, which leaves its terminals to its keeper. The next one comes by itself.
   */
  async kill() {
    const { pid } = JSON.parse(await this.cli('status', '--json'));
    process.kill(pid, 'SIGKILL');
    await until('the hub is gone', async () => ['Z', undefined].includes((await stat(pid))?.state));
  }

  /** The same, and the next one does not come before `revive`. */
  async lose() {
    const { pid } = JSON.parse(await this.cli('status', '--json'));
    this.spawner = (await stat(pid)).parent;
    process.kill(this.spawner, 'SIGSTOP');
    await until('no hub can start', async () => (await stat(this.spawner)).state === 'T');
    await this.kill();
  }

  /** Lets the next hub come after `lose`. */
  async revive() {
    process.kill(this.spawner, 'SIGCONT');
    this.spawner = undefined;
    await until('a hub serves', () => this.cli('status').then(() => true, () => false));
  }

  /** Kills the hub together with what would start the next one: it comes back when somebody runs a command that starts it. */
  async crash() {
    const { pid } = JSON.parse(await this.cli('status', '--json'));
    const { parent } = await stat(pid);
    process.kill(parent, 'SIGKILL');
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It was faster: it ends without its terminals.
    }
    await until('both are gone', async () => {
      const both = await Promise.all([stat(pid), stat(parent)]);
      return both.every((process) => ['Z', undefined].includes(process?.state));
    });
  }

  /** Runs a line as the page shows it, by a person at their shell. */
  shell(line) {
    return run('/bin/sh', ['-c', line], { cwd: this.folder, env: this.env });
  }

  /** Ends everything, whatever has ended already. */
  async stop() {
    for (const agent of this.agents) agent.end();
    await Promise.allSettled(this.contexts.map((context) => context.close()));
    try {
      if (this.spawner) process.kill(this.spawner, 'SIGCONT');
    } catch {
      // It is gone.
    }
    await this.cli('stop', '--all').catch(() => {});
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** The state and the parent of a process; nothing when it is gone. */
async function stat(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return undefined;
  const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent) };
}

async function serveFrom(context, dist) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
  await context.route(
    (url) => url.pathname === '/' || url.pathname.startsWith('/assets/') || url.pathname === '/favicon.svg',
    async (route) => {
      const path = new URL(route.request().url()).pathname;
      const file = join(dist, path === '/' ? 'index.html' : path);
      // The login shows the hub's own page for a moment.
      if (!existsSync(file)) return route.continue();
      await route.fulfill({ body: await readFile(file), contentType: types[extname(file)] ?? 'application/octet-stream' });
    },
  );
}

class Agent {
  constructor(deck, name) {
    this.deck = deck;
    this.name = name;
    this.next = 1;
    this.waiting = new Map();
  }

  async begin() {
    this.process = spawn(CLIENT, ['run', BINARY, 'mcp'], { cwd: this.deck.workspace, env: this.deck.env, stdio: ['pipe', 'pipe', 'ignore'] });
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: this.name, version: '1' } };
    await this.request('initialize', params);
    this.say({ method: 'notifications/initialized' });
  }

  say(message) {
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  request(method, params) {
    const id = this.next++;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.say({ id, method, params });
    });
  }

  /** Calls a tool, and gives its result whether it succeeded or not. */
  async tool(name, args = {}) {
    const answer = await this.request('tools/call', { name: name.replaceAll('.', '_'), arguments: args });
    assert.ok(answer.result, JSON.stringify(answer));
    return answer.result;
  }

  /** Calls a tool, which must succeed. */
  async do(name, args = {}) {
    const result = await this.tool(name, args);
    assert.ok(!result.isError, `${name} ${JSON.stringify(args)}: ${JSON.stringify(result)}`);
    return result.structuredContent;
  }

  end() {
    this.process?.kill();
  }
}

/** A story with a hub of its own, in a workspace with these files. */
export const story = (name, files, run, options = {}) =>
  test(name, async () => {
    const deck = await Deck.start({ files, ...options });
    try {
      await run(deck);
    } finally {
      await deck.stop();
    }
  });

/** Waits for a condition; tells what it waited for, and what there was. */
export async function until(what, condition, seen = () => '') {
  const deadline = Date.now() + SOON;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`not within ${SOON / 1000} s: ${what}\n${await seen()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
