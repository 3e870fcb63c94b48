/** One terminal in this page: its screen, its stream, its commands, and what a person has chosen to see of it. */

import { computed, effect, signal } from '@preact/signals';
import { terminals } from '../state/hub';
import { Asked } from './asked';
import { controlOf } from './controls';
import { Live } from './live';
import type { FoundInLog } from './logFind';
import { Margin } from './margin';
import { pasteWithCare } from './paste';
import { Presence } from './presence';
import { Records } from './records';
import { type Mode, modeOf, rememberMode } from './remembered';
import { Screen } from './screen';
import { withControl } from './touch';

/** How soon the terminal follows when the window is dragged. */
const SETTLED = 60;
/** How often what a running command prints is read again in the commands view. */
const PULSE = 250;

const utf8 = new TextEncoder();

export class Pane {
  readonly mode;
  readonly finding = signal(false);
  /** The log is open up to here. */
  readonly log = signal<number | null>(null);
  /** What the log is open for, and which of it. */
  readonly foundInLog = signal<{ found: FoundInLog; at: number } | null>(null);
  /** The oldest line that the screen has is in sight. */
  readonly atTop = signal(false);
  /** The next key counts as one with Ctrl. */
  readonly ctrlHeld = signal(false);
  /** Goes on while something is printed. */
  readonly pulse = signal(0);
  readonly state;
  readonly control;
  readonly screen: Screen;
  readonly records: Records;
  readonly asked: Asked;
  readonly live: Live;
  private readonly margin: Margin;
  private readonly presence: Presence;
  private readonly observer: ResizeObserver;
  private readonly endings: (() => void)[] = [];
  private beating = false;
  private timer = 0;
  /** The block of the commands view that has the keyboard, or had it last. */
  chosen = signal<number | null>(null);

