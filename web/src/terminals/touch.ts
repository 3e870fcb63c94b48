/** Keys that a phone's keyboard lacks, as the bytes that a terminal sends for them. */

import type { Terminal } from '@xterm/xterm';

export const TOUCH_KEYS = ['Esc', 'Tab', 'Ctrl', '←', '↓', '↑', '→'] as const;
export type TouchKey = (typeof TOUCH_KEYS)[number];

const ARROWS: Partial<Record<TouchKey, string>> = { '↑': 'A', '↓': 'B', '→': 'C', '←': 'D' };

/** `Ctrl` sends nothing by itself. */
export function sequenceOf(key: TouchKey, modes: Pick<Terminal['modes'], 'applicationCursorKeysMode'>): string | null {
  const arrow = ARROWS[key];
  if (arrow) return `\x1b${modes.applicationCursorKeysMode ? 'O' : '['}${arrow}`;
  return key === 'Esc' ? '\x1b' : key === 'Tab' ? '\t' : null;
}

/** What a letter becomes with Ctrl held; anything else stays as it is. */
export function withControl(text: string): string {
  return /^[@-_a-z]$/.test(text) ? String.fromCharCode(text.toUpperCase().charCodeAt(0) & 0x1f) : text;
}
