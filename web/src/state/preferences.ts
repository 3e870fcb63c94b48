/** What a person has chosen in this browser. It stays here, and is no state of the hub. */

import { effect, signal } from '@preact/signals';

export type Theme = 'dark' | 'light' | 'system';
export type Panel = 'files' | 'search' | 'agents' | 'activity' | 'policy';

interface Preferences {
  theme: Theme;
  /** The panel at the left; none when it is closed. */
  panel: Panel | null;
  /** Whether what needs a person is shown at the right. */
  attention: boolean;
}

const KEY = 'flightdeck.preferences';
const DEFAULTS: Preferences = { theme: 'system', panel: 'files', attention: true };

function stored(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) };
  } catch {
    return DEFAULTS;
  }
}

const first = stored();
export const theme = signal<Theme>(first.theme);
/** On a phone a panel covers everything, so none is there to begin with. */
export const panel = signal<Panel | null>(matchMedia('(max-width: 700px)').matches ? null : first.panel);
export const attention = signal(first.attention);

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
  const now: Preferences = { theme: theme.value, panel: panel.value, attention: attention.value };
  try {
    localStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
});
