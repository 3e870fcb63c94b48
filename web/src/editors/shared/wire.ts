/** Edits as the hub has them, and as CodeMirror has them. */

import { ChangeSet } from '@codemirror/state';
import { diff } from '@codemirror/merge';
import type { TextChange } from '../../commands';
import { LINE_BREAK } from './transform';

/** The hub takes at most ten thousand pieces in one edit; a replacement everywhere in a large file may have more. */
const MOST_PIECES = 8000;

export function toHub(changes: ChangeSet): TextChange[] {
  const all: TextChange[] = [];
  changes.iterChanges((from, to, _fromB, _toB, insert) => all.push({ from, to, insert: insert.toString() }));
  return all;
}

export function fromHub(changes: readonly TextChange[], length: number): ChangeSet {
  return ChangeSet.of(changes, length, LINE_BREAK);
}

/** The same edit in few enough pieces: all in one, where there are too many. `before` is the text that it edits. */
export function sendable(changes: ChangeSet, before: { sliceString(from: number, to: number): string }): ChangeSet {
  let pieces = 0;
  changes.iterChanges(() => (pieces += 1));
  if (pieces <= MOST_PIECES) return changes;
  let insert = '';
  let [first, at] = [-1, 0];
  changes.iterChanges((from, to, _fromB, _toB, text) => {
    if (first < 0) first = from;
    else insert += before.sliceString(at, from);
    insert += text.toString();
    at = to;
  });
  return ChangeSet.of({ from: first, to: at, insert }, changes.length, LINE_BREAK);
}

/** The edit that turns one text into another, so that cursors and marks stay where nothing has changed. */
export function difference(before: string, after: string): ChangeSet {
  const parts: Part[] = [];
  for (const change of diff(before, after, { scanLimit: 500, timeout: 200 })) {
    const part = whole(change, before, after);
    const last = parts.at(-1);
    if (last && part.fromA <= last.toA) [last.toA, last.toB] = [part.toA, part.toB];
    else parts.push(part);
  }
  const changes = parts.map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, insert: after.slice(fromB, toB) }));
  return ChangeSet.of(changes, before.length, LINE_BREAK);
}

interface Part {
  fromA: number;
  toA: number;
  fromB: number;
  toB: number;
}

/** The hub refuses edits that begin or end inside of a character; a difference by units may do so. */
function whole({ fromA, toA, fromB, toB }: Part, before: string, after: string): Part {
  const first = isInside(before, fromA) || isInside(after, fromB) ? 1 : 0;
  const last = isInside(before, toA) || isInside(after, toB) ? 1 : 0;
  return { fromA: fromA - first, toA: toA + last, fromB: fromB - first, toB: toB + last };
}

function isInside(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
