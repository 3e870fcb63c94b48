/**
 * What agents have written into a file while it was open here, to be looked at and taken back. The hub keeps the writes by
 * number; the text before is the one that this page has seen.
 */

import type { Text } from '@codemirror/state';
import { computed, signal } from '@preact/signals';
import type { AppliedEdit, Write } from '../commands';
import { call } from '../hub/link';
import { documents } from '../state/workbench';
import { actorOf } from '../ui/actor';
import { complain, toast } from '../ui/toasts';

export interface AgentWrite {
  undoId: number;
  agent: string;
  atMs: number;
  /** The version of the file that it made: only while that is on disk it can be taken back. */
  made: string | undefined;
  /** The text before and after; nothing where the hub has not kept both, or it was no text. */
  seen: { before: string; after: string; size: Size | null } | null;
}

export interface Size {
  added: number;
  removed: number;
}

/** How many lines an edit writes and removes. A line that is changed is one of each. */
export function sizeOf(edit: Pick<AppliedEdit, 'changes'>, before: string): Size {
  const lines = (text: string) => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length);
  let [added, removed] = [0, 0];
  for (const { from, to, insert } of edit.changes) {
    added += lines(insert);
    removed += lines(before.slice(from, to));
  }
  return { added, removed };
}

export function inWords(size: Size | null | undefined): string {
  if (!size) return 'wrote this file';
  const { added, removed } = size;
  const lines = (count: number) => (count === 1 ? '1 line' : `${count} lines`);
  return added > 0 ? `wrote ${lines(added)}` : `removed ${lines(removed)}`;
}

/** A write that was made before the file was opened here is worth a word for so long. */
const RECENT_MS = 10 * 60_000;
/** As many writes of a file are looked through. */
const MOST = 200;

export class AgentWrites {
  private readonly all = signal<readonly AgentWrite[]>([]);
  private readonly dismissed = signal<ReadonlySet<number>>(new Set());

  /** The newest that the file still is as it left it: what can be taken back. */
  readonly newest = computed(() => {
    const disk = documents.value.get(this.path)?.diskVersion;
    const left = this.all.value.filter((write) => write.made === disk && !this.dismissed.value.has(write.undoId));
    return left.at(-1) ?? null;
  });

  constructor(private readonly path: string) {}

  /** Looks whether an agent has written the file just before it was opened. */
  async lookBack(): Promise<void> {
    const [last] = await this.writes(1);
    if (last && isAgents(last) && Date.now() - last.writtenAtMs < RECENT_MS) this.add(last, await this.texts(last.undoId));
  }

  /** One of its writes, however old. */
  async find(undoId: number): Promise<AgentWrite | null> {
    const known = this.all.value.find((write) => write.undoId === undoId);
    if (known) return known;
    const found = (await this.writes(MOST)).find((write) => write.undoId === undoId);
    return found ? asWrite(found, await this.texts(undoId)) : null;
  }

  /** An edit of somebody else: a write, when it is an agent's. */
  async noticed(edit: AppliedEdit, before: Text, after: Text): Promise<void> {
    if (edit.by === 'disk' || edit.client !== undefined || actorOf(edit.by).kind !== 'agent') return;
    const known = new Set(this.all.value.map((write) => write.undoId));
    const found = (await this.writes(5)).find((write) => isAgents(write) && write.actor === edit.by && !known.has(write.undoId));
    if (!found) return;
    const text = before.toString();
    this.add(found, { before: text, after: after.toString(), size: sizeOf(edit, text) });
  }

  dismiss(write: AgentWrite): void {
    this.dismissed.value = new Set(this.dismissed.value).add(write.undoId);
  }

  /** Takes it back, and offers the way back. */
  async undo(write: AgentWrite): Promise<void> {
    try {
      const { undoId } = await call('openspace.file.undo', { undoId: write.undoId });
      const redo = () => {
        if (undoId !== undefined) call('openspace.file.undo', { undoId }).catch(complain);
      };
      toast('success', `Took back what ${write.agent} wrote`, { action: { label: 'Redo', run: redo } });
    } catch (error) {
      complain(error);
    }
  }

  private async writes(limit: number): Promise<Write[]> {
    const { writes } = await call('flightdeck.file.writes', { path: this.path, limit }).catch(() => ({ writes: [] }));
    return writes;
  }

  private async texts(undoId: number): Promise<AgentWrite['seen']> {
    const { before, after } = await call('flightdeck.file.write_texts', { undoId }).catch(() => ({ before: undefined, after: undefined }));
    return before === undefined || after === undefined ? null : { before, after, size: null };
  }

  private add(write: Write, seen: AgentWrite['seen']): void {
    this.all.value = [...this.all.value.filter((one) => one.undoId !== write.undoId), asWrite(write, seen)];
  }
}

function asWrite({ undoId, actor, writtenAtMs, after }: Write, seen: AgentWrite['seen']): AgentWrite {
  return { undoId, agent: actorOf(actor).name, atMs: writtenAtMs, made: after, seen };
}

function isAgents(write: Write): boolean {
  return !write.undo && actorOf(write.actor).kind === 'agent';
}
