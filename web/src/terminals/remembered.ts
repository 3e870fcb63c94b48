/** How each terminal was last looked at in this browser. */

export type Mode = 'screen' | 'commands';

const KEY = 'flightdeck.terminals.commands';
/** Terminals come and go; those that were chosen last are remembered. */
const MOST = 50;

function inCommands(): string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

export function modeOf(id: string): Mode {
  return inCommands().includes(id) ? 'commands' : 'screen';
}

export function rememberMode(id: string, mode: Mode): void {
  const others = inCommands().filter((one) => one !== id);
  try {
    localStorage.setItem(KEY, JSON.stringify(mode === 'commands' ? [...others, id].slice(-MOST) : others));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
}
