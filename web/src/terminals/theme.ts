/** The colours of a screen, from the tokens of the theme. */

import type { ITheme } from '@xterm/xterm';

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

/** A token's value. Those that are read here are plain `#rrggbb`, which is what xterm understands. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function themeOfTokens(): ITheme {
  const theme: ITheme = {
    background: token('ground'),
    foreground: token('text'),
    cursor: token('text'),
    cursorAccent: token('ground'),
    selectionBackground: `${token('person')}4d`,
    selectionInactiveBackground: `${token('dim')}33`,
    scrollbarSliderBackground: `${token('dim')}33`,
    scrollbarSliderHoverBackground: `${token('dim')}66`,
    scrollbarSliderActiveBackground: `${token('dim')}80`,
  };
  for (const name of COLOURS) {
    theme[name] = token(`term-${name}`);
    theme[`bright${name[0]!.toUpperCase()}${name.slice(1)}` as keyof ITheme & `bright${string}`] = token(`term-bright-${name}`);
  }
  return theme;
}
