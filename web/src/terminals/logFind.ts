/** What is found in all that a terminal has printed: its screen has the last lines only. */

import { call } from '../hub/link';

/** As many as the hub gives at once. */
const MOST = 1000;
/** A longer line is searched by the hub in pieces of this. */
const MAX_LINE_BYTES = 64 * 1024;
/** How many lines are shown after the one that was found. */
const LINES_AFTER = 20;

export interface FoundInLog {
  text: string;
  /** Where the lines begin that hold it, oldest first. */
  cursors: readonly number[];
  /** Where the log ended. */
  end: number;
  /** There are more than these. */
  more: boolean;
}

/** Lines that hold a text; of too many the first ones, which the screen has not. */
export async function findInLog(id: string, text: string, end: number): Promise<FoundInLog> {
  const cursors: number[] = [];
  let from: number | undefined = undefined;
  for (let questions = 0; questions < 20 && end > 0; questions++) {
    const asked = { id, pattern: text, literal: true, ignoreCase: true, maxMatches: MOST };
    const page: { matches: { cursor: number }[]; truncated: boolean; next?: number } = await call(
      'flightdeck.terminal.search',
      from === undefined ? asked : { ...asked, from },
    );
    cursors.push(...page.matches.map(({ cursor }) => cursor).filter((cursor) => cursor < end));
    if (!page.truncated || page.next === undefined || page.next >= end) return { text, cursors, end, more: false };
    from = page.next;
  }
  return { text, cursors, end, more: end > 0 };
}

/** A line that was found, and some of what follows. */
export async function linesFrom(id: string, cursor: number): Promise<string> {
  const { text } = await call('flightdeck.terminal.read', { id, from: cursor, to: cursor + MAX_LINE_BYTES, maxBytes: MAX_LINE_BYTES });
  return text.split('\n').slice(0, LINES_AFTER + 1).join('\n');
}
