import { expect, test } from 'vitest';
import { actorOf, hueOf } from './actor';

test('every person is the one who looks', () => {
  for (const name of ['cli:0', 'cli:anna', 'web:1', 'window:anna']) expect(actorOf(name)).toEqual({ kind: 'person', name: 'you' });
  expect(actorOf('claude-code#3')).toEqual({ kind: 'agent', name: 'claude-code' });
});

test('the colour of a name is its own, in any browser and in any company', () => {
  expect(['claude-code', 'codex', 'gemini-cli', 'opencode', 'claude', 'zoë'].map(hueOf)).toEqual([3, 0, 1, 2, 1, hueOf('zoë')]);
  const spread = Array.from({ length: 100 }, (_, number) => hueOf(`agent-${number}`));
  for (const hue of [0, 1, 2, 3]) expect(spread.filter((one) => one === hue).length).toBeGreaterThan(10);
});
