// What a person sees of terminals, and does with them, while agents work in the same ones.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, beforeEach } from 'node:test';
import { closeChrome, Deck, test, until } from './deck.mjs';

let deck;
let agent;
beforeEach(async () => {
  deck = await Deck.start();
  agent = await deck.agent('claude');
});
afterEach(() => deck.stop());
after(closeChrome);

/** A terminal that an agent has made, in a page of its own. */
async function terminal(title = 'tests') {
  const { terminalId: id } = await agent.do('openspace.terminal.create', { title });
  return id;
}

const pane = (page, id) => page.locator(`.term[data-terminal="${id}"]`);
/** The lines of the screen. */
const lines = (page, id) => pane(page, id).locator('.xterm-rows > div').allTextContents();
const screen = async (page, id) => (await lines(page, id)).map((line) => line.replaceAll('\u00a0', ' ').trimEnd()).join('\n');
const shows = (page, id, text) =>
  until(`${id} shows ${text}`, async () => (await screen(page, id)).includes(text), () => screen(page, id));
/** At a prompt: `$` alone is on the last line that is not empty. */
const atPrompt = (page, id) =>
  until(`${id} is at its prompt`, async () => (await screen(page, id)).trimEnd().endsWith('\n$') || (await screen(page, id)).trimEnd() === '$', () => screen(page, id));
const run = (id, command) => agent.do('flightdeck.terminal.run', { id, command });
const foot = (page, id) => pane(page, id).locator('.term-foot');
const button = (page, id, name) => pane(page, id).getByRole('button', { name, exact: true });
async function type(page, id, text) {
  await pane(page, id).locator('.xterm-screen').click();
  await page.keyboard.type(text);
}

/**
 * How long it takes from a key to the first frame whose last lines hold one that matches, by the clock of the page:
 * looking from here takes its time too.
 */
async function answerTime(page, id, key, pattern) {
  await page.evaluate(
    ([terminal, name, wanted]) => {
      const rows = document.querySelector(`.term[data-terminal="${terminal}"] .xterm-rows`);
      const matches = new RegExp(wanted);
      globalThis.answered = new Promise((resolve) => {
        const onKey = (event) => {
          if (event.key !== name) return;
          removeEventListener('keydown', onKey, true);
          const look = () => {
            const last = [...rows.children].map((row) => row.textContent.trim()).filter(Boolean).slice(-2);
            if (last.some((line) => matches.test(line))) resolve(performance.now() - event.timeStamp);
            else requestAnimationFrame(look);
          };
          look();
        };
        addEventListener('keydown', onKey, true);
      });
    },
    [id, key.split('+').at(-1), pattern],
  );
  await page.keyboard.press(key);
  return page.evaluate(() => globalThis.answered);
}

test('what an agent runs is seen live, with its output, a mark and its exit code', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  await run(id, 'echo built; (exit 3)');
  await shows(page, id, '\nbuilt');
  const mark = pane(page, id).locator('.term-mark[data-outcome="failed"]');
  await mark.waitFor();
  assert.match(await mark.getAttribute('title'), /^echo built; \(exit 3\) · .* · exit 3 · claude$/);
  assert.equal(await mark.textContent(), '✗');
  await run(id, 'true');
  await pane(page, id).locator('.term-mark[data-outcome="ok"]').waitFor();
  assert.deepEqual(page.problems, []);
});

test('a person types, it runs, and what a program asks the terminal is not typed into the shell', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  await type(page, id, 'echo $((6 * 7)) schön\n');
  await shows(page, id, '\n42 schön');
  // The echo is off before it asks, as in programs that do: the hub answers sooner than a `read` turns it off.
  await type(page, id, "stty -echo; printf '\\e[c\\e[6n\\e]11;?\\a'; read -t 10 -rd R answer; read -t 1 -rn 999 rest; stty echo; echo \"<${#answer}>\"\n");
  await until('the program has its answer', async () => /\n<[1-9]\d*>/.test(await screen(page, id)), () => screen(page, id));
  await atPrompt(page, id);
  const { data } = await agent.do('flightdeck.terminal.history', { id });
  assert.deepEqual(data.commands.map(({ exitCode }) => exitCode), [0, 0], 'two commands ran, and no answer as a third');
  assert.doesNotMatch(await screen(page, id), /\?62|rgb:/);
});

