/** How far a terminal was shown, so that a stream that is cut off goes on at the byte where it ended. */

import type { Attach, TerminalEvent, WindowSize } from '../commands';

/** So much of what was printed before is there for scrolling back. */
export const SCROLLBACK = 1000;

export class Place {
  private at: number | null = null;
  /** Where what is shown begins; what was printed before is in the log alone. */
  private first: number | null = null;
  /** What was not sent, as too much was printed at once. */
  private readonly gaps: { from: number; to: number }[] = [];

  constructor(private readonly scrollback = SCROLLBACK) {}

  take(event: TerminalEvent): void {
    switch (event.type) {
      case 'snapshot':
        this.first ??= event.at;
        this.at = event.at;
        break;
      case 'output':
        this.first ??= event.from;
        this.at = event.to;
        break;
      case 'gap':
        // A snapshot follows, which says where it goes on.
        this.gaps.push({ from: event.from, to: event.to });
        break;
      default:
        break;
    }
  }

  get begin(): number {
    return this.first ?? 0;
  }

  /** Whether what was printed there was not sent as output. The snapshot behind a gap may show the end of it. */
  isMissing(offset: number): boolean {
    return offset < this.begin || this.gaps.some(({ from, to }) => from <= offset && offset < to);
  }

  get end(): number {
    return this.at ?? 0;
  }

  /** What to ask the hub for next. */
  attach(id: string, size: WindowSize | null): Attach {
    const how = this.at === null ? { scrollback: this.scrollback } : { from: this.at };
    return { id, ...how, ...(size ? { size } : {}) };
  }
}

/** Where in the log the byte at `index` of an output event was: exactly, or between two places when the hub took some out. */
export function offsetsOf(event: { from: number; to: number }, length: number, index: number): { low: number; high: number } {
  const low = event.from + index;
  return { low, high: low + Math.max(0, event.to - event.from - length) };
}
