import { expect, test } from 'vitest';
import { shellLine } from './shell';

test('what a shell would take apart is quoted', () => {
  expect(shellLine(['flightdeck', 'open', '-w', '/home/anna/shop'])).toBe('flightdeck open -w /home/anna/shop');
  expect(shellLine(['run', "it's here", ''])).toBe(`run 'it'\\''s here' ''`);
});
