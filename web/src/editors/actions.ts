/** What can be done with the editor that has the keyboard, by its command or its keys. */

import { gotoLine, openSearchPanel } from '@codemirror/search';
import type { EditorView } from '@codemirror/view';
import { call } from '../hub/link';
import { register } from '../palette/actions';
import { focus, workbench } from '../state/workbench';
import { complain } from '../ui/toasts';
import type { EditorModel } from './model';
import { resolve } from './resolve';

export interface OpenEditor {
  view: EditorView;
  model: EditorModel;
}

/** Editors that are open, by tab. */
export const openEditors = new Map<string, OpenEditor>();

function current(): OpenEditor | undefined {
  return focus.value === null ? undefined : openEditors.get(focus.value);
}

/** Whether there was anything to clear. */
export function clearHighlights(path: string): boolean {
  if (!workbench.peek().highlights.some((highlight) => highlight.path === path)) return false;
  call('flightdeck.workbench.clear_highlights', { path }).catch(complain);
  return true;
}

/** Shows a write of an agent in the editor of its file, once that is open. */
export async function reviewWrite(path: string, undoId: number): Promise<boolean> {
  const editor = [...openEditors.values()].find(({ model }) => model.path === path);
  const write = await editor?.model.writes.find(undoId);
  if (!editor || !write?.seen) return false;
  editor.model.compare({ of: 'write', write });
  return true;
}

const here = () => current() !== undefined;
const inConflict = () => current()?.model.document?.conflict !== undefined;
const written = () => current()?.model.writes.newest.value ?? null;

/** An action on the text itself; the palette has had the keyboard. */
function inText(run: (view: EditorView) => void) {
  return () => {
    const editor = current();
    if (!editor) return;
    editor.view.focus();
    run(editor.view);
  };
}

register(
  { id: 'editor.save', title: 'Editor: Save', shortcut: 'Ctrl+S', when: here, run: () => current()?.model.save() },
  { id: 'editor.find', title: 'Editor: Find and replace', shortcut: 'Ctrl+F', when: here, run: inText(openSearchPanel) },
  { id: 'editor.goToLine', title: 'Editor: Go to line', shortcut: 'Ctrl+G', when: here, run: inText(gotoLine) },
  {
    id: 'editor.clearHighlights',
    title: 'Editor: Clear all highlights of the file',
    when: here,
    run: () => clearHighlights(current()?.model.path ?? ''),
  },
  {
    id: 'editor.compare',
    title: 'Editor: Compare your text with the one on disk',
    when: inConflict,
    run: () => current()?.model.compare({ of: 'conflict' }),
  },
  {
    id: 'editor.keepMine',
    title: 'Editor: Keep your text, not the one on disk',
    when: inConflict,
    run: () => resolve(current()!.model, 'mine'),
  },
  {
    id: 'editor.takeTheirs',
    title: 'Editor: Take the text on disk, not yours',
    when: inConflict,
    run: () => resolve(current()!.model, 'theirs'),
  },
  {
    id: 'editor.reviewWrite',
    title: 'Editor: Review what an agent wrote',
    when: () => written()?.seen != null,
    run: () => current()!.model.compare({ of: 'write', write: written()! }),
  },
  {
    id: 'editor.undoWrite',
    title: 'Editor: Undo what an agent wrote',
    when: () => written() !== null,
    run: () => current()!.model.writes.undo(written()!),
  },
);
