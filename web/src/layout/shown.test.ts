import { expect, test } from 'vitest';
import type { PaneInfo, TabInfo } from '../commands';
import { focus, workbench } from '../state/workbench';
import { shownTab } from './shown';

const pane = (id: string, type: TabInfo['type'], tabs: string[], activeTab = tabs.at(-1)!) =>
  ({ id, activeTab, tabs: tabs.map((tab) => ({ id: tab, type, contentId: tab })) }) as unknown as PaneInfo;
/** What the hub has: files above, terminals below. */
function put(files: PaneInfo, terminals: PaneInfo): void {
  workbench.value = { ...workbench.value, panes: [files, terminals] };
}
const shown = () => workbench.value.panes.map(shownTab);

test('a terminal that somebody chose stays, whatever agents open and wherever the keyboard goes', () => {
  put(pane('p1', 'editor', ['a']), pane('p2', 'terminal', ['t1', 't2']));
  expect(shown()).toEqual(['a', 't2']);
  focus.value = 't1';
  put(pane('p1', 'editor', ['a']), pane('p2', 'terminal', ['t1', 't2', 't3']));
  expect(shown()).toEqual(['a', 't1']);
  focus.value = 'a';
  expect(shown()).toEqual(['a', 't1']);
  put(pane('p1', 'editor', ['a']), pane('p2', 'terminal', ['t1', 't2', 't3', 't4']));
  expect(shown()).toEqual(['a', 't1']);
  // It is closed.
  put(pane('p1', 'editor', ['a']), pane('p2', 'terminal', ['t2', 't3', 't4']));
  expect(shown()).toEqual(['a', 't4']);
});

test('a file stays when somebody turns away from it, until another one is opened', () => {
  put(pane('p1', 'editor', ['a', 'b', 'c']), pane('p2', 'terminal', ['t1']));
  focus.value = 'a';
  expect(shown()).toEqual(['a', 't1']);
  focus.value = 't1';
  expect(shown()).toEqual(['a', 't1']);
  put(pane('p1', 'editor', ['a', 'b', 'c', 'd']), pane('p2', 'terminal', ['t1']));
  expect(shown()).toEqual(['d', 't1']);
});
