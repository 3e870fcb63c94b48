// Every screen can be used by everybody: axe looks at all of them, in both themes.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { closeChrome, Deck, test, until } from './deck.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

after(closeChrome);

/** What axe finds that keeps somebody out. What xterm and CodeMirror draw themselves is not ours to mend. */
async function violations(page, screen) {
  // Not as a script of the page, which its policy would forbid.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`))
      .filter((text) => !/\.(xterm|cm-)/.test(text));
  });
  return found.map((text) => `${screen}: ${text}`);
}

/** Tells what was looked at, and what was found there. */
class Look {
  found = [];

  constructor(page) {
    this.page = page;
  }

  async at(screen) {
    // What is on its way in or out is no screen yet; what blinks for ever is.
    await this.page.evaluate(() => {
      const passing = document.getAnimations().filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
      return Promise.all(passing.map((animation) => animation.finished.catch(() => {})));
    });
    this.found.push(...(await violations(this.page, screen)));
  }

  over() {
    assert.deepEqual(this.found, []);
    assert.deepEqual(this.page.problems, []);
  }
}

const rail = (page, name) => page.getByRole('navigation').getByRole('button', { name });
const needs = (page) => page.locator('.attention [data-need]');
const front = (page) => page.locator('.tab-body:not([hidden])');

async function open(page, name) {
  if ((await rail(page, name).getAttribute('aria-pressed')) !== 'true') await rail(page, name).click();
  const panel = page.locator('.panel');
  await panel.getByRole('heading', { name, exact: true }).waitFor();
  return panel;
}

/** Runs something of the palette by its words. */
async function perform(page, words) {
  await page.keyboard.press('F1');
  await page.getByRole('combobox', { name: 'Commands' }).fill(words);
  await page.getByRole('option', { name: words }).first().waitFor();
  await page.keyboard.press('Enter');
}

function story(name, options, tell) {
  for (const theme of ['dark', 'light']) {
    test(`${name}, ${theme}`, async () => {
      const deck = await Deck.start(options);
      try {
        const page = await deck.page({ theme });
        const look = new Look(page);
        await tell(deck, page, look);
        look.over();
      } finally {
        await deck.stop();
      }
    });
  }
}

const FILES = { 'a.txt': 'x\n', 'src/main.rs': 'fn main() {\n    println!("shop");\n}\n', 'src/other.rs': '// other\n' };

story('what asks a person, and what agents did', { consent: false, files: FILES }, async (deck, page, look) => {
  await needs(page).first().waitFor();
  await look.at('first visit');
  const agent = await deck.agent('claude');
  await page.locator('.consent-dialog [data-ready=true]').waitFor();
  await look.at('consent');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await agent.do('openspace.file.write', { path: 'a.txt', content: 'y\n' });
  await agent.tool('openspace.file.read', { path: 'missing.txt' });
  const { id } = (await agent.do('flightdeck.terminal.new')).data;
  await agent.do('flightdeck.terminal.run', { id, command: 'echo ready' });
  void agent.tool('flightdeck.terminal.run', { id, command: 'rm -rf build' });
  const dialog = page.locator('.approval-dialog');
  await dialog.locator('[data-ready=true]').waitFor();
  await look.at('request in a dialog');
  await dialog.getByRole('button', { name: 'Allow further than once' }).click();
  await look.at('how far');
  await dialog.getByRole('button', { name: /Always/ }).click();
  await look.at('always');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await look.at('request in a card');
  const card = page.locator('.attention .approval');
  await card.getByRole('button', { name: 'Edit' }).click();
  await look.at('editing');
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'Deny with a reason' }).click();
  await look.at('declining');
  await page.keyboard.press('Escape');
  await open(page, 'Agents');
  await look.at('agents');
  const activity = await open(page, 'Activity');
  await activity.getByRole('button', { name: 'Details of openspace.file.write' }).click();
  await look.at('activity');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await needs(page).first().waitFor();
  await look.at('phone');
  for (const name of ['Files', 'Search', 'Agents', 'Activity', 'Policy']) {
    await open(page, name);
    await look.at(`${name} on a phone`);
  }
});

