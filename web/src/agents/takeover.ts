/** Taking the controls of what an agent holds. The agent is told when it tries to type again. */

import type { TerminalState } from '../commands';
import { call } from '../hub/link';
import { complain, toast } from '../ui/toasts';

export async function takeOver(terminals: readonly TerminalState[]): Promise<void> {
  try {
    await Promise.all(terminals.map(({ id }) => call('flightdeck.terminal.lease', { id, action: 'take' })));
    toast('success', `You hold ${terminals.map(({ id }) => id).join(', ')}`);
  } catch (error) {
    complain(error);
  }
}
