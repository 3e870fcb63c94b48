/** The screen of a terminal: xterm with what a person needs around it. It knows nothing of the hub. */

import { effect } from '@preact/signals';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { WindowSize } from '../commands';
import { shownTheme } from '../state/preferences';
import { Follow } from './follow';
import { leaveAnswersToTheHub } from './replies';
import { themeOfTokens, token } from './theme';

/** Lines that can be scrolled back to; what is older is in the hub's log. */
const LINES = 10_000;
/** Of the font's own height: rows of 13 px / 1.35. */
const LINE_HEIGHT = 1.15;

export class Screen {
  readonly term: Terminal;
  readonly search = new SearchAddon();
  readonly follow: Follow;
  private readonly fit = new FitAddon();
  private readonly stopTheme: () => void;

  constructor(label: string) {
    this.term = new Terminal({
      allowProposedApi: true,
      scrollback: LINES,
      fontFamily: token('code'),
      fontSize: 13,
      lineHeight: LINE_HEIGHT,
      theme: themeOfTokens(),
      // Programs that print white on white, or dark blue on black.
      minimumContrastRatio: 4.5,
      macOptionIsMeta: true,
      linkHandler: { activate: (event, uri) => followLink(event, uri) },
    });
    this.follow = new Follow(this.term);
    this.term.loadAddon(this.fit);
    this.term.loadAddon(this.search);
    this.term.loadAddon(new Unicode11Addon());
    this.term.loadAddon(new WebLinksAddon((event, uri) => followLink(event, uri)));
    this.term.unicode.activeVersion = '11';
    leaveAnswersToTheHub(this.term);
    this.stopTheme = effect(() => {
      void shownTheme.value;
      // The tokens change when the attribute of the document has.
      queueMicrotask(() => (this.term.options.theme = themeOfTokens()));
    });
    this.label = label;
  }

  private label: string;

  open(element: HTMLElement): void {
    this.term.open(element);
    // Also the bar to find something in is in it.
    this.follow.watch(element.parentElement ?? element);
    this.term.textarea?.setAttribute('aria-label', this.label);
  }

  /** How the terminal is called by those who don't see it. */
  name(label: string): void {
    this.label = label;
    this.term.textarea?.setAttribute('aria-label', label);
  }

  /** The size that fits into the room that there is; nothing while it is not shown. */
  room(): WindowSize | null {
    const parent = this.term.element?.parentElement;
    if (!parent || parent.clientWidth === 0 || parent.clientHeight === 0) return null;
    const size = this.fit.proposeDimensions();
    return size && Number.isFinite(size.rows) && Number.isFinite(size.cols) ? { rows: size.rows, cols: size.cols } : null;
  }

  resize(size: WindowSize): void {
    if (this.term.rows !== size.rows || this.term.cols !== size.cols) this.term.resize(size.cols, size.rows);
  }

  /** Puts a line at the top. */
  goTo(line: number): void {
    this.follow.moved();
    this.term.scrollToLine(line);
  }

  /** Whether a full-screen program is shown, which has no lines to scroll back to. */
  get isFull(): boolean {
    return this.term.buffer.active.type === 'alternate';
  }

  hasKeyboard(): boolean {
    return this.term.textarea !== undefined && document.activeElement === this.term.textarea;
  }

  dispose(): void {
    this.stopTheme();
    this.follow.dispose();
    this.term.dispose();
  }
}

/** A link is followed when it is meant: a click alone may be aimed at the text. What programs print is not trusted. */
function followLink(event: MouseEvent, uri: string): void {
  if (!event.ctrlKey && !event.metaKey) return;
  if (/^https?:\/\//i.test(uri)) window.open(uri, '_blank', 'noopener,noreferrer');
}
