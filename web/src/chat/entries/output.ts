/** What a terminal has printed, as lines, and what it goes on to print. Its end is kept; all of it is in the hub's log. */

import { signal } from '@preact/signals';
import type { TerminalEvent } from '../../commands';
import type { HubError } from '../../hub/connection';
import { call, type Lasting, last } from '../../hub/link';
import { type Line, plainLines, readAnsi } from '../../terminals/ansi';

/** So many lines are read at first, and so many characters are kept. */
const [LINES, MOST] = [400, 96 * 1024];
/** How often what is printed is drawn. */
const PULSE_MS = 80;

export interface Told {
  lines: readonly Line[];
  /** Something was printed before these. */
  cut: boolean;
  ended: { exitCode: number | undefined } | null;
  /** Why nothing can be shown. */
  trouble: string | null;
}

export class Output {
  readonly told = signal<Told>({ lines: [], cut: false, ended: null, trouble: null });
  private text = '';
  private at = 0;
  private cut = false;
  private readonly decoder = new TextDecoder();
  private readonly stream: Lasting;
  private timer = 0;
  private gone = false;

  constructor(private readonly id: string) {
    this.stream = last(
      'flightdeck.terminal.follow',
      () => ({ id, follow: true, ...(this.at > 0 ? { from: this.at } : { lines: LINES }) }),
      (event, bytes) => this.take(event, bytes),
      { ended: (error) => this.over(error) },
    );
  }

  stop(): void {
    this.gone = true;
    clearTimeout(this.timer);
    this.stream.stop();
  }

  private take(event: TerminalEvent, bytes: Uint8Array): void {
    switch (event.type) {
      case 'output':
        if (this.at === 0 && event.from > 0) this.cut = true;
        this.at = event.to;
        this.text += this.decoder.decode(bytes, { stream: true });
        if (this.text.length > MOST) {
          this.text = this.text.slice(this.text.indexOf('\n', this.text.length - MOST / 2) + 1);
          this.cut = true;
        }
        break;
      case 'gap':
        this.at = event.to;
        this.cut = true;
        break;
      case 'ended':
        this.told.value = { ...this.told.peek(), ended: { exitCode: event.exitCode } };
        break;
      default:
        return;
    }
    if (this.timer === 0) this.timer = window.setTimeout(() => void this.draw(), PULSE_MS);
  }

  private async draw(): Promise<void> {
    this.timer = 0;
    const { lines, moving } = readAnsi(this.text);
    // A program that moves about its screen can't be read as lines: its screen can.
    const shown = moving ? await this.screen() : lines;
    if (!this.gone && shown) this.told.value = { ...this.told.peek(), lines: shown, cut: this.cut };
  }

  private async screen(): Promise<Line[] | null> {
    try {
      const { text } = await call('flightdeck.terminal.screen', { id: this.id });
      return plainLines(text.trimEnd());
    } catch {
      return null;
    }
  }

  private over(error: HubError | null): void {
    if (error) this.told.value = { ...this.told.peek(), trouble: `${this.id} is no longer there: ${error.message}` };
    this.stream.stop();
  }
}
