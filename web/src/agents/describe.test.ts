import { expect, test } from 'vitest';
import type { AgentState, AuditCall, SummaryPart, TerminalState } from '../commands';
import { doingOf, inOrder, labelOf, terminalsOf } from './describe';

const agent = (name: string, number: number, state: AgentState['state'], reason = ''): AgentState => ({ name, number, state, reason, sinceMs: 0 });
const call = (seq: number, actor: string, command: string, summary: SummaryPart[], result = 'ok'): AuditCall => ({
  seq,
  atMs: seq,
  actor,
  surface: 'mcp-stdio',
  command,
  args: '{}',
  decision: 'allowed',
  rule: 'none',
  reason: '',
  result,
  summary,
  tookEffect: true,
});
const wrote = (path: string): SummaryPart[] => [
  { kind: 'text', text: 'wrote ' },
  { kind: 'file', path },
];
const ran: SummaryPart[] = [
  { kind: 'text', text: 'ran ' },
  { kind: 'command', text: 'npm test' },
  { kind: 'text', text: ' in ' },
  { kind: 'terminal', id: 't3' },
];

const CALLS = [
  call(1, 'claude#1', 'openspace.file.write', wrote('a.ts')),
  call(2, 'codex#2', 'openspace.file.write', wrote('b.ts')),
  call(3, 'claude#1', 'flightdeck.terminal.run', ran, 'running'),
];

test('an agent at work is told by what runs', () => {
  expect(doingOf(agent('claude', 1, 'working'), CALLS)).toBe('npm test in t3');
});

test('an agent that rests is told by what it did last', () => {
  expect(doingOf(agent('codex', 2, 'idle'), CALLS)).toBe('wrote b.ts');
  expect(doingOf(agent('gemini', 3, 'idle'), CALLS)).toBe('nothing under way');
});

test('an agent that waits is told by why', () => {
  expect(doingOf(agent('codex', 2, 'waits_for_input', 'the program in t5 asks for a line'), CALLS)).toBe('the program in t5 asks for a line');
  expect(doingOf(agent('codex', 2, 'waits_for_approval', 'rm deletes x'), CALLS)).toBe('');
});

test('numbers tell two of one name apart', () => {
  const [one, two, other] = [agent('claude', 1, 'idle'), agent('claude', 2, 'idle'), agent('codex', 3, 'idle')];
  expect(labelOf(one, [one, two, other])).toBe('claude#1');
  expect(labelOf(other, [one, two, other])).toBe('codex');
  expect(labelOf(one, [one, { ...two, state: 'gone' }])).toBe('claude');
});

test('who waits comes first, who is gone last', () => {
  const all = [agent('a', 1, 'gone'), agent('b', 2, 'working'), agent('c', 3, 'waits_for_input')];
  expect(inOrder(all).map(({ name }) => name)).toEqual(['c', 'b', 'a']);
});

test('terminals are held or only started', () => {
  const terminal = (id: string, createdBy: string, holder?: string): TerminalState =>
    ({ id, createdBy, running: true, ...(holder ? { lease: { actor: holder, human: false, since: 0 } } : {}) }) as TerminalState;
  const { held, own } = terminalsOf(agent('claude', 1, 'working'), [
    terminal('t1', 'claude#1', 'claude#1'),
    terminal('t2', 'claude#1'),
    terminal('t3', 'cli:anna', 'codex#2'),
  ]);
  expect([held.map(({ id }) => id), own.map(({ id }) => id)]).toEqual([['t1'], ['t2']]);
});
