import { EditorState, type TransactionSpec } from '@codemirror/state';
import { expect, test } from 'vitest';
import { textOf } from '../shared/transform';
import { hasCrlf, lineEndings } from './endings';

function editing(text: string): EditorState {
  const doc = textOf(text);
  return EditorState.create({ doc, extensions: [lineEndings(doc)] });
}

const type = (state: EditorState, spec: TransactionSpec) => state.update({ userEvent: 'input.type', ...spec }).state;

test('a file has the line ends of its first line', () => {
  expect(hasCrlf(textOf('a\r\nb'))).toBe(true);
  expect(hasCrlf(textOf('a\nb\r\n'))).toBe(false);
  expect(hasCrlf(textOf('a\r'))).toBe(false);
});

test('a line that is typed into a CRLF file ends like the others', () => {
  const after = type(editing('one\r\ntwo\r\n'), { changes: { from: 1, insert: 'x\ny\nz' } });
  expect(after.doc.toString()).toBe('ox\r\ny\r\nzne\r\ntwo\r\n');
});

test('text with its own CRLF gets no second one', () => {
  const after = type(editing('one\r\n'), { changes: { from: 0, insert: 'a\r\nb\r\n' } });
  expect(after.doc.toString()).toBe('a\r\nb\r\none\r\n');
});

test('other files stay as they are', () => {
  const after = type(editing('one\ntwo\n'), { changes: { from: 3, insert: '\nx' } });
  expect(after.doc.toString()).toBe('one\nx\ntwo\n');
});

test('what comes from the hub is taken as it is', () => {
  const after = editing('one\r\n').update({ changes: { from: 0, insert: 'x\n' } }).state;
  expect(after.doc.toString()).toBe('x\none\r\n');
});

test('a cursor never stands between the two characters of a line end', () => {
  const after = editing('one\r\ntwo\r\n').update({ selection: { anchor: 4 } }).state;
  expect(after.selection.main.head).toBe(3);
});
