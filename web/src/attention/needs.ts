/** What needs a person: the one list behind the count, the title and the notifications. */

import { computed, signal } from '@preact/signals';
import { chats } from '../chat/overview';
import { markSeen, unseen } from '../chat/seen';
import type { AgentState, Approval, Chat, DatabaseProblem, DocumentInfo, InputRequest, PolicyNotice, TerminalState } from '../commands';
import { agents, approvals, databaseProblems, policyNotices, terminals } from '../state/hub';
import { workbench } from '../state/workbench';
import { consent } from './consent';
import { agentKey, finished, looked, type Stretch, type Stretches } from './stretches';

export type Need =
  | { kind: 'approval'; key: string; sinceMs: number; approval: Approval }
  /** A program that an agent runs asks for a line or a password, until it is answered. */
  | { kind: 'input'; key: string; sinceMs: number; terminal: string; asks: InputRequest }
  /** A file with unsaved changes that has changed on disk. */
  | { kind: 'conflict'; key: string; sinceMs: number; path: string }
  /** Nobody has said yet whether agents may control the workbench. */
  | { kind: 'consent'; key: string; sinceMs: number }
  /** Rules that were changed from outside wait for a yes. */
  | { kind: 'policy'; key: string; sinceMs: number; notice: PolicyNotice }
  /** The database was lost, damaged, replaced or rolled back. */
  | { kind: 'database'; key: string; sinceMs: number; problem: DatabaseProblem }
  /** An agent is done with a longer piece of work. */
  | { kind: 'finished'; key: string; sinceMs: number; agent: AgentState; workedMs: number }
  /** An agent's last call failed, and it does nothing more. */
  | { kind: 'failed'; key: string; sinceMs: number; agent: AgentState }
  /** A conversation has come to an end that nobody saw, or waits for a person in words of its own. */
  | { kind: 'chat'; key: string; sinceMs: number; chat: Chat };

/** Those that only tell something, and can be put away. */
export function dismissible(need: Need): boolean {
  return need.kind === 'finished' || need.kind === 'failed' || (need.kind === 'chat' && !waits(need.chat));
}

/** Whether it waits for an answer or a sign-in, which only the conversation itself can take. */
function waits({ state, terminal }: Chat): boolean {
  return state === 'waits_for_sign_in' || (state === 'waits_for_input' && terminal === undefined);
}

export interface Facts {
  approvals: readonly Approval[];
  /** Terminals, of which some may ask for something. */
  terminals: Iterable<Pick<TerminalState, 'id' | 'asks'>>;
  documents: readonly Pick<DocumentInfo, 'path' | 'conflict'>[];
  askConsent: boolean;
  policy: readonly PolicyNotice[];
  database: readonly DatabaseProblem[];
  finished: readonly Stretch[];
  failed: readonly AgentState[];
  /** All conversations, and whether the end of one is news. */
  chats: readonly Chat[];
  isNews(chat: Chat): boolean;
  dismissed: ReadonlySet<string>;
  /** Since when something that has no time of its own is known. */
  since(key: string): number;
}

