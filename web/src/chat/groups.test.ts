import { expect, test } from 'vitest';
import type { Entry } from '../commands';
import { groupsOf } from './groups';

const entries = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ number: from + index }) as Entry);

test('groups hold all entries once, in order, and begin at round numbers', () => {
  const all = entries(7, 60);
  const groups = groupsOf(all);
  expect(groups.flatMap((group) => group.entries)).toEqual(all);
  expect(groups.map((group) => group.entries[0]!.number)).toEqual([7, 20, 40, 60]);
  expect(groups.map(({ key }) => key)).toEqual([0, 1, 2, 3]);
});

test('earlier entries change the first group only', () => {
  const [before, after] = [groupsOf(entries(25, 30)), groupsOf(entries(15, 40))];
  expect(after.slice(2).map(({ key }) => key)).toEqual(before.slice(1).map(({ key }) => key));
  expect(groupsOf([])).toEqual([]);
});
