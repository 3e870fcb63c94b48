/** A terminal as a tab shows it. */

import { h, render } from 'preact';
import type { View } from '../layout/view';
import { registerTerminalActions } from './actions';
import { Frame } from './Frame';
import { openPanes } from './open';
import { Pane } from './pane';
import './terminal.css';

export async function openTerminal(host: HTMLElement, id: string): Promise<View> {
  registerTerminalActions();
  const pane = new Pane(id);
  openPanes.add(pane);
  render(h(Frame, { pane }), host);
  return {
    focus: () => pane.focus(),
    shown: (visible) => pane.shown(visible),
    dispose: () => {
      openPanes.remove(pane);
      pane.dispose();
      render(null, host);
    },
  };
}
