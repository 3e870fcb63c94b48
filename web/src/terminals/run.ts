/** Runs a command in the shell of a terminal, for a person who reads commands and not the screen. */

import { call } from '../hub/link';
import { actorOf } from '../ui/actor';
import { complain } from '../ui/toasts';
import type { Pane } from './pane';

/** Why nothing can be run there now. */
export function whyNot(pane: Pane): string | null {
  const state = pane.state.value;
  const control = pane.control.value;
  if (!state || !state.running) return 'the terminal has ended';
  if (state.kind !== 'shell') return 'no shell runs here';
  if (control.is === 'theirs') return `${actorOf(control.holder.actor).name} holds the controls: take over first`;
  if (!state.atPrompt) return 'another command is running';
  return null;
}

/** It is not waited for: its block shows how it goes, and the command must not end with this page. */
export function run(id: string, command: string): void {
  call('flightdeck.terminal.run', { id, command, timeoutMs: 1 }).catch((error: unknown) => complain(error, 'nothing was run'));
}
