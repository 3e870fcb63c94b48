/**
 * Keeps what was typed for something else from answering a dialog that has just appeared. Keys and clicks count only
 * after it has been there for a moment; a burst of typing that reaches into it counts for nothing to its end.
 */

export const QUIET_MS = 600;

export interface Pressed {
  type: 'keydown' | 'keyup' | 'pointer';
  /** The key by its place on the keyboard. */
  code?: string;
  /** It is held down. */
  repeat?: boolean;
}

export class Guard {
  private until: number;
  /** Keys that went down while it counted; only their release counts too, since a button may act on it. */
  private readonly down = new Set<string>();

  constructor(appearedMs: number) {
    this.until = appearedMs + QUIET_MS;
  }

  /** Whether everything counts from now on. */
  open(nowMs: number): boolean {
    return nowMs >= this.until;
  }

  /** Whether this counts. */
  lets(pressed: Pressed, nowMs: number): boolean {
    const code = pressed.code ?? '';
    switch (pressed.type) {
      case 'pointer':
        return this.open(nowMs);
      case 'keyup':
        return this.down.delete(code);
      case 'keydown':
        if (!this.open(nowMs)) {
          this.until = nowMs + QUIET_MS;
          return false;
        }
        // A key that went down before and is still held is no new decision.
        if (pressed.repeat && !this.down.has(code)) return false;
        this.down.add(code);
        return true;
    }
  }
}
