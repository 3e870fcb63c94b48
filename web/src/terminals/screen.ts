/** The screen of a terminal: xterm with what a person needs around it. It knows nothing of the hub. */

import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import type { Terminal } from '@xterm/xterm';
import type { WindowSize } from '../commands';
import { Follow } from './follow';
import { makeTerminal } from './xterm';

/** Lines that can be scrolled back to; what is older is in the hub's log. */
const LINES = 10_000;

export class Screen {
  readonly term: Terminal;
  readonly search = new SearchAddon();
  readonly follow: Follow;
  private readonly fit = new FitAddon();
  private readonly end: () => void;

  constructor(label: string) {
    const { term, dispose } = makeTerminal({ lines: LINES, fontSize: 13 });
    this.term = term;
    this.end = dispose;
    term.options.linkHandler = { activate: (event, uri) => followLink(event, uri) };
    this.follow = new Follow(this.term);
    this.term.loadAddon(this.fit);
    this.term.loadAddon(this.search);
    this.term.loadAddon(new WebLinksAddon((event, uri) => followLink(event, uri)));
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
    this.follow.dispose();
    this.end();
  }
}

/** A link is followed when it is meant: a click alone may be aimed at the text. What programs print is not trusted. */
function followLink(event: MouseEvent, uri: string): void {
  if (!event.ctrlKey && !event.metaKey) return;
  if (/^https?:\/\//i.test(uri)) window.open(uri, '_blank', 'noopener,noreferrer');
}
