import { expect, test } from 'vitest';
import type { AuditCall, Write } from '../commands';
import { writeOf } from './undo';

const call = (path: string, atMs: number): AuditCall => ({
  seq: 1,
  atMs,
  actor: 'claude#1',
  surface: 'mcp-stdio',
  command: 'openspace.file.write',
  args: JSON.stringify({ path, content: '[4 bytes]' }),
  decision: 'allowed',
  rule: 'none',
  reason: '',
  result: 'ok',
  summary: [],
  tookEffect: true,
  durationMs: 20,
});
const write = (undoId: number, path: string, writtenAtMs: number, actor = 'claude'): Write => ({ undoId, path, actor, writtenAtMs });

test('of several writes to a file the one of the call is found', () => {
  const writes = [write(3, 'a.ts', 9000), write(2, 'a.ts', 5010), write(1, 'b.ts', 5010)];
  expect(writeOf(call('a.ts', 5000), writes)?.undoId).toBe(2);
  expect(writeOf(call('/home/anna/shop/a.ts', 5000), writes)?.undoId).toBe(2);
});

test('what somebody else wrote, or another time, is not it', () => {
  expect(writeOf(call('a.ts', 5000), [write(1, 'a.ts', 5010, 'codex')])).toBeUndefined();
  expect(writeOf(call('a.ts', 5000), [write(1, 'a.ts', 7000)])).toBeUndefined();
});
