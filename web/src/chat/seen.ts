/** Which ends of work a person has seen in this browser. What ended before the page was first opened is no news. */

import { computed, effect, signal } from '@preact/signals';
import type { Chat } from '../commands';
import { chats, chatsKnown } from './overview';
import { chatShown, place } from './place';
import { isBusy } from './words';

const KEY = 'flightdeck.chat.seen';

/** Since when it stood as it did when it was last looked at, by conversation. */
const seen = signal<Readonly<Record<string, number>>>(stored());
const visible = signal(document.visibilityState === 'visible');
document.addEventListener('visibilitychange', () => (visible.value = document.visibilityState === 'visible'));

function stored(): Record<string, number> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, number>;
  } catch {
    return {};
  }
}

/** The conversation that somebody looks at. */
export const lookedAt = computed(() => (visible.value && chatShown() && place.value.at === 'chat' ? place.value.id : null));

/** Whether it has come to an end that nobody has seen. */
export function unseen(chat: Chat): boolean {
  const rests = chat.state === 'done' || chat.state === 'failed' || chat.state === 'gone';
  return rests && chat.turn > 0 && chat.sinceMs > (seen.value[chat.id] ?? Number.POSITIVE_INFINITY);
}

export function watchSeen(): void {
  effect(() => {
    if (!chatsKnown.value) return;
    const before = seen.peek();
    const next: Record<string, number> = {};
    for (const chat of chats.value) {
      const known = before[chat.id];
      // One that is at work has been seen so far: its end will be news.
      const now = chat.id === lookedAt.value || known === undefined || isBusy(chat.state);
      next[chat.id] = now ? Math.max(known ?? 0, chat.sinceMs) : known!;
    }
    if (JSON.stringify(next) !== JSON.stringify(before)) keep(next);
  });
}

export function markSeen(chat: Chat): void {
  keep({ ...seen.peek(), [chat.id]: chat.sinceMs });
}

function keep(next: Record<string, number>): void {
  seen.value = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}
