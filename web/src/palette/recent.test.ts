import { expect, test } from 'vitest';
import { inOrder } from './recent';

const action = (id: string, title: string) => ({ id, title, run() {} });

test('what was done last comes first, the rest by name', () => {
  const all = [action('view', 'View'), action('palette.open', 'Commands'), action('add', 'Add'), action('save', 'Save')];
  expect(inOrder(all, ['save', 'gone']).map(({ id }) => id)).toEqual(['save', 'add', 'view']);
  expect(inOrder(all, []).map(({ id }) => id)).toEqual(['add', 'save', 'view']);
});
