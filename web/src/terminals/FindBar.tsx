/** Finds text on the screen and in what can be scrolled back to. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../ui/Icon';
import type { Pane } from './pane';
import { token } from './theme';

export function FindBar({ pane }: { pane: Pane }) {
  const { search, term } = pane.screen;
  const input = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<{ index: number; count: number } | null>(null);
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

  const find = (step: 1 | -1, incremental = false) => {
    const text = input.current?.value ?? '';
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
