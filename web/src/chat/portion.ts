/** How many entries are drawn in one frame: as many as let the next frame come in time, whatever the machine. */

const [LEAST, MOST] = [4, 256];
/** A frame that comes so soon leaves room for more, and one that comes so late has had too much. */
const [QUICK_MS, SLOW_MS] = [24, 40];

export class Portion {
  private size = 16;
  private before: number | null = null;

  /** For the frame of now. */
  next(now: number): number {
    const took = this.before === null ? null : now - this.before;
    if (took !== null && took < QUICK_MS) this.size = Math.min(MOST, this.size * 2);
    if (took !== null && took > SLOW_MS) this.size = Math.max(LEAST, Math.floor(this.size / 2));
    this.before = now;
    return this.size;
  }

  /** Nothing is left to draw: the next frame says nothing of this one. */
  rest(): void {
    this.before = null;
  }
}
