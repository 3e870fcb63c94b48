/**
 * A terminal live: what the hub tells is drawn in order, what is typed goes to the hub, and credit is granted for what the
 * screen has taken in, so that a flood is never further ahead than a keystroke may wait.
 */

import { signal } from '@preact/signals';
import type { TerminalEvent, WindowSize } from '../commands';
import { HubError, isOrdered } from '../hub/connection';
import { call, type Lasting, last } from '../hub/link';
import { charactersIn, charactersInWords, isReport } from './input';
import type { Margin } from './margin';
import { MarkScanner } from './marks';
import { Pace } from './pace';
import { offsetsOf, Place } from './place';
import type { Terminal } from '@xterm/xterm';
import { toast } from '../ui/toasts';
import { bytesInWords } from './words';

/** What may be on its way unread. Little, so that Ctrl+C is answered at once. */
const WINDOW = 128 * 1024;
/** A program on pipes has no screen; so much of its output is shown at first. */
const LINES = 1000;
/** So much of what is typed while the hub is away is kept for it. More is refused: nobody types that much blindly. */
const MAX_HELD_BYTES = 4096;
/** Turns off what a program may have turned on: a drawing of the screen says only what is on. */
const CLEAN = '\x1b[?9;1000;1002;1003;1004;1005;1006;1015;2004;2026l\x1b[?1l\x1b[?25h\x1b>';

/** What it is drawn on. */
export interface Surface {
  readonly term: Terminal;
  resize(size: WindowSize): void;
  hasKeyboard(): boolean;
}

/** What goes along with a screen that somebody works at; one that is only looked at has none of it. */
export interface Beside {
  margin: Margin;
  /** Something was printed. */
  printed(): void;
  /** The shell said that a command begins or has ended. */
  commands(): void;
}

export class Live {
  /** The size that the terminal has. */
  readonly size = signal<WindowSize | null>(null);
  /** The size that there is room for here. */
  readonly room = signal<WindowSize | null>(null);
  readonly ended = signal<{ exitCode?: number } | null>(null);
  /** How many typed characters wait for the hub; `full` when more were refused. */
  readonly held = signal<{ characters: number; full: boolean }>({ characters: 0, full: false });
  /** Why nothing is shown. */
  readonly trouble = signal<string | null>(null);
  readonly place: Place;
  private readonly pace: Pace;
  private scanner = new MarkScanner();
  private stream: Lasting | null = null;
  private viewer: number | null = null;
  private typed: Uint8Array[] = [];
  /** The room when the call was made. */
  private asked: WindowSize | null = null;
  private onPipes = false;

  constructor(
    private readonly id: string,
    private readonly screen: Surface,
    private readonly beside: Beside | null = null,
    scrollback?: number,
  ) {
    this.place = new Place(scrollback);
    this.pace = new Pace(() => screen.hasKeyboard());
  }

  /** Begins, or goes on where it was. */
  start(): void {
    if (this.stream || this.ended.peek() || this.trouble.peek()) return;
    const ended = (error: HubError | null) => this.over(error);
    const take = (event: TerminalEvent, bytes: Uint8Array) => this.take(event, bytes);
    this.stream = this.onPipes
      ? last('flightdeck.terminal.follow', () => this.follow(), take, { window: WINDOW, ended })
      : last('flightdeck.terminal.attach', () => this.attach(), take, { window: WINDOW, ended, lost: (typed) => this.keep(typed) });
  }

  /** Stops for a while. Nobody waits for a page that nobody sees. */
  stop(): void {
    this.stream?.stop();
    this.stream = null;
    this.viewer = null;
  }

  /** Ends the present call and goes on with another: the controls that were taken by typing go back. */
  renew(): void {
    this.viewer = null;
    this.stream?.restart();
  }

  /** Types. While the hub is away it is held, in order, until the terminal is there again. */
  send(bytes: Uint8Array): void {
    if (this.typed.length === 0 && this.stream?.send(bytes)) return;
    // A program on pipes takes no keys, and one that has ended none either.
    if (this.onPipes || this.ended.peek() || this.trouble.peek()) return;
    // Nobody typed it, and by the time the hub is back the mouse is elsewhere.
    if (isReport(bytes)) return;
    const size = this.typed.reduce((sum, piece) => sum + piece.length, bytes.length);
    // After one that was refused, later ones would be another line than the person has typed.
    const full = this.held.peek().full || size > MAX_HELD_BYTES;
    if (!full) this.typed.push(bytes);
    this.tellHeld(full);
  }

  /** What was on its way when the hub went comes before what is typed afterwards. It was taken once, so all of it is kept. */
  private keep(lost: Uint8Array[]): void {
    if (this.ended.peek() || this.trouble.peek()) return;
    this.typed = [...lost.filter((piece) => !isReport(piece)), ...this.typed];
    this.tellHeld(this.held.peek().full);
  }

  private tellHeld(full: boolean): void {
    this.held.value = { characters: this.typed.reduce((sum, piece) => sum + charactersIn(piece), 0), full };
  }

  /** Drops what was typed while the hub was away. */
  dropTyped(): void {
    this.typed = [];
    this.held.value = { characters: 0, full: false };
  }

  /** One that has ended meanwhile takes no keys; its end, which is told next, says that they went nowhere. */
  private async sendTyped(): Promise<void> {
    if (this.typed.length === 0 || !(await isRunning(this.id))) return;
    const typed = this.typed;
    this.dropTyped();
    for (const bytes of typed) this.send(bytes);
  }

  /** The room has changed. The terminal follows if this is the window that counts. */
  fits(room: WindowSize): void {
    const old = this.room.peek();
    if (old?.rows === room.rows && old.cols === room.cols) return;
    this.room.value = room;
    this.tellRoom();
  }

