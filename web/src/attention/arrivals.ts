/**
 * What happens when something new needs a yes. A dangerous request may come forward as a dialog, but never over somebody
 * who types, nor over another dialog: then its card shows itself at the edge, and that is all.
 */

import { computed, signal } from '@preact/signals';
import type { Approval } from '../commands';
import { approvals, known } from '../state/hub';
import { typing } from './typing';

const FLASH_MS = 4000;

/** Requests that came forward, the next one first. */
const forward = signal<readonly string[]>([]);
/** Those whose card has just come. */
export const fresh = signal<ReadonlySet<string>>(new Set());

/** The one that the dialog shows. */
export const inDialog = computed<Approval | null>(() => {
  for (const id of forward.value) {
    const found = approvals.value.find((approval) => approval.id === id);
    if (found) return found;
  }
  return null;
});

/** Whether a dialog may appear now without getting into anybody's way. */
export function mayInterrupt(): boolean {
  return !typing() && document.visibilityState === 'visible' && document.querySelector('dialog[open]:not(.approval-dialog)') === null;
}

/** Begins to look for what is new. What waited before the page was open has its card, and is no news. */
export function watchArrivals(): void {
  let seen: ReadonlySet<string> | null = null;
  approvals.subscribe((all) => {
    if (!known.peek()) return;
    const before = seen;
    seen = new Set(all.map((approval) => approval.id));
    if (before === null) return;
    for (const approval of all) if (!before.has(approval.id)) arrive(approval);
  });
  // The first snapshot sets what is there before it says that it is known.
  known.subscribe((is) => {
    if (is) seen ??= new Set(approvals.peek().map((approval) => approval.id));
  });
}

function arrive(approval: Approval): void {
  if (approval.dangerous && mayInterrupt()) bringForward(approval.id);
  else flash(approval.id);
}

export function bringForward(id: string): void {
  forward.value = [...forward.value.filter((one) => one !== id), id];
}

/** Puts the dialog away without an answer, and whatever would have come after it; the cards stay. */
export function putAway(): void {
  for (const id of forward.value) flash(id);
  forward.value = [];
}

function flash(id: string): void {
  fresh.value = new Set(fresh.value).add(id);
  setTimeout(() => {
    const left = new Set(fresh.value);
    left.delete(id);
    fresh.value = left;
  }, FLASH_MS);
}
