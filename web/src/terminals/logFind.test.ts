import { expect, test } from 'vitest';
import { type FoundInLog, endOfLook, fromEnd } from './logFind';

const found: FoundInLog = { text: 'x', cursors: [100, 200, 6000, 9000], end: 9100, more: false };

test('a look at something that was found has what follows, up to the end', () => {
  expect([0, 1, 2, 3].map((at) => endOfLook(found, at))).toEqual([900, 1000, 6800, 9100]);
  expect([0, 1, 2, 3].map((at) => fromEnd(found, at))).toEqual([2, 1, 1, 1]);
});
