import { expect, test } from 'vitest';
import { Portion } from './portion';

test('quick frames get more, slow ones less, and a rest says nothing', () => {
  const portion = new Portion();
  expect([0, 16, 32, 48].map((now) => portion.next(now))).toEqual([16, 32, 64, 128]);
  expect([348, 648].map((now) => portion.next(now))).toEqual([64, 32]);
  portion.rest();
  expect(portion.next(10_000)).toBe(32);
  for (let now = 20_000; now < 30_000; now += 1000) portion.next(now);
  expect(portion.next(31_000)).toBe(4);
});
