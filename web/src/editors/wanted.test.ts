import { expect, test } from 'vitest';
import { takeWanted, want } from './wanted';

test('what was asked for here counts once, and not for ever', () => {
  want('a.rs', 42, 1000);
  expect(takeWanted('b.rs', 1000)).toBeNull();
  expect(takeWanted('a.rs', 2000)?.line).toBe(42);
  expect(takeWanted('a.rs', 2000)).toBeNull();
  want('a.rs', undefined, 1000);
  expect(takeWanted('a.rs', 60_000)).toBeNull();
});