test('a person takes the controls from an agent, and hands them back', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  await agent.do('flightdeck.terminal.lease', { id, action: 'take' });
  await foot(page, id).getByText('claude holds the controls').waitFor();
  await button(page, id, 'Take over').click();
  await foot(page, id).getByText('You hold the controls').waitFor();
  const refused = await agent.tool('flightdeck.terminal.run', { id, command: 'echo mine' });
  assert.match(JSON.stringify(refused), /lease_held/);
  await button(page, id, 'Hand back').click();
  await button(page, id, 'Hand back').waitFor({ state: 'detached' });
  await run(id, 'echo mine');
  await shows(page, id, '\nmine');
  // Whoever types has them, also after they were handed back.
  for (const word of ['first', 'second']) {
    await atPrompt(page, id);
    await type(page, id, `echo ${word}`);
    await foot(page, id).getByText('You hold the controls').waitFor();
    assert.match(JSON.stringify(await agent.tool('flightdeck.terminal.run', { id, command: 'true' })), /lease_held/);
    await page.keyboard.press('Enter');
    await shows(page, id, `\n${word}`);
    await button(page, id, 'Hand back').click();
    await button(page, id, 'Hand back').waitFor({ state: 'detached' });
  }
});

test('a password is asked for where a person sees it', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  await run(id, "read -s -p 'password: ' X; echo; echo ${#X} letters");
  await shows(page, id, 'password:');
  await foot(page, id).getByText('password asked').waitFor();
  await type(page, id, 'secret\n');
  await shows(page, id, '6 letters');
  await foot(page, id).getByText('password asked').waitFor({ state: 'detached' });
  assert.doesNotMatch(await screen(page, id), /secret/);
});

test('Ctrl+C is answered while a program floods the screen', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  await type(page, id, 'yes\n');
  await until('it floods', async () => (await lines(page, id)).filter((line) => line.trim() === 'y').length > 10);
  const took = await answerTime(page, id, 'Control+c', '^\\$$');
  assert.ok(took < 2000, `${took} ms`);
  await type(page, id, 'echo still here\n');
  await shows(page, id, '\nstill here');
});

test('markup in titles, commands and output stays text', async () => {
  const markup = '<img src=x onerror="document.title=1">';
  const id = await terminal(markup);
  const page = await deck.page();
  await atPrompt(page, id);
  await run(id, `echo '${markup}'; printf '\\033]0;<b>bold</b>\\007'`);
  await shows(page, id, `\n${markup}`);
  await button(page, id, 'Commands').click();
  await pane(page, id).locator('.printed').getByText(markup).waitFor();
  await pane(page, id).locator('.block-text').getByText(markup).waitFor();
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('.term b').count(), 0);
  assert.deepEqual(page.problems, []);
});

test('commands are blocks that can be copied, run again and compared', async () => {
  const id = await terminal();
  const page = await deck.page();
  const { origin } = new URL(page.url());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write', 'local-network-access'], { origin });
  await atPrompt(page, id);
  await run(id, 'echo same; date +%N');
  await run(id, "printf '\\033[31mred\\033[0m plain\\n'; ls /nowhere");
  await run(id, 'seq 100');
  await page.locator('.xterm-screen').first().click();
  await page.keyboard.press('F8');
  const block = (number) => pane(page, id).locator(`.block[data-command="${number}"]`);
  await block(3).getByText('show all 100 lines').waitFor();
  assert.match(await block(2).locator('.block-sign').textContent(), /✗ 2/);
  assert.equal(await block(2).locator('.fg-1').textContent(), 'red');
  await block(1).getByText('claude').waitFor();

  await block(3).hover();
  await block(3).getByRole('button', { name: 'copy' }).click();
  const numbers = Array.from({ length: 100 }, (_, index) => `${index + 1}\n`).join('');
  await until('all of it was copied', async () => (await page.evaluate(() => navigator.clipboard.readText())) === numbers);
  await block(3).getByText('show all 100 lines').click();
  await block(3).getByText('\n50\n').waitFor();

  await block(1).hover();
  await block(1).getByRole('button', { name: 'again' }).click();
  await block(4).getByText('same').waitFor();
  await until('the person ran it', async () => /you/.test(await block(4).locator('header').textContent()));
  // By focus: the newest is followed, and may move from under the pointer.
  await block(4).focus();
  await block(4).getByRole('button', { name: 'compare' }).press('Enter');
  await until('it is compared', () => block(4).getByText('Compared with run 1').isVisible(), () => pane(page, id).innerText());
  assert.equal(await block(4).locator('[data-sign="-"]').count(), 1);
  assert.equal(await block(4).locator('[data-sign="+"]').count(), 1);

  // By keyboard from one to the next, and back to the screen where it is.
  await block(4).focus();
  await page.keyboard.press('Alt+ArrowUp');
  assert.equal(await block(3).evaluate((element) => element === document.activeElement), true);
  await pane(page, id).getByRole('textbox', { name: `Run a command in ${id}` }).fill('echo from the line');
  await page.keyboard.press('Enter');
  await block(5).locator('.printed').getByText('from the line').waitFor();
  await page.keyboard.press('F8');
  await shows(page, id, 'from the line');
  assert.deepEqual(page.problems, []);
});

