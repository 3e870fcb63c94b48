import { beforeEach, expect, test, vi } from 'vitest';
import { standing } from './link';
import { outdated } from './outdated';
import { loadPart } from './parts';

const away = () => (standing.value = { is: 'away', since: 0, why: 'lost' });
const live = () => (standing.value = { is: 'live', build: '1' });
const passing = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  outdated.value = false;
  vi.stubGlobal('fetch', () => Promise.reject(new Error('there is no hub')));
});

test('a part that can’t be had while the hub is away is loaded when it is back', async () => {
  away();
  let isThere = false;
  const load = vi.fn(async () => {
    if (!isThere) throw new TypeError('Failed to fetch dynamically imported module');
    return 'the part';
  });
  const loading = loadPart(load);
  await passing(60_000);
  expect(load).toHaveBeenCalledTimes(1);
  isThere = true;
  live();
  await passing(0);
  await expect(loading).resolves.toBe('the part');
  expect(outdated.value).toBe(false);
});

test('a part that a hub does not have is not asked for for ever', async () => {
  live();
  const load = vi.fn(() => Promise.reject(new Error('not found')));
  const loading = loadPart(load);
  loading.catch(() => {});
  await passing(60_000);
  await expect(loading).rejects.toThrow('not found');
  expect(load).toHaveBeenCalledTimes(3);
});