  /** Gives the terminal the size of this window, whoever's it follows. */
  async useRoom(): Promise<void> {
    const size = this.room.peek();
    if (size) await call('flightdeck.terminal.resize', { id: this.id, size });
  }

  private tellRoom(): void {
    const size = this.room.peek();
    if (!size || this.viewer === null) return;
    // One that has ended keeps its size.
    call('flightdeck.terminal.resize', { id: this.id, size, viewer: this.viewer }).catch(() => {});
  }

  private attach() {
    this.asked = this.room.peek();
    return this.place.attach(this.id, this.asked);
  }

  private follow() {
    const { end } = this.place;
    return { id: this.id, follow: true, ...(end > 0 ? { from: end } : { lines: LINES }) };
  }

  private take(event: TerminalEvent, bytes: Uint8Array): void | Promise<void> {
    const resumed = this.place.end > 0;
    this.place.take(event);
    switch (event.type) {
      case 'attached':
        this.viewer = event.viewer;
        // The room may have changed while the call was on its way.
        if (this.asked !== this.room.peek()) this.tellRoom();
        void this.sendTyped();
        return;
      case 'snapshot':
        return this.drawn(bytes.length, (done) => this.draw(event.size, bytes, done));
      case 'output':
        this.beside?.printed();
        return this.drawn(bytes.length, (done) => this.print(event, bytes, done));
      case 'gap':
        return resumed ? this.drawn(0, (done) => this.leaveOut(event.to - event.from, done)) : undefined;
      case 'resized':
        return this.drawn(0, (done) => this.screen.term.write('', () => {
          this.resize(event.size);
          done();
        }));
      case 'ended':
        this.beside?.printed();
        return this.drawn(0, (done) => {
          const how = event.exitCode === undefined ? 'ended' : `ended with exit code ${event.exitCode}`;
          if (this.beside) this.say(how, done);
          else done();
          this.ended.value = event.exitCode === undefined ? {} : { exitCode: event.exitCode };
        });
    }
  }

  /** Resolves when the screen has taken it in. */
  private drawn(cost: number, run: (done: () => void) => void): Promise<void> {
    return new Promise((resolve) => this.pace.add(cost, () => run(resolve)));
  }

  private resize(size: WindowSize): void {
    this.screen.resize(size);
    this.size.value = size;
  }

  private draw(size: WindowSize, bytes: Uint8Array, done: () => void): void {
    const { term } = this.screen;
    this.scanner = new MarkScanner();
    let kept: ReturnType<Margin['before']> = [];
    term.write('', () => {
      this.resize(size);
      kept = this.beside?.margin.before() ?? [];
    });
    term.write(CLEAN);
    term.write(bytes, () => {
      this.beside?.margin.after(kept);
      done();
    });
  }

  /** Writes it in pieces that end where the shell said something: there the cursor says which line is meant. */
  private print(event: { from: number; to: number; stream?: string }, bytes: Uint8Array, done: () => void): void {
    const { term } = this.screen;
    const text = this.onPipes ? withReturns(bytes) : bytes;
    let from = 0;
    if (this.beside) term.write('', () => this.beside?.margin.passed(event.from));
    for (const { kind, end } of this.onPipes || !this.beside ? [] : this.scanner.scan(bytes)) {
      const { low, high } = offsetsOf(event, bytes.length, end);
      term.write(bytes.subarray(from, end), () => {
        this.beside?.margin.mark(kind, low, high);
        if (kind !== 'A' && kind !== 'B') this.beside?.commands();
      });
      from = end;
    }
    term.write(text.subarray(from), () => {
      this.beside?.margin.passed(event.to);
      done();
    });
  }

  /** A line that no program printed. */
  private say(text: string, done: () => void): void {
    this.screen.term.write(`\r\n\x1b[0;2m${text}\x1b[0m\r\n`, done);
  }

  /** What was there stays to be scrolled back to: the screen that comes next is drawn below it. */
  private leaveOut(bytes: number, done: () => void): void {
    const { term } = this.screen;
    // Without margins, where the cursor is: taking them away would move it.
    term.write('\x1b7\x1b[r\x1b8');
    this.say(`${bytesInWords(bytes)} not shown here; the log has it`, () => {});
    term.write('\r\n'.repeat(term.rows), done);
  }

  private over(error: HubError | null): void {
    if (error?.code === 'no_terminal' && !this.onPipes) {
      this.onPipes = true;
      this.stop();
      this.start();
      return;
    }
    if (error) this.trouble.value = error.message;
    const { characters } = this.held.peek();
    if (characters > 0) {
      const were = `${charactersInWords(characters)} ${characters === 1 ? 'was' : 'were'}`;
      toast('warning', `${were} not sent: ${error?.message ?? `${this.id} has ended`}`);
    }
    this.dropTyped();
    this.stop();
  }
}

/** Whether it still runs, as far as the hub says so now. */
async function isRunning(id: string): Promise<boolean> {
  try {
    const { terminals } = await call('flightdeck.terminal.list', { limit: 500 });
    return terminals.some((one) => one.id === id && one.running);
  } catch (error) {
    // Away again, and they wait on. A hub that fails otherwise is there, and takes them.
    return !(error instanceof HubError && (error.code === 'connection_lost' || isOrdered(error)));
  }
}

const [NEWLINE, RETURN] = [10, 13];

/** A terminal moves down with a newline, and to the left with a return; a pipe has newlines alone. */
function withReturns(bytes: Uint8Array): Uint8Array {
  const text: number[] = [];
  for (const byte of bytes) {
    if (byte === NEWLINE) text.push(RETURN);
    text.push(byte);
  }
  return Uint8Array.from(text);
}
