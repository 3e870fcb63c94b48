/** The commands of a terminal, each with how it went and what it printed; the one that runs is live at the end. */

import { useLayoutEffect, useRef } from 'preact/hooks';
import { Block } from './Block';
import type { Pane } from './pane';
import { RunLine } from './RunLine';
import './commands.css';

/** How near to the top older ones are asked for, and how near to the end it is followed. */
const NEAR_TOP = 300;
const NEAR_END = 24;

export function CommandsView({ pane }: { pane: Pane }) {
  const { records } = pane;
  const list = records.list.value;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  /** Whether the end is followed: as long as nobody has scrolled away from it. */
  const following = useRef(true);
  const below = useRef(0);
  const top = useRef(0);
  const first = useRef<number | undefined>(undefined);

  useLayoutEffect(() => {
    const [element, inner] = [scroller.current!, content.current!];
    const observer = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = scroller.current!;
    const oldest = list[0]?.number;
    // Older ones came above: what is being read stays where it is.
    if (first.current !== undefined && oldest !== undefined && oldest < first.current) element.scrollTop = element.scrollHeight - below.current;
    first.current = oldest;
  }, [list]);

  const onScroll = () => {
    const element = scroller.current!;
    below.current = element.scrollHeight - element.scrollTop;
    // What comes into the list moves the end away, but nobody up: only who scrolls up has left it.
    const up = element.scrollTop < top.current;
    const atEnd = below.current - element.clientHeight < NEAR_END;
    following.current = atEnd || (following.current && !up);
    top.current = element.scrollTop;
    if (element.scrollTop < NEAR_TOP && records.more.value) void records.older();
  };
  return (
    <div class="commands-view">
      <div class="commands" ref={scroller} tabIndex={-1} onScroll={onScroll} role="feed" aria-label={`Commands of terminal ${pane.id}`}>
        <div ref={content}>
          {records.more.value && (
            <button class="button bare older dim" onClick={() => void records.older()}>
              Older commands
            </button>
          )}
          {list.map((record) => (
            <Block key={record.number} pane={pane} record={record} />
          ))}
          {list.length === 0 && records.known.value && <Empty pane={pane} />}
        </div>
      </div>
      <RunLine pane={pane} />
    </div>
  );
}

function Empty({ pane }: { pane: Pane }) {
  const isShell = (pane.state.value?.kind ?? 'shell') === 'shell';
  return (
    <p class="commands-empty dim">
      {isShell
        ? 'Each command that runs here will be listed with its exit code, its time, who ran it and what it printed. Run one below.'
        : 'This terminal runs one program and no shell: what it prints is on the screen.'}
    </p>
  );
}
