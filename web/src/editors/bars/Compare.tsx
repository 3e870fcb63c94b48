/** Two texts, compared, over the editor: both sides of a conflict, or what an agent's write changed. Nothing is typed here. */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { call } from '../../hub/link';
import { ActorName } from '../../ui/actor';
import { Icon } from '../../ui/Icon';
import { clock } from '../../ui/time';
import { complain } from '../../ui/toasts';
import type { Comparison, EditorModel } from '../model';
import { inWords } from '../writes';
import { showBeside, showUnified } from './merge';

export function Compare({ model, comparison }: { model: EditorModel; comparison: Comparison }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.focus(), []);
  return (
    <div
      class="compare"
      ref={frame}
      tabIndex={-1}
      role="region"
      aria-label={comparison.of === 'conflict' ? 'Your text and the one on disk' : 'What was written'}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        model.closeComparison();
      }}
    >
      {comparison.of === 'conflict' ? (
        <Sides model={model} key={model.document?.conflict} />
      ) : (
        <Written model={model} comparison={comparison} key={comparison.write.undoId} />
      )}
    </div>
  );
}

function Sides({ model }: { model: EditorModel }) {
  const host = useRef<HTMLDivElement>(null);
  const theirs = useSignal<string | null>(null);
  useEffect(() => {
    call('flightdeck.workbench.document', { path: model.path }).then((document) => (theirs.value = document.theirs ?? null), complain);
  }, []);
  useEffect(() => {
    if (theirs.value !== null) return showBeside(host.current!, model.path, model.text(), theirs.value);
  }, [theirs.value]);
  return (
    <>
      <header class="sides">
        <span class="person">Yours, not saved</span>
        <span>On disk</span>
      </header>
      <div class="compare-text" ref={host} />
    </>
  );
}

function Written({ model, comparison }: { model: EditorModel; comparison: Comparison & { of: 'write' } }) {
  const { write } = comparison;
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (write.seen) return showUnified(host.current!, model.path, write.seen.before, write.seen.after);
  }, []);
  return (
    <>
      <header>
        <span>
          <ActorName name={write.agent} /> {inWords(write.seen?.size)}{' '}
          <time class="dim">{clock(write.atMs)}</time>
        </span>
        <button
          class="button"
          onClick={() => {
            model.closeComparison();
            void model.writes.undo(write);
          }}
        >
          Undo this write
        </button>
        <button class="icon-button" aria-label="Close the review" title="Close (Escape)" onClick={() => model.closeComparison()}>
          <Icon name="close" />
        </button>
      </header>
      <div class="compare-text" ref={host} />
    </>
  );
}
