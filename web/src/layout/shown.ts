/** Which tab of a pane this page shows. */

import { signal } from '@preact/signals';
import type { PaneInfo } from '../commands';
import { readSession, writeSession } from '../state/session';
import { findTab, focus } from '../state/workbench';

/** The tab that this page turned away from in a pane, and the one that the hub had in front there at that time. */
interface Left {
  tab: string;
  front: string;
}

const KEY = 'flightdeck.shown';
const left = signal<ReadonlyMap<string, Left>>(new Map(remembered()));
left.subscribe((now) => writeSession(KEY, [...now]));

/** From before the page was loaded again. */
function remembered(): [string, Left][] {
  const kept = readSession(KEY);
  const is = (one: unknown): one is [string, Left] => Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'object' && one[1] !== null;
  return Array.isArray(kept) ? kept.filter(is) : [];
}

let before: string | null = null;
focus.subscribe((now) => {
  const was = before === null ? null : findTab(before);
  before = now;
  if (was) left.value = new Map(left.value).set(was.pane.id, { tab: was.tab.id, front: was.pane.activeTab });
});

/**
 * Its own focus counts for a pane, so that others don't move it; and so it stays when the keyboard goes to another pane. A file
 * that somebody opens from then on is opened to be seen. A terminal is kept: agents start theirs to work in them.
 */
export function shownTab(pane: PaneInfo): string {
  const has = (id: string | null | undefined) => pane.tabs.some((tab) => tab.id === id);
  if (has(focus.value)) return focus.value!;
  const last = left.value.get(pane.id);
  const tab = pane.tabs.find((one) => one.id === last?.tab);
  return tab && (tab.type === 'terminal' || last!.front === pane.activeTab) ? tab.id : pane.activeTab;
}
