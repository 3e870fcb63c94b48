/**
 * A terminal in little, to look at: the lines that its program has written so far, and no more of its screen than that.
 * Nobody types into it, and where its bytes come from is not its concern.
 */

import { signal } from '@preact/signals';
import type { Terminal } from '@xterm/xterm';
import type { WindowSize } from '../commands';
import type { Surface } from './live';
import { makeTerminal } from './xterm';

/** Lines that can be scrolled back to; a whole terminal has more. */
export const GLANCE_LINES = 1000;
/** As large as the other text where there is room for all columns, and no smaller than can be read where there is not. */
const [LARGEST, SMALLEST] = [12, 10];
/** A program that prints all the time is read out no more often. */
const READ_MS = 500;

export class Glance implements Surface {
  readonly term: Terminal;
  /** Rows of the screen that have something on them, counted from its top. */
  readonly used = signal(0);
  /** Lines that have scrolled out of the screen. */
  readonly before = signal(0);
  /** Pixels. */
  readonly rowHeight = signal(0);
  /** What is in sight, for those who don't see it. */
  readonly text = signal('');
  private readonly end: () => void;
  private readonly observer: ResizeObserver;
  private host: HTMLElement | null = null;
  private reading = 0;

  /** `wraps`: it is as wide as the room that there is. Otherwise its program knows of a width, which counts. */
  constructor(
    private readonly wraps: boolean,
    rows: number,
  ) {
    const { term, dispose } = makeTerminal({ lines: GLANCE_LINES, fontSize: LARGEST, readOnly: true, convertEol: wraps, rows });
    term.options.cursorInactiveStyle = 'none';
    this.term = term;
    this.end = dispose;
    this.observer = new ResizeObserver(() => this.fit());
  }

  open(host: HTMLElement): void {
    this.host = host;
    this.term.open(host);
    // Who walks by the keyboard passes it by: there is nothing to type.
    this.term.textarea?.setAttribute('tabindex', '-1');
    this.term.textarea?.setAttribute('aria-hidden', 'true');
    this.term.onRender(() => this.measure());
    this.observer.observe(host.parentElement ?? host);
    this.fit();
  }

  resize({ rows, cols }: WindowSize): void {
    if (this.term.rows === rows && this.term.cols === cols) return;
    this.term.resize(cols, rows);
    this.fit();
  }

  hasKeyboard(): boolean {
    return false;
  }

  dispose(): void {
    clearTimeout(this.reading);
    this.observer.disconnect();
    this.end();
  }

  /** The size of the font, or of the terminal, that the room asks for. */
  private fit(): void {
    const room = this.host?.parentElement?.clientWidth ?? 0;
    const screen = this.host?.querySelector('.xterm-screen')?.clientWidth ?? 0;
    if (room === 0 || screen === 0) return;
    const { cols, rows, options } = this.term;
    const cell = screen / cols / options.fontSize!;
    if (this.wraps) {
      const wanted = Math.max(20, Math.floor(room / (cell * LARGEST)));
      if (wanted !== cols) this.term.resize(wanted, rows);
      return;
    }
    const size = Math.floor((2 * room) / (cell * cols)) / 2;
    const wanted = Math.min(LARGEST, Math.max(SMALLEST, size));
    if (wanted !== options.fontSize) this.term.options.fontSize = wanted;
  }

  private measure(): void {
    const { active } = this.term.buffer;
    const { rows } = this.term;
    let used = rows;
    if (active.type === 'normal') while (used > 0 && this.line(active.baseY + used - 1) === '') used -= 1;
    this.used.value = used;
    this.before.value = active.type === 'normal' ? active.baseY : 0;
    this.rowHeight.value = (this.host?.querySelector('.xterm-screen')?.clientHeight ?? 0) / rows;
    if (this.reading === 0) {
      this.reading = window.setTimeout(() => {
        this.reading = 0;
        this.read();
      }, this.text.peek() === '' ? 0 : READ_MS);
    }
  }

  private read(): void {
    const { baseY } = this.term.buffer.active;
    this.text.value = Array.from({ length: this.used.peek() }, (_, row) => this.line(baseY + row)).join('\n');
  }

  private line(at: number): string {
    return this.term.buffer.active.getLine(at)?.translateToString(true) ?? '';
  }
}
