import { expect, test } from 'vitest';
import type { AuditCall } from '../commands';
import { ALL, type Filter, queryOf, shows } from './filter';

const call = (more: Partial<AuditCall>): AuditCall => ({
  seq: 1,
  atMs: 0,
  actor: 'claude#1',
  surface: 'mcp-stdio',
  command: 'flightdeck.terminal.run',
  args: '{"command":"npm test"}',
  decision: 'allowed',
  rule: 'none',
  reason: '',
  result: 'ok',
  summary: [{ kind: 'text', text: 'ran ' }, { kind: 'code', text: 'npm test' }],
  tookEffect: true,
  ...more,
});
const is = (want: Partial<Filter>, more: Partial<AuditCall>) => shows({ ...ALL, ...want }, call(more));

test('what windows ask by themselves is left out unless everything is wanted', () => {
  const hum = { actor: 'web:1', command: 'flightdeck.hub.status', args: '{}' };
  expect(is({}, hum)).toBe(false);
  expect(is({ actor: 'people' }, hum)).toBe(false);
  expect(is({ actor: 'everything' }, hum)).toBe(true);
  expect(is({}, { command: 'flightdeck.terminal.read', args: '{"id":"t1"}' })).toBe(true);
});

test('a terminal that a person opens is one deed', () => {
  const opened = (actor: string) => is({}, { actor, command: 'openspace.pane.open', args: '{"type":"terminal","contentId":"t10"}' });
  expect(is({}, { actor: 'web:1', command: 'openspace.terminal.create', args: '{}' })).toBe(true);
  expect(opened('web:1')).toBe(false);
  expect(opened('claude#1')).toBe(true);
});

test('what agents’ own connections watch is nobody’s deed', () => {
  const watch = { command: 'flightdeck.hub.watch', args: '{}', result: 'abandoned' };
  for (const actor of ['', 'agents', 'claude#1']) expect(is({ actor }, watch)).toBe(false);
  expect(is({ actor: 'everything' }, watch)).toBe(true);
});

test('by whom', () => {
  expect(is({ actor: 'agents' }, {})).toBe(true);
  expect(is({ actor: 'agents' }, { actor: 'cli:anna' })).toBe(false);
  expect(is({ actor: 'claude#1' }, {})).toBe(true);
  expect(is({ actor: 'claude#1' }, { actor: 'claude#10' })).toBe(false);
});

test('by how it ended', () => {
  expect(is({ outcome: 'failed' }, {})).toBe(false);
  expect(is({ outcome: 'failed' }, { result: 'invalid_argument' })).toBe(true);
  expect(is({ outcome: 'failed' }, { result: 'running' })).toBe(false);
  expect(is({ outcome: 'failed' }, { run: { exitCode: 128 } })).toBe(true);
  expect(is({ outcome: 'asked' }, { decision: 'approved' })).toBe(true);
  expect(is({ outcome: 'denied' }, { decision: 'approved' })).toBe(false);
  expect(is({ outcome: 'denied' }, { decision: 'declined', result: 'declined' })).toBe(true);
});

test('by terminal, also where only the summary names it', () => {
  expect(is({ terminal: 't3' }, { terminal: 't3' })).toBe(true);
  expect(is({ terminal: 't3' }, { summary: [{ kind: 'text', text: 'read ' }, { kind: 'terminal', id: 't3' }] })).toBe(true);
  expect(is({ terminal: 't3' }, {})).toBe(false);
  expect(is({ terminal: 't3' }, { terminal: 't31' })).toBe(false);
});

test('by text, in anything that is known of it', () => {
  expect(is({ text: ' NPM ' }, {})).toBe(true);
  expect(is({ text: 'ran npm test' }, {})).toBe(true);
  expect(is({ text: 'cargo' }, {})).toBe(false);
});

test('the hub is asked for no less than what is shown', () => {
  expect(queryOf({ ...ALL, actor: 'agents', outcome: 'asked', text: 'x', terminal: 't1' }, 100)).toEqual({ limit: 100 });
  expect(queryOf({ ...ALL, actor: 'claude#1', outcome: 'denied' }, 100)).toEqual({ limit: 100, actor: 'claude#1', result: 'failed' });
  expect(queryOf({ ...ALL, outcome: 'failed' }, 100)).toEqual({ limit: 100, result: 'failed' });
});
