/** Which tab of a pane this page shows. */

import { signal } from '@preact/signals';
import type { PaneInfo, TabInfo } from '../commands';
import { readSession, writeSession } from '../state/session';
import { findTab, focus, following } from '../state/workbench';
import { actorOf } from '../ui/actor';

/** The tab that this page turned away from in a pane, the one that the hub had in front there at that time, and all of them. */
interface Left {
  tab: string;
  front: string;
  tabs: readonly string[];
}

const KEY = 'flightdeck.shown';
const left = signal<ReadonlyMap<string, Left>>(new Map(remembered()));
left.subscribe((now) => writeSession(KEY, [...now]));

/** From before the page was loaded again. */
function remembered(): [string, Left][] {
  const kept = readSession(KEY);
  const is = (one: unknown): one is [string, Left] => Array.isArray(one) && typeof one[0] === 'string' && Array.isArray((one[1] as Partial<Left> | null)?.tabs);
  return Array.isArray(kept) ? kept.filter(is) : [];
}

let before: string | null = null;
focus.subscribe((now) => {
  const was = before === null ? null : findTab(before);
  before = now;
  if (was) left.value = new Map(left.value).set(was.pane.id, { tab: was.tab.id, front: was.pane.activeTab, tabs: was.pane.tabs.map(({ id }) => id) });
});

/** Its own focus counts for a pane, so that others don't move it; and so it stays when the keyboard goes to another pane. */
export function shownTab(pane: PaneInfo): string {
  const has = (id: string | null | undefined) => pane.tabs.some((tab) => tab.id === id);
  if (has(focus.value)) return focus.value!;
  const last = left.value.get(pane.id);
  const tab = pane.tabs.find((one) => one.id === last?.tab);
  return tab && stays(tab, last!, pane) ? tab.id : pane.activeTab;
}

/**
 * Whether the tab that was left is what the pane still shows. A file that the person opens elsewhere is opened to be seen;
 * agents open theirs to work in them, which only who follows them wants to see.
 */
function stays(tab: TabInfo, last: Left, pane: PaneInfo): boolean {
  if (tab.type === 'terminal' || last.front === pane.activeTab) return true;
  if (following.value.who !== 'nobody') return false;
  const front = pane.tabs.find(({ id }) => id === pane.activeTab);
  return front === undefined || last.tabs.includes(front.id) || actorOf(front.createdBy).kind === 'agent';
}
