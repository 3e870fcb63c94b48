/** Terminals whose program waits for somebody to type, as far as the hub tells. */

import { computed } from '@preact/signals';
import { agents } from '../state/hub';

export type Asked = 'a password' | 'input';

export const asking = computed<ReadonlyMap<string, Asked>>(() => {
  const waiting = agents.value.filter((agent) => agent.state === 'waits_for_input' && agent.terminal !== undefined);
  return new Map(waiting.map((agent) => [agent.terminal!, agent.reason.includes('password') ? 'a password' : 'input']));
});
