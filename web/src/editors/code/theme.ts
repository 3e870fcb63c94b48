/** How code looks: the workbench's tokens, so that it changes with the theme and needs no second set of colours. */

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags as t } from '@lezer/highlight';

const frame = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--ground)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--code)', fontSize: '13px', lineHeight: '1.45' },
  '.cm-content': { padding: '4px 0 40vh', caretColor: 'var(--person)' },
  '.cm-line': { padding: '0 12px 0 6px' },
  '.cm-gutters': { backgroundColor: 'var(--ground)', color: 'var(--dim)', border: 'none', userSelect: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '34px', padding: '0 4px 0 8px', opacity: '0.75' },
  '.cm-foldGutter .cm-gutterElement': { width: '14px', textAlign: 'center', opacity: '0', transition: 'opacity 100ms' },
  '.cm-gutters:hover .cm-foldGutter .cm-gutterElement': { opacity: '1' },
  '.cm-foldPlaceholder': { background: 'var(--hover)', border: 'none', color: 'var(--dim)', padding: '0 6px', margin: '0 2px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--text) 4%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--person)', borderLeftWidth: '2px' },
  '.cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--person) 18%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--person) 30%, transparent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--text) 12%, transparent)' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--line-strong)',
  },
  '&.cm-focused .cm-nonmatchingBracket, .cm-nonmatchingBracket': { backgroundColor: 'transparent', color: 'var(--danger)' },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--warn) 26%, transparent)', outline: 'none' },
  '.cm-searchMatch-selected': {
    backgroundColor: 'color-mix(in srgb, var(--warn) 50%, transparent)',
    outline: '1px solid var(--warn)',
  },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-trailingSpace': { backgroundColor: 'color-mix(in srgb, var(--danger) 22%, transparent)' },
});

const colours = HighlightStyle.define([
  {
    tag: [t.keyword, t.modifier, t.operatorKeyword, t.controlKeyword, t.definitionKeyword, t.moduleKeyword, t.self],
    color: 'var(--code-keyword)',
  },
  { tag: [t.string, t.special(t.string), t.regexp, t.character, t.inserted], color: 'var(--code-string)' },
  { tag: [t.comment, t.docComment, t.meta, t.documentMeta, t.quote], color: 'var(--code-comment)' },
  { tag: [t.number, t.bool, t.null, t.atom, t.unit, t.escape, t.color], color: 'var(--code-number)' },
  { tag: [t.typeName, t.className, t.namespace, t.tagName, t.labelName], color: 'var(--code-type)' },
  {
    tag: [t.function(t.variableName), t.function(t.propertyName), t.macroName, t.attributeName],
    color: 'var(--code-function)',
  },
  { tag: [t.heading, t.strong], color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: [t.link, t.url], color: 'var(--code-type)', textDecoration: 'underline' },
  { tag: t.emphasis, fontStyle: 'italic' },
  { tag: t.strikethrough, textDecoration: 'line-through' },
  { tag: [t.invalid, t.deleted], color: 'var(--danger)' },
]);

export const codeTheme = [frame, syntaxHighlighting(colours)];
