/** What a terminal printed before what its screen still has: pages of the hub's log, read backwards as one scrolls up. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { call } from '../hub/link';
import { Icon } from '../ui/Icon';
import { complain } from '../ui/toasts';
import { type FoundInLog, linesFrom } from './logFind';
import type { Pane } from './pane';

const LINES = 500;
/** How near to the top the page before is read. */
const NEAR = 400;

interface Page {
  from: number;
  text: string;
}

/** `upTo`: where the first page ends. What was found begins there, and is shown below it. */
export function LogView({ pane, upTo }: { pane: Pane; upTo: number }) {
  const [pages, setPages] = useState<Page[]>([]);
  const [whole, setWhole] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const reading = useRef(false);
  /** Counts what the log was opened for: a page that was asked for before comes too late. */
  const generation = useRef(0);
  /** How far from the end it was scrolled, which stays when a page comes before. */
  const below = useRef(0);

  const read = async (to: number, hit: number | null = null) => {
    if (reading.current) return;
    reading.current = true;
    const mine = generation.current;
    try {
      const [{ text, from }, after] = await Promise.all([
        call('flightdeck.terminal.read', { id: pane.id, lines: LINES, to }),
        hit === null ? null : linesFrom(pane.id, hit).then((lines) => [{ from: hit, text: lines }]),
      ]);
      if (mine !== generation.current) return;
      const { scrollHeight = 0, scrollTop = 0 } = scroller.current ?? {};
      below.current = scrollHeight - scrollTop;
      const before = from < to ? [{ from, text }] : [];
      setPages((old) => [...before, ...(after ?? old)]);
      if (from === 0 || from >= to) setWhole(true);
    } catch (error) {
      if (mine !== generation.current) return;
      complain(error);
      setWhole(true);
    }
    reading.current = false;
  };

  const found = pane.foundInLog.value;
  const hit = found?.found.cursors[found.at] ?? null;
  useEffect(() => {
    scroller.current?.focus();
    setPages([]);
    setWhole(false);
    generation.current += 1;
    reading.current = false;
    void read(upTo, hit);
  }, [upTo, found]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTop = element.scrollHeight - below.current;
    // A page may be shorter than the room that there is.
    if (pages[0] && !whole && element.scrollTop < NEAR) void read(pages[0].from);
  }, [pages]);
  const isHitThere = pages.some((page) => page.from === hit);
  useLayoutEffect(() => {
    if (isHitThere) scroller.current?.querySelector('[data-hit="this"]')?.scrollIntoView({ block: 'center' });
  }, [isHitThere, hit]);

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
          <pre key={page.from}>
            {found ? (
              <Marked text={page.text.replace(/\n$/, '')} wanted={found.found.text} isChosen={page.from === hit} />
            ) : (
              page.text.replace(/\n$/, '')
            )}
          </pre>
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

/** Lines in which what was looked for is marked. `isChosen`: the first of them is the one that the log was opened for. */
function Marked({ text, wanted, isChosen }: { text: string; wanted: string; isChosen: boolean }) {
  const low = wanted.toLowerCase();
  let isFirst = true;
  return (
    <>
      {text.split('\n').map((line, index) => {
        const at = line.toLowerCase().indexOf(low);
        const end = index === 0 ? '' : '\n';
        if (at < 0) return end + line;
        const hit = isChosen && isFirst ? 'this' : '';
        isFirst = false;
        return (
          <>
            {end}
            <span data-hit={hit}>
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
