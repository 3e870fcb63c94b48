/** Whether agents may control the workbench. It is asked once, and can be changed at any time. */

import { signal } from '@preact/signals';
import type { Consent } from '../commands';
import { call, standing } from '../hub/link';
import { agents, recentCalls } from '../state/hub';
import { complain } from '../ui/toasts';

export const consent = signal<Consent | null>(null);
/** Whether the dialog is open. */
export const consentOpen = signal(false);

let asked = false;

/** Begins to watch how it stands, and asks when the first agent is there. */
export function watchConsent(mayInterrupt: () => boolean): void {
  standing.subscribe((now) => {
    if (now.is === 'live') void learn();
  });
  // Another front end may answer it; the audit log tells.
  let last = -1;
  recentCalls.subscribe((calls) => {
    const answered = calls.some((one) => one.seq > last && one.command === 'flightdeck.consent.set');
    last = calls.at(-1)?.seq ?? last;
    if (answered) void learn();
  });
  const askOnce = () => {
    const here = agents.value.some((agent) => agent.state !== 'gone');
    if (asked || !consent.value?.ask || !here) return;
    asked = true;
    if (mayInterrupt()) consentOpen.value = true;
  };
  consent.subscribe(askOnce);
  agents.subscribe(askOnce);
}

async function learn(): Promise<void> {
  try {
    const asking = consent.peek()?.ask ?? false;
    consent.value = await call('flightdeck.consent.show', {});
    // Somebody else has answered what this page was asking.
    if (asking && !consent.value.ask) consentOpen.value = false;
  } catch {
    // It is learnt with the next connection.
  }
}

export async function setConsent(allow: boolean, remember: boolean): Promise<void> {
  const shown = consent.value;
  if (!shown) return;
  try {
    consent.value = await call('flightdeck.consent.set', { allow, remember, version: shown.version });
    consentOpen.value = false;
  } catch (error) {
    complain(error);
    void learn();
  }
}