test('the running command is live among the others', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  await button(page, id, 'Commands').click();
  const { data } = await agent.do('flightdeck.terminal.run', { id, command: 'echo one; read; echo two; read; echo three', timeoutMs: 100 });
  assert.equal(data.running, true);
  const block = pane(page, id).locator('.block[data-outcome="running"]');
  await block.locator('.printed').getByText('one').waitFor();
  await agent.do('flightdeck.terminal.keys', { id, keys: ['Enter'] });
  await block.locator('.printed').getByText('two').waitFor();
  await agent.do('flightdeck.terminal.keys', { id, keys: ['Enter'] });
  const ended = pane(page, id).locator('.block[data-outcome="ok"]');
  await ended.locator('.printed').getByText('three').waitFor();
});

test('the newest commands are followed, and older ones come as one scrolls up', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  await deck.call('flightdeck.terminal.keys', { id, text: 'seq 3\n'.repeat(70) });
  const newest = async () => (await agent.do('flightdeck.terminal.history', { id, limit: 1 })).data.commands[0];
  await until('all of them ran', async () => (await newest())?.number === 70, async () => JSON.stringify(await newest()));
  await page.reload();
  await atPrompt(page, id);
  await button(page, id, 'Commands').click();
  const block = (number) => pane(page, id).locator(`.block[data-command="${number}"]`);
  await until('the newest is in sight', () => block(70).isVisible());
  const scroller = pane(page, id).locator('.commands');
  await until('the end is followed', () => scroller.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight < 2));
  assert.equal(await block(1).count(), 0, 'the oldest are not asked for yet');
  await until('the oldest came', async () => {
    await scroller.evaluate((element) => (element.scrollTop -= 300));
    return (await block(1).count()) === 1;
  });
  const [before, top] = [await block(60).count(), await scroller.evaluate((element) => element.scrollTop)];
  await run(id, 'echo one more');
  await block(71).waitFor({ state: 'attached' });
  assert.deepEqual([before, await scroller.evaluate((element) => element.scrollTop)], [1, top], 'nothing moves what is being read');
});

test('what is typed while the hub is away waits for it, is told, and can be dropped', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  await type(page, id, 'echo before\n');
  await shows(page, id, '\nbefore');
  await deck.lose();
  await page.getByText('The hub is away').waitFor();
  await type(page, id, 'echo dropped\n');
  const waits = pane(page, id).getByText(/characters of input wait for the hub/);
  await waits.waitFor();
  assert.match(await waits.textContent(), /^13 characters of input wait/);
  await pane(page, id).getByRole('button', { name: 'Discard' }).click();
  await waits.waitFor({ state: 'detached' });
  // The keyboard is where it was.
  await page.keyboard.type('echo ty');
  await page.keyboard.type('ped\n');
  await waits.waitFor();
  await deck.revive();
  await shows(page, id, '\ntyped');
  await waits.waitFor({ state: 'detached' });
  await type(page, id, 'echo after\n');
  await shows(page, id, '\nafter');
  const screen = (await lines(page, id)).join('\n');
  assert.ok(!screen.includes('dropped'), screen);
  // A program that wants to know where the mouse is.
  await type(page, id, "printf '\\e[?1003;1004;1006hwatched%s' $((1+1))\n");
  await shows(page, id, 'watched2');
  await deck.lose();
  await page.getByText('The hub is away').waitFor();
  const box = await pane(page, id).locator('.xterm-screen').boundingBox();
  for (let step = 0; step < 50; step += 1) await page.mouse.move(box.x + 20 + 5 * step, box.y + 20 + 3 * step);
  await page.keyboard.type('q');
  await pane(page, id).getByText('1 character of input waits for the hub').waitFor();
  await pane(page, id).getByRole('button', { name: 'Discard' }).click();
  // More than anybody types blindly is refused, and nothing of a line that is only half there is mixed with the next one.
  await page.keyboard.insertText('x'.repeat(5000));
  await pane(page, id).getByText('no more are taken').waitFor();
  await pane(page, id).getByRole('button', { name: 'Discard' }).click();
  await deck.revive();
  await page.getByText('The hub is away').waitFor({ state: 'detached' });
  assert.deepEqual(page.problems, []);
});

