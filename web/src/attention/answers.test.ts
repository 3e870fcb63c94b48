import { expect, test } from 'vitest';
import type { Approval } from '../commands';
import { settledWords, subjectWords } from './answers';

const approval: Approval = {
  id: 'a1',
  agent: 'claude#1',
  call: 'flightdeck.terminal.run',
  subject: { kind: 'command', text: 'git push\n  --force', cwd: '/shop', editable: true, pieces: [] },
  rule: 'x',
  reason: 'y',
  dangerous: true,
  scopes: ['once'],
  askedAtMs: 0,
  expiresAtMs: 1,
};

test('whose answer counted is told with what it was', () => {
  const told = settledWords({ type: 'settled', id: 'a1', outcome: 'declined', by: 'web:2', reason: 'use staging' }, approval);
  expect(told).toEqual({ severity: 'info', text: 'git push --force: denied by you in another window', hint: 'use staging' });
});

test('a command that was changed is not told as allowed', () => {
  const told = settledWords({ type: 'settled', id: 'a1', outcome: 'approved', by: 'web:2', edited: 'git status' }, approval);
  expect(told.text).toBe('git push --force: changed to git status by you in another window');
});

test('what lapsed is a warning, since nobody decided it', () => {
  const told = settledWords({ type: 'settled', id: 'a1', outcome: 'expired' }, approval);
  expect(told.severity).toBe('warning');
  expect(told.text).toContain('nobody answered in time');
});

test('long commands are cut', () => {
  const long = { ...approval, subject: { ...approval.subject, text: 'x'.repeat(200) } } as Approval;
  expect(subjectWords(long)).toHaveLength(60);
});
