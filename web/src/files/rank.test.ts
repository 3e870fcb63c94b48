import { expect, test } from 'vitest';
import { asked, rank } from './rank';

const PATHS = ['crates/core/src/main.rs', 'docs/maintenance/index.md', 'src/domain.rs', 'main.rs'];

test('a name counts more than folders', () => {
  expect(rank('main', PATHS, new Set(), 2)).toEqual(['main.rs', 'crates/core/src/main.rs']);
});

test('what is open comes first when nothing was typed', () => {
  expect(rank('', PATHS, new Set(['src/domain.rs']), 1)).toEqual(['src/domain.rs']);
});

test('letters of folders find a file too', () => {
  expect(rank('coremain', PATHS, new Set(), 5)).toEqual(['crates/core/src/main.rs']);
  expect(rank('xyz', PATHS, new Set(), 5)).toEqual([]);
});

test('a line may be asked for', () => {
  expect(asked('main.rs:42')).toEqual({ text: 'main.rs', line: 42 });
  expect(asked(' main.rs ')).toEqual({ text: 'main.rs', line: undefined });
  expect(asked('a:b')).toEqual({ text: 'a:b', line: undefined });
});