test('what was typed for a terminal that has ended meanwhile is told as not sent', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  const { pid } = (await deck.call('flightdeck.terminal.list')).terminals.find((one) => one.id === id);
  await deck.lose();
  await page.getByText('The hub is away').waitFor();
  await type(page, id, 'echo never');
  await pane(page, id).getByText('10 characters of input wait for the hub').waitFor();
  process.kill(pid, 'SIGKILL');
  await deck.revive();
  await page.locator('.toasts').getByText(`10 characters of input were not sent: ${id} has ended`).waitFor();
  assert.equal(await pane(page, id).getByText('wait for the hub').count(), 0);
  assert.deepEqual(page.problems, []);
});

test('a hub that is killed comes back by itself, and the browser is still let in', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  const closed = page.socket.waitForEvent('close');
  await deck.kill();
  await closed;
  await type(page, id, 'echo still here\n');
  await shows(page, id, '\nstill here');
  await page.reload();
  await shows(page, id, '\nstill here');
});

test('the screen is there again after a reload, and goes on without loss when the hub was killed', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  await run(id, 'seq 200');
  await run(id, 'echo before');
  await shows(page, id, '\nbefore');
  await page.reload();
  await shows(page, id, '\nbefore');
  await pane(page, id).locator('.term-mark[data-outcome="ok"]').first().waitFor();

  // It prints while there is no hub; the keeper goes on.
  await type(page, id, 'for i in $(seq 300); do echo line $i; sleep 0.01; done\n');
  await shows(page, id, 'line 20');
  await deck.kill();
  await shows(page, id, 'line 300');
  await atPrompt(page, id);
  await type(page, id, 'echo after\n');
  await shows(page, id, '\nafter');
  // Scrolled back, each line is there once and in order.
  const seen = new Set();
  const order = [];
  const seenSoFar = () => `seen: ${order.join(' ')}`;
  await until('all lines were seen', async () => {
    const before = order.length;
    for (const line of (await lines(page, id)).toReversed()) {
      const number = /^line (\d+)$/.exec(line.trim())?.[1];
      if (number && !seen.has(number)) {
        seen.add(number);
        order.push(Number(number));
      }
    }
    // A page up when this one was read, so that none is passed over before it was drawn.
    if (order.length > before) await page.keyboard.press('Shift+PageUp');
    return seen.has('1');
  }, seenSoFar);
  assert.deepEqual(order, Array.from({ length: 300 }, (_, index) => 300 - index));
});

test('a flood of 20 MB in one terminal does not hold up another', async () => {
  const flooded = await terminal('flood');
  const { id: quiet } = (await agent.do('flightdeck.terminal.new', { title: 'quiet' })).data;
  await agent.do('openspace.pane.open', { type: 'terminal', contentId: quiet, splitDirection: 'vertical' });
  const page = await deck.page();
  for (const id of [flooded, quiet]) await atPrompt(page, id);
  const flood = run(flooded, "yes 0123456789 | head -c 20000000; echo; echo 'the end'");
  await until('it floods', async () => (await screen(page, flooded)).includes('0123456789\n0123456789'));
  for (const word of ['one', 'two', 'three']) {
    await type(page, quiet, `echo ${word}`);
    const took = await answerTime(page, quiet, 'Enter', `^${word}$`);
    assert.ok(took < 5000, `${took} ms`);
  }
  await flood;
  await shows(page, flooded, '\nthe end');
  assert.deepEqual(page.problems, []);
});

