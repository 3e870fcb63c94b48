// An agent in a container asks, and a person at the host's page decides: they see where it comes from.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { closeChrome, Deck, test } from './deck.mjs';

let host;
let container;

before(async () => {
  host = await Deck.start({ settings: '[bridge]\nenabled = true\nport = 0\n' });
  const { bridge } = JSON.parse(await host.cli('status', '--json'));
  container = await Deck.start({
    variables: {
      PM_TERM_ADAPTER_MODE: 'auto',
      PM_RUNNING_IN_CONTAINER: 'true',
      PM_INTERACTIVE_TERMINAL_HOST_ALIAS: '127.0.0.1',
      PM_INTERACTIVE_TERMINAL_HOST_PORT: bridge.address.split(':').at(-1),
      PM_INTERACTIVE_TERMINAL_TOKEN_FILE: bridge.tokenFile,
      PM_INTERACTIVE_TERMINAL_CONTAINER_NAME: 'box',
    },
  });
});
after(async () => {
  await container?.stop();
  await host?.stop();
  await closeChrome();
});

/** What an agent in the container asks for. It waits for a person as long as a page is open. */
async function asks(command) {
  const agent = await container.agent('codex');
  const answer = agent.tool('memory_terminal_interactive', {
    action: 'execute',
    invocation: { mode: 'interactive', intent: 'execute_command' },
    execution: { command },
  });
  return answer.then((result) => result.structuredContent);
}

const card = (page) => page.locator('.attention .approval');
const dialog = (page) => page.locator('.approval-dialog');

test('an approval over the bridge says from which container, folder and agent it comes, and where it would run', async () => {
  const page = await host.page();
  const answer = asks('touch made; pwd');
  const shown = card(page);
  await shown.waitFor();
  assert.match(await shown.innerText(), /codex@box wants to run/);
  assert.equal(await shown.locator('.asked-command').innerText(), 'touch made; pwd');
  const origin = await shown.locator('.asked-origin').innerText();
  assert.equal(origin, `from the container box (${container.workspace}, 127.0.0.1); it would run on this machine`);
  await page.locator('.attention .agent-row', { hasText: 'codex@box' }).getByText('waits for you').waitFor();
  // The dialog says the same.
  await shown.getByRole('button', { name: 'Show larger' }).click();
  await dialog(page).locator('[data-ready=true]').waitFor();
  assert.equal(await dialog(page).locator('.asked-origin').innerText(), origin);
  await dialog(page).getByRole('button', { name: 'Allow once', exact: true }).click();
  const { success, result } = await answer;
  assert.ok(success, JSON.stringify(result));
  assert.equal(result.stdout, `${host.workspace}\n`);
  assert.deepEqual(page.problems, []);
});

test('a no at the page reaches the agent in the container, and nothing runs', async () => {
  const page = await host.page();
  const answer = asks('touch never');
  await card(page).getByRole('button', { name: 'Deny', exact: true }).click();
  const { success, error } = await answer;
  assert.ok(!success);
  assert.equal(error.code, 'PM_TERM_DECLINED');
  for (const deck of [host, container]) assert.deepEqual(await deck.call('openspace.file.list', {}).then(({ files }) => files.filter(({ name }) => name === 'never')), []);
});
