import { expect, test } from 'vitest';
import { agents } from '../state/hub';
import { actorOf, hueOf, withHue } from './actor';

const agent = (name: string) => ({ name, number: 1, state: 'idle' as const, reason: '', sinceMs: 0 });

test('every person is the one who looks', () => {
  for (const name of ['cli:0', 'cli:anna', 'web:1', 'window:anna']) expect(actorOf(name)).toEqual({ kind: 'person', name: 'you' });
  expect(actorOf('claude-code#3')).toEqual({ kind: 'agent', name: 'claude-code' });
});

test('an agent keeps its colour when others come and go', () => {
  agents.value = [agent('one'), agent('two'), agent('three')];
  const before = ['one', 'two', 'three'].map(hueOf);
  expect(new Set(before).size).toBe(3);
  agents.value = [agent('three')];
  agents.value = [agent('four'), agent('three'), agent('two')];
  expect(['one', 'two', 'three'].map(hueOf)).toEqual(before);
  expect(before).not.toContain(hueOf('four'));
});

test('a fifth name shares the colour that fewest have', () => {
  let all = new Map<string, number>();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'a']) all = withHue(all, name);
  expect([...all.values()]).toEqual([0, 1, 2, 3, 0]);
});
