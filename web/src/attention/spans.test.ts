import { expect, test } from 'vitest';
import { spansOf } from './spans';

const piece = (start: number, end: number, danger?: string, depth = 0) => ({
  start,
  end,
  depth,
  ...(danger === undefined ? {} : { danger }),
});

test('only dangerous pieces are marked', () => {
  expect(spansOf('cd a && rm -rf b', [piece(0, 4), piece(8, 16, 'deletes')])).toEqual([
    { text: 'cd a && ' },
    { text: 'rm -rf b', danger: 'deletes' },
  ]);
});

test('offsets are bytes, also after letters that take several', () => {
  // ü has two bytes, 日 three, 🚀 four: `echo ü日🚀; ` is 16 bytes long.
  const text = 'echo ü日🚀; rm -rf ä';
  expect(spansOf(text, [piece(16, 25, 'deletes')])).toEqual([
    { text: 'echo ü日🚀; ' },
    { text: 'rm -rf ä', danger: 'deletes' },
  ]);
});

test('an offset inside of a letter takes all of it', () => {
  expect(spansOf('aüb', [piece(2, 3, 'x')])).toEqual([{ text: 'a' }, { text: 'ü', danger: 'x' }, { text: 'b' }]);
});

test('of nested pieces the innermost counts', () => {
  expect(spansOf("sh -c 'rm x'", [piece(0, 12, 'shell'), piece(7, 11, 'deletes', 1)])).toEqual([
    { text: "sh -c '", danger: 'shell' },
    { text: 'rm x', danger: 'deletes' },
    { text: "'", danger: 'shell' },
  ]);
});

test('places beyond the end and empty ones do no harm', () => {
  expect(spansOf('ls', [piece(0, 99, 'x')])).toEqual([{ text: 'ls', danger: 'x' }]);
  expect(spansOf('ls', [piece(1, 1, 'x'), piece(7, 9, 'y')])).toEqual([{ text: 'ls' }]);
  expect(spansOf('', [piece(0, 1, 'x')])).toEqual([]);
});
