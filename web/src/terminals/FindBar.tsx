/** Finds text on the screen and in what can be scrolled back to. */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../ui/Icon';
import { complain } from '../ui/toasts';
import { type FoundInLog, findInLog } from './logFind';
import type { Pane } from './pane';
import { token } from './theme';

/** How long a text stays as it is before the log is searched for it. */
const SETTLED = 200;

export function FindBar({ pane }: { pane: Pane }) {
  const { search, term } = pane.screen;
  const input = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<{ index: number; count: number } | null>(null);
  const [inLog, setInLog] = useState<FoundInLog | null>(null);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  // At once: what is typed next is meant for here, and not for the shell.
  useLayoutEffect(() => {
    input.current?.focus();
    input.current?.select();
    const results = search.onDidChangeResults(({ resultIndex, resultCount }) => setFound({ index: resultIndex, count: resultCount }));
    return () => {
      results.dispose();
      search.clearDecorations();
    };
  }, [search]);

  /** The screen has the last lines only; the hub has all of them. */
  const lookFurtherBack = (text: string) => {
    clearTimeout(timer.current);
    if (inLog?.text === text && text !== '') return;
    setInLog(null);
    if (text === '') return;
    timer.current = window.setTimeout(() => {
      findInLog(pane.id, text, pane.live.place.end).then((is) => input.current?.value === text && setInLog(is), complain);
    }, SETTLED);
  };
  const find = (step: 1 | -1, incremental = false) => {
    const text = input.current?.value ?? '';
    lookFurtherBack(text);
    if (text === '') {
      search.clearDecorations();
      setFound(null);
      return;
    }
    const decorations = {
      matchBackground: token('line-strong'),
      matchOverviewRuler: token('dim'),
      activeMatchBackground: token('warn'),
      activeMatchColorOverviewRuler: token('warn'),
    };
    if (step > 0) search.findNext(text, { incremental, decorations });
    else search.findPrevious(text, { decorations });
  };
  const close = () => {
    pane.finding.value = false;
    term.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'F3') find(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="find" role="search" aria-label="Find on the screen" onKeyDown={onKeyDown}>
      <input ref={input} class="field" aria-label="Find" placeholder="Find" spellcheck={false} onInput={() => find(1, true)} />
      <span class="dim find-count" role="status">
        {found && (found.count === 0 ? 'none' : found.index < 0 ? `${found.count}+` : `${found.index + 1} of ${found.count}`)}
      </span>
      {inLog && pane.isBeyondScreen(inLog) && (
        <button class="button find-log" title="The screen has the last lines only" onClick={() => pane.openFound(inLog)}>
          {inLog.cursors.length.toLocaleString()}
          {inLog.more && '+'} in the log
        </button>
      )}
      <button class="icon-button up" aria-label="Previous (Shift+Enter)" title="Previous (Shift+Enter)" onClick={() => find(-1)}>
        <Icon name="chevronDown" />
      </button>
      <button class="icon-button" aria-label="Next (Enter)" title="Next (Enter)" onClick={() => find(1)}>
        <Icon name="chevronDown" />
      </button>
      <button class="icon-button" aria-label="Close (Escape)" title="Close (Escape)" onClick={close}>
        <Icon name="close" />
      </button>
    </div>
  );
}
