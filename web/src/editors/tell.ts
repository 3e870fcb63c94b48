/** Tells others where this page looks in an editor, a few times a second at the most. */

import type { EditorView, ViewUpdate } from '@codemirror/view';
import { EditorView as View } from '@codemirror/view';
import { tellView } from '../state/workbench';

const EVERY_MS = 150;

/** `editorId`: the hub's name of the editor, once it is known. */
export function tellPlace(editorId: () => string | undefined) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let told = '';
  const tell = (view: EditorView) => {
    timer = undefined;
    const id = editorId();
    // Only where the keyboard is: a page that is looked at by nobody has no place.
    if (id === undefined || !view.hasFocus) return;
    const { doc, selection } = view.state;
    const line = doc.lineAt(selection.main.head);
    const cursor = { line: line.number, column: selection.main.head - line.from + 1 };
    const top = view.lineBlockAtHeight(view.scrollDOM.scrollTop);
    const editor = { editorId: id, cursor, firstLine: doc.lineAt(top.from).number };
    const now = JSON.stringify(editor);
    if (now !== told) tellView({ editor });
    told = now;
  };
  const soon = (view: EditorView) => (timer ??= setTimeout(() => tell(view), EVERY_MS));
  return [
    View.updateListener.of((update: ViewUpdate) => {
      if (update.selectionSet || update.docChanged || update.focusChanged) soon(update.view);
    }),
    View.domEventHandlers({ scroll: (_event, view) => void soon(view) }),
  ];
}
