/** Entries in groups by their numbers, so that a new entry changes the last group only. */

import type { Entry } from '../commands';

const SIZE = 20;

export interface Group {
  key: number;
  entries: readonly Entry[];
}

export function groupsOf(entries: readonly Entry[]): Group[] {
  const groups: Group[] = [];
  let from = 0;
  while (from < entries.length) {
    const key = Math.floor(entries[from]!.number / SIZE);
    const to = Math.min(entries.length, (key + 1) * SIZE - entries[0]!.number);
    groups.push({ key, entries: entries.slice(from, to) });
    from = to;
  }
  return groups;
}
