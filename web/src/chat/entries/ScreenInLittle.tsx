/**
 * The place of a terminal within a conversation. There is a terminal in it only while it is in sight, so that hundreds of
 * them cost nothing; it keeps its height meanwhile, and nothing moves. Scrolling passes over it until somebody unfolds it.
 */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { loadPart } from '../../hub/parts';
import type { Glance } from '../../terminals/glance';
import { lines as inLines } from '../../terminals/words';
import { complain } from '../../ui/toasts';
import { useNear } from './near';

/** Rows that are shown at first, and of a terminal whose program knows of no size. */
const [SHOWN, ROWS] = [12, 24];
/** How high each was when it was last in sight, of so many. */
const heights = new Map<string, number>();
const MOST_HEIGHTS = 5000;

/** When several come into sight at once they are made one after the other, each in a frame of its own. */
let lastFrame = Promise.resolve();
function myFrame(): Promise<void> {
  lastFrame = lastFrame.then(() => new Promise((resolve) => requestAnimationFrame(() => resolve())));
  return lastFrame;
}

interface Props {
  /** Which one it is, among all that are ever shown. */
  name: string;
  label: string;
  /** It is as wide as the room that there is. */
  wraps?: boolean;
  /** Has it drawn, and gives what ends that. */
  feed(glance: Glance): (() => void) | Promise<() => void>;
}

export function ScreenInLittle({ name, label, wraps = false, feed }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const near = useNear(element);
  const glance = useSignal<Glance | null>(null);
  const unfolded = useSignal(false);
  const fed = useRef(feed);
  fed.current = feed;

  useEffect(() => {
    if (!near) return;
    let gone = false;
    const endings: (() => void)[] = [];
    const begin = async () => {
      // Terminals are drawn by a large library, which is loaded when the first of them is shown.
      const { Glance } = await loadPart(() => import('../../terminals/glance'));
      await myFrame();
      if (gone || !host.current) return;
      const mine = new Glance(wraps, ROWS);
      endings.push(() => mine.dispose());
      mine.open(host.current);
      glance.value = mine;
      const stop = await fed.current(mine);
      if (gone) stop();
      else endings.unshift(stop);
    };
    begin().catch(complain);
    return () => {
      gone = true;
      glance.value = null;
      for (const end of endings) end();
    };
  }, [name, near, wraps]);

  const [used, before, rowHeight] = [glance.value?.used.value ?? 0, glance.value?.before.value ?? 0, glance.value?.rowHeight.value ?? 0];
  // Unfolded, what has scrolled away comes back into the rows that are still empty.
  const rows = !unfolded.value ? Math.min(used, SHOWN) : before > 0 ? glance.value!.term.rows : used;
  const hidden = Math.max(0, used - rows);
  if (rows * rowHeight > 0) keepHeight(name, rows * rowHeight);
  const height = heights.get(name) ?? 0;
  return (
    <div class="glance" ref={element}>
      {(before + hidden > 0 || unfolded.value) && (
        <button class="link dim" aria-expanded={unfolded.value} onClick={() => (unfolded.value = !unfolded.value)}>
          {unfolded.value ? 'the last lines only' : `${inLines(before + hidden)} before`}
        </button>
      )}
      <div
        class="glance-room"
        tabIndex={height > 0 ? 0 : undefined}
        role="group"
        aria-label={label}
        // Who scrolls through the conversation is not stopped by it.
        onWheelCapture={(event) => !unfolded.value && event.stopPropagation()}
      >
        <div class="glance-view" style={{ height: `${height}px` }}>
          <div ref={host} style={{ translate: `0 ${-hidden * rowHeight}px` }} aria-hidden="true" />
        </div>
        <pre class="visually-hidden">{glance.value?.text.value ?? ''}</pre>
      </div>
    </div>
  );
}

function keepHeight(name: string, height: number): void {
  heights.delete(name);
  heights.set(name, height);
  if (heights.size > MOST_HEIGHTS) heights.delete(heights.keys().next().value!);
}
