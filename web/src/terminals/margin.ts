/** The marks beside the lines where commands begin, in the margin of the screen. */

import type { IDecoration, IMarker, Terminal } from '@xterm/xterm';
import type { CommandRecord } from '../commands';
import { describe, outcomeOf } from './outcome';

/** A line where a shell said that a command begins. */
interface Begin {
  /** Where that was said in the log: exactly, or between these. */
  low: number;
  high: number;
  marker: IMarker;
}

/** Where a mark stood on the screen, to find its line again when the screen is drawn anew. */
export interface Kept {
  begin: Begin;
  row: number;
  text: string;
}

interface Shown {
  record: CommandRecord;
  begin: Begin;
  decoration: IDecoration;
  element: HTMLElement | null;
}

/** Lines between places that are remembered by their offset. */
const APART = 100;

export class Margin {
  private begins: Begin[] = [];
  private milestones: { offset: number; marker: IMarker }[] = [];
  private prompt: IMarker | null = null;
  private readonly shown = new Map<number, Shown>();
  private records: readonly CommandRecord[] = [];

  constructor(
    private readonly term: Terminal,
    /** A mark was pressed. */
    private readonly chosen: (number: number) => void,
  ) {}

  /** The shell's mark was just written, and the cursor is where it stands. */
  mark(kind: string, low: number, high: number): void {
    if (this.term.buffer.active.type === 'alternate') return;
    if (kind === 'B') this.prompt = this.term.registerMarker(0) ?? null;
    if (kind !== 'C' && kind !== 'R') return;
    // The line with the prompt and what was typed; without one, the line above what the command prints.
    const marker = this.prompt && !this.prompt.isDisposed ? this.prompt : this.term.registerMarker(-1);
    if (!marker) return;
    this.begins.push({ low, high, marker });
    this.show();
  }

  /** The hub's records, which say whether a command began there, and how it ended. */
  know(records: readonly CommandRecord[]): void {
    this.records = records;
    this.show();
  }

  /** The line of the command before or after the one at the top of the view. */
  neighbour(step: 1 | -1): number | null {
    const top = this.term.buffer.active.viewportY;
    const lines = [...this.shown.values()].map(({ begin }) => begin.marker.line).filter((line) => line >= 0);
    lines.sort((a, b) => a - b);
    return (step > 0 ? lines.find((line) => line > top) : lines.findLast((line) => line < top)) ?? null;
  }

  lineOf(number: number): number | null {
    const line = this.shown.get(number)?.begin.marker.line ?? -1;
    return line >= 0 ? line : null;
  }

  /** What was printed up to here is above the cursor. */
  passed(offset: number): void {
    if (this.term.buffer.active.type === 'alternate') return;
    const { baseY, cursorY } = this.term.buffer.active;
    this.milestones = this.milestones.filter(({ marker }) => !marker.isDisposed && marker.line >= 0);
    const last = this.milestones.at(-1);
    if (last && baseY + cursorY - last.marker.line < APART) return;
    const marker = this.term.registerMarker(0);
    if (marker) this.milestones.push({ offset, marker });
  }

  /** Where in the log the oldest lines that are still here were: there, or a little after. */
  get oldest(): number | null {
    return this.milestones.find(({ marker }) => !marker.isDisposed && marker.line >= 0)?.offset ?? null;
  }

  /** The screen is about to be cleared and drawn anew, and with its lines xterm forgets their marks. */
  before(): Kept[] {
    this.forget();
    this.prompt = null;
    const { active } = this.term.buffer;
    const kept = this.begins.map((begin) => ({ begin, row: begin.marker.line - active.baseY, text: this.text(begin.marker.line) }));
    return kept.filter(({ row }) => row >= 0);
  }

  /** It was drawn: each mark goes to the line that says the same, at its row or above, as output moves lines up. */
  after(kept: readonly Kept[]): void {
    const { active } = this.term.buffer;
    if (active.type === 'alternate') return;
    for (const { begin, row, text } of kept) {
      for (let at = Math.min(row, this.term.rows - 1); at >= 0 && text !== ''; at -= 1) {
        if (this.text(active.baseY + at) !== text) continue;
        const marker = this.term.registerMarker(at - active.cursorY);
        if (marker) this.begins.push({ ...begin, marker });
        break;
      }
    }
    this.begins.sort((a, b) => a.low - b.low);
    this.show();
  }

  private text(line: number): string {
    return this.term.buffer.active.getLine(line)?.translateToString(true) ?? '';
  }

  private forget(): void {
    this.begins = this.begins.filter(({ marker }) => !marker.isDisposed && marker.line >= 0);
  }

  private show(): void {
    this.forget();
    for (const [number, { begin }] of this.shown) if (begin.marker.isDisposed) this.shown.delete(number);
    for (const record of this.records) {
      const shown = this.shown.get(record.number);
      if (shown) {
        shown.record = record;
        if (shown.element) this.paint(shown.element, shown.record);
        continue;
      }
      const begin = this.begins.find(({ low, high }) => low <= record.start && record.start <= high);
      if (begin) this.decorate(record, begin);
    }
  }

  private decorate(record: CommandRecord, begin: Begin): void {
    const decoration = this.term.registerDecoration({ marker: begin.marker, width: 1, layer: 'top' });
    if (!decoration) return;
    const shown: Shown = { record, begin, decoration, element: null };
    this.shown.set(record.number, shown);
    decoration.onRender((element) => {
      if (shown.element !== element) {
        shown.element = element;
        element.classList.add('term-mark');
        element.addEventListener('click', () => this.chosen(shown.record.number));
      }
      this.paint(element, shown.record);
    });
  }

  private paint(element: HTMLElement, record: CommandRecord): void {
    const is = outcomeOf(record);
    if (element.dataset['outcome'] !== is.kind) {
      element.dataset['outcome'] = is.kind;
      element.textContent = is.sign;
    }
    const title = describe(record);
    if (element.title !== title) element.title = title;
  }
}
