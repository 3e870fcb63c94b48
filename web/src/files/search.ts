/** The search that is shown. It stays when the panel is closed and opened again. */

import { signal } from '@preact/signals';
import type { SearchMatch } from '../commands';
import { call } from '../hub/link';
import type { Query } from './results';

export type Outcome =
  | { is: 'nothing' }
  | { is: 'searching' }
  | { is: 'found'; query: Query; matches: readonly SearchMatch[]; truncated: boolean; reason: string | undefined }
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
let turn = 0;

/** When the typing pauses. */
export function searchSoon(): void {
  clearTimeout(pause);
  pause = setTimeout(searchNow, PAUSE_MS);
}

export function searchNow(): void {
  clearTimeout(pause);
  // An answer to an earlier question is not shown any more.
  const mine = ++turn;
  const asked: Query = { text: query.value, caseSensitive: caseSensitive.value, regex: regex.value };
  if (asked.text === '') {
    outcome.value = { is: 'nothing' };
    return;
  }
  const slow = setTimeout(() => mine === turn && (outcome.value = { is: 'searching' }), STALE_MS);
  const only = include.value.trim();
  call('openspace.file.search', {
    query: asked.text,
    regex: asked.regex,
    caseSensitive: asked.caseSensitive,
    maxResults: MOST,
    ...(only === '' ? {} : { includePattern: only.replaceAll(' ', '') }),
  })
    .then(
      ({ matches, truncated, reason }): Outcome => ({ is: 'found', query: asked, matches, truncated, reason }),
      (error: Error): Outcome => ({ is: 'failed', message: error.message }),
    )
    .then((now) => {
      clearTimeout(slow);
      if (mine === turn) outcome.value = now;
    });
}
