/** Brings a terminal to any place of a recording. A place that is given meanwhile counts in its stead. */

import type { Terminal } from '@xterm/xterm';
import { parts, type Recording } from './recording';

/** How much is drawn before the place is looked at again. */
const STEP_BYTES = 256 * 1024;

export class Player {
  private at: number;
  private wanted: number;
  private isStopped = false;
  private drawing: Promise<void> | null = null;

  constructor(
    private readonly terminal: Pick<Terminal, 'reset' | 'resize' | 'write'>,
    private readonly recording: Recording,
  ) {
    this.at = this.wanted = recording.start;
  }

  /** Resolves when the terminal shows it, or what was given after it. */
  seek(offset: number): Promise<void> {
    this.wanted = offset;
    return (this.drawing ??= this.draw().finally(() => (this.drawing = null)));
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Nothing of it waits in the terminal when it goes back: a reset does not take away what was written and not drawn yet. */
  private async draw(): Promise<void> {
    while (!this.isStopped && this.at !== this.wanted) {
      // A terminal can't be run backwards.
      if (this.wanted < this.at) {
        this.terminal.reset();
        this.terminal.resize(this.recording.size.cols, this.recording.size.rows);
        this.at = this.recording.start;
      }
      const to = Math.min(this.wanted, this.at + STEP_BYTES);
      for (const { bytes, size } of parts(this.recording, this.at, to)) {
        if (size) this.terminal.resize(size.cols, size.rows);
        await new Promise<void>((drawn) => this.terminal.write(bytes, drawn));
      }
      this.at = to;
    }
  }
}
