import { expect, test } from 'vitest';
import { type AuditCall, commands } from '../commands';
import { decisionChip, resultChip } from './chips';
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
  ['flightdeck.approval.answer', { id: 'a1', choice: 'approve', command: 'ls' }, undefined, 'changed a1 to ls'],
  ['memory_terminal_interactive', { action: 'execute', execution: { command: 'git', args: ['push', '-f'] } }, 't3', 'ran git push -f in t3'],
  ['memory_terminal_interactive', { action: 'terminate' }, 't3', 'ended t3'],
  ['flightdeck.chat.terminal.new', { command: 'npm', args: ['test'] }, 't4', 'ran npm test in t4'],
  ['flightdeck.terminal.new', { command: ['python3', '-i'] }, 't4', 'ran python3 -i in t4'],
  ['flightdeck.chat.new', { command: ['claude'] }, undefined, 'began a conversation with an agent'],
  ['flightdeck.policy.add', { patterns: ['npm test', 'npm ci'], action: 'block' }, undefined, 'added a rule that blocks npm test, npm ci'],
  ['flightdeck.hub.verify', {}, undefined, 'verified the audit log'],
  ['my.ide.thing', {}, undefined, 'called my.ide.thing'],
])('%s %j', (command, args, terminal, sentence) => {
  expect(sentenceOf(call(command, args, terminal))).toBe(sentence);
});

test.each([
  ['openspace.terminal.create', {}, 'cwd_missing', 'failed to open a terminal'],
  ['flightdeck.terminal.kill', { id: 't999' }, 'terminal_not_found', 'failed to end t999'],
  ['openspace.terminal.close', { terminalId: 't9' }, 'terminal_not_found', 'failed to close t9'],
  ['flightdeck.terminal.run', { command: 'npm test', id: 't3' }, 'terminal_busy', 'failed to run npm test in t3'],
  ['flightdeck.terminal.run', { command: 'rm -rf /' }, 'blocked', 'wanted to run rm -rf /'],
  ['flightdeck.terminal.keys', { id: 't3' }, 'lease_held', 'failed to type into t3'],
  ['flightdeck.terminal.lease', { id: 't3', action: 'take' }, 'lease_held', 'failed to take the controls of t3'],
  ['openspace.file.read', { path: 'none' }, 'file_not_found', 'failed to read none'],
  ['openspace.file.search', { query: '(' }, 'invalid_argument', 'failed to search for ('],
  ['flightdeck.workbench.save', { path: 'a' }, 'storage', 'failed to save a'],
  ['flightdeck.hub.verify', {}, 'internal', 'failed to verify the audit log'],
  ['my.ide.thing', {}, 'bridge_failed', 'failed to call my.ide.thing'],
  // It may have been done.
  ['flightdeck.terminal.run', { command: 'make' }, 'interrupted', 'ran make'],
  ['flightdeck.terminal.wait', { id: 't3' }, 'timed_out', 'waited for t3'],
])('%s %j that ended with %s', (command, args, result, sentence) => {
  expect(sentenceOf({ ...call(command, args), result })).toBe(sentence);
});

test('what failed is told by no verb in the past', () => {
  for (const { id } of commands) {
    const told = sentenceOf({ ...call(id, {}), result: 'internal' });
    expect(told).toMatch(/^failed(: | to (?!\w+ed\b|ran|sent|took|wrote|kept|made|began|denied))/);
  }
});

test('every command has a sentence of its own, which begins with what was done', () => {
  for (const { id } of commands) {
    const told = sentenceOf(call(id, {}));
    expect(told, id).not.toContain(id);
    expect(told, id).toMatch(/^(\w+ed|ran|sent|took|wrote|kept|made|began|let|put|read)\b/);
  }
});

test('what ran is told, also when a person has put it in the place of something else', () => {
  const asked = call('flightdeck.terminal.run', { command: 'rm -rf x', id: 't3' });
  const edited: AuditCall = { ...asked, decision: 'approved', run: { edited: 'ls x', exitCode: 0 } };
  expect(sentenceOf(edited)).toBe('ran ls x in t3');
  expect([decisionChip(edited)?.text, resultChip(edited)]).toEqual(['you changed it', null]);
  expect(decisionChip({ ...asked, decision: 'approved' })?.text).toBe('you allowed');
  expect(resultChip({ ...asked, run: { exitCode: 128 } })).toEqual({ text: 'exit 128', tone: 'danger' });
  expect(resultChip({ ...asked, run: { running: true } })?.text).toBe('goes on');
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
