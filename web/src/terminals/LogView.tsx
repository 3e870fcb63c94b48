/** What a terminal printed before what its screen still has: pages of the hub's log, read backwards as one scrolls up. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { call } from '../hub/link';
import { Icon } from '../ui/Icon';
import { complain } from '../ui/toasts';
import type { Pane } from './pane';

const LINES = 500;
/** How near to the top the page before is read. */
const NEAR = 400;

interface Page {
  from: number;
  text: string;
}

export function LogView({ pane, upTo }: { pane: Pane; upTo: number }) {
  const [pages, setPages] = useState<Page[]>([]);
  const [whole, setWhole] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const reading = useRef(false);
  /** How far from the end it was scrolled, which stays when a page comes before. */
  const below = useRef(0);

  const read = async (to: number) => {
    if (reading.current) return;
    reading.current = true;
    try {
      const { text, from } = await call('flightdeck.terminal.read', { id: pane.id, lines: LINES, to });
      const { scrollHeight = 0, scrollTop = 0 } = scroller.current ?? {};
      below.current = scrollHeight - scrollTop;
      setPages((old) => (from < to ? [{ from, text }, ...old] : old));
      if (from === 0 || from >= to) setWhole(true);
    } catch (error) {
      complain(error);
      setWhole(true);
    }
    reading.current = false;
  };

  useEffect(() => {
    scroller.current?.focus();
    setPages([]);
    setWhole(false);
    void read(upTo);
  }, [upTo]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTop = pages.length === 1 ? element.scrollHeight : element.scrollHeight - below.current;
    // A page may be shorter than the room that there is.
    if (pages[0] && !whole && element.scrollTop < NEAR) void read(pages[0].from);
  }, [pages]);

  const onScroll = () => {
    if (pages[0] && !whole && scroller.current!.scrollTop < NEAR) void read(pages[0].from);
  };
  return (
    <section class="log" role="dialog" aria-label={`Earlier output of ${pane.id}`} onKeyDown={(event) => event.key === 'Escape' && pane.closeLog()}>
      <header>
        <strong>Earlier output</strong>
        <span class="dim">as plain text, from the log</span>
        <button class="icon-button" aria-label="Close" title="Close (Escape)" onClick={() => pane.closeLog()}>
          <Icon name="close" />
        </button>
      </header>
      <div class="log-pages" ref={scroller} tabIndex={0} onScroll={onScroll}>
        {whole && <p class="dim">{pages.length === 0 ? 'There is nothing before what is shown.' : 'This is where the log begins.'}</p>}
        {pages.map((page) => (
          <pre key={page.from}>{page.text.replace(/\n$/, '')}</pre>
        ))}
      </div>
    </section>
  );
}
