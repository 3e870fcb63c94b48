/** What a person does with panes and tabs; each ends in the command that an agent would call. */

import { signal } from '@preact/signals';
import { want } from '../editors/wanted';
import { HubError } from '../hub/connection';
import { call } from '../hub/link';
import { findTab, focus, focusTab, panes, tabShowing, workbench } from '../state/workbench';
import { complain, toast } from '../ui/toasts';
import { visible } from '../ui/visible';
import type { Side } from './geometry';
import { shownTab } from './shown';
import { openViews } from './view';

/** How long the state may take to follow the answer of a call. */
const STATE_TIMEOUT_MS = 10_000;

/** The pane that fills the dock in this browser, if any. */
export const maximised = signal<string | null>(null);

/** A pane that fills the dock gives way when a tab of another one is to be seen. */
export function makeRoom(tab: string): void {
  if (findTab(tab)?.pane.id !== maximised.peek()) maximised.value = null;
}

/** Brings a tab to the front, and gives it the keyboard. */
export function showTab(tab: string): void {
  makeRoom(tab);
  focusTab(tab);
  requestAnimationFrame(() => openViews.focus(tab));
}

export async function openFile(path: string, line?: number): Promise<void> {
  want(path, line);
  try {
    await call('openspace.editor.open', { path, ...(line === undefined ? {} : { line }) });
    await whenShown(path);
  } catch (error) {
    complain(error, `${visible(path)} was not opened`);
  }
}

export async function openTerminal(id: string): Promise<void> {
  try {
    if (!tabShowing(id)) await call('openspace.pane.open', { type: 'terminal', contentId: id });
    await whenShown(id);
  } catch (error) {
    complain(error, `${id} was not opened`);
  }
}

export async function newTerminal(): Promise<void> {
  try {
    const { terminalId } = await call('openspace.terminal.create', {});
    await openTerminal(terminalId);
  } catch (error) {
    complain(error, 'no terminal was opened');
  }
}

async function whenShown(contentId: string): Promise<void> {
  await holds(() => tabShowing(contentId) !== null);
  const found = tabShowing(contentId);
  if (found) showTab(found.tab.id);
}

/**
 * Waits until something is true of the state, which comes by another stream than the answer of a call. `false`: it was not in
 * time, and is not waited for any longer.
 */
async function holds(condition: () => boolean): Promise<boolean> {
  if (condition()) return true;
  return new Promise((resolve) => {
    const end = (held: boolean) => {
      clearTimeout(timer);
      // Also when it is true at once, before there is something to stop.
      queueMicrotask(() => stop());
      resolve(held);
    };
    const timer = setTimeout(() => end(false), STATE_TIMEOUT_MS);
    const stop = workbench.subscribe(() => condition() && end(true));
  });
}

export async function closeTab(tab: string, discard = false): Promise<void> {
  const found = findTab(tab);
  try {
    await call('flightdeck.workbench.close_tab', { tabId: tab, ...(discard ? { discard } : {}) });
    const isGone = await holds(() => findTab(tab) === null);
    // The keyboard goes to what stands there now. A tab that somebody else closes takes nobody's keyboard elsewhere.
    if (isGone && found && focus.peek() === tab) focusHeir(found.pane.id);
  } catch (error) {
    // It was pressed twice, or somebody else was faster: it is closed, as was wanted.
    if (error instanceof HubError && error.code === 'pane_not_found') return;
    if (error instanceof HubError && error.code === 'unsaved_changes' && found) {
      toast('warning', `${found.tab.title} has unsaved changes`, {
        action: { label: 'Discard them', run: () => void closeTab(tab, true) },
      });
    } else complain(error, 'the tab was not closed');
  }
}

/** The tab that is shown in a pane gets the keyboard; without the pane that of another one, and without any the room for them. */
function focusHeir(pane: string): void {
  const heir = panes.peek().get(pane) ?? panes.peek().get(workbench.peek().activePane ?? '') ?? workbench.peek().panes[0];
  if (heir) return showTab(shownTab(heir));
  focus.value = null;
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main')?.focus());
}

/** What a side of a pane is to the hub. */
const BESIDE: Record<Side, { splitDirection: 'vertical' | 'horizontal'; before: boolean }> = {
  left: { splitDirection: 'vertical', before: true },
  right: { splitDirection: 'vertical', before: false },
  above: { splitDirection: 'horizontal', before: true },
  below: { splitDirection: 'horizontal', before: false },
};

export async function moveTab(tab: string, pane: string, to: { side: Side } | { side: 'into'; index?: number }): Promise<void> {
  try {
    await call('flightdeck.workbench.move_tab', {
      tabId: tab,
      paneId: pane,
      ...(to.side !== 'into' ? BESIDE[to.side] : to.index === undefined ? {} : { index: to.index }),
    });
    showTab(tab);
  } catch (error) {
    complain(error, 'the tab was not moved');
  }
}

/** The tab that has the keyboard goes into a pane of its own. */
export function splitOff(side: Side): void {
  const here = focus.value === null ? null : findTab(focus.value);
  if (here) void moveTab(here.tab.id, here.pane.id, { side });
}

/** Whether that would change anything. */
export function canSplitOff(): boolean {
  return focus.value !== null && (findTab(focus.value)?.pane.tabs.length ?? 0) > 1;
}

/** A new terminal in a pane of its own. */
export async function newTerminalBeside(side: 'right' | 'below'): Promise<void> {
  try {
    const { id } = await call('flightdeck.terminal.new', {});
    const { splitDirection } = BESIDE[side];
    await call('openspace.pane.open', { type: 'terminal', contentId: id, splitDirection });
    await whenShown(id);
  } catch (error) {
    complain(error, 'no terminal was opened');
  }
}

/** The next or the previous pane gets the keyboard. */
export function cyclePanes(step: 1 | -1): void {
  const order = [...panes.value.values()].sort((a, b) => a.geometry.y - b.geometry.y || a.geometry.x - b.geometry.x);
  if (order.length === 0) return;
  const here = order.findIndex((pane) => pane.tabs.some((tab) => tab.id === focus.value));
  const next = order[(here + step + order.length) % order.length]!;
  showTab(shownTab(next));
}
