import { expect, test } from 'vitest';
import type { AgentState, Approval, Chat, InputKind } from '../commands';
import { dismissible, type Facts, FAILED_MS, failedFor, needsOf } from './needs';
import { bodyOf, titleOf } from './titles';

const NOTHING: Facts = {
  approvals: [],
  terminals: [],
  documents: [],
  askConsent: false,
  policy: [],
  database: [],
  finished: [],
  failed: [],
  chats: [],
  isNews: () => false,
  dismissed: new Set(),
  since: () => 50,
};

const approval = (id: string, askedAtMs: number): Approval => ({
  id,
  agent: 'claude#1',
  call: 'flightdeck.terminal.run',
  subject: { kind: 'command', text: 'rm -rf x', cwd: '/shop', editable: true, pieces: [] },
  rule: 'danger:deletes-tree',
  reason: 'it deletes',
  dangerous: true,
  scopes: ['once'],
  askedAtMs,
  expiresAtMs: askedAtMs + 600_000,
});
const agent = (state: AgentState['state'], sinceMs: number, reason = ''): AgentState => ({ name: 'claude', number: 1, state, reason, sinceMs });

const asking = (id: string, sinceMs: number, kind: InputKind = 'line') => ({ id, asks: { kind, agent: 'claude#1', sinceMs } });

test('nothing needs anybody', () => {
  expect(needsOf(NOTHING)).toEqual([]);
});

test('the newest comes last, whatever it is', () => {
  const all = needsOf({
    ...NOTHING,
    approvals: [approval('a1', 30), approval('a2', 90)],
    terminals: [{ id: 't1' }, asking('t2', 10)],
    documents: [{ path: 'x.ts', conflict: 'v2' }, { path: 'y.ts' }],
  });
  expect(all.map((need) => need.kind)).toEqual(['input', 'approval', 'conflict', 'approval']);
});

test('consent is asked for until somebody has answered', () => {
  expect(needsOf({ ...NOTHING, askConsent: true }).map((need) => need.kind)).toEqual(['consent']);
});

test('who has finished or failed can be put away, and shows again the next time', () => {
  const facts: Facts = {
    ...NOTHING,
    finished: [{ fromMs: 0, toMs: 40_000, agent: agent('idle', 40_000) }],
    failed: [agent('failed', 60_000)],
  };
  const [done, failed] = needsOf(facts);
  expect([done?.kind, failed?.kind]).toEqual(['finished', 'failed']);
  const dismissed = new Set([done!.key, failed!.key]);
  expect(needsOf({ ...facts, dismissed })).toEqual([]);
  expect(needsOf({ ...facts, dismissed, failed: [agent('failed', 99_000)] }).map((need) => need.kind)).toEqual(['failed']);
});

test('a failure counts when the agent does nothing about it', () => {
  expect(failedFor([agent('failed', 0)], FAILED_MS - 1)).toEqual([]);
  expect(failedFor([agent('failed', 0)], FAILED_MS)).toHaveLength(1);
  expect(failedFor([agent('idle', 0)], FAILED_MS)).toEqual([]);
});

test('what a conversation tells is told once, by the conversation', () => {
  const chat = (id: string, state: Chat['state'], number?: number) =>
    ({ id, state, sinceMs: 5, title: 'Fix it', reason: 'why', agent: { title: 'Claude', name: 'claude', ...(number === undefined ? {} : { number }) } }) as Chat;
  const agent = (number: number, state: AgentState['state'], terminal?: string): AgentState =>
    ({ name: 'claude', number, state, reason: '', sinceMs: 1, ...(terminal === undefined ? {} : { terminal }) });
  const kinds = (facts: Partial<Facts>) => needsOf({ ...NOTHING, ...facts }).map(({ kind }) => kind);
  expect(kinds({ chats: [chat('c1', 'waits_for_input', 1)] })).toEqual(['chat']);
  expect(kinds({ chats: [{ ...chat('c1', 'waits_for_input', 1), terminal: 't3' }], terminals: [asking('t3', 1)] })).toEqual(['input']);
  expect(kinds({ chats: [chat('c1', 'failed', 1)], failed: [agent(1, 'failed')], isNews: () => true })).toEqual(['chat']);
  expect(kinds({ chats: [chat('c1', 'done', 1)], isNews: () => false })).toEqual([]);
  const [signIn, done] = needsOf({ ...NOTHING, chats: [chat('c1', 'waits_for_sign_in'), chat('c2', 'done')], isNews: ({ id }) => id === 'c2' });
  expect([dismissible(signIn!), dismissible(done!)]).toEqual([false, true]);
  expect([titleOf(signIn!), titleOf(done!), bodyOf(done!)]).toEqual(['Claude wants you to sign in', 'Claude has finished', 'Fix it']);
});

test('what waits for somebody stands above what only tells something, however old that is', () => {
  const all = needsOf({
    ...NOTHING,
    approvals: [approval('a1', 90)],
    terminals: [asking('t2', 70, 'password')],
    finished: [{ fromMs: 0, toMs: 30, agent: agent('idle', 30) }],
    failed: [agent('failed', 20)],
  });
  expect(all.map((need) => need.kind)).toEqual(['input', 'approval', 'failed', 'finished']);
  expect([titleOf(all[0]!), titleOf(needsOf({ ...NOTHING, terminals: [asking('t2', 1)] })[0]!)]).toEqual(['t2 asks for a password', 't2 asks for input']);
});

test('what happened to the database is said until it is acknowledged, and can not be put away', () => {
  const problem = { kind: 'lost', text: 'it was gone', hint: 'run it', noticedAtMs: 1000 } as const;
  const [need] = needsOf({ ...NOTHING, database: [problem], dismissed: new Set() });
  expect(need).toMatchObject({ kind: 'database', sinceMs: 1000, problem });
  expect(dismissible(need!)).toBe(false);
  expect([titleOf(need!), bodyOf(need!)]).toEqual(['The database was lost', 'it was gone']);
});
