/** What is found in all that a terminal has printed: its screen has the last lines only. */

import { call } from '../hub/link';

/** As many as the hub gives at once. */
const MOST = 1000;
/** What follows a place in the log and is shown with it, in bytes: fewer lines than a page has. */
const AFTER = 800;

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

/** Where a look at one of them ends: it has some of what follows. */
export function endOfLook({ cursors, end }: FoundInLog, at: number): number {
  return Math.min(end, (cursors[at] ?? 0) + AFTER);
}

/** How many lines from the end of that look it is. */
export function fromEnd(found: FoundInLog, at: number): number {
  const end = endOfLook(found, at);
  return found.cursors.slice(at).filter((cursor) => cursor < end).length;
}