export function needsOf(facts: Facts): Need[] {
  // What an agent does that the hub runs is told by its conversation, which knows it exactly.
  const talking = new Set(facts.chats.map(({ agent }) => agent.number).filter((number) => number !== undefined));
  const talks = ({ number, terminal }: AgentState) => number !== undefined && talking.has(number) && terminal === undefined;
  const all: Need[] = [
    ...facts.approvals.map((approval): Need => ({ kind: 'approval', key: approval.id, sinceMs: approval.askedAtMs, approval })),
    ...[...facts.terminals].flatMap(({ id, asks }): Need[] =>
      asks === undefined ? [] : [{ kind: 'input', key: `input-${id}-${asks.sinceMs}`, sinceMs: asks.sinceMs, terminal: id, asks }],
    ),
    ...facts.documents
      .filter((document) => document.conflict !== undefined)
      .map(({ path, conflict }): Need => {
        const key = `conflict-${path}-${conflict}`;
        return { kind: 'conflict', key, sinceMs: facts.since(key), path };
      }),
    ...facts.policy.map((notice): Need => {
      const key = `policy-${notice.file}-${notice.state}`;
      return { kind: 'policy', key, sinceMs: facts.since(key), notice };
    }),
    ...facts.database.map((problem): Need => {
      return { kind: 'database', key: `database-${problem.kind}-${problem.noticedAtMs}`, sinceMs: problem.noticedAtMs, problem };
    }),
    ...facts.finished.filter(({ agent }) => !talks(agent)).map(({ agent, fromMs, toMs }): Need => {
      const key = `finished-${agentKey(agent)}-${fromMs}`;
      return { kind: 'finished', key, sinceMs: toMs, agent, workedMs: toMs - fromMs };
    }),
    ...facts.failed.filter((agent) => !talks(agent)).map((agent): Need => {
      const key = `failed-${agentKey(agent)}-${agent.sinceMs}`;
      return { kind: 'failed', key, sinceMs: agent.sinceMs, agent };
    }),
    ...facts.chats
      .filter((chat) => waits(chat) || facts.isNews(chat))
      .map((chat): Need => ({ kind: 'chat', key: `chat-${chat.id}-${chat.sinceMs}`, sinceMs: chat.sinceMs, chat })),
  ];
  if (facts.askConsent) all.push({ kind: 'consent', key: 'consent', sinceMs: facts.since('consent') });
  // What stands still until somebody acts comes before what only tells something; the newest of each comes last.
  const rank = (need: Need) => Number(dismissible(need));
  return all.filter((need) => !facts.dismissed.has(need.key)).sort((a, b) => rank(a) - rank(b) || a.sinceMs - b.sinceMs);
}

/** An agent that tries again at once does not need anybody. */
export const FAILED_MS = 20_000;

export function failedFor(all: readonly AgentState[], nowMs: number): AgentState[] {
  return all.filter((agent) => agent.state === 'failed' && nowMs - agent.sinceMs >= FAILED_MS);
}

const dismissed = signal<ReadonlySet<string>>(new Set());
const resting = signal<{ finished: readonly Stretch[]; failed: readonly AgentState[] }>({ finished: [], failed: [] });
const firstSeen = new Map<string, number>();
let stretches: Stretches = new Map();

export function dismissNeed(key: string): void {
  dismissed.value = new Set(dismissed.value).add(key);
  const chat = chats.peek().find((one) => key === `chat-${one.id}-${one.sinceMs}`);
  if (chat) markSeen(chat);
}

/** Begins to look at how agents work; also while the page is hidden, when it matters most. */
export function watchAgents(): void {
  const look = () => {
    const now = Date.now();
    stretches = looked(stretches, agents.peek(), now);
    const next = { finished: finished(stretches, now), failed: failedFor(agents.peek(), now) };
    // Most looks find nothing new, and then nothing is drawn anew.
    if (keysOf(next) !== keysOf(resting.peek())) resting.value = next;
  };
  agents.subscribe(look);
  setInterval(look, 5000);
}

function keysOf(now: { finished: readonly Stretch[]; failed: readonly AgentState[] }): string {
  return JSON.stringify([now.finished.map((one) => [agentKey(one.agent), one.fromMs]), now.failed.map((one) => [agentKey(one), one.sinceMs])]);
}

export const needs = computed<Need[]>(() =>
  needsOf({
    approvals: approvals.value,
    terminals: terminals.value.values(),
    documents: workbench.value.documents,
    askConsent: consent.value?.ask ?? false,
    policy: policyNotices.value,
    database: databaseProblems.value,
    ...resting.value,
    chats: chats.value,
    isNews: unseen,
    dismissed: dismissed.value,
    since: (key) => {
      const known = firstSeen.get(key) ?? Date.now();
      firstSeen.set(key, known);
      return known;
    },
  }),
);
