/** The calls that this page knows: what was told since it is open, and what was asked for from before. */

import { computed, signal } from '@preact/signals';
import type { AuditCall } from '../commands';
import { call, standing } from '../hub/link';
import { recentCalls } from '../state/hub';
import { actorOf, sharedNames } from '../ui/actor';
import { complain } from '../ui/toasts';
import { filter, queryOf, shows } from './filter';

export const PAGE = 100;
/** The hub gives no more than this at once. */
const MOST = 10_000;

const older = signal<ReadonlyMap<number, AuditCall>>(new Map());

/** Everything that is known, oldest first. */
export const known = computed<readonly AuditCall[]>(() => {
  const all = new Map(older.value);
  // What is told later is newer: a call that was running has ended.
  for (const one of recentCalls.value) all.set(one.seq, one);
  return [...all.values()].sort((a, b) => a.seq - b.seq);
});

/** The names that more than one agent has had. */
const shared = computed(() => sharedNames(known.value.map((one) => one.actor)));

export function hasNamesakes(actor: string): boolean {
  return shared.value.has(actorOf(actor).name);
}

/** What the filter lets through, newest first. */
export const matching = computed(() => known.value.filter((one) => shows(filter.value, one)).reverse());

export const loading = signal(false);
/** Whether the hub has told everything there is for this filter. */
export const complete = signal(false);
/** How many were asked for so far. */
let asked = 0;

/**
 * Asks for more from before, until there is a page more to show. Each question asks for the newest again, only more of
 * them: entries are in the order in which they were written, calls begin at other times, so that no time says where to go on.
 */
export async function loadOlder(): Promise<void> {
  if (loading.value || complete.value) return;
  loading.value = true;
  const want = filter.value;
  try {
    const enough = matching.value.length + PAGE;
    do {
      asked = Math.min(Math.max(asked * 2, 2 * PAGE), MOST);
      const page = await call('flightdeck.hub.audit', queryOf(want, asked));
      if (filter.value !== want) return;
      older.value = new Map([...older.value, ...page.calls.map((one) => [one.seq, one] as const)]);
      complete.value = page.calls.length < asked || asked === MOST;
    } while (!complete.value && matching.value.length < enough);
  } catch (error) {
    complain(error);
  } finally {
    loading.value = false;
  }
}

/** A new filter begins with what is known, and asks for the rest. */
filter.subscribe(() => {
  asked = 0;
  complete.value = false;
});

let seeded = false;

/** Learns once what happened last, so that agents have a past when the page opens. */
standing.subscribe((now) => {
  if (now.is !== 'live' || seeded) return;
  seeded = true;
  call('flightdeck.hub.audit', { limit: PAGE }).then(
    (page) => (older.value = new Map([...older.value, ...page.calls.map((one) => [one.seq, one] as const)])),
    () => (seeded = false),
  );
});
