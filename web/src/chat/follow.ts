/** Follows one conversation, for as long as somebody looks at it. What comes in a burst is drawn once a frame. */

import { signal } from '@preact/signals';
import type { ChatEvent } from '../commands';
import { call, type Lasting, last } from '../hub/link';
import { complain } from '../ui/toasts';
import { Portion } from './portion';
import { applied, EMPTY, type Transcript, trimmed, withPage } from './transcript';

/** How many entries come first, and how many are read at once when somebody scrolls back. */
const [FIRST, PAGE] = [100, 250];
/** Somebody who reads the end needs no more than these; and so many stay when there are more. */
const [MOST, KEEP] = [1500, 600];
/** A page that nobody sees has no frames. */
const HIDDEN_MS = 200;

export class Follow {
  readonly transcript = signal<Transcript>(EMPTY);
  /** Earlier entries are on their way. */
  readonly reading = signal(false);
  /** Why there is nothing. */
  readonly trouble = signal<string | null>(null);
  /** Whether the end is what is read; then old entries may go. */
  atEnd = true;
  private readonly stream: Lasting;
  /** What is not drawn yet. The hub sends no more than its credit, which is granted for what is drawn. */
  private waiting: { event: ChatEvent; drawn(): void }[] = [];
  private readonly portion = new Portion();
  private drawing = false;

  constructor(readonly id: string) {
    this.stream = last(
      'flightdeck.chat.watch',
      () => ({ id, last: FIRST }),
      (event) => this.take(event),
      { ended: (error) => (this.trouble.value = error?.message ?? null) },
    );
  }

  stop(): void {
    this.stream.stop();
    this.waiting = [];
  }

  /** Reads the page before the oldest entry that is here. */
  async readEarlier(): Promise<void> {
    const { entries, earlier } = this.transcript.peek();
    const first = entries[0]?.number;
    if (!earlier || first === undefined || this.reading.peek()) return;
    this.reading.value = true;
    try {
      const page = await call('flightdeck.chat.read', { id: this.id, before: first, limit: PAGE });
      this.transcript.value = withPage(this.transcript.peek(), page.entries, page.earlier);
    } catch (error) {
      complain(error);
    } finally {
      this.reading.value = false;
    }
  }

  private take(event: ChatEvent): Promise<void> {
    return new Promise((drawn) => {
      this.waiting.push({ event, drawn });
      this.drawSoon();
    });
  }

  private drawSoon(): void {
    if (this.drawing) return;
    this.drawing = true;
    if (document.visibilityState === 'hidden') setTimeout(() => this.draw(Infinity), HIDDEN_MS);
    else requestAnimationFrame((now) => this.draw(this.portion.next(now)));
  }

  /** Draws what has come, but for no more entries than this: the others have the next frames. */
  private draw(most: number): void {
    this.drawing = false;
    let next = this.transcript.peek();
    let again = false;
    const touched = new Set<number>();
    let count = 0;
    for (const { event } of this.waiting) {
      if (event.type === 'entry') touched.add(event.entry.number);
      if (touched.size > most) break;
      again ||= event.type === 'snapshot' && next.chat !== null;
      next = applied(next, event);
      count += 1;
    }
    const done = this.waiting.splice(0, count);
    this.transcript.value = this.atEnd ? trimmed(next, MOST, KEEP) : next;
    for (const { drawn } of done) drawn();
    if (this.waiting.length > 0) this.drawSoon();
    else this.portion.rest();
    if (again) void this.refresh();
  }

  /** After a lost connection what was scrolled back to may have changed: a tool call that has ended meanwhile. */
  private async refresh(): Promise<void> {
    const first = this.transcript.peek().entries[0]?.number ?? 0;
    let before = (this.transcript.peek().chat?.lastEntry ?? 0) - FIRST + 1;
    while (before > first) {
      const page = await call('flightdeck.chat.read', { id: this.id, before, limit: PAGE }).catch(() => null);
      if (!page || page.entries.length === 0) return;
      this.transcript.value = withPage(this.transcript.peek(), page.entries, page.earlier);
      before = page.entries[0]!.number;
    }
  }
}
