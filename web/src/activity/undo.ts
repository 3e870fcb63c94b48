/** Taking back a write that the log tells of. The log has the call, the hub's list of writes has what can be taken back. */

import type { AuditCall, Write } from '../commands';
import { call } from '../hub/link';
import { openFile } from '../layout/actions';
import { actorOf } from '../ui/actor';
import { complain, toast } from '../ui/toasts';
import { argsOf } from './words';

export function isWrite(one: AuditCall): boolean {
  return one.command === 'openspace.file.write' && one.result === 'ok';
}

/** Clocks are read at other moments for the call and for the write. */
const SLACK_MS = 50;

/** The write of a call: the same file, the same actor, and within the time that the call took. */
export function writeOf(one: AuditCall, writes: readonly Write[]): Write | undefined {
  const path = argsOf(one)['path'];
  const until = one.atMs + (one.durationMs ?? 0) + SLACK_MS;
  const name = (actor: string) => actorOf(actor).name;
  return writes.find(
    (write) =>
      typeof path === 'string' &&
      (write.path === path || path.endsWith(`/${write.path}`)) &&
      name(write.actor) === name(one.actor) &&
      write.writtenAtMs >= one.atMs - SLACK_MS &&
      write.writtenAtMs <= until,
  );
}

export async function undo(one: AuditCall): Promise<void> {
  try {
    const { writes } = await call('flightdeck.file.writes', { limit: 200 });
    const write = writeOf(one, writes);
    if (!write) {
      toast('warning', 'This write can’t be taken back any more', { hint: 'too much was written since, or it was taken back already' });
      return;
    }
    const undone = await call('openspace.file.undo', { undoId: write.undoId });
    toast('success', `The write to ${undone.path} was taken back`, { action: { label: 'Open', run: () => void openFile(undone.path) } });
  } catch (error) {
    complain(error);
  }
}
