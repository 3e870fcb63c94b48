/** The search that is shown. It stays when the panel is closed and opened again. */

import { signal } from '@preact/signals';
import type { SearchMatch, SearchResult } from '../commands';
import type { Running } from '../hub/connection';
import { stream } from '../hub/link';
import { inPlace, type Query } from './results';

export type Outcome =
  | { is: 'nothing' }
  | { is: 'searching' }
  /** `running`: more may come. */
  | { is: 'found'; query: Query; matches: readonly SearchMatch[]; truncated: boolean; reason: string | undefined; running: boolean }
  | { is: 'failed'; message: string };

export const query = signal('');
export const include = signal('');
export const caseSensitive = signal(false);
export const regex = signal(false);
export const outcome = signal<Outcome>({ is: 'nothing' });

const PAUSE_MS = 180;
/** What was found stays this long while the next answer is awaited, so that nothing flickers. */
const STALE_MS = 300;
const MOST = 500;

let pause: ReturnType<typeof setTimeout> | undefined;
let running: Running<SearchResult> | null = null;

/** When the typing pauses. */
export function searchSoon(): void {
  clearTimeout(pause);
  pause = setTimeout(searchNow, PAUSE_MS);
}

export function searchNow(): void {
  clearTimeout(pause);
  // Nobody wants the answer to an earlier question any more.
  running?.cancel();
  running = null;
  const asked: Query = { text: query.value, caseSensitive: caseSensitive.value, regex: regex.value };
  if (asked.text === '') {
    outcome.value = { is: 'nothing' };
    return;
  }
  const only = include.value.trim();
  const args = {
    query: asked.text,
    regex: asked.regex,
    caseSensitive: asked.caseSensitive,
    maxResults: MOST,
    ...(only === '' ? {} : { includePattern: only.replaceAll(' ', '') }),
  };
  const show = (now: Outcome) => {
    if (running === mine) outcome.value = now;
  };
  const slow = setTimeout(() => show({ is: 'searching' }), STALE_MS);
  let soFar: SearchMatch[] = [];
  const mine = stream('openspace.file.search', args, (found) => {
    clearTimeout(slow);
    soFar = [...soFar, ...found.matches];
    show({ is: 'found', query: asked, matches: soFar, truncated: false, reason: undefined, running: true });
  });
  running = mine;
  mine.result
    .then(
      ({ matches, truncated, reason }): Outcome => ({ is: 'found', query: asked, matches: inPlace(matches, soFar), truncated, reason, running: false }),
      (error: Error): Outcome => ({ is: 'failed', message: error.message }),
    )
    .then((now) => {
      clearTimeout(slow);
      show(now);
    });
}
