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

async function find(one: AuditCall): Promise<Write | null> {
  const { writes } = await call('flightdeck.file.writes', { limit: 2000 });
  const write = writeOf(one, writes);
  if (!write) toast('warning', 'This write is not kept any more', { hint: 'too much was written since' });
  return write ?? null;
}

/** Opens the file with what the write changed in it. */
export async function review(one: AuditCall): Promise<void> {
  try {
    const write = await find(one);
    if (!write) return;
    await openFile(write.path);
    const { reviewWrite } = await import('../editors/actions');
    // The editor is loaded by now, but may still be asking for its text.
    for (let tries = 0; tries < 40; tries++) {
      if (await reviewWrite(write.path, write.undoId)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    toast('warning', 'What this write changed is not kept any more');
  } catch (error) {
    complain(error);
  }
}

export async function undo(one: AuditCall): Promise<void> {
  try {
    const write = await find(one);
    if (!write) return;
    const undone = await call('openspace.file.undo', { undoId: write.undoId });
    toast('success', `The write to ${undone.path} was taken back`, { action: { label: 'Open', run: () => void openFile(undone.path) } });
  } catch (error) {
    complain(error);
  }
}
