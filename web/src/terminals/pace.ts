/**
 * The order and the pace of what is written to a screen. A terminal that floods beside the one that has the keyboard gets
 * a slice of each frame, so that typing stays quick; the credit it grants slows down with it.
 */

interface Task {
  cost: number;
  run(): void;
}

/** Bytes a frame for a terminal without the keyboard. */
const SLICE = 32 * 1024;

export class Pace {
  private readonly waiting: Task[] = [];
  private scheduled = false;
  private spent = 0;

  constructor(
    /** Whether it need not wait for anybody. */
    private readonly eager: () => boolean,
    private readonly nextFrame: (run: () => void) => void = soon,
  ) {}

  add(cost: number, run: () => void): void {
    this.waiting.push({ cost, run });
    this.pump();
  }

  private pump(): void {
    while (this.waiting[0] && (this.spent < SLICE || this.eager())) {
      const task = this.waiting.shift()!;
      this.spent += task.cost;
      task.run();
    }
    if (this.scheduled || this.spent === 0) return;
    this.scheduled = true;
    this.nextFrame(() => {
      this.scheduled = false;
      this.spent = 0;
      this.pump();
    });
  }
}

/** The next frame; a page that is not shown has none. */
function soon(run: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(run, 50);
  else requestAnimationFrame(run);
}
