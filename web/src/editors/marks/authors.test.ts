import { EditorState, type TransactionSpec } from '@codemirror/state';
import { expect, test } from 'vitest';
import { fromOthers } from '../shared/session';
import { authorBars, authorsOf, settled } from './authors';

const start = () => EditorState.create({ doc: 'one\ntwo\nthree\nfour', extensions: authorBars });
const by = (name: string, spec: TransactionSpec): TransactionSpec => ({ ...spec, annotations: fromOthers.of({ by: name }) });

test('lines are marked by who wrote them last, one bar each', () => {
  let state = start().update({ changes: { from: 1, insert: 'x' } }).state;
  state = state.update({ changes: { from: 2, insert: 'y' } }).state;
  state = state.update(by('claude', { changes: { from: state.doc.line(3).from, insert: 'new\nlines\n' } })).state;
  expect(authorsOf(state)).toEqual(['1 person', '3 claude', '4 claude']);
  state = state.update({ changes: { from: state.doc.line(3).from, insert: 'mine ' } }).state;
  expect(authorsOf(state)).toEqual(['1 person', '3 person', '4 claude']);
});

test('bars move with their lines and go with them', () => {
  let state = start().update(by('claude', { changes: { from: 4, to: 7, insert: 'TWO' } })).state;
  state = state.update(by('disk', { changes: { from: 0, insert: 'above\n' } })).state;
  expect(authorsOf(state)).toEqual(['3 claude']);
  state = state.update(by('disk', { changes: { from: state.doc.line(3).from - 1, to: state.doc.line(3).to } })).state;
  expect(authorsOf(state)).toEqual([]);
});

test('what is saved is marked no more', () => {
  let state = start().update({ changes: { from: 0, insert: 'x' } }).state;
  state = state.update(by('claude', { changes: { from: state.doc.length, insert: '!' } })).state;
  expect(authorsOf(state.update({ effects: settled('person') }).state)).toEqual(['4 claude']);
  expect(authorsOf(state.update({ effects: settled('agent') }).state)).toEqual(['1 person']);
});
