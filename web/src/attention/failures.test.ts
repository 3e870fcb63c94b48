import { expect, test } from 'vitest';
import { weightOf } from './failures';

test('what went well is nothing to tell', () => {
  expect(weightOf('ok')).toBeNull();
  expect(weightOf('running')).toBeNull();
});

test('what is broken is an error, what was not done a warning, the rest is for the log', () => {
  expect(weightOf('keeper_lost')).toBe('error');
  expect(weightOf('approval_expired')).toBe('warning');
  expect(weightOf('invalid_argument')).toBe('info');
  expect(weightOf('declined')).toBe('info');
});
