/** How conversations and what is done in them are told. */

import type { Budget, Chat, ChatState, StopReason, ToolKind, ToolStatus, Usage } from '../commands';
import { type Mark, SHARED } from '../ui/mark';
import { visible } from '../ui/visible';

const STATES: Record<ChatState, Mark> = {
  ...SHARED,
  starting: { mark: '◌', word: 'starting', tone: 'agent' },
  waits_for_sign_in: { mark: '◐', word: 'waits for sign-in', tone: 'warn' },
  ready: { mark: '○', word: 'ready', tone: 'dim' },
  waits_for_approval: { mark: '◐', word: 'waits for approval', tone: 'warn' },
  done: { mark: '✓', word: 'done', tone: 'ok' },
};

export function stateWords(state: ChatState): Mark {
  return STATES[state];
}

export function isBusy(state: ChatState): boolean {
  return state === 'working' || state === 'waits_for_approval' || state === 'waits_for_input';
}

/** Whether the agent's process is there. */
export function isThere(chat: Pick<Chat, 'agent'>): boolean {
  return chat.agent.number !== undefined;
}

export function titleOf(chat: Pick<Chat, 'title' | 'agent'>): string {
  return visible(chat.title === '' ? `New conversation with ${chat.agent.title}` : chat.title);
}

const STATUSES: Record<ToolStatus, Mark> = {
  pending: { mark: '○', word: 'not begun', tone: 'dim' },
  in_progress: { mark: '●', word: 'under way', tone: 'agent' },
  completed: { mark: '✓', word: 'done', tone: 'ok' },
  failed: { mark: '✗', word: 'failed', tone: 'danger' },
  cancelled: { mark: '⊘', word: 'cancelled', tone: 'dim' },
};

export function statusWords(status: ToolStatus): Mark {
  return STATUSES[status];
}

const KINDS: Record<ToolKind, string> = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Search',
  execute: 'Run',
  think: 'Think',
  fetch: 'Fetch',
  switch_mode: 'Mode',
  other: 'Tool',
};

export function kindWord(kind: ToolKind): string {
  return KINDS[kind];
}

/** How a turn ended; nothing where it simply did. */
export function endWords(reason: StopReason): string | null {
  switch (reason) {
    case 'end_turn':
      return null;
    case 'max_tokens':
      return 'Stopped: its model’s answer became too long';
    case 'max_requests':
      return 'Stopped: it asked its model as often as it may in one turn';
    case 'refusal':
      return 'It does not want to do this';
    case 'cancelled':
      return 'Stopped';
    case 'budget':
      return 'Stopped: the budget is used up';
    case 'failed':
      return 'Failed';
  }
}

/** `1.2k`, `200k`, `3.4M`. */
export function amount(number: number): string {
  if (number < 1000) return String(number);
  const [value, unit] = number < 1_000_000 ? [number / 1000, 'k'] : [number / 1_000_000, 'M'];
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)}${unit}`;
}

export function money(cost: number, currency: string): string {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits: cost < 1 ? 3 : 2 }).format(cost);
  } catch {
    return `${cost.toFixed(2)} ${currency}`;
  }
}

/** What was used, in the words of a glance, and how near the budget is: 1 when it is used up. */
export function usageWords(usage: Usage | undefined, budget: Budget | undefined): { text: string; near: number } | null {
  const parts: string[] = [];
  let near = 0;
  if (usage?.context !== undefined) {
    const of = usage.size === undefined ? '' : ` of ${amount(usage.size)}`;
    parts.push(`${amount(usage.context)}${of} in context`);
  }
  // A budget counts as the hub does: who tells only what its context holds is counted by that.
  const tokens = budget?.tokens === undefined ? usage?.tokens : Math.max(usage?.tokens ?? 0, usage?.context ?? 0);
  if (tokens !== undefined) {
    parts.push(`${amount(tokens)}${budget?.tokens === undefined ? '' : ` / ${amount(budget.tokens)}`} tokens`);
    if (budget?.tokens !== undefined) near = Math.max(near, tokens / Math.max(1, budget.tokens));
  }
  const cost = usage?.cost;
  if (cost !== undefined || budget?.cost !== undefined) {
    const currency = cost?.currency ?? 'USD';
    parts.push(`${money(cost?.amount ?? 0, currency)}${budget?.cost === undefined ? '' : ` / ${money(budget.cost, currency)}`}`);
    if (budget?.cost !== undefined) near = Math.max(near, (cost?.amount ?? 0) / Math.max(1e-9, budget.cost));
  }
  return parts.length === 0 ? null : { text: parts.join(' · '), near };
}
