/**
 * What the program in a terminal waits for. The hub does not tell this by itself, so it is asked when a program that
 * prints has come to rest: a question is asked by printing it.
 */

import { signal } from '@preact/signals';
import type { InputState } from '../commands';
import { call } from '../hub/link';

const AT_REST = 250;

export class Asked {
  readonly input = signal<InputState | null>(null);
  private timer = 0;

  constructor(
    private readonly id: string,
    /** Whether nothing can be asked: the shell is at its prompt, or it has ended. */
    private readonly isIdle: () => boolean,
  ) {}

  /** It printed, or something else has changed. */
  stir(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.look(), AT_REST);
  }

  /** Nothing is asked any more. */
  settle(): void {
    clearTimeout(this.timer);
    this.input.value = null;
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private async look(): Promise<void> {
    // By now what the hub tells of the terminal has come too.
    if (this.isIdle()) return this.settle();
    try {
      const { terminals } = await call('flightdeck.terminal.list', { limit: 500 });
      this.input.value = terminals.find((terminal) => terminal.id === this.id)?.input ?? null;
    } catch {
      // The hub is away; it is asked again with the next output.
    }
  }
}
