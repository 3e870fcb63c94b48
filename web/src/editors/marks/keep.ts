/** Keeps the highlights and the cursors of others in an editor as the hub has them. */

import type { EditorView } from '@codemirror/view';
import { effect } from '@preact/signals';
import { viewer, workbench } from '../../state/workbench';
import { later } from '../later';
import type { Session } from '../shared/session';
import { showCarets } from './carets';
import { showHighlights } from './highlights';

export function keepMarks(view: EditorView, session: Session, path: string): () => void {
  const place = (line: number, column?: number) => session.shownAt(line, column);
  let over = false;
  let shown: readonly unknown[] = [];
  const stop = effect(() => {
    const { highlights, viewers, editors } = workbench.value;
    const mine = viewer.value;
    const ids = new Set(editors.filter((editor) => editor.path === path).map((editor) => editor.id));
    const others = viewers.filter((one) => one.id !== mine && one.editor && ids.has(one.editor.editorId));
    const here = highlights.filter((highlight) => highlight.path === path);
    const now = [session.taken.value, ...here, ...others];
    // In between they move with the text by themselves.
    if (now.length === shown.length && now.every((one, index) => one === shown[index])) return;
    shown = now;
    later(() => {
      if (over) return;
      showHighlights(view, here, place);
      showCarets(view, others, place);
    });
  });
  return () => {
    over = true;
    stop();
  };
}
