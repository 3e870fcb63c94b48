/** Chance for tests, the same each time. */

import { ChangeSet } from '@codemirror/state';

/** Whole numbers below a bound. */
export function randoms(seed: number): (bound: number) => number {
  let state = seed * 2654435761;
  return (bound) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 13), 3266489917);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % bound;
  };
}

/** One or two replacements somewhere in a text. */
export function randomEdit(random: (bound: number) => number, length: number): ChangeSet {
  const changes = [];
  let at = 0;
  for (let count = 1 + random(2); count > 0 && at <= length; count--) {
    const from = at + random(length - at + 1);
    const to = from + random(Math.min(4, length - from + 1));
    const insert = ['', 'x', 'yz', '\n', 'q\nr'][random(5)]!;
    changes.push({ from, to, insert });
    at = to + 1;
  }
  return ChangeSet.of(changes, length, '\n');
}
