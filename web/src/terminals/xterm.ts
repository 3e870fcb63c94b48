/** xterm as every screen here has it: in the colours of the theme, with the hub's answers instead of its own. */

import { effect } from '@preact/signals';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { shownTheme } from '../state/preferences';
import { leaveAnswersToTheHub } from './replies';
import { themeOfTokens, token } from './theme';

/** Of the font's own height: rows of 13 px / 1.35. */
const LINE_HEIGHT = 1.15;

export interface Look {
  /** Lines that can be scrolled back to. */
  lines: number;
  fontSize: number;
  /** Nobody types into it. */
  readOnly?: boolean;
  /** What comes has newlines alone, as from a pipe. */
  convertEol?: boolean;
  rows?: number;
  cols?: number;
}

/** Makes one, and gives what takes it away again. */
export function makeTerminal({ lines, readOnly = false, ...more }: Look): { term: Terminal; dispose(): void } {
  const term = new Terminal({
    allowProposedApi: true,
    scrollback: lines,
    fontFamily: token('code'),
    lineHeight: LINE_HEIGHT,
    theme: themeOfTokens(),
    // Programs that print white on white, or dark blue on black.
    minimumContrastRatio: 4.5,
    macOptionIsMeta: true,
    disableStdin: readOnly,
    ...more,
  });
  term.loadAddon(new Unicode11Addon());
  term.unicode.activeVersion = '11';
  leaveAnswersToTheHub(term);
  let first = true;
  const stopTheme = effect(() => {
    void shownTheme.value;
    // The tokens change when the attribute of the document has.
    if (!first) queueMicrotask(() => (term.options.theme = themeOfTokens()));
    first = false;
  });
  return {
    term,
    dispose: () => {
      stopTheme();
      term.dispose();
    },
  };
}
