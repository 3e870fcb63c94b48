import { expect, test } from 'vitest';
import type { CommandRecord } from '../commands';
import { recordOf } from './command';

const record = (number: number, text: string, startedAt: number) => ({ number, text, startedAt, start: 0 }) as CommandRecord;

test('a call is the run of its command that began with it', () => {
  const records = [record(1, 'make', 100), record(2, 'ls', 150), record(3, 'make', 200), record(4, 'make', 300)];
  expect(recordOf(records, ' make', 200_400)?.number).toBe(3);
  expect(recordOf(records, 'make', 299_000)?.number).toBe(4);
  expect(recordOf(records, 'rm', 200_000)).toBeUndefined();
});
