import { expect, test } from 'vitest';
import type { TerminalState } from '../commands';
import { found } from './TerminalPicker';

const terminal = (id: string, title: string) => ({ id, title, createdBy: 'claude#1', running: true }) as TerminalState;

test('a whole id is that terminal, whatever else fits', () => {
  const all = [terminal('t21', 'bash'), terminal('t12', 't1 t1 t1'), terminal('t1', 'a very long title that nothing else has'), terminal('t10', 'x')];
  expect(found('t1', all)[0]?.id).toBe('t1');
  expect(found(' T10 ', all)[0]?.id).toBe('t10');
  expect(found('t1', all)).toHaveLength(4);
  expect(found('', all)).toHaveLength(4);
});
