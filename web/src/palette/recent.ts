/** The order of the palette before anything is typed: what was done last comes first, then by name. */

import type { Action } from './actions';

const KEY = 'flightdeck.recent';
const MOST = 8;

function recent(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

export function remember(id: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([id, ...recent().filter((one) => one !== id)].slice(0, MOST)));
  } catch {
    // A browser that keeps nothing has no recent ones.
  }
}

/** The palette itself is left out: whoever sees it has it. */
export function inOrder(actions: readonly Action[], first: readonly string[] = recent()): Action[] {
  const rank = (action: Action) => (first.includes(action.id) ? first.indexOf(action.id) : first.length);
  return actions
    .filter((action) => action.id !== 'palette.open')
    .sort((a, b) => rank(a) - rank(b) || a.title.localeCompare(b.title));
}
