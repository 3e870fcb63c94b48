import { expect, test } from 'vitest';
import { lineKind } from './Diff';
import { folderWords, reasonsOf } from './reasons';

test('reasons come one by one, without the obvious', () => {
  const reason = 'rm deletes ../dist and everything below it; git push overwrites what others see; a person has to allow it';
  expect(reasonsOf({ reason })).toEqual(['rm deletes ../dist and everything below it', 'git push overwrites what others see']);
  expect(reasonsOf({ reason: 'nothing proves that it is safe' })).toEqual(['nothing proves that it is safe']);
});

test('folders are told from the workspace on', () => {
  expect(folderWords('/home/anna/shop', '/home/anna/shop')).toBe('shop');
  expect(folderWords('/home/anna/shop/web', '/home/anna/shop')).toBe('shop/web');
  expect(folderWords('/home/anna/shopping', '/home/anna/shop')).toBe('/home/anna/shopping');
  expect(folderWords('/tmp', undefined)).toBe('/tmp');
});

test('lines of a diff', () => {
  expect(['--- a/x', '+++ b/x', '@@ -1 +1 @@', '-old', '+new', ' same', ''].map(lineKind)).toEqual([
    'place',
    'place',
    'place',
    'removed',
    'added',
    'same',
    'same',
  ]);
});
