/** What agents did last with a file or a terminal: a ring and a chip that fade, and never the keyboard. */

import { signal } from '@preact/signals';
import { recentCalls } from '../state/hub';
import { actorOf } from '../ui/actor';

export interface Touch {
  text: string;
  /** Who did it. */
  by: string;
  at: number;
}

const SHOWN_MS = 4000;

export const touches = signal<ReadonlyMap<string, Touch>>(new Map());

const WORDS: Record<string, string> = {
  'openspace.editor.open': 'opened',
  'openspace.editor.highlight': 'highlighted',
  'openspace.editor.scroll_to': 'scrolled',
  'openspace.file.write': 'wrote',
  'flightdeck.terminal.run': 'ran a command',
  'flightdeck.terminal.keys': 'typed',
  'openspace.terminal.send': 'typed',
  'openspace.terminal.create': 'opened',
};

let last = -1;

/** Begins to look at what is called. */
export function watchTouches(): void {
  recentCalls.subscribe((calls) => {
    const fresh = calls.filter((call) => call.seq > last);
    last = calls.at(-1)?.seq ?? last;
    for (const call of fresh) {
      const [word, actor] = [WORDS[call.command], actorOf(call.actor)];
      if (!word || !call.tookEffect || actor.kind !== 'agent' || Date.now() - call.atMs > SHOWN_MS) continue;
      const about = call.terminal ?? path(call.args);
      if (about) show(about, actor.name, word);
    }
  });
}

function path(args: string): string | undefined {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null && 'path' in value ? String(value.path) : undefined;
  } catch {
    return undefined;
  }
}

function show(about: string, by: string, word: string): void {
  const touch = { text: `${by} ${word}`, by, at: Date.now() };
  touches.value = new Map(touches.value).set(about, touch);
  setTimeout(() => {
    if (touches.value.get(about) !== touch) return;
    const left = new Map(touches.value);
    left.delete(about);
    touches.value = left;
  }, SHOWN_MS);
}
