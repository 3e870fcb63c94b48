/** What a person has chosen in this browser. It stays here, and is no state of the hub. */

import { effect, signal } from '@preact/signals';

export type Theme = 'dark' | 'light' | 'system';
/** The columns beside the panes: a panel at the left, what needs a person or the conversations at the right. */
export type Column = 'panel' | 'attention' | 'chat';
export type Panel = 'files' | 'search' | 'agents' | 'activity' | 'policy';
/** What the column at the right shows. */
export type Side = 'needs' | 'chat';

interface Preferences {
  theme: Theme;
  /** The panel at the left; none when it is closed. */
  panel: Panel | null;
  /** Whether what needs a person is shown at the right. */
  attention: boolean;
  /** How wide the columns are, in pixels. */
  widths: Record<Column, number>;
  /** What of the two the column at the right shows. */
  side: Side;
}

const KEY = 'flightdeck.preferences';
/** As wide as a column is to begin with, and as narrow and wide as it can be. */
export const WIDTHS: Record<Column, { usual: number; least: number; most: number }> = {
  panel: { usual: 248, least: 180, most: 560 },
  attention: { usual: 312, least: 240, most: 640 },
  // There are terminals in it.
  chat: { usual: 420, least: 240, most: 800 },
};
const DEFAULTS: Preferences = {
  theme: 'system',
  panel: 'files',
  attention: true,
  side: 'needs',
  widths: { panel: WIDTHS.panel.usual, attention: WIDTHS.attention.usual, chat: WIDTHS.chat.usual },
};

function stored(): Preferences {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>;
    return { ...DEFAULTS, ...kept, widths: { ...DEFAULTS.widths, ...kept.widths } };
  } catch {
    return DEFAULTS;
  }
}

const first = stored();
export const theme = signal<Theme>(first.theme);
/** On a phone a panel covers everything, and a narrow window has no room for it beside the panes: none is there to begin with. */
const [PHONE, NARROW] = [matchMedia('(max-width: 700px)'), matchMedia('(max-width: 1000px)')];
/** The panel of a window that has room. */
let roomy = first.panel;
export const panel = signal<Panel | null>(NARROW.matches ? null : roomy);
export const attention = signal(first.attention);
export const widths = signal(first.widths);
export const side = signal<Side>(first.side);

const LIGHT = matchMedia('(prefers-color-scheme: light)');
const systemLight = signal(LIGHT.matches);
LIGHT.addEventListener('change', () => (systemLight.value = LIGHT.matches));

/** The theme that is shown. */
export const shownTheme = signal<'dark' | 'light'>('dark');

effect(() => {
  shownTheme.value = theme.value === 'system' ? (systemLight.value ? 'light' : 'dark') : theme.value;
  document.documentElement.dataset['theme'] = shownTheme.value;
});

effect(() => {
  const shown = panel.value;
  if (!NARROW.matches) roomy = shown;
  const now: Preferences = {
    theme: theme.value,
    panel: roomy,
    attention: attention.value,
    side: side.value,
    widths: widths.value,
  };
  try {
    localStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
});

// A window that becomes narrow is as one that begins so; what it had comes back with the room.
PHONE.addEventListener('change', () => PHONE.matches && (panel.value = null));
NARROW.addEventListener('change', () => (panel.value = NARROW.matches ? null : (panel.peek() ?? roomy)));
