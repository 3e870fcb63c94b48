import { effect } from '@preact/signals';
import { expect, test } from 'vitest';
import type { HubChange, TerminalState } from '../commands';
import { terminals, terminalsChanged } from './hub';

const terminal = (id: string, title = '') => ({ id, title, running: true }) as TerminalState;

test('changes that come together are told once, as their outcome', () => {
  let told = 0;
  const stop = effect(() => {
    void terminals.value;
    told += 1;
  });
  const created = Array.from({ length: 200 }, (_, at): HubChange => ({ type: 'terminal_created', terminal: terminal(`t${at}`) }));
  terminalsChanged([...created, { type: 'terminal_changed', terminal: terminal('t7', 'seven'), aspects: ['title'] }, { type: 'terminal_gone', id: 't8' }]);
  expect(told).toBe(2);
  expect(terminals.value.size).toBe(199);
  expect(terminals.value.get('t7')?.title).toBe('seven');
  terminalsChanged([{ type: 'approvals', approvals: [] }]);
  expect(told, 'what is about something else changes nothing here').toBe(2);
  stop();
});
