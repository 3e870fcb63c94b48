import { expect, test } from 'vitest';
import type { Field } from '../../commands';
import { limitWords, tooFewOrMany } from './limits';

const about = { name: 'x', title: 'X', required: false };

test('what a field takes is told', () => {
  const number = { ...about, input: 'number', integer: true } as const;
  expect(limitWords(number)).toBe('');
  expect(limitWords({ ...number, minimum: 1, maximum: 5 })).toBe('1 to 5');
  expect(limitWords({ ...number, minimum: 0 })).toBe('at least 0');
  expect(limitWords({ ...about, input: 'text', maxLength: 20 })).toBe('at most 20 characters');
  expect(limitWords({ ...about, input: 'text', minLength: 4, maxLength: 4 })).toBe('4 characters');
});

test('of a list as many are chosen as it takes', () => {
  const many: Field = { ...about, input: 'many', options: [], minItems: 2, maxItems: 3 };
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd']].map((chosen) => tooFewOrMany(many, chosen))).toEqual([false, true, false, false, true]);
  expect(tooFewOrMany({ ...many, required: true }, undefined)).toBe(true);
});
