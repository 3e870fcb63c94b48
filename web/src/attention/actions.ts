/** What a person can do about what needs them, from the palette and the keyboard. */

import { register } from '../palette/actions';
import { approvals } from '../state/hub';
import { answer } from './answers';
import { bringForward } from './arrivals';
import { consent, consentOpen } from './consent';
import { showWarnings, warnings } from './failures';
import { go } from './go';
import { dismissible, dismissNeed, needs } from './needs';
import { askToNotify, permission } from './notify';
import { showPairingCode } from './PairingDialog';

export function registerAttention(): void {
  const waiting = () => approvals.value.length > 0;
  register(
    { id: 'attention.go', title: 'Go to what needs you', shortcut: 'Ctrl+Shift+U', run: () => go() },
    {
      id: 'attention.dismiss',
      title: 'Needs you: Put away what only tells',
      when: () => needs.value.some(dismissible),
      run: () => needs.value.filter(dismissible).forEach((need) => dismissNeed(need.key)),
    },
    { id: 'attention.notify', title: 'Needs you: Notify me', when: () => permission.value === 'default', run: askToNotify },
    {
      id: 'attention.warnings',
      title: 'Needs you: Tell of agents’ warnings too, or no longer',
      run: () => showWarnings(!warnings.value),
    },
    {
      id: 'attention.consent',
      title: 'Agents: Whether they may control the workbench',
      when: () => consent.value !== null,
      run: () => (consentOpen.value = true),
    },
    {
      id: 'attention.pair',
      title: 'Approval: Pair a program',
      also: 'code, trust, front end, window that is not recognised',
      run: showPairingCode,
    },
    {
      id: 'approval.show',
      title: 'Approval: Look at the oldest',
      when: waiting,
      run: () => approvals.value[0] && bringForward(approvals.value[0].id),
    },
    {
      id: 'approval.deny',
      title: 'Approval: Deny the oldest',
      when: waiting,
      run: () => approvals.value[0] && answer({ id: approvals.value[0].id, choice: 'decline' }),
    },
  );
}
