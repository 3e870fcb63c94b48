/** What a terminal printed before what its screen still has: pages of the hub's log, read backwards as one scrolls up. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { call } from '../hub/link';
import { Icon } from '../ui/Icon';
import { complain } from '../ui/toasts';
import { type FoundInLog, fromEnd } from './logFind';
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

  const found = pane.foundInLog.value;
  useEffect(() => {
    scroller.current?.focus();
    setPages([]);
    setWhole(false);
    void read(upTo);
  }, [upTo, found]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTop = pages.length === 1 ? element.scrollHeight : element.scrollHeight - below.current;
    if (pages.length === 1 && found) {
      const line = [...element.querySelectorAll('[data-hit]')].at(-fromEnd(found.found, found.at));
      line?.setAttribute('data-hit', 'this');
      line?.scrollIntoView({ block: 'center' });
    }
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
        {found && <Steps pane={pane} found={found} />}
        <button class="icon-button" aria-label="Close" title="Close (Escape)" onClick={() => pane.closeLog()}>
          <Icon name="close" />
        </button>
      </header>
      <div class="log-pages" ref={scroller} tabIndex={0} onScroll={onScroll}>
        {whole && <p class="dim">{pages.length === 0 ? 'There is nothing before what is shown.' : 'This is where the log begins.'}</p>}
        {pages.map((page) => (
          <pre key={page.from}>{found ? <Marked text={page.text.replace(/\n$/, '')} wanted={found.found.text} /> : page.text.replace(/\n$/, '')}</pre>
        ))}
      </div>
    </section>
  );
}

/** From one place that was found to the one before or after. */
function Steps({ pane, found: { found, at } }: { pane: Pane; found: { found: FoundInLog; at: number } }) {
  const step = (title: string, to: number, up = false) => (
    <button
      class={`icon-button log-step ${up ? 'up' : ''}`}
      aria-label={title}
      title={title}
      disabled={to < 0 || to >= found.cursors.length}
      onClick={() => pane.openFound(found, to)}
    >
      <Icon name="chevronDown" />
    </button>
  );
  return (
    <span class="log-found" role="status">
      <mark>{found.text}</mark> {(at + 1).toLocaleString()} of {found.cursors.length.toLocaleString()}
      {step('The one before', at - 1, true)}
      {step('The one after', at + 1)}
    </span>
  );
}

/** Lines in which what was looked for is marked. */
function Marked({ text, wanted }: { text: string; wanted: string }) {
  const low = wanted.toLowerCase();
  return (
    <>
      {text.split('\n').map((line, index) => {
        const at = line.toLowerCase().indexOf(low);
        const end = index === 0 ? '' : '\n';
        if (at < 0) return end + line;
        return (
          <>
            {end}
            <span data-hit="">
              {line.slice(0, at)}
              <mark>{line.slice(at, at + wanted.length)}</mark>
              {line.slice(at + wanted.length)}
            </span>
          </>
        );
      })}
    </>
  );
}
