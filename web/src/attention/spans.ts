/**
 * A command as it is shown: cut where a dangerous piece begins or ends. The hub counts bytes of UTF-8, a browser counts
 * UTF-16 units, so each place is looked up.
 */

import type { ApprovalPiece } from '../commands';

export interface Span {
  text: string;
  /** What is dangerous about it. */
  danger?: string;
}

type Place = Pick<ApprovalPiece, 'start' | 'end' | 'depth' | 'danger'>;

export function spansOf(text: string, pieces: readonly Place[]): Span[] {
  const dangers = pieces.filter((piece) => piece.danger !== undefined && piece.end > piece.start);
  const spans: Span[] = [];
  let byte = 0;
  for (const character of text) {
    const next = byte + utf8Length(character);
    const danger = innermost(dangers, byte, next)?.danger;
    const last = spans.at(-1);
    if (last && last.danger === danger) last.text += character;
    else spans.push(danger === undefined ? { text: character } : { text: character, danger });
    byte = next;
  }
  return spans;
}

/** Of pieces within pieces the innermost says best what is wrong. */
function innermost(pieces: readonly Place[], from: number, to: number): Place | undefined {
  let best: Place | undefined;
  for (const piece of pieces) {
    if (piece.start < to && piece.end > from && (!best || piece.depth >= best.depth)) best = piece;
  }
  return best;
}

/** A lone surrogate comes from the hub as one character of three bytes, as U+FFFD does. */
function utf8Length(character: string): number {
  const code = character.codePointAt(0)!;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
