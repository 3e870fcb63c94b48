import { expect, test } from 'vitest';
import type { AuditCall } from '../commands';
import { partsOf, sentenceOf } from './words';

const call = (command: string, args: unknown, terminal?: string): AuditCall => ({
  seq: 1,
  atMs: 0,
  actor: 'claude#1',
  surface: 'mcp-stdio',
  command,
  args: JSON.stringify(args),
  decision: 'allowed',
  rule: 'none',
  reason: '',
  result: 'ok',
  ...(terminal === undefined ? {} : { terminal }),
});

test.each([
  ['flightdeck.terminal.run', { command: 'npm test', id: 't3' }, undefined, 'ran npm test in t3'],
  ['flightdeck.terminal.run', { command: 'npm test' }, 't9', 'ran npm test in t9'],
  ['flightdeck.terminal.run', { command: 'npm test' }, undefined, 'ran npm test'],
  ['flightdeck.terminal.keys', { id: 't3', text: '***' }, undefined, 'typed into t3'],
  ['openspace.terminal.send', { terminalId: 't3', text: 'x' }, undefined, 'typed into t3'],
  ['openspace.editor.open', { path: 'src/handler.rs', line: 42 }, undefined, 'opened src/handler.rs:42'],
  ['openspace.file.write', { path: 'src/x.ts', content: '[4 bytes]' }, undefined, 'wrote src/x.ts'],
  ['flightdeck.terminal.new', {}, undefined, 'opened a terminal'],
  ['flightdeck.terminal.lease', { id: 't3', action: 'take' }, undefined, 'took the controls of t3'],
  ['flightdeck.approval.answer', { id: 'a1', choice: 'decline' }, undefined, 'denied a1'],
  ['flightdeck.approval.answer', { id: 'a1', choice: 'approve', scope: 'session' }, undefined, 'allowed a1 (session)'],
  ['flightdeck.approval.answer', { id: 'a1', choice: 'approve', command: 'ls' }, undefined, 'allowed a1 edited'],
  ['flightdeck.policy.add', { patterns: ['npm test', 'npm ci'], action: 'block' }, undefined, 'added a rule that blocks npm test, npm ci'],
  ['flightdeck.hub.verify', {}, undefined, 'verify the audit log'],
  ['my.ide.thing', {}, undefined, 'my.ide.thing'],
])('%s %j', (command, args, terminal, sentence) => {
  expect(sentenceOf(call(command, args, terminal))).toBe(sentence);
});

test('commands, files and terminals are parts of their own, to be shown and opened as such', () => {
  expect(partsOf(call('flightdeck.terminal.run', { command: 'ls', id: 't1' }))).toEqual([
    { is: 'text', text: 'ran ' },
    { is: 'command', text: 'ls', terminal: 't1', atMs: 0 },
    { is: 'text', text: ' in ' },
    { is: 'terminal', id: 't1' },
  ]);
});

test('arguments that are no JSON do no harm', () => {
  expect(sentenceOf({ ...call('openspace.file.write', {}), args: '{"path": "cut o' })).toBe('wrote a file');
});
