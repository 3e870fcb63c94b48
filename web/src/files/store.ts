/** The folders that are open in the tree, as they are on disk now. */

import { effect, signal } from '@preact/signals';
import type { FileInfo } from '../commands';
import { HubError } from '../hub/connection';
import { call, last, type Lasting, standing } from '../hub/link';
import { above, type Folders } from './rows';

/** More of one folder nobody reads in a tree. */
const MOST = 2000;

export const folders = signal<Folders>(new Map());
/** Folders that have more entries than are shown, and those that could not be listed, with the reason. */
export const incomplete = signal<ReadonlyMap<string, string>>(new Map());
export const openFolders = signal<ReadonlySet<string>>(new Set());
/** The row that the keyboard is at. */
export const selected = signal<string | null>(null);

export function toggle(folder: string, open = !openFolders.value.has(folder)): void {
  const now = new Set(openFolders.value);
  if (open) now.add(folder);
  else now.delete(folder);
  openFolders.value = now;
}

/** Opens all folders that lead to a file, and goes to it. */
export function reveal(path: string): void {
  openFolders.value = new Set([...openFolders.value, ...above(path)]);
  selected.value = path;
}

export async function refresh(folder: string): Promise<void> {
  try {
    const list = await call('openspace.file.list', { ...(folder === '' ? {} : { path: folder }), maxEntries: MOST });
    put(folder, list.files, list.truncated ? `Only the first ${MOST} are shown` : null);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    if (error.code === 'connection_lost') return;
    // A folder that is gone is told by the one above it.
    put(folder, [], error.message);
  }
}

export function refreshAll(): void {
  for (const folder of watched()) void refresh(folder);
}

function put(folder: string, files: readonly FileInfo[], problem: string | null): void {
  folders.value = new Map(folders.value).set(folder, files);
  const problems = new Map(incomplete.value);
  if (problem === null) problems.delete(folder);
  else problems.set(folder, problem);
  incomplete.value = problems;
}

function watched(): string[] {
  return ['', ...openFolders.value];
}

/** Begins to follow the open folders; ends with the function that it gives. */
export function watchFolders(): () => void {
  let stream: Lasting | null = null;
  let begun = false;
  const begin = () =>
    last(
      'flightdeck.hub.watch',
      () => {
        begun = false;
        return { folders: watched() };
      },
      (event) => {
        // What came between a listing and the beginning of the watch is in the next listing.
        if (!begun) refreshAll();
        begun = true;
        if (event.type === 'folders') event.changed.forEach((folder) => void refresh(folder));
      },
    );
  const stopFolders = effect(() => {
    for (const folder of watched()) if (!folders.peek().has(folder)) void refresh(folder);
    if (stream) stream.restart();
    else stream = begin();
  });
  const stopStanding = standing.subscribe((now) => {
    if (now.is === 'live') refreshAll();
  });
  return () => {
    stopFolders();
    stopStanding();
    stream?.stop();
  };
}
