/** Who holds the controls of a terminal: one at a time, and a person can always take them. */

import { computed } from '@preact/signals';
import type { Holder } from '../commands';
import { call } from '../hub/link';
import { terminals } from '../state/hub';
import { viewer, workbench } from '../state/workbench';
import { complain } from '../ui/toasts';

/** The name of the person at this page: `web:2`. */
export const me = computed(() => workbench.value.viewers.find((one) => one.id === viewer.value)?.name);

export type Control = { is: 'free' } | { is: 'mine'; holder: Holder } | { is: 'theirs'; holder: Holder };

export function controlOf(id: string): Control {
  const holder = terminals.value.get(id)?.lease;
  if (!holder) return { is: 'free' };
  return { is: holder.human && holder.actor === me.value ? 'mine' : 'theirs', holder };
}

export async function takeOver(id: string): Promise<void> {
  await call('flightdeck.terminal.lease', { id, action: 'take' }).catch((error: unknown) => complain(error, `${id} was not taken over`));
}

export async function handBack(id: string): Promise<void> {
  await call('flightdeck.terminal.lease', { id, action: 'release' }).catch((error: unknown) => complain(error, `${id} was not handed back`));
}
