import { expect, test } from 'vitest';
import type { FileInfo } from '../commands';
import { above, rowsOf, rowsOfPaths, typeAhead } from './rows';

function entry(path: string, type: FileInfo['type'] = 'file', more: Partial<FileInfo> = {}): FileInfo {
  return { name: path.split('/').at(-1)!, path, type, size: 1, modified: 0, ...more };
}

const FOLDERS = new Map([
  ['', [entry('.git', 'directory'), entry('src', 'directory'), entry('.env', 'file', { sensitive: true }), entry('README.md')]],
  ['src', [entry('src/net', 'directory'), entry('src/main.rs')]],
  ['src/net', [entry('src/net/tcp.rs')]],
]);

test('only what is open is shown, and how deep it is', () => {
  expect(rowsOf(FOLDERS, new Set()).map((row) => row.path)).toEqual(['src', '.env', 'README.md']);
  const rows = rowsOf(FOLDERS, new Set(['src', 'src/net']));
  expect(rows.map((row) => [row.path, row.level])).toEqual([
    ['src', 1],
    ['src/net', 2],
    ['src/net/tcp.rs', 3],
    ['src/main.rs', 2],
    ['.env', 1],
    ['README.md', 1],
  ]);
  expect(rows[3]).toMatchObject({ place: 2, of: 2, dim: false });
  expect(rows[4]).toMatchObject({ dim: true, sensitive: true });
});

test('a folder that is open and not listed yet has nothing below it', () => {
  expect(rowsOf(new Map([['', [entry('src', 'directory')]]]), new Set(['src']))).toHaveLength(1);
});

test('paths become a tree with all folders open', () => {
  expect(rowsOfPaths(['b/c/d.rs', 'a.rs', 'b/a.rs']).map((row) => row.path)).toEqual([
    'b',
    'b/c',
    'b/c/d.rs',
    'b/a.rs',
    'a.rs',
  ]);
});

test('the folders above a file', () => {
  expect(above('a/b/c.rs')).toEqual(['a', 'a/b']);
  expect(above('c.rs')).toEqual([]);
});

test('typing goes to names that begin so, and the same letter again to the next of them', () => {
  const rows = rowsOfPaths(['main.rs', 'makefile', 'map.rs', 'other.rs']);
  const names = (index: number) => rows[index]!.name;
  expect(names(typeAhead(rows, 0, 'm'))).toBe('makefile');
  expect(names(typeAhead(rows, 1, 'mm'))).toBe('map.rs');
  expect(names(typeAhead(rows, 0, 'map'))).toBe('map.rs');
  expect(names(typeAhead(rows, 3, 'm'))).toBe('main.rs');
  expect(typeAhead(rows, 1, 'zz')).toBe(1);
});