test('a terminal that nobody looks at holds nothing back, and is at the present when somebody comes back', async () => {
  const id = await terminal('flood');
  const page = await deck.page();
  await atPrompt(page, id);
  const { terminalId: other } = await agent.do('openspace.terminal.create', { title: 'other' });
  await page.getByRole('tab', { name: `${other} other` }).click();
  await pane(page, id).waitFor({ state: 'hidden' });
  // It prints for longer than a page listens to what nobody looks at.
  const flood = "until ((SECONDS > 12)); do yes 0123456789 | head -c 2000000; done; echo; echo 'the end'";
  await agent.do('flightdeck.terminal.run', { id, command: `SECONDS=0; ${flood}`, timeoutMs: 60_000 });
  await page.getByRole('tab', { name: `${id} flood` }).click();
  await shows(page, id, '\nthe end');
  assert.deepEqual(page.problems, []);
});

test('what has scrolled away is read in the log, found on the screen, and saved as text', async () => {
  const id = await terminal('long run');
  await run(id, 'seq 3000');
  await run(id, 'echo needle in a haystack');
  const page = await deck.page();
  await shows(page, id, '\nneedle');
  await type(page, id, '');
  await until('the oldest line of the screen is in sight', async () => {
    await page.keyboard.press('Shift+PageUp');
    return button(page, id, 'Earlier output').isVisible();
  });
  // The bar to find something in leaves it in sight.
  await page.keyboard.press('Control+Alt+f');
  const [bar, earlier] = await Promise.all([pane(page, id).locator('.find'), button(page, id, 'Earlier output')].map((one) => one.boundingBox()));
  assert.ok(earlier.y >= bar.y + bar.height, JSON.stringify({ bar, earlier }));
  await page.keyboard.press('Escape');
  await button(page, id, 'Earlier output').click();
  const log = page.getByRole('dialog', { name: `Earlier output of ${id}` });
  await log.locator('pre').first().waitFor();
  await until('the log is there from its beginning', async () => {
    await log.locator('.log-pages').evaluate((element) => (element.scrollTop = 0));
    return log.getByText('This is where the log begins').isVisible();
  });
  const text = (await log.locator('pre').allTextContents()).join('\n');
  const numbers = text.split('\n').filter((line) => /^\d+$/.test(line)).map(Number);
  assert.deepEqual(numbers, numbers.map((_, index) => index + 1), 'from the first on, without a hole');
  await page.keyboard.press('Escape');
  await log.waitFor({ state: 'detached' });

  await page.keyboard.press('Control+Alt+f');
  await page.keyboard.type('haystack');
  await until('it was found', async () => /1 of \d/.test(await pane(page, id).locator('.find-count').textContent()));
  await shows(page, id, 'needle');
  await page.keyboard.press('Escape');
  await pane(page, id).locator('.find').waitFor({ state: 'detached' });

  const saved = page.waitForEvent('download');
  await page.keyboard.press('F1');
  await page.keyboard.type('save output');
  await page.keyboard.press('Enter');
  const file = await saved;
  assert.equal(file.suggestedFilename(), `${id}-long-run.txt`);
  const content = await readFile(await file.path(), 'utf8');
  assert.match(content, /\n1\n2\n3\n/);
  assert.match(content, /\n3000\n/);
  assert.match(content, /\nneedle in a haystack\n/);
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(content, /\x1b|7733/);
  assert.deepEqual(page.problems, []);
});

test('the window of who typed last gives the size; others see where it ends, and can take it', async () => {
  const id = await terminal();
  const large = await deck.page();
  const small = await deck.page({ viewport: { width: 900, height: 500 } });
  for (const page of [large, small]) await atPrompt(page, id);
  await type(large, id, 'echo $COLUMNS\n');
  await shows(small, id, '\n');
  await foot(small, id).getByText('as another window of yours').waitFor();
  await type(small, id, 'echo small\n');
  await foot(large, id).getByText('as another window of yours').waitFor();
  await large.locator('.term-screen[data-boxed="true"]').waitFor();
  await button(large, id, 'Use my size').click();
  await large.locator('.term-screen[data-boxed="false"]').waitFor();
  await button(large, id, 'Use my size').waitFor({ state: 'detached' });
  await foot(small, id).getByText('set by a call').waitFor();
});

