/** Pasting into a shell: several lines would run as they come, unless the shell can tell a paste from typing. */

import type { Terminal } from '@xterm/xterm';
import { signal } from '@preact/signals';
import { lines } from './words';

/** A paste that waits for a yes. */
export interface Paste {
  into: Terminal;
  text: string;
  said: string;
  go(): void;
}

export const pending = signal<Paste | null>(null);

/** Whether each line of it would run at once. */
export function isRisky(text: string, bracketed: boolean): boolean {
  return !bracketed && /[\r\n]./.test(text.replace(/\r\n/g, '\n').trimEnd());
}

export function paste(text: string, term: Terminal): void {
  const go = () => {
    term.paste(text);
    term.focus();
  };
  if (!isRisky(text, term.modes.bracketedPasteMode)) return go();
  pending.value = { into: term, text, said: `Paste ${lines(text.trimEnd().split(/\r\n?|\n/).length)}?`, go };
}

export function pasteWithCare(event: ClipboardEvent, term: Terminal): void {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  event.preventDefault();
  event.stopPropagation();
  if (text !== '') paste(text, term);
}
