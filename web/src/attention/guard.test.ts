import { expect, test } from 'vitest';
import { Guard, QUIET_MS } from './guard';

const down = (code: string, repeat = false) => ({ type: 'keydown' as const, code, repeat });
const up = (code: string) => ({ type: 'keyup' as const, code });

test('a key within 600 ms counts for nothing', () => {
  const guard = new Guard(1000);
  expect(guard.lets(down('Enter'), 1599)).toBe(false);
});

test('a key after that counts', () => {
  const guard = new Guard(1000);
  expect(guard.lets(down('Enter'), 1000 + QUIET_MS)).toBe(true);
});

test('a burst of typing that began before does not answer at its end', () => {
  const guard = new Guard(0);
  for (let at = 100; at < 3000; at += 200) expect(guard.lets(down('KeyA'), at)).toBe(false);
  expect(guard.lets(down('Enter'), 3100)).toBe(false);
  expect(guard.lets(down('Enter'), 3100 + QUIET_MS)).toBe(true);
});

test('a key that is held from before never counts, nor does its release', () => {
  const guard = new Guard(0);
  expect(guard.lets(down('Space', true), 2000)).toBe(false);
  expect(guard.lets(up('Space'), 2100)).toBe(false);
});

test('a key that was pressed and held after that repeats', () => {
  const guard = new Guard(0);
  expect(guard.lets(down('Backspace'), 700)).toBe(true);
  expect(guard.lets(down('Backspace', true), 750)).toBe(true);
  expect(guard.lets(up('Backspace'), 800)).toBe(true);
});

test('the release of a key that did not count does not count either', () => {
  const guard = new Guard(0);
  expect(guard.lets(down('Space'), 590)).toBe(false);
  expect(guard.lets(up('Space'), 2000)).toBe(false);
});

test('a click waits for the same moment', () => {
  const guard = new Guard(0);
  expect(guard.lets({ type: 'pointer' }, 599)).toBe(false);
  expect(guard.lets({ type: 'pointer' }, 600)).toBe(true);
});
