import { expect, test } from 'vitest';
import type { Chat, ChatEvent, Entry } from '../commands';
import { applied, EMPTY, type Transcript, trimmed, withPage } from './transcript';

const chat = { id: 'c1', state: 'working', lastEntry: 0 } as Chat;
const says = (number: number, text = `e${number}`): Entry => ({ number, turn: 1, atMs: 0, kind: 'agent', text });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => says(from + index));
const snapshot = (entries: Entry[], earlier = false): ChatEvent => ({ type: 'snapshot', chat, entries, earlier });
const after = (...events: ChatEvent[]) => events.reduce(applied, EMPTY);
const numbers = ({ entries }: Transcript) => entries.map(({ number }) => number);
const textAt = ({ entries }: Transcript, number: number) => {
  const entry = entries.find((one) => one.number === number);
  return entry?.kind === 'agent' ? entry.text : entry;
};

test('a snapshot and what changes after it', () => {
  const now = after(
    snapshot(range(1, 3)),
    { type: 'entry', entry: says(4, 'he') },
    { type: 'text', number: 4, text: 'llo' },
    { type: 'entry', entry: says(2, 'changed') },
    { type: 'chat', chat: { ...chat, state: 'done' } },
  );
  expect(numbers(now)).toEqual([1, 2, 3, 4]);
  expect([textAt(now, 4), textAt(now, 2), now.chat?.state]).toEqual(['hello', 'changed', 'done']);
});

test('what has not changed stays the same object', () => {
  const before = after(snapshot(range(1, 3)));
  const now = applied(before, { type: 'text', number: 3, text: '!' });
  expect(now.entries[0]).toBe(before.entries[0]);
  expect(now.entries[2]).not.toBe(before.entries[2]);
});

test('text goes to the last output of a tool call, and to what was told again of a person', () => {
  const tool: Entry = { number: 1, turn: 1, atMs: 0, kind: 'tool', id: 'x', title: 'ls', tool: 'execute', status: 'in_progress', content: [{ type: 'output', id: 'o', text: 'a' }] };
  const user: Entry = { number: 2, turn: 1, atMs: 0, kind: 'user', blocks: [{ type: 'text', text: 'do' }] };
  const now = after(snapshot([tool, user]), { type: 'text', number: 1, text: 'b' }, { type: 'text', number: 2, text: ' it' });
  expect(now.entries[0]).toMatchObject({ content: [{ text: 'ab' }] });
  expect(now.entries[1]).toMatchObject({ blocks: [{ text: 'do it' }] });
});

test('what is older than all that is here waits to be read', () => {
  const now = after(snapshot(range(10, 12), true), { type: 'entry', entry: says(3) }, { type: 'text', number: 3, text: 'x' });
  expect(numbers(now)).toEqual([10, 11, 12]);
});

test('earlier pages come before, in order and once', () => {
  let now = after(snapshot(range(10, 12), true));
  now = withPage(now, range(7, 9), true);
  now = withPage(now, range(7, 9), true);
  expect(numbers(now)).toEqual([7, 8, 9, 10, 11, 12]);
  now = withPage(now, range(1, 6), false);
  expect(numbers(now).length).toBe(12);
  expect(now.earlier).toBe(false);
});

test('a page that does not reach what is here is left out', () => {
  const now = withPage(after(snapshot(range(10, 12), true)), range(1, 3), false);
  expect(numbers(now)).toEqual([10, 11, 12]);
  expect(now.earlier).toBe(true);
});

test('after a lost connection what was scrolled back to stays, if nothing is missing between', () => {
  const read = withPage(after(snapshot(range(10, 12), true)), range(5, 9), true);
  const joined = applied(read, snapshot([...range(11, 14)], true));
  expect(numbers(joined)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  const gap = applied(read, snapshot(range(20, 22), true));
  expect(numbers(gap)).toEqual([20, 21, 22]);
  expect(gap.earlier).toBe(true);
});

test('a page of what is here already brings what has changed meanwhile', () => {
  const now = withPage(after(snapshot(range(1, 5))), [says(2, 'newer')], false);
  expect(numbers(now)).toEqual([1, 2, 3, 4, 5]);
  expect(textAt(now, 2)).toBe('newer');
});

test('too many are trimmed from the oldest, and can be read again', () => {
  const now = trimmed(after(snapshot(range(1, 20))), 15, 10);
  expect(numbers(now)[0]).toBe(11);
  expect(now.earlier).toBe(true);
  expect(trimmed(now, 15, 10)).toBe(now);
  expect(numbers(withPage(now, range(5, 10), true))[0]).toBe(5);
});

test('a conversation can be removed, and its first entry can be the first thing told', () => {
  const now = after(snapshot([]), { type: 'entry', entry: says(1) }, { type: 'removed', id: 'c1' });
  expect(numbers(now)).toEqual([1]);
  expect(now.removed).toBe(true);
});
