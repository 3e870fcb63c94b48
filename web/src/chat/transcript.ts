/**
 * What this page knows of one conversation: the newest entries without gaps, and how it stands. Nothing here changes in
 * place, so that what has not changed is not drawn again.
 */

import type { Chat, ChatEvent, Entry } from '../commands';

export interface Transcript {
  /** Nothing before the first snapshot. */
  chat: Chat | null;
  /** Oldest first, by their numbers without gaps. */
  entries: readonly Entry[];
  /** There are earlier ones at the hub. */
  earlier: boolean;
  /** It was removed. */
  removed: boolean;
}

export const EMPTY: Transcript = { chat: null, entries: [], earlier: false, removed: false };

export function applied(before: Transcript, event: ChatEvent): Transcript {
  switch (event.type) {
    case 'snapshot':
      return { chat: event.chat, removed: false, ...joined(before.entries, event.entries, event.earlier, before.earlier) };
    case 'chat':
      return { ...before, chat: event.chat };
    case 'entry':
      return { ...before, entries: put(before.entries, event.entry) };
    case 'text': {
      const at = placeOf(before.entries, event.number);
      const entry = before.entries[at];
      return entry ? { ...before, entries: before.entries.with(at, grown(entry, event.text)) } : before;
    }
    case 'removed':
      return { ...before, removed: true };
  }
}

/** Entries that a person has scrolled back to stay when the newest are told anew, if nothing is missing between. */
function joined(old: readonly Entry[], fresh: readonly Entry[], earlier: boolean, oldEarlier: boolean): Pick<Transcript, 'entries' | 'earlier'> {
  const first = fresh[0]?.number;
  const last = old.at(-1)?.number;
  if (first === undefined || last === undefined || last < first - 1 || old[0]!.number >= first) return { entries: fresh, earlier };
  return { entries: [...old.slice(0, placeOf(old, first)), ...fresh], earlier: oldEarlier };
}

/** A page of earlier entries, or of ones that may have changed meanwhile. */
export function withPage(before: Transcript, page: readonly Entry[], earlier: boolean): Transcript {
  const first = before.entries[0]?.number;
  const from = page[0]?.number;
  if (first === undefined || from === undefined) return { ...before, earlier };
  // It has to reach what is here.
  if (page.at(-1)!.number < first - 1) return before;
  const told = new Map(page.map((entry) => [entry.number, entry]));
  const older = page.filter((entry) => entry.number < first);
  const entries = [...older, ...before.entries.map((entry) => told.get(entry.number) ?? entry)];
  return { ...before, entries, earlier: from < first ? earlier : before.earlier };
}

/** Without the oldest ones, when there are more than are worth keeping. They can be read again. */
export function trimmed(before: Transcript, most: number, keep: number): Transcript {
  return before.entries.length <= most ? before : { ...before, entries: before.entries.slice(-keep), earlier: true };
}

function placeOf(entries: readonly Entry[], number: number): number {
  return number - (entries[0]?.number ?? number + 1);
}

function put(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  if (entries.length === 0) return [entry];
  const at = placeOf(entries, entry.number);
  // What is older than all that is here is read when somebody scrolls there.
  if (at < 0 || at > entries.length) return entries;
  return at === entries.length ? [...entries, entry] : entries.with(at, entry);
}

/** Text comes to the end of what is said or thought, or of the last output of a tool call. */
function grown(entry: Entry, more: string): Entry {
  switch (entry.kind) {
    case 'agent':
    case 'thought':
      return { ...entry, text: entry.text + more };
    case 'user': {
      const last = entry.blocks.at(-1);
      if (last?.type !== 'text') return entry;
      return { ...entry, blocks: entry.blocks.with(-1, { ...last, text: last.text + more }) };
    }
    case 'tool': {
      const last = entry.content?.at(-1);
      if (last?.type !== 'output') return entry;
      return { ...entry, content: entry.content!.with(-1, { ...last, text: last.text + more }) };
    }
    default:
      return entry;
  }
}
