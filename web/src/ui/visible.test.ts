import { expect, test } from 'vitest';
import { hasUnseen, visible } from './visible';

test('what can not be seen is spelled out', () => {
  expect(visible('ls \u202e; rm\u200b \x1b[2K\r')).toBe('ls \\u{202e}; rm\\u{200b} \\x1b[2K\\x0d');
  expect(hasUnseen('ls \u202e')).toBe(true);
});

test('what can be seen stays, lines and tabs too', () => {
  const text = 'for f in *; do\n\techo "ü 日 🚀"\ndone';
  expect(visible(text)).toBe(text);
  expect(hasUnseen(text)).toBe(false);
});
