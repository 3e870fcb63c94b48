import { expect, test } from 'vitest';
import type { Snapshot, TabInfo } from '../commands';
import { knownTabs } from './fresh';

const tab = (id: string, createdBy: string, type: TabInfo['type'] = 'editor') => ({ id, contentId: id, type, createdBy });
const state = (epoch: number, ...tabs: unknown[]) => ({ epoch, panes: [{ id: 'p1', tabs }] }) as unknown as Snapshot;

test('a file that an agent opens in the background is news until it is in sight', () => {
  const mine = tab('a', 'web:1');
  const before = knownTabs(null, state(1, mine, tab('old', 'claude#1')), () => 'a');
  expect(before.tabs).toEqual(['a', 'old']);
  const after = state(1, mine, tab('b', 'claude#1'), tab('c', 'cli:0'), tab('t1', 'claude#1', 'terminal'));
  const hidden = knownTabs(before, after, () => 'a');
  expect(hidden.tabs).toEqual(['a', 'c', 't1']);
  const seen = knownTabs(hidden, after, () => 'b');
  expect(knownTabs(seen, after, () => 'a').tabs).toEqual(['a', 'b', 'c', 't1']);
  // The names of another life of the hub say nothing about those of this one.
  expect(knownTabs(seen, state(2, tab('b', 'claude#1')), () => 'a').tabs).toEqual(['b']);
});
