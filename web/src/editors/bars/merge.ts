/** Comparisons by CodeMirror, read-only. Each is taken away by the function that it gives back. */

import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { loadLanguage } from '../code/languages';
import { reading } from '../code/setup';
import { LINE_BREAK, textOf } from '../shared/transform';

/** Lines around a change that are shown, and how many others are worth folding. */
const COLLAPSE = { margin: 3, minSize: 6 };
const DIFF = { scanLimit: 1000, timeout: 500 };

function readOnly(label: string): Extension {
  return [
    reading(),
    EditorState.readOnly.of(true),
    EditorState.lineSeparator.of(LINE_BREAK),
    EditorView.contentAttributes.of({ 'aria-label': label }),
  ];
}

export function showBeside(parent: HTMLElement, path: string, mine: string, theirs: string): () => void {
  const merge = new MergeView({
    parent,
    a: { doc: textOf(mine), extensions: readOnly('Your text') },
    b: { doc: textOf(theirs), extensions: readOnly('The text on disk') },
    gutter: true,
    collapseUnchanged: COLLAPSE,
    diffConfig: DIFF,
  });
  void loadLanguage(merge.a, path);
  void loadLanguage(merge.b, path);
  return () => merge.destroy();
}

export function showUnified(parent: HTMLElement, path: string, before: string, after: string): () => void {
  const view = new EditorView({
    parent,
    doc: textOf(after),
    extensions: [
      readOnly('What was written'),
      unifiedMergeView({
        original: textOf(before),
        mergeControls: false,
        gutter: true,
        collapseUnchanged: COLLAPSE,
        diffConfig: DIFF,
      }),
    ],
  });
  void loadLanguage(view, path);
  return () => view.destroy();
}
