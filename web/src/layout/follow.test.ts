import { expect, test } from 'vitest';
import type { PaneInfo, TerminalState } from '../commands';
import { known, terminals } from '../state/hub';
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
