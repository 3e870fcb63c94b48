/** The terminals that are open in this page. */

import { findTab, focus } from '../state/workbench';
import type { Pane } from './pane';

const panes = new Map<string, Pane>();

export const openPanes = {
  add(pane: Pane): void {
    panes.set(pane.id, pane);
  },
  remove(pane: Pane): void {
    if (panes.get(pane.id) === pane) panes.delete(pane.id);
  },
  of(id: string): Pane | undefined {
    return panes.get(id);
  },
  /** The one that has the keyboard, or had it last. */
  current(): Pane | null {
    const tab = focus.value === null ? null : findTab(focus.value)?.tab;
    return tab?.type === 'terminal' ? (panes.get(tab.contentId) ?? null) : null;
  },
};
