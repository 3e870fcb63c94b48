// A conversation for the pictures: a real agent process that does, step by step, what its prompt says.
import { until } from './deck.mjs';

const AGENT = new URL('../../crates/e2e/agents/script_agent.py', import.meta.url).pathname;
const plan = (...steps) => ({ update: { sessionUpdate: 'plan', entries: steps.map(([content, status]) => ({ content, status, priority: 'medium' })) } });
const tool = (id, more) => ({ update: { sessionUpdate: 'tool_call', toolCallId: id, status: 'completed', ...more } });

/** Begins it, and gives what has to be typed for the rest. `root`: the folder of the workspace. */
export function script(root) {
  const path = `${root}/src/handler.rs`;
  const change = {
    type: 'diff',
    path,
    oldText: 'impl Line {\n    pub fn price(&self) -> f64 {\n        self.cents\n',
    newText: 'impl Line {\n    pub fn price(&self) -> Money {\n        self.cents\n',
  };
  return [
    { update: { sessionUpdate: 'session_info_update', title: 'Fix the total of orders' } },
    { think: 'The sum is over prices, which are floats.' },
    plan(['Find where the price is made', 'completed'], ['Change its type', 'in_progress'], ['Run the tests', 'pending']),
    tool('read', { title: 'Read src/handler.rs', kind: 'read', locations: [{ path, line: 15 }] }),
    { say: 'Here it is: `Line::price` returns an **f64**, while the [sum](src/handler.rs#L15) wants `Money`. I run the tests first.\n' },
    {
      // What calls give is not said by these.
      many: 1,
      each: [
        { call: 'terminal/create', params: { command: 'sh bin/tests' }, as: 'run' },
        tool('tests', { title: 'sh bin/tests', kind: 'execute', content: [{ type: 'terminal', terminalId: '${run.terminalId}' }] }),
        {
          call: 'session/request_permission',
          params: {
            toolCall: { toolCallId: 'edit', title: 'Edit src/handler.rs', kind: 'edit', content: [change], locations: [{ path, line: 13 }] },
            options: [
              { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
              { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
              { optionId: 'no', name: 'Reject', kind: 'reject_once' },
            ],
          },
        },
      ],
    },
  ];
}

export async function talkWith(deck, name) {
  const { id } = await deck.call('flightdeck.chat.new', { command: ['python3', AGENT, '--name', name] });
  const chat = async () => (await deck.call('flightdeck.chat.list')).chats.find((one) => one.id === id);
  await until('the agent is ready', async () => (await chat()).state === 'ready', chat);
  return id;
}
