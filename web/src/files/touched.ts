/** Files that agents have touched a while ago: what the rings on panes say for a moment, the tree says for longer. */

import { computed, signal } from '@preact/signals';
import { type Touch, touches } from '../layout/touches';
import { status } from '../state/hub';
import { now } from '../ui/time';

const RECENT_MS = 10 * 60_000;

const all = signal<ReadonlyMap<string, Touch>>(new Map());

touches.subscribe((fresh) => {
  if (fresh.size === 0) return;
  const root = status.peek()?.workspace;
  const named = [...fresh].map(([path, touch]): [string, Touch] => [relative(path, root), touch]);
  all.value = new Map([...all.peek(), ...named]);
});

/** Agents may name a file by its whole path. */
export function relative(path: string, root: string | undefined): string {
  const below = root !== undefined && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  return below.replace(/^\.\//, '');
}

export const touched = computed(() => {
  const since = now.value - RECENT_MS;
  return new Map([...all.value].filter(([, touch]) => touch.at > since));
});
