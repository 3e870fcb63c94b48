/** What comes and goes by itself: bars beside lines until they are saved or looked at, the comparison of a conflict. */

import type { EditorView } from '@codemirror/view';
import { effect } from '@preact/signals';
import { later } from './later';
import { settled } from './marks/authors';
import type { EditorModel } from './model';

export function settle(view: EditorView, model: EditorModel): () => void {
  let [dirty, wrote, conflict] = [false, false, false];
  return effect(() => {
    const inConflict = model.document?.conflict !== undefined;
    // While the keyboard is here nothing covers the text; the bar has a button.
    if (inConflict && !conflict && !view.hasFocus) model.compare({ of: 'conflict' });
    if (!inConflict && model.comparison.peek()?.of === 'conflict') model.comparison.value = null;
    const [dirtyNow, wroteNow] = [model.document?.dirty ?? false, model.writes.newest.value !== null];
    if (dirty && !dirtyNow) later(() => view.dispatch({ effects: settled('person') }));
    if (wrote && !wroteNow) later(() => view.dispatch({ effects: settled('agent') }));
    [dirty, wrote, conflict] = [dirtyNow, wroteNow, inConflict];
  });
}
