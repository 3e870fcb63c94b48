import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PaneInfo } from '../commands';
import { focus, workbench } from '../state/workbench';

vi.mock('../hub/link', async (original) => ({ ...(await original<object>()), call: async () => ({}) }));
const { closeTab, maximised, openFile } = await import('./actions');

const put = (...tabs: string[]) =>
  (workbench.value = {
    ...workbench.value,
    panes: [{ id: 'p1', activeTab: tabs[0], tabs: tabs.map((id) => ({ id, type: 'editor', contentId: id })) } as unknown as PaneInfo],
  });

beforeEach(() => {
  vi.useFakeTimers();
  put('a.txt', 'b.txt');
  focus.value = 'b.txt';
});
afterEach(() => void vi.useRealTimers());

test('the keyboard goes to the heir of a closed tab', async () => {
  const closing = closeTab('b.txt');
  await vi.advanceTimersByTimeAsync(10);
  put('a.txt');
  await closing;
  expect(focus.value).toBe('a.txt');
});

test('a tab that is still there has no heir, and nothing is brought forward', async () => {
  maximised.value = 'p2';
  const closing = closeTab('b.txt');
  await vi.advanceTimersByTimeAsync(20_000);
  await closing;
  expect([focus.value, maximised.value]).toEqual(['b.txt', 'p2']);
});

test('a tab that comes much later than it was opened does not take the keyboard', async () => {
  const opening = openFile('c.txt');
  await vi.advanceTimersByTimeAsync(20_000);
  await opening;
  put('a.txt', 'b.txt', 'c.txt');
  expect(focus.value).toBe('b.txt');
});
