import { expect, test } from 'vitest';
import type { AgentState } from '../commands';
import { finished, looked, REST_MS, type Stretches } from './stretches';

const agent = (state: AgentState['state'], sinceMs: number): AgentState => ({ name: 'claude', number: 1, state, reason: '', sinceMs });

/** Looks at the agent once a second, as it stands at each of these times. */
function story(steps: [AgentState['state'], from: number, to: number][]): { stretches: Stretches; now: number } {
  let stretches: Stretches = new Map();
  let now = 0;
  for (const [state, from, to] of steps) {
    for (now = from; now < to; now += 1000) stretches = looked(stretches, [agent(state, from)], now);
    now = to;
  }
  return { stretches, now };
}

test('an agent that has worked for a while and rests has finished', () => {
  const { stretches, now } = story([
    ['working', 0, 40_000],
    ['idle', 40_000, 40_000 + REST_MS],
  ]);
  const [done] = finished(stretches, now);
  expect(done && done.toMs - done.fromMs).toBe(40_000);
});

test('a short pause for thought ends nothing', () => {
  const { stretches, now } = story([
    ['working', 0, 12_000],
    ['idle', 12_000, 30_000],
    ['working', 30_000, 42_000],
    ['idle', 42_000, 42_000 + REST_MS],
  ]);
  const [done] = finished(stretches, now);
  expect(done?.fromMs).toBe(0);
  expect(done?.toMs).toBe(42_000);
});

test('a quick call is nothing to tell about', () => {
  const { stretches, now } = story([
    ['working', 0, 3000],
    ['idle', 3000, 120_000],
  ]);
  expect(finished(stretches, now)).toEqual([]);
});

test('who goes on working has not finished', () => {
  const { stretches, now } = story([
    ['working', 0, 40_000],
    ['idle', 40_000, 100_000],
    ['working', 100_000, 101_000],
  ]);
  expect(finished(stretches, now)).toEqual([]);
});
