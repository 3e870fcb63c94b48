import { expect, test } from 'vitest';
import { sharedNames } from '../ui/actor';
import type { AuditCall, SummaryPart } from '../commands';
import { decisionChip, resultChip } from './chips';
import { runningOf, sentenceOf, toldAtMs } from './words';

const call = (summary: SummaryPart[]): AuditCall => ({
  seq: 1,
  atMs: 0,
  actor: 'claude#1',
  surface: 'mcp-stdio',
  command: 'flightdeck.terminal.run',
  args: '{}',
  decision: 'allowed',
  rule: 'none',
  reason: '',
  result: 'ok',
  summary,
  tookEffect: true,
});

const ran: SummaryPart[] = [
  { kind: 'text', text: 'ran ' },
  { kind: 'command', text: 'npm test' },
  { kind: 'text', text: ' in ' },
  { kind: 'terminal', id: 't3' },
];

test('a summary reads as a sentence', () => {
  expect(sentenceOf(call(ran))).toBe('ran npm test in t3');
  expect(sentenceOf(call([{ kind: 'text', text: 'opened ' }, { kind: 'file', path: 'a.rs', line: 4 }]))).toBe('opened a.rs:4');
});

test('a command under way needs no verb', () => {
  expect(runningOf(call(ran))).toBe('npm test in t3');
  expect(runningOf(call([{ kind: 'text', text: 'typed into ' }, { kind: 'terminal', id: 't3' }]))).toBe('typed into t3');
});

test('chips say how a call was decided and how its command ended', () => {
  const asked = call(ran);
  const edited: AuditCall = { ...asked, decision: 'approved', run: { edited: 'ls x', exitCode: 0 } };
  expect([decisionChip(edited)?.text, resultChip(edited)]).toEqual(['you changed it', null]);
  expect(decisionChip({ ...asked, decision: 'approved' })?.text).toBe('you allowed');
  expect(resultChip({ ...asked, run: { exitCode: 128 } })).toEqual({ text: 'exit 128', tone: 'danger' });
  expect(resultChip({ ...asked, run: { running: true } })?.text).toBe('kept running');
});

test('the time of a call is that of its last entry, in whose order calls stand', () => {
  expect([toldAtMs({ atMs: 1000, durationMs: 5000 }), toldAtMs({ atMs: 2000 })]).toEqual([6000, 2000]);
});

test('a name that two agents have is told by their numbers', () => {
  expect([...sharedNames(['claude#1', 'codex#3', 'claude#2', 'claude#1', 'web:1', 'web:2'])]).toEqual(['claude']);
});
