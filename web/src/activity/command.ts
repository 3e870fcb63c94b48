/** Goes from a call of the log to the command that it ran, among those of its terminal. */

import type { AuditCall, CommandRecord } from '../commands';
import { call } from '../hub/link';
import { openTerminal } from '../layout/actions';
import { complain } from '../ui/toasts';

/** The record of a command: the same text, and begun at the time of the call or soon after. */
export function recordOf(records: readonly CommandRecord[], text: string, atMs: number): CommandRecord | undefined {
  const same = records.filter((record) => record.text?.trim() === text.trim() && record.startedAt !== undefined);
  const distance = (record: CommandRecord) => Math.abs(record.startedAt! * 1000 - atMs);
  return same.reduce<CommandRecord | undefined>((best, one) => (best && distance(best) <= distance(one) ? best : one), undefined);
}

export async function showCommand({ terminal, atMs }: AuditCall, text: string): Promise<void> {
  if (terminal === undefined) return;
  try {
    await openTerminal(terminal);
    const { commands } = await call('flightdeck.terminal.history', { id: terminal, limit: 1000 });
    const record = recordOf(commands, text, atMs);
    const { openPanes } = await import('../terminals/open');
    if (record) openPanes.of(terminal)?.showCommand(record.number);
  } catch (error) {
    complain(error);
  }
}