story('the policy', { files: FILES }, async (deck, page, look) => {
  const policy = await open(page, 'Policy');
  await policy.getByText('No rules of your own yet').waitFor();
  await look.at('policy');
  await policy.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('textbox', { name: /Commands/ }).fill('rm -rf *');
  await page.getByRole('button', { name: 'What would it have changed?' }).click();
  await page.locator('.rehearsed, .policy-dialog [role=alert]').waitFor();
  await look.at('adding a rule');
  await page.keyboard.press('Escape');
  await policy.getByRole('button', { name: 'Test a command' }).click();
  await page.locator('.policy-dialog').getByRole('textbox').fill('rm -rf x');
  await page.keyboard.press('Enter');
  await page.locator('.verdict').waitFor();
  await look.at('testing a command');
  await page.keyboard.press('Escape');
  await deck.call('flightdeck.policy.add', { patterns: ['make *'], action: 'ask', name: 'made', reason: 'why', matches: ['make all'] });
  await policy.getByRole('button', { name: 'Change made' }).click();
  await look.at('changing a rule');
  await page.keyboard.press('Escape');
  await policy.getByRole('button', { name: 'Remove made' }).click();
  await page.locator('.rehearsed').waitFor();
  await look.at('removing a rule');
  await page.keyboard.press('Escape');
  const { files } = await deck.call('flightdeck.policy.show');
  await writeFile(files[1].path, '[[rule]]\nname = "outside"\nallow = ["make *"]\n');
  await needs(page).getByRole('button', { name: 'Review' }).click();
  await page.locator('.policy-review[data-ready=true]').waitFor();
  await look.at('rules from outside');
});

story('files, editors and what is chosen by typing', { files: FILES }, async (deck, page, look) => {
  const agent = await deck.agent('claude');
  await page.getByRole('treeitem', { name: 'src', exact: true }).click();
  await page.getByRole('treeitem', { name: 'main.rs', exact: true }).click();
  const text = page.getByRole('textbox', { name: 'Text of src/main.rs' });
  await text.waitFor();
  await agent.do('openspace.editor.highlight', { path: 'src/main.rs', ranges: [{ startLine: 1, endLine: 2 }], highlightId: 'here' });
  await page.locator('.hl-chip').waitFor();
  await look.at('editor');
  await text.click();
  await page.keyboard.press('Control+f');
  await front(page).getByPlaceholder('Find').waitFor();
  await look.at('find and replace');
  await page.keyboard.press('Escape');
  await agent.do('openspace.file.write', { path: 'src/main.rs', content: 'fn main() {}\n' });
  await page.locator('.editor-bar.wrote').waitFor();
  await look.at('an agent wrote');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.locator('.cm-deletedChunk').first().waitFor();
  await look.at('what it wrote');
  await page.keyboard.press('Escape');
  await text.click();
  await page.keyboard.type('// mine');
  await until('the hub has it', async () => (await deck.call('flightdeck.workbench.document', { path: 'src/main.rs' })).text.includes('mine'));
  await deck.write('src/main.rs', '// theirs\n');
  await page.locator('.editor-bar.conflict').waitFor();
  await look.at('conflict');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.locator('.cm-merge-b .cm-changedLine').first().waitFor();
  await look.at('both sides of it');
  await page.getByRole('button', { name: 'Take theirs' }).click();

  await open(page, 'Search');
  await look.at('search');
  await page.getByLabel('Search in files').fill('other');
  await page.locator('.search-match').first().waitFor();
  await look.at('what a search found');
  await page.keyboard.press('F1');
  await page.getByRole('option').first().waitFor();
  await look.at('palette');
  await page.getByRole('combobox').fill('openspace.file.search');
  await page.getByRole('option').filter({ hasText: 'openspace.file.search' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.command-form').waitFor();
  await look.at('form of a command');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+p');
  await page.getByRole('option').first().waitFor();
  await look.at('open by name');
  await page.keyboard.press('Escape');
});

story('terminals', {}, async (deck, page, look) => {
  const agent = await deck.agent('claude');
  const { terminalId: id } = await agent.do('openspace.terminal.create', { title: 'tests' });
  await agent.do('flightdeck.terminal.run', { id, command: 'seq 100' });
  await agent.do('flightdeck.terminal.run', { id, command: 'ls /nowhere' });
  await agent.do('flightdeck.terminal.lease', { id, action: 'take' });
  await page.locator('.xterm-rows', { hasText: 'nowhere' }).waitFor();
  await front(page).getByText('claude holds the controls').waitFor();
  await look.at('screen');
  await front(page).locator('.xterm-screen').click();
  await page.keyboard.press('Control+Alt+f');
  await page.locator('.find').waitFor();
  await look.at('find on the screen');
  await page.keyboard.press('Escape');
  await front(page).getByRole('button', { name: 'Commands', exact: true }).click();
  await front(page).locator('.printed').first().waitFor();
  await look.at('commands');
  await perform(page, 'Terminal: Show earlier output');
  await page.getByRole('dialog', { name: `Earlier output of ${id}` }).waitFor();
  await look.at('earlier output');
  await page.keyboard.press('Escape');
  await front(page).getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('dialog', { name: `Replay of ${id}` }).locator('.xterm-rows', { hasText: 'nowhere' }).waitFor();
  await look.at('replay');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Alt+p');
  await page.getByRole('combobox', { name: 'Go to a terminal' }).waitFor();
  await look.at('terminals by name');
  await page.keyboard.press('Escape');
  agent.end();
  await deck.lose();
  await page.getByText('The hub is away').waitFor();
  await look.at('the hub is away');
});
