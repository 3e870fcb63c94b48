/** The editor as such: what it can do with any text. Completion popups are left out: they would cover what is read. */

import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { gotoLine, highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  crosshairCursor,
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  rectangularSelection,
} from '@codemirror/view';
import { visible } from '../../ui/visible';
import { languageLater } from './languages';
import { codeTheme } from './theme';
import './search.css';

/** What an editor and a comparison have in common. */
export function reading(): Extension {
  return [lineNumbers(), highlightSpecialChars(), drawSelection(), languageLater(), codeTheme];
}

/** `marks`: further bars left of the text. */
export function writing(path: string, marks: Extension): Extension {
  return [
    lineNumbers(),
    codeFolding({ placeholderText: '…' }),
    foldGutter({ openText: '⌄', closedText: '›' }),
    marks,
    highlightSpecialChars(),
    history(),
    drawSelection(),
    dropCursor(),
    rectangularSelection(),
    crosshairCursor(),
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    search({ top: true }),
    languageLater(),
    codeTheme,
    EditorView.contentAttributes.of({ 'aria-label': `Text of ${visible(path)}` }),
    keymap.of([
      { key: 'Ctrl-g', run: gotoLine, preventDefault: true },
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      indentWithTab,
    ]),
  ];
}
