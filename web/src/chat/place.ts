/** What the chat panel shows in this browser: the list, the choice of an agent, or one conversation. */

import { effect, signal } from '@preact/signals';
import { uncover } from '../attention/go';
import { attention, panel, side } from '../state/preferences';

export type Place = { at: 'list' } | { at: 'new' } | { at: 'chat'; id: string };

const KEY = 'flightdeck.chat';

export const place = signal<Place>(stored());

effect(() => {
  try {
    localStorage.setItem(KEY, place.value.at === 'chat' ? place.value.id : '');
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
});

// On a phone both would cover everything: what was asked for last is shown.
panel.subscribe((now) => {
  if (now !== null && side.peek() === 'chat' && matchMedia('(max-width: 700px)').matches) side.value = 'needs';
});

function stored(): Place {
  try {
    const id = localStorage.getItem(KEY);
    return id ? { at: 'chat', id } : { at: 'list' };
  } catch {
    return { at: 'list' };
  }
}

/** Whether the panel is in sight. */
export function chatShown(): boolean {
  return attention.value && side.value === 'chat';
}

/** Shows the panel, and gives it the keyboard: somebody asked for it. */
export function showChat(what?: Place): void {
  attention.value = true;
  side.value = 'chat';
  if (what) place.value = what;
  uncover();
  focusChat();
}

/** What is typed into, by what is shown; it may have to be loaded first. */
const TARGETS: Record<Place['at'], string> = {
  list: '.chat .chat-filter',
  new: '.chat .chat-filter',
  chat: '.chat .composer textarea',
};
const PATIENCE_MS = 3000;

/** Gives the keyboard to what is typed into. */
export function focusChat(): void {
  // On a phone the keyboard would cover what somebody came to read.
  if (matchMedia('(pointer: coarse)').matches) return;
  const asked = document.activeElement;
  const until = Date.now() + PATIENCE_MS;
  const look = () => {
    const target = document.querySelector<HTMLElement>(TARGETS[place.peek().at]);
    if (target) target.focus();
    // Whoever has gone elsewhere meanwhile is not called back.
    else if (Date.now() < until && (document.activeElement === asked || document.activeElement === document.body)) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

export function toggleChat(): void {
  if (chatShown()) attention.value = false;
  else showChat();
}