  constructor(readonly id: string) {
    this.mode = signal<Mode>(modeOf(id));
    this.state = computed(() => terminals.value.get(id));
    this.control = computed(() => controlOf(id));
    this.screen = new Screen(`Terminal ${id}`);
    this.records = new Records(id);
    this.asked = new Asked(id, () => {
      const state = this.state.peek();
      return state !== undefined && (state.atPrompt || !state.running);
    });
    this.margin = new Margin(this.screen.term, (number) => this.showCommand(number));
    this.live = new Live(id, this.screen, {
      margin: this.margin,
      printed: () => this.printed(),
      commands: () => this.records.stir(),
    });
    this.presence = new Presence({ come: () => this.come(), leave: () => this.live.stop() });
    this.observer = new ResizeObserver(() => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.measure(), SETTLED);
    });
  }

  /** Puts the screen into its place. */
  open(element: HTMLElement): void {
    const { term } = this.screen;
    this.screen.open(element);
    this.observer.observe(element);
    term.onData((text) => this.type(utf8.encode(this.ctrlHeld.peek() ? this.controlled(text) : text)));
    term.onBinary((text) => this.type(Uint8Array.from(text, (char) => char.charCodeAt(0))));
    term.attachCustomKeyEventHandler((event) => this.onKey(event));
    // Once a frame; scrolling is told for each line, which a flood has thousands of.
    term.onRender(() => this.scrolled());
    element.addEventListener('paste', (event) => pasteWithCare(event, term), true);
    this.endings.push(effect(() => this.margin.know(this.records.list.value)));
    this.endings.push(effect(() => this.screen.name(`Terminal ${this.id} ${this.state.value?.title ?? ''}`.trim())));
    this.endings.push(this.followState());
    this.endings.push(this.followControl());
  }

  shown(visible: boolean): void {
    this.presence.shown(visible);
    if (visible) this.measure();
  }

  focus(): void {
    if (this.mode.peek() === 'screen') this.screen.term.focus();
    else this.focusCommands();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const end of this.endings) end();
    this.observer.disconnect();
    this.presence.dispose();
    this.live.stop();
    this.records.dispose();
    this.asked.dispose();
    this.screen.dispose();
  }

  setMode(mode: Mode): void {
    const hadKeyboard = this.element?.contains(document.activeElement) ?? false;
    this.mode.value = mode;
    rememberMode(this.id, mode);
    // What takes the keyboard is drawn first.
    if (hadKeyboard) requestAnimationFrame(() => this.focus());
  }

  find(): void {
    if (this.mode.peek() !== 'screen') this.setMode('screen');
    this.finding.value = true;
  }

  /** To the command before or after. */
  step(step: 1 | -1): void {
    if (this.mode.peek() === 'commands') {
      this.stepBlocks(step);
      return;
    }
    const line = this.margin.neighbour(step);
    if (line !== null) this.screen.goTo(line);
    else if (step > 0) this.screen.term.scrollToBottom();
  }

  /** Shows where a command is on the screen, or, when it has scrolled out of it, in the log. */
  jump(number: number): void {
    const line = this.margin.lineOf(number);
    const record = this.records.list.peek().find((one) => one.number === number);
    if (line === null && record) {
      this.foundInLog.value = null;
      this.log.value = record.end ?? this.live.place.end;
      return;
    }
    this.setMode('screen');
    if (line !== null) requestAnimationFrame(() => this.screen.goTo(line));
  }

  /** What is before the oldest line of the screen. */
  openLog(): void {
    this.foundInLog.value = null;
    this.log.value = this.margin.oldest ?? this.live.place.begin;
  }

  /** Whether some of what was found there has scrolled out of the screen, or never was on it. */
  isBeyondScreen({ cursors }: FoundInLog): boolean {
    const oldest = this.margin.oldest ?? this.live.place.begin;
    return cursors.some((cursor) => cursor < oldest || this.live.place.isMissing(cursor));
  }

  /** Shows something that was found there: the last, or another one. */
  openFound(found: FoundInLog, at = found.cursors.length - 1): void {
    const cursor = found.cursors[at];
    if (cursor === undefined) return;
    this.foundInLog.value = { found, at };
    this.log.value = cursor;
  }

  closeLog(): void {
    this.log.value = null;
    this.foundInLog.value = null;
    this.focus();
  }

  private get element(): HTMLElement | null {
    return this.screen.term.element?.closest<HTMLElement>('.term') ?? null;
  }

  /** Shows a command among the others. */
  showCommand(number: number): void {
    this.chosen.value = number;
    this.setMode('commands');
  }

  private focusCommands(): void {
    const { element } = this;
    const block = element?.querySelector<HTMLElement>(`[data-command="${this.chosen.peek()}"]`);
    (block ?? element?.querySelector<HTMLElement>('.run-line input:enabled') ?? element?.querySelector<HTMLElement>('.commands'))?.focus();
  }

  private stepBlocks(step: 1 | -1): void {
    const blocks = [...(this.element?.querySelectorAll<HTMLElement>('[data-command]') ?? [])];
    const here = blocks.findIndex((block) => block.contains(document.activeElement));
    const next = here < 0 ? (step < 0 ? blocks.at(-1) : undefined) : blocks[here + step];
    if (next) next.focus();
    else if (step > 0) this.element?.querySelector<HTMLElement>('.run-line input:enabled')?.focus();
  }

  private come(): void {
    this.measure();
    this.live.start();
    this.records.stir();
    this.asked.stir();
  }

  private measure(): void {
    const room = this.screen.room();
    if (room) this.live.fits(room);
  }

  private type(bytes: Uint8Array): void {
    this.live.send(bytes);
  }

  private controlled(text: string): string {
    this.ctrlHeld.value = false;
    return withControl(text);
  }

  private printed(): void {
    this.asked.stir();
    if (this.beating) return;
    this.beating = true;
    window.setTimeout(() => {
      this.beating = false;
      this.pulse.value += 1;
    }, PULSE);
  }

  private scrolled(): void {
    const { active } = this.screen.term.buffer;
    this.atTop.value = active.type === 'normal' && active.baseY > 0 && active.viewportY === 0;
  }

  /** Keys that no program has a use for. Those of the whole workbench are taken before they come here. */
  private onKey(event: KeyboardEvent): boolean {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0 || !event.altKey || event.ctrlKey || event.shiftKey || event.metaKey || this.screen.isFull) return true;
    if (event.type === 'keydown') {
      event.preventDefault();
      this.step(step);
    }
    return false;
  }

  /** Commands come and go without a word in the stream where a shell prints no marks. */
  private followState(): () => void {
    let before = '';
    return effect(() => {
      const state = this.state.value;
      if (!state) return;
      const now = `${state.atPrompt} ${state.runningCommand} ${state.running}`;
      if (now === before) return;
      before = now;
      this.records.stir();
      if (state.atPrompt || !state.running) this.asked.settle();
      else this.asked.stir();
    });
  }

  /**
   * Whoever types holds the controls for as long as the call lasts, from its first key on. When they were handed back,
   * another call begins, so that the next key takes them again.
   */
  private followControl(): () => void {
    let before = this.control.peek().is;
    return effect(() => {
      const now = this.control.value.is;
      if (before === 'mine' && now !== 'mine') this.live.renew();
      before = now;
    });
  }
}
