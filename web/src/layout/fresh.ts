/** Files that agents have opened in the background, until they are looked at here. They take no place by themselves. */

import { effect, signal } from '@preact/signals';
import type { PaneInfo, Snapshot } from '../commands';
import { readSession, writeSession } from '../state/session';
import { workbench } from '../state/workbench';
import { actorOf } from '../ui/actor';
import { shownTab } from './shown';

const KEY = 'flightdeck.known-tabs';

/** Tabs that are no news, of one life of the hub. */
export interface KnownTabs {
  epoch: number;
  tabs: readonly string[];
}

/** Tabs that are news here. */
export const freshTabs = signal<ReadonlySet<string>>(new Set());

export function watchFreshTabs(): void {
  let known = stored();
  effect(() => {
    const state = workbench.value;
    if (state.epoch === 0) return;
    known = knownTabs(known, state, shownTab);
    writeSession(KEY, known);
    const news = tabsOf(state).filter(({ id }) => !known!.tabs.includes(id));
    freshTabs.value = new Set(news.map(({ id }) => id));
  });
}

/** What is no news now: what was there at first, what is or was in sight, and what no agent has opened. */
export function knownTabs(before: KnownTabs | null, state: Snapshot, shown: (pane: PaneInfo) => string): KnownTabs {
  const all = tabsOf(state);
  if (before?.epoch !== state.epoch) return { epoch: state.epoch, tabs: all.map(({ id }) => id) };
  const inSight = new Set(state.panes.map(shown));
  const isKnown = (tab: (typeof all)[number]) =>
    before.tabs.includes(tab.id) || inSight.has(tab.id) || tab.type !== 'editor' || actorOf(tab.createdBy).kind === 'person';
  return { epoch: state.epoch, tabs: all.filter(isKnown).map(({ id }) => id) };
}

const tabsOf = (state: Snapshot) => state.panes.flatMap(({ tabs }) => tabs);

/** From before the page was loaded again. */
function stored(): KnownTabs | null {
  const kept = readSession(KEY) as Partial<KnownTabs> | null;
  return typeof kept?.epoch === 'number' && Array.isArray(kept.tabs) ? (kept as KnownTabs) : null;
}
