/**
 * Files that the person at this page has asked for. The hub tells every front end that a line is to be shown, and does not
 * tell for whom; this page scrolls at once for what was asked here, and asks first for what an agent points at.
 */

/** After this the answer has come, or the request has failed. */
const FORGOTTEN_MS = 5000;

export interface Wanted {
  /** A certain line of it. */
  line: number | undefined;
  at: number;
}

const wanted = new Map<string, Wanted>();

export function want(path: string, line: number | undefined, at = Date.now()): void {
  wanted.set(path, { line, at });
}

/** What was asked for here of this file. It counts once. */
export function takeWanted(path: string, now = Date.now()): Wanted | null {
  const found = wanted.get(path);
  wanted.delete(path);
  return found && now - found.at < FORGOTTEN_MS ? found : null;
}
