/** What was decided about a call and how it ended, in a word each; nothing where it simply went well. */

import type { AuditCall } from '../commands';
import { terminals } from '../state/hub';
import { runningOf } from './words';

export interface Chip {
  text: string;
  tone: 'ok' | 'warn' | 'danger' | 'dim';
}

export function decisionChip(call: AuditCall): Chip | null {
  switch (call.decision) {
    case 'approved':
      return call.run?.edited === undefined ? { text: 'you allowed', tone: 'ok' } : { text: 'you changed it', tone: 'warn' };
    case 'declined':
      return { text: 'denied', tone: 'danger' };
    case 'blocked':
      return { text: 'blocked', tone: 'danger' };
    case 'needs_approval':
      return { text: 'asked', tone: 'warn' };
    case 'expired':
      return { text: 'lapsed', tone: 'warn' };
    case 'dismissed':
      return { text: 'put away', tone: 'warn' };
    case 'allowed_with_warning':
      return { text: 'by a rule, dangerous', tone: 'warn' };
    default:
      return null;
  }
}

export function resultChip(call: AuditCall): Chip | null {
  switch (call.result) {
    case 'ok':
      return exitChip(call);
    case 'running':
      return { text: 'running', tone: 'dim' };
    default:
      // A code that says no more than the decision does is not said twice.
      return call.result === call.decision ? null : { text: call.result.replaceAll('_', ' '), tone: 'danger' };
  }
}

/** How the command itself ended: the call did what it should, whatever came of that. */
function exitChip(call: AuditCall): Chip | null {
  const { run } = call;
  if (run?.running) return goesOn(call) ? { text: 'kept running', tone: 'dim' } : null;
  return run?.exitCode ? { text: `exit ${run.exitCode}`, tone: 'danger' } : null;
}

/** What was told to go on may have ended since. A terminal that is not known tells nothing. */
function goesOn(call: AuditCall): boolean {
  const terminal = terminals.value.get(call.terminal ?? '');
  if (terminal === undefined) return true;
  const { runningCommand: now } = terminal;
  return terminal.running && !terminal.atPrompt && (now === undefined || runningOf(call).startsWith(now.trim()));
}
