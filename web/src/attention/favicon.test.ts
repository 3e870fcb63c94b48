import { expect, test } from 'vitest';
import { favicon, PLAIN } from './favicon';

test('the icon is the plain one when nothing needs anybody', () => {
  expect(favicon(0)).toBe(PLAIN);
});

test('it carries the count, which stays readable', () => {
  expect(decodeURIComponent(favicon(3))).toContain('>3</text>');
  expect(decodeURIComponent(favicon(41))).toContain('>9+</text>');
});
