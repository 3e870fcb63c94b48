import { expect, test } from 'vitest';
import { amount, usageWords } from './words';

test('amounts in the words of a glance', () => {
  expect([0, 999, 1200, 53_400, 200_000, 3_400_000].map(amount)).toEqual(['0', '999', '1.2k', '53k', '200k', '3.4M']);
});

test('what was used, and how near the budget is', () => {
  expect(usageWords(undefined, undefined)).toBeNull();
  expect(usageWords({ context: 1200, size: 200_000, cost: { amount: 0.02, currency: 'USD' } }, undefined)).toEqual({ text: '1.2k of 200k in context · $0.02', near: 0 });
  expect(usageWords({ tokens: 900 }, { tokens: 1000 })).toEqual({ text: '900 / 1k tokens', near: 0.9 });
  expect(usageWords({ context: 15 }, { tokens: 30 })).toEqual({ text: '15 in context · 15 / 30 tokens', near: 0.5 });
  expect(usageWords(undefined, { tokens: 30 })).toEqual({ text: '0 / 30 tokens', near: 0 });
  expect(usageWords({ cost: { amount: 3, currency: 'USD' } }, { cost: 2 })?.near).toBe(1.5);
});
