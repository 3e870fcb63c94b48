/** Which terminal is replayed, and the action that begins it. */

import { signal } from '@preact/signals';
import { register } from '../palette/actions';
import { findTab, focus } from '../state/workbench';

export const replayed = signal<string | null>(null);

/** The terminal that has the keyboard. */
function terminalInFront(): string | null {
  const tab = focus.value === null ? null : findTab(focus.value)?.tab;
  return tab?.type === 'terminal' ? tab.contentId : null;
}

register({
  id: 'terminal.replay',
  title: 'Terminal: Replay',
  when: () => terminalInFront() !== null,
  run: () => (replayed.value = terminalInFront()),
});
