/** What is at the hub: terminals, agents, and what waits for a yes. Only this file changes it. */

import { batch, computed, signal } from '@preact/signals';
import type {
  AgentState,
  Approval,
  AuditCall,
  DatabaseProblem,
  HubChange,
  HubEvent,
  HubStatus,
  PolicyNotice,
  TerminalState,
} from '../commands';
import { call, last, standing } from '../hub/link';

export const terminals = signal<ReadonlyMap<string, TerminalState>>(new Map());
export const agents = signal<readonly AgentState[]>([]);
export const approvals = signal<readonly Approval[]>([]);
/** Policy files that say something else than what is in force. */
export const policyNotices = signal<readonly PolicyNotice[]>([]);
/** What has happened to the database outside of the hub, until a person acknowledges it. */
export const databaseProblems = signal<readonly DatabaseProblem[]>([]);
export const status = signal<HubStatus | null>(null);
/** The newest calls of the audit log that were told since the page is open, oldest first. */
export const recentCalls = signal<readonly AuditCall[]>([]);
/** Whether the first snapshot has come; until then nothing is known. */
export const known = signal(false);

const RECENT_CALLS = 500;

export const workspaceName = computed(() => status.value?.workspace.split('/').filter(Boolean).at(-1) ?? '');

let seen: { epoch: number; seq: number } | null = null;
let audited: number | null = null;

/** Begins to watch the hub, for as long as the page is open. */
export function watchHub(): void {
  last(
    'flightdeck.hub.watch',
    () => ({ ...seen, audit: audited === null ? {} : { after: audited } }),
    (event) => take(event),
  );
  // A person is here: agents' requests wait for them instead of being refused.
  last('flightdeck.approval.watch', () => ({ attend: true }), () => {});
  standing.subscribe((now) => {
    if (now.is === 'live') learnStatus();
  });
  // The branch changes below the hub, which tells nobody: whoever comes back looks again, and so it is after `git`.
  addEventListener('focus', learnStatus);
  let before = terminals.peek();
  terminals.subscribe((now) => {
    const ended = [...before.values()].some((was) => changesBranch(was) && now.get(was.id)?.runningCommand !== was.runningCommand);
    before = now;
    if (ended) learnStatus();
  });
}

function changesBranch({ runningCommand }: TerminalState): boolean {
  return runningCommand !== undefined && /\b(git|jj|gh)\b/.test(runningCommand);
}

function learnStatus(): void {
  if (standing.peek().is === 'live') void call('flightdeck.hub.status', {}).then((is) => (status.value = is), () => {});
}

function take(event: HubEvent): void {
  switch (event.type) {
    case 'snapshot': {
      const { epoch, seq } = event.snapshot;
      seen = { epoch, seq };
      terminals.value = new Map(event.snapshot.terminals.map((terminal) => [terminal.id, terminal]));
      agents.value = event.snapshot.agents;
      approvals.value = event.snapshot.approvals;
      policyNotices.value = event.snapshot.policy ?? [];
      databaseProblems.value = event.snapshot.database ?? [];
      // Last, so that subscribers can tell the first snapshot from later changes.
      known.value = true;
      break;
    }
    case 'changes':
      // Many may come at once, and what follows from them is worked out for all together.
      batch(() => {
        terminalsChanged(event.changes.map(({ change }) => change));
        for (const { change } of event.changes) apply(change);
      });
      if (seen) seen.seq = event.changes.at(-1)?.seq ?? seen.seq;
      break;
    case 'audit': {
      audited = event.next;
      const calls = new Map(recentCalls.value.map((call) => [call.seq, call]));
      for (const call of event.calls) calls.set(call.seq, call);
      recentCalls.value = [...calls.values()].slice(-RECENT_CALLS);
      break;
    }
    case 'folders':
    case 'list':
      break;
  }
}

/** The terminals after changes, of which those of other things are left out. */
export function terminalsChanged(changes: readonly HubChange[]): void {
  let next: Map<string, TerminalState> | null = null;
  for (const change of changes) {
    if ('terminal' in change) (next ??= new Map(terminals.peek())).set(change.terminal.id, change.terminal);
    else if (change.type === 'terminal_gone') (next ??= new Map(terminals.peek())).delete(change.id);
  }
  if (next) terminals.value = next;
}

/** One change of something else. */
function apply(change: HubChange): void {
  switch (change.type) {
    case 'terminal_created':
    case 'terminal_changed':
    case 'terminal_ended':
    case 'terminal_gone':
      break;
    case 'agent': {
      const others = agents.value.filter((agent) => !same(agent, change.agent));
      agents.value = [...others, change.agent].sort((a, b) => (a.number ?? -1) - (b.number ?? -1));
      break;
    }
    case 'agent_forgotten':
      agents.value = agents.value.filter((agent) => !same(agent, change));
      break;
    case 'approvals':
      approvals.value = change.approvals;
      break;
    case 'policy':
      policyNotices.value = change.policy;
      break;
    case 'database':
      databaseProblems.value = change.database;
      break;
  }
}

function same(a: { name: string; number?: number }, b: { name: string; number?: number }): boolean {
  return a.name === b.name && a.number === b.number;
}
