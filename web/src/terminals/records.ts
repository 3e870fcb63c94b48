/** The commands that ran in a terminal, as the hub has recorded them: the newest, and older ones when they are asked for. */

import { computed, signal } from '@preact/signals';
import type { CommandRecord } from '../commands';
import { call } from '../hub/link';

/** How many are asked for at once. */
const PAGE = 50;
/** How soon after news it is asked again, so that a loop of short commands is asked about once. */
const SOON = 60;

export class Records {
  /** Oldest first. */
  readonly list = signal<readonly CommandRecord[]>([]);
  /** Whether there are older ones at the hub. */
  readonly more = signal(false);
  /** Whether the first answer has come. */
  readonly known = signal(false);
  /** The one that runs now. */
  readonly running = computed(() => {
    const newest = this.list.value.at(-1);
    return newest && newest.end === undefined ? newest : null;
  });
  private timer = 0;
  private asking = false;
  private again = false;

  constructor(private readonly id: string) {}

  /** Something has happened: looks soon. */
  stir(): void {
    if (this.asking) this.again = true;
    else this.timer ||= window.setTimeout(() => void this.refresh(), SOON);
  }

  async older(): Promise<void> {
    const first = this.list.peek()[0];
    if (!first || !this.more.peek() || this.asking) return;
    await this.ask(async () => {
      const found = await call('flightdeck.terminal.history', { id: this.id, limit: PAGE, before: first.number });
      this.list.value = merged(this.list.peek(), found.commands);
      this.more.value = found.more ?? false;
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private async refresh(): Promise<void> {
    this.timer = 0;
    await this.ask(async () => {
      const found = await call('flightdeck.terminal.history', { id: this.id, limit: PAGE });
      const [old, first] = [this.list.peek(), found.commands[0]];
      // So many ran meanwhile that there is a hole: what is before it is asked for again when somebody scrolls there.
      const holed = old.length > 0 && first !== undefined && first.number > old.at(-1)!.number + 1;
      this.list.value = holed ? found.commands : merged(old, found.commands);
      if (holed || old.length === 0) this.more.value = found.more ?? false;
      this.known.value = true;
    });
  }

  /** One question at a time; what is asked for meanwhile is asked once after it. */
  private async ask(question: () => Promise<void>): Promise<void> {
    this.asking = true;
    try {
      await question();
    } catch {
      // The hub is away or the terminal is gone; what is known stays, and the next news asks again.
    }
    this.asking = false;
    if (this.again) {
      this.again = false;
      this.stir();
    }
  }
}

/** Newer answers replace what was known of the same commands. */
export function merged(old: readonly CommandRecord[], fresh: readonly CommandRecord[]): CommandRecord[] {
  const all = new Map(old.map((record) => [record.number, record]));
  for (const record of fresh) {
    const known = all.get(record.number);
    // What has not changed stays the same object, and nothing of it is drawn again.
    if (!known || known.end !== record.end || known.exitCode !== record.exitCode || known.text !== record.text) {
      all.set(record.number, record);
    }
  }
  return [...all.values()].sort((a, b) => a.number - b.number);
}
