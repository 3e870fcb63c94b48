/** The rules in force, as the hub has them. */

import { signal } from '@preact/signals';
import type { PolicyShown, RuleShown } from '../commands';
import { call } from '../hub/link';
import { recentCalls } from '../state/hub';
import { complain } from '../ui/toasts';

export const policy = signal<PolicyShown | null>(null);
export type Form = { is: 'add' } | { is: 'test' } | { is: 'change' | 'remove'; rule: RuleShown };

/** Which form is open. */
export const form = signal<Form | null>(null);
/** What a form begins with, when it was opened from another one. */
export const draft = signal('');

export async function learnPolicy(): Promise<void> {
  try {
    policy.value = await call('flightdeck.policy.show', {});
  } catch (error) {
    complain(error);
  }
}

/** A rule that anybody adds, by "always" too, shows at once. */
export function watchPolicy(): () => void {
  let last = recentCalls.peek().at(-1)?.seq ?? -1;
  return recentCalls.subscribe((calls) => {
    const changed = calls.some(
      (one) => one.seq > last && (one.command.startsWith('flightdeck.policy.') || one.command === 'flightdeck.approval.answer') && !one.command.endsWith('.show') && !one.command.endsWith('.test') && !one.command.endsWith('.rehearse'),
    );
    last = Math.max(last, calls.at(-1)?.seq ?? -1);
    if (changed) void learnPolicy();
  });
}
