/** Everything that can be done by hand: an id, words, a shortcut. The palette lists them, and the keyboard reaches them. */

import { signal } from '@preact/signals';

export interface Action {
  /** `view.theme`. */
  id: string;
  /** `View: Switch theme`. */
  title: string;
  /** Other words that somebody may look for it by. */
  also?: string;
  /** `Ctrl+P`, `F6`: modifiers in the order Ctrl, Alt, Shift, then the key as `KeyboardEvent.key` has it without them. */
  shortcut?: string;
  /** Whether it can be done now; always when absent. */
  when?(): boolean;
  run(): unknown;
}

const registered = signal<ReadonlyMap<string, Action>>(new Map());

/** Adds actions. One with the same id is replaced. */
export function register(...actions: Action[]): void {
  const all = new Map(registered.value);
  for (const action of actions) all.set(action.id, action);
  registered.value = all;
}

/** Those that can be done now. */
export function actions(): Action[] {
  return [...registered.value.values()].filter((action) => action.when?.() ?? true);
}

/** The keys of an action. */
export function shortcutOf(id: string): string | undefined {
  return registered.value.get(id)?.shortcut;
}

export function perform(id: string): void {
  registered.value.get(id)?.run();
}

/**
 * The names of what was pressed, as shortcuts have them: by what the key types, and by where it is when Shift, Alt or another
 * alphabet make it type something else. `~` is the key of `` ` `` with Shift, on some keyboards.
 */
export function pressed(event: KeyboardEvent): string[] {
  const held = [event.ctrlKey || event.metaKey ? 'Ctrl' : '', event.altKey ? 'Alt' : '', event.shiftKey ? 'Shift' : ''];
  const typed = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  return [typed, held[0] ? placeOf(event) : ''].filter(Boolean).map((key) => [...held, key].filter(Boolean).join('+'));
}

/** What the key would type by itself on a keyboard with Latin letters. */
function placeOf(event: KeyboardEvent): string {
  // What AltGr types is text, although some systems tell of it as Ctrl+Alt.
  if (event.getModifierState('AltGraph') || (event.key.length > 1 && event.key !== 'Dead')) return '';
  if (event.code === 'Backquote') return '`';
  // A Latin letter counts for itself, wherever the layout has it.
  return /^[ -~]$/.test(event.key) ? '' : (/^Key([A-Z])$/.exec(event.code)?.[1] ?? '');
}

/** Keys that a program in a terminal or an editor has no use for, so that they work everywhere. */
const EVERYWHERE = /^(F1|F6|Shift\+F6|F8|Shift\+F8|Ctrl\+Shift\+.*|Ctrl\+Alt\+.*)$/;

/** Runs what a shortcut stands for. Inside of a terminal only keys count that no program needs. */
export function listenToKeys(): void {
  addEventListener(
    'keydown',
    (event) => {
      const names = pressed(event);
      const found = actions().find(({ shortcut }) => shortcut !== undefined && names.includes(shortcut));
      if (!found) return;
      const typing = event.target instanceof Element && event.target.closest('.xterm') !== null;
      if ((typing && !EVERYWHERE.test(found.shortcut!)) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      event.stopPropagation();
      found.run();
    },
    true,
  );
}
