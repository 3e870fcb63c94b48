import { expect, test } from 'vitest';
import { grouped, inPlace, parts, summary } from './results';

const TEXT = { text: 'a.b', caseSensitive: false, regex: false };
const match = (path: string, line: number, text: string, column = 1) => ({ path, line, column, text });

test('matches of a file stand together', () => {
  const groups = grouped([match('a', 1, ''), match('b', 1, ''), match('a', 2, '')]);
  expect(groups.map((group) => [group.path, group.matches.length])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});

test('text is text and no expression, and case counts only when asked', () => {
  expect(parts(match('', 1, '  axb A.B c', 7), TEXT)).toEqual(['axb ', 'A.B', ' c']);
  expect(parts(match('', 1, 'A.B', 1), { ...TEXT, caseSensitive: true })).toEqual(['A.B', '', '']);
});

test('the match that the hub means is marked, counted in characters', () => {
  expect(parts(match('', 1, '😀x x', 4), { ...TEXT, text: 'x' })).toEqual(['😀x ', 'x', '']);
});

test('an expression marks all that it matches; one that is not understood marks nothing', () => {
  expect(parts(match('', 1, 'let abc = 1', 5), { text: 'a\\w+', caseSensitive: true, regex: true })).toEqual(['let ', 'abc', ' = 1']);
  expect(parts(match('', 1, 'let abc', 1), { text: '(?x) a', caseSensitive: true, regex: true })).toEqual(['let abc', '', '']);
});

test('a count says when there is more', () => {
  const two = [match('a', 1, ''), match('b', 1, '')];
  expect(summary(two, false)).toBe('2 lines in 2 files');
  expect(summary(two.slice(1), true)).toBe('The first 1 line in 1 file');
  expect(summary([], false)).toBe('Nothing found');
});

test('what was shown first stays first when the rest comes', () => {
  const match = (path: string, line: number) => ({ path, line, column: 1, text: '' });
  const all = [match('a', 1), match('a', 2), match('b', 1), match('c', 9)];
  expect(inPlace(all, [match('c', 9), match('a', 2)]).map(({ path, line }) => `${path}${line}`)).toEqual(['c9', 'a1', 'a2', 'b1']);
  expect(inPlace(all, [])).toEqual(all);
});
