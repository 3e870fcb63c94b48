/**
 * What there is to say about a text, at the lower edge of its editor, where it moves nothing that is read: a conflict, a
 * file that is gone, what an agent wrote, the line that one points at.
 */

import { createPortal } from 'preact/compat';
import { closeTab } from '../../layout/actions';
import { recentCalls } from '../../state/hub';
import { tabShowing } from '../../state/workbench';
import { ActorName } from '../../ui/actor';
import { Icon } from '../../ui/Icon';
import { clock } from '../../ui/time';
import type { EditorModel } from '../model';
import { resolve } from '../resolve';
import { pointer } from '../reveal';
import { inWords } from '../writes';
import { Compare } from './Compare';
import './bars.css';

export function Bars({ model }: { model: EditorModel }) {
  const document = model.document;
  return (
    <>
      {model.comparison.value && createPortal(<Compare model={model} comparison={model.comparison.value} />, model.over)}
      <div class="editor-bars">
        <Pointed model={model} />
        {document?.conflict !== undefined && <Conflict model={model} />}
        {document?.deleted && <Deleted model={model} />}
        {document?.conflict === undefined && <Wrote model={model} />}
      </div>
    </>
  );
}

function Conflict({ model }: { model: EditorModel }) {
  const open = model.comparison.value?.of === 'conflict';
  return (
    <div class="editor-bar conflict" role="alert">
      <span>
        <strong>Changed on disk</strong> below your unsaved changes. Both texts are kept until you decide.
      </span>
      <button class="button bare" aria-pressed={open} onClick={() => toggleConflict(model)}>
        <Icon name="compare" />
        {open ? 'Back to the text' : 'Compare'}
      </button>
      <button class="button" onClick={() => void resolve(model, 'mine')}>
        Keep mine
      </button>
      <button class="button" onClick={() => void resolve(model, 'theirs')}>
        Take theirs
      </button>
    </div>
  );
}

function toggleConflict(model: EditorModel): void {
  if (model.comparison.value?.of === 'conflict') model.closeComparison();
  else model.compare({ of: 'conflict' });
}

function Deleted({ model }: { model: EditorModel }) {
  const close = () => {
    const shown = tabShowing(model.path);
    if (shown) void closeTab(shown.tab.id);
  };
  return (
    <div class="editor-bar" role="status">
      <span>
        <strong>Deleted on disk.</strong> Its text is still here.
      </span>
      <button class="button bare" onClick={close}>
        Close
      </button>
      <button class="button" onClick={() => void model.save()}>
        Save it again
      </button>
    </div>
  );
}

function Wrote({ model }: { model: EditorModel }) {
  const write = model.writes.newest.value;
  if (!write || model.comparison.value?.of === 'write') return null;
  const { seen } = write;
  return (
    <div class="editor-bar wrote" role="status">
      <span>
        <ActorName name={write.agent} /> {inWords(seen?.size)}{' '}
        <time class="dim">{clock(write.atMs)}</time>
      </span>
      {seen && (
        <button class="button bare" onClick={() => model.compare({ of: 'write', write })}>
          Review
        </button>
      )}
      <button class="button bare" onClick={() => void model.writes.undo(write)}>
        Undo
      </button>
      <button class="icon-button" aria-label="Dismiss" title="Dismiss" onClick={() => model.writes.dismiss(write)}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function Pointed({ model }: { model: EditorModel }) {
  const pointed = model.pointed.value;
  if (!pointed || model.comparison.value) return null;
  const agent = pointer(recentCalls.value, model.path);
  return (
    <div class="pointed" role="status">
      <span>
        {agent ? <ActorName name={agent} /> : 'Somebody'} points to line {pointed.line}
      </span>
      <button class="button bare" onClick={() => model.goTo(pointed.line)}>
        Go there
      </button>
      <button class="icon-button" aria-label="Dismiss" onClick={() => (model.pointed.value = null)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
