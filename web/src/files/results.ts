/** What a search found, in the order in which it is shown, and where in a line the match is. */

import type { SearchMatch } from '../commands';

export interface Query {
  text: string;
  caseSensitive: boolean;
  regex: boolean;
}

export interface Group {
  path: string;
  matches: SearchMatch[];
}

/** By file, as they came. */
export function grouped(matches: readonly SearchMatch[]): Group[] {
  const groups = new Map<string, Group>();
  for (const match of matches) {
    const group = groups.get(match.path) ?? { path: match.path, matches: [] };
    group.matches.push(match);
    groups.set(match.path, group);
  }
  return [...groups.values()];
}

/** All matches, with the files in the order in which they were shown so far: what is being read does not move. */
export function inPlace(all: readonly SearchMatch[], soFar: readonly SearchMatch[]): SearchMatch[] {
  const order = new Map<string, number>();
  for (const { path } of soFar) if (!order.has(path)) order.set(path, order.size);
  const at = (match: SearchMatch) => order.get(match.path) ?? order.size;
  return [...all].sort((a, b) => at(a) - at(b));
}

/** Characters that the hub shows before the match in a line that it had to cut. */
const LEAD = 60;

/**
 * A line as what comes before the match, the match, and what comes after. The hub tells where it begins and not where it
 * ends, so it is looked for again; an expression that only the hub understands marks nothing.
 */
export function parts(match: Pick<SearchMatch, 'text' | 'column'>, query: Query): [before: string, hit: string, after: string] {
  const line = match.text.replace(/\r$/, '');
  const cut = line.startsWith('…') && match.column > LEAD;
  const expected = [...line].slice(0, cut ? LEAD + 1 : match.column - 1).join('').length;
  const found = nearest(line, expected, query);
  const indent = /^\s*/.exec(line)![0].length;
  if (!found) return [line.slice(indent), '', ''];
  const from = Math.min(indent, found.at);
  return [line.slice(from, found.at), line.slice(found.at, found.at + found.length), line.slice(found.at + found.length)];
}

function nearest(line: string, expected: number, query: Query): { at: number; length: number } | null {
  const pattern = query.regex ? query.text : query.text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  try {
    let best: { at: number; length: number } | null = null;
    for (const found of line.matchAll(new RegExp(pattern, `g${query.caseSensitive ? '' : 'i'}`))) {
      const hit = { at: found.index, length: found[0].length };
      if (!best || Math.abs(hit.at - expected) < Math.abs(best.at - expected)) best = hit;
    }
    return best;
  } catch {
    return null;
  }
}

/** `12 in 3 files`, and that there are more where there are. */
export function summary(matches: readonly SearchMatch[], truncated: boolean): string {
  const files = new Set(matches.map((match) => match.path)).size;
  if (matches.length === 0) return 'Nothing found';
  const count = `${truncated ? 'The first ' : ''}${matches.length} ${matches.length === 1 ? 'line' : 'lines'}`;
  return `${count} in ${files} ${files === 1 ? 'file' : 'files'}`;
}
