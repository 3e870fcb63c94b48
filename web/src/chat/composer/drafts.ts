/** What is typed and not sent yet, by conversation: it survives a look elsewhere, and a reload. */

import { type Signal, signal } from '@preact/signals';
import type { Picture } from './prompt';

export interface Draft {
  readonly text: Signal<string>;
  readonly pictures: Signal<readonly Picture[]>;
}

const drafts = new Map<string, Draft>();
const KEY = 'flightdeck.draft.';

export function draftOf(id: string): Draft {
  const known = drafts.get(id);
  if (known) return known;
  const draft: Draft = { text: signal(stored(id)), pictures: signal([]) };
  draft.text.subscribe((text) => {
    try {
      if (text === '') sessionStorage.removeItem(KEY + id);
      else sessionStorage.setItem(KEY + id, text);
    } catch {
      // A browser that keeps nothing forgets it with the page.
    }
  });
  drafts.set(id, draft);
  return draft;
}

function stored(id: string): string {
  try {
    return sessionStorage.getItem(KEY + id) ?? '';
  } catch {
    return '';
  }
}
