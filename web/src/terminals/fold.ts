/** What is shown of a long output: how it begins, and how it ends, where the outcome is. */

const LONG = 40;
const HEAD = 12;
const TAIL = 24;

export interface Folded<T> {
  head: T[];
  /** How many are left out. */
  hidden: number;
  tail: T[];
}

export function fold<T>(lines: readonly T[], open: boolean): Folded<T> {
  if (open || lines.length <= LONG) return { head: [...lines], hidden: 0, tail: [] };
  return { head: lines.slice(0, HEAD), hidden: lines.length - HEAD - TAIL, tail: lines.slice(-TAIL) };
}
