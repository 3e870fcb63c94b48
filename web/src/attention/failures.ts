/**
 * Which failed calls of agents are worth a message at the edge (NFR-3.8.1): errors always, warnings if the person wants
 * them, the rest never. Agents try and fail all the time; the activity has every one.
 */

import { signal } from '@preact/signals';
import type { AuditCall } from '../commands';
import { sentenceOf } from '../activity/words';
import { recentCalls } from '../state/hub';
import { actorOf } from '../ui/actor';
import { toast } from '../ui/toasts';

export type Weight = 'error' | 'warning' | 'info';

/** Something of the machine or of Flightdeck is broken, and goes on being so. */
const ERRORS = new Set(['internal', 'storage', 'keeper_lost', 'tmux_failed', 'bridge_failed', 'policy_invalid']);
/** Something was not done although nobody decided so. */
const WARNINGS = new Set([
  'resource_limit',
  'approval_expired',
  'approval_unavailable',
  'timed_out',
  'disconnected',
  'interrupted',
  'rate_limited',
  'too_many_calls',
]);

export function weightOf(result: string): Weight | null {
  if (result === 'ok' || result === 'running') return null;
  return ERRORS.has(result) ? 'error' : WARNINGS.has(result) ? 'warning' : 'info';
}

const KEY = 'flightdeck.warnings';

export const warnings = signal(stored());

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes';
  } catch {
    return false;
  }
}

export function showWarnings(show: boolean): void {
  warnings.value = show;
  try {
    localStorage.setItem(KEY, show ? 'yes' : 'no');
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}

export function watchFailures(): void {
  const told = new Set<number>();
  recentCalls.subscribe((calls) => {
    for (const call of calls) {
      if (told.has(call.seq) || call.result === 'running') continue;
      told.add(call.seq);
      tellOf(call);
    }
    const oldest = calls[0]?.seq ?? 0;
    for (const seq of told) if (seq < oldest) told.delete(seq);
  });
}

function tellOf(call: AuditCall): void {
  const weight = weightOf(call.result);
  const actor = actorOf(call.actor);
  if (weight === null || weight === 'info' || actor.kind !== 'agent' || (weight === 'warning' && !warnings.peek())) return;
  toast(weight, `${actor.name} ${sentenceOf(call)}: ${call.error ?? call.result}`);
}
