/**
 * The end of a screen is followed until a person scrolls away from it. xterm does that too, but a screen that was hidden or
 * got another size may come back at its beginning; then nobody has scrolled, and it is put right.
 */

import type { Terminal } from '@xterm/xterm';

/** What a person does to scroll, among other things. */
const DEEDS = ['wheel', 'keydown', 'pointerdown', 'pointerup', 'touchmove'] as const;
/** Scrolling that a person began goes on for a while. */
const SETTLED = 400;

export class Follow {
  private following = true;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly term: Pick<Terminal, 'buffer' | 'onRender' | 'scrollToBottom'>) {}

  /** Begins to look. `element`: what a person scrolls in. */
  watch(element: HTMLElement): void {
    for (const deed of DEEDS) element.addEventListener(deed, () => this.moved(), { capture: true, passive: true });
    this.term.onRender(() => {
      if (this.following && !this.atEnd()) this.term.scrollToBottom();
    });
  }

  /** Somebody scrolls, or may do so: where that leads is seen when it is over. */
  moved(): void {
    this.following = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.following = this.atEnd()), SETTLED);
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  private atEnd(): boolean {
    const { active } = this.term.buffer;
    return active.viewportY >= active.baseY;
  }
}