test('output stays when the window changes while a long line is typed', async () => {
  const page = await deck.page();
  await page.setViewportSize({ width: 1440, height: 900 });
  const id = await terminal();
  await atPrompt(page, id);
  await run(id, 'seq 100 120');
  const word = 'abcdefghij'.repeat(8);
  await type(page, id, `echo ${word}`);
  await shows(page, id, word);
  const known = async () => (await deck.call('flightdeck.terminal.list')).terminals.find((one) => one.id === id);
  for (const width of [760, 1440, 600, 1440, 760, 1440]) {
    const before = await known();
    await page.setViewportSize({ width, height: 900 });
    await until(`the shell draws its line for ${width} pixels`, async () => {
      const now = await known();
      return now.size.cols !== before.size.cols && now.logEnd > before.logEnd;
    });
  }
  await page.keyboard.press('Enter');
  await atPrompt(page, id);
  const shown = (await screen(page, id)).split('\n');
  for (let number = 100; number <= 120; number++) assert.ok(shown.includes(String(number)), `${number} is gone:\n${shown.join('\n')}`);
  assert.ok(shown.includes(word), `the output is there:\n${shown.join('\n')}`);
});

test('a program that ends says how, and everything has a name for those who do not see it', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  await run(id, 'ls /nowhere');
  await button(page, id, 'Commands').click();
  await pane(page, id).locator('.printed').waitFor();
  // Not as a script of the page, which its policy would forbid.
  await page.evaluate(await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8'));
  const found = async () => {
    const violations = await page.evaluate(async () => (await globalThis.axe.run('.term', { rules: { region: { enabled: false } } })).violations);
    return violations.map(({ id: rule, nodes }) => `${rule}: ${nodes.map(({ html }) => html).join(' ')}`);
  };
  assert.deepEqual(await found(), []);
  await button(page, id, 'Screen').click();
  assert.deepEqual(await found(), []);
  await page.getByRole('textbox', { name: `Terminal ${id} tests` }).focus();
  await page.keyboard.type('exit 3\n');
  await shows(page, id, 'ended with exit code 3');
  await foot(page, id).getByText('ended · exit 3').waitFor();
  await page.reload();
  await shows(page, id, 'ended with exit code 3');
});

test('what is found is found in all that was printed', async () => {
  const id = await terminal();
  const page = await deck.page();
  await atPrompt(page, id);
  await run(id, 'for n in 1 2 3; do echo needle-$((n+40)) >&2; seq 1 6000; done');
  await shows(page, id, '6000');
  await page.keyboard.press('Control+Alt+f');
  const find = page.getByRole('search', { name: 'Find on the screen' });
  await find.getByRole('textbox', { name: 'Find' }).fill('Needle-41');
  await find.getByRole('button', { name: '1 in the log' }).waitFor();
  await find.getByRole('textbox', { name: 'Find' }).fill('needle-4');
  await find.getByRole('button', { name: '3 in the log' }).click();
  const log = page.getByRole('dialog', { name: `Earlier output of ${id}` });
  const here = log.locator('[data-hit="this"]');
  await until('the last is shown', async () => (await here.allInnerTexts()).join() === 'needle-43', () => log.innerText());
  for (const [step, text, place] of [['The one before', 'needle-42', '2 of 3'], ['The one before', 'needle-41', '1 of 3'], ['The one after', 'needle-42', '2 of 3']]) {
    await log.getByRole('button', { name: step }).click();
    await log.getByText(place).waitFor();
    await until(`${text} is shown`, async () => (await here.allInnerTexts()).join() === text, () => log.innerText());
    await until('it is in sight', () => here.evaluate((line) => line.getBoundingClientRect().top >= 0 && line.getBoundingClientRect().bottom <= innerHeight));
  }
  await page.keyboard.press('Escape');
  await log.waitFor({ state: 'detached' });
  // Fewer lines than there are matches on the screen.
  await run(id, 'w=bar; for n in 1 2 3; do echo ${w}ley; done; seq 1 18000; echo $(yes ${w}ley | head -5)');
  // A key goes back to the end.
  await type(page, id, '\n');
  await shows(page, id, 'barley barley');
  await find.getByRole('textbox', { name: 'Find' }).fill('barley');
  await find.getByText(/ of 5$/).waitFor();
  await find.getByRole('button', { name: '4 in the log' }).waitFor();
  assert.deepEqual(page.problems, []);
});
