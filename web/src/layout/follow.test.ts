import { expect, test } from 'vitest';
import type { AuditCall, PaneInfo, TerminalState } from '../commands';
import { known, recentCalls, terminals } from '../state/hub';
import { focus, following, workbench } from '../state/workbench';
import { maximised } from './actions';
import { watchFollowed } from './follow';

const terminal = (id: string) => ({ id, createdBy: 'claude#1' }) as TerminalState;
const pane = (id: string, tabs: string[]) => ({ id, activeTab: tabs.at(-1), tabs: tabs.map((tab) => ({ id: tab, contentId: tab })) }) as unknown as PaneInfo;
const have = (...ids: string[]) => (terminals.value = new Map(ids.map((id) => [id, terminal(id)])));
const panes = (...all: PaneInfo[]) => (workbench.value = { ...workbench.value, panes: all });

test('an agent’s first terminal comes forward, and those that were there when the page opened do not', () => {
  following.value = { who: 'agents' };
  watchFollowed();
  panes(pane('p1', ['a.txt']), pane('p2', ['t7']));
  focus.value = 'a.txt';
  // As the first snapshot tells it.
  have('t7');
  known.value = true;
  expect(focus.value).toBe('a.txt');
  have();
  maximised.value = 'p1';
  have('t8');
  panes(pane('p1', ['a.txt']), pane('p2', ['t8']));
  expect(focus.value).toBe('t8');
  expect(maximised.value).toBe(null);
});

test('a command that is over at once is followed as well, and one that was refused is not', () => {
  panes(pane('p1', ['t7', 't8', 't9']));
  focus.value = 't7';
  let seq = 0;
  const call = (command: string, terminal: string, more: Partial<AuditCall> = {}) => {
    const one = { seq: (seq += 1), command, terminal, actor: 'claude#1', result: 'ok', tookEffect: true, ...more } as AuditCall;
    recentCalls.value = [...recentCalls.value, one];
  };
  for (const command of ['flightdeck.terminal.run', 'flightdeck.terminal.keys', 'openspace.terminal.send', 'execute_command', 'start_process']) {
    focus.value = 't7';
    call(command, 't8');
    expect(focus.value, command).toBe('t8');
  }
  call('flightdeck.terminal.run', 't9', { result: 'running', tookEffect: false });
  expect(focus.value).toBe('t9');
  call('flightdeck.terminal.run', 't8', { result: 'not_allowed', tookEffect: false });
  call('flightdeck.terminal.read', 't8');
  call('flightdeck.terminal.keys', 't8', { actor: 'web:1' });
  expect(focus.value).toBe('t9');
  // It is told again when it has ended.
  focus.value = 't7';
  recentCalls.value = recentCalls.value.map((one) => ({ ...one, result: one.result === 'running' ? 'ok' : one.result }));
  expect(focus.value).toBe('t7');
  following.value = { who: 'nobody' };
  call('flightdeck.terminal.run', 't8');
  expect(focus.value).toBe('t7');
});
