import { expect, test } from 'vitest';
import type { PaneInfo, TabInfo } from '../commands';
import { focus, following, workbench } from '../state/workbench';
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

test('a file stays when somebody turns away from it, whatever agents open', () => {
  const by = (pane: PaneInfo, who: string) => ({ ...pane, tabs: pane.tabs.map((tab) => ({ ...tab, createdBy: who })) });
  const terminals = pane('p2', 'terminal', ['t1']);
  put(by(pane('p1', 'editor', ['a', 'b', 'c']), 'claude#1'), terminals);
  focus.value = 'a';
  expect(shown()).toEqual(['a', 't1']);
  focus.value = 't1';
  expect(shown()).toEqual(['a', 't1']);
  // A new file, and one that was there.
  put(by(pane('p1', 'editor', ['a', 'b', 'c', 'd']), 'claude#1'), terminals);
  expect(shown()).toEqual(['a', 't1']);
  put(by(pane('p1', 'editor', ['a', 'b', 'c', 'd'], 'b'), 'claude#1'), terminals);
  expect(shown()).toEqual(['a', 't1']);
  // Who follows agents sees it.
  following.value = { who: 'agents' };
  expect(shown()).toEqual(['b', 't1']);
  following.value = { who: 'nobody' };
  expect(shown()).toEqual(['a', 't1']);
  // What the person opens elsewhere is opened to be seen.
  put(by(pane('p1', 'editor', ['a', 'b', 'c', 'd', 'e']), 'cli:0'), terminals);
  expect(shown()).toEqual(['e', 't1']);
});
