import { expect, test } from 'vitest';
import { inWords, sizeOf } from './writes';

const BEFORE = 'one\ntwo\nthree\n';

test('a write is told by its lines', () => {
  expect(sizeOf({ changes: [{ from: 4, to: 4, insert: 'a\nb\n' }] }, BEFORE)).toEqual({ added: 2, removed: 0 });
  expect(sizeOf({ changes: [{ from: 4, to: 7, insert: 'TWO' }] }, BEFORE)).toEqual({ added: 1, removed: 1 });
  expect(sizeOf({ changes: [{ from: 0, to: 8, insert: '' }] }, BEFORE)).toEqual({ added: 0, removed: 2 });
});

test('in words', () => {
  expect(inWords({ added: 1, removed: 5 })).toBe('wrote 1 line');
  expect(inWords({ added: 12, removed: 0 })).toBe('wrote 12 lines');
  expect(inWords({ added: 0, removed: 1 })).toBe('removed 1 line');
});
