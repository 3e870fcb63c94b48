/** Guards a dialog that came by itself: see `guard.ts`. */

import { useLayoutEffect, useState } from 'preact/hooks';
import { Guard, type Pressed, QUIET_MS } from './guard';

const TYPES = { keydown: 'keydown', keyup: 'keyup', pointerdown: 'pointer', click: 'pointer' } as const;

/** Whether keys and clicks count yet, for the looks of it; until then they are swallowed. */
export function useGuard(): boolean {
  const [open, setOpen] = useState(false);
  // With the dialog itself, not after it was drawn: no key may come between.
  useLayoutEffect(() => {
    let guard: Guard | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => {
      setOpen(false);
      clearTimeout(timer);
      timer = setTimeout(() => setOpen(true), QUIET_MS);
    };
    // It has appeared when it was drawn, not when it was asked for: on a busy machine that is later.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        guard = new Guard(performance.now());
        rest();
      });
    });
    const listen = (event: Event) => {
      const type = TYPES[event.type as keyof typeof TYPES];
      const pressed: Pressed = event instanceof KeyboardEvent ? { type, code: event.code, repeat: event.repeat } : { type };
      // A busy page handles a key long after it was pressed; what counts is when that was.
      if (guard?.lets(pressed, event.timeStamp)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (guard && type === 'keydown' && !guard.open(event.timeStamp)) rest();
    };
    for (const type of Object.keys(TYPES)) addEventListener(type, listen, true);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      for (const type of Object.keys(TYPES)) removeEventListener(type, listen, true);
    };
  }, []);
  return open;
}
