/** The line at the end of the commands: a prompt, or why there is none. */

import { useRef } from 'preact/hooks';
import type { Pane } from './pane';
import { run, whyNot } from './run';

export function RunLine({ pane }: { pane: Pane }) {
  const input = useRef<HTMLInputElement>(null);
  /** How far back in what was run before; 0 is what is being typed. */
  const back = useRef(0);
  const refusal = whyNot(pane);
  const isShell = pane.state.value?.kind === 'shell' && pane.state.value.running;
  if (!isShell) return null;

  const recall = (step: 1 | -1) => {
    const texts = [...new Set(pane.records.list.peek().map((record) => record.text?.trim() ?? ''))].filter(Boolean);
    back.current = Math.max(0, Math.min(texts.length, back.current + step));
    input.current!.value = back.current === 0 ? '' : (texts.at(-back.current) ?? '');
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    const text = input.current!.value.trim();
    if (text === '' || refusal !== null) return;
    run(pane.id, text);
    input.current!.value = '';
    back.current = 0;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    recall(event.key === 'ArrowUp' ? 1 : -1);
  };
  return (
    <form class="run-line" onSubmit={onSubmit}>
      <span class="dim" aria-hidden="true">
        $
      </span>
      <input
        ref={input}
        class="code"
        aria-label={`Run a command in ${pane.id}`}
        placeholder={refusal ?? 'Run a command'}
        readOnly={refusal !== null}
        autocomplete="off"
        spellcheck={false}
        onKeyDown={onKeyDown}
      />
      {pane.records.running.value && pane.control.value.is !== 'theirs' && (
        <button type="button" class="link" onClick={() => pane.setMode('screen')}>
          type into it (F8)
        </button>
      )}
    </form>
  );
}
