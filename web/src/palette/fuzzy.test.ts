import { expect, test } from 'vitest';
import { best, fuzzy } from './fuzzy';

test('letters in order match, others do not', () => {
  expect(fuzzy('ntm', 'New terminal')).toBeGreaterThan(0);
  expect(fuzzy('xyz', 'New terminal')).toBe(0);
  expect(fuzzy('', 'anything')).toBe(1);
});

test('beginnings of words and runs come first', () => {
  const names = ['src/internal/unit.rs', 'src/main.rs', 'docs/domain.md'];
  expect(best('main', names, (name) => name, 2)).toEqual(['src/main.rs', 'docs/domain.md']);
});

test('a long text that matches is still a match', () => {
  expect(fuzzy('a', `${'x'.repeat(5000)}a`)).toBeGreaterThan(0);
});
