/** Tells of what needs a person outside of the page: in its title, its icon and, if they want, by notifications. */

import { effect } from '@preact/signals';
import { registerPolicy } from '../policy/actions';
import { known, workspaceName } from '../state/hub';
import { registerAttention } from './actions';
import { watchAnswers } from './answers';
import { inDialog, mayInterrupt, watchArrivals } from './arrivals';
import { watchConsent } from './consent';
import { watchFailures } from './failures';
import { favicon } from './favicon';
import { uncover } from './go';
import { needs, watchAgents } from './needs';
import { tell } from './notify';
import { watchTyping } from './typing';

export function watchAttention(): void {
  uncover();
  watchTyping();
  watchAgents();
  watchArrivals();
  watchAnswers();
  watchConsent(() => mayInterrupt() && inDialog.peek() === null);
  watchFailures();
  registerAttention();
  registerPolicy();
  effect(() => {
    const count = needs.value.length;
    const name = workspaceName.value ? `${workspaceName.value} · Flightdeck` : 'Flightdeck';
    document.title = count > 0 ? `(${count}) ${name}` : name;
    const icon = document.querySelector<HTMLLinkElement>('#favicon');
    const href = favicon(count);
    if (icon && icon.getAttribute('href') !== href) icon.href = href;
  });
  let told: ReadonlySet<string> | null = null;
  effect(() => {
    const all = needs.value;
    if (!known.value) return;
    // What waited before the page was opened is on the screen, and needs no notification.
    const fresh = told === null ? [] : all.filter((need) => !told!.has(need.key));
    told = new Set(all.map((need) => need.key));
    tell(all, fresh);
  });
}
