/** The tree as rows, from folders that were listed: what is open, in order, with how deep it is. */

import type { FileInfo } from '../commands';

export interface Row {
  path: string;
  name: string;
  kind: 'folder' | 'file';
  /** From 1 on. */
  level: number;
  /** Folders only. */
  open: boolean;
  /** Its place among those of the same folder, from 1 on, and how many those are. */
  place: number;
  of: number;
  /** A file that most people don't look for, or that nobody may read. */
  dim: boolean;
  sensitive: boolean;
  /** Git leaves it out. */
  ignored: boolean;
}

/** Folders that were listed, by path; the workspace is the empty one. */
export type Folders = ReadonlyMap<string, readonly FileInfo[]>;

export function rowsOf(folders: Folders, open: ReadonlySet<string>): Row[] {
  const rows: Row[] = [];
  const add = (folder: string, level: number, dim: boolean) => {
    const entries = (folders.get(folder) ?? []).filter((entry) => entry.name !== '.git');
    entries.forEach((entry, index) => {
      const isFolder = entry.type === 'directory';
      const row: Row = {
        path: entry.path,
        name: entry.name,
        kind: isFolder ? 'folder' : 'file',
        level,
        open: isFolder && open.has(entry.path),
        place: index + 1,
        of: entries.length,
        dim: dim || entry.ignored === true || entry.name.startsWith('.') || entry.sensitive === true || entry.type === 'other',
        sensitive: entry.sensitive === true,
        ignored: entry.ignored === true,
      };
      rows.push(row);
      if (row.open) add(entry.path, level + 1, row.dim);
    });
  };
  add('', 1, false);
  return rows;
}

/** The same for files that were found by their paths: all folders that lead to them are open. */
export function rowsOfPaths(paths: readonly string[]): Row[] {
  const folders = new Map<string, Map<string, FileInfo>>();
  const put = (path: string, type: FileInfo['type']) => {
    const [folder, name] = split(path);
    const entries = folders.get(folder) ?? new Map<string, FileInfo>();
    folders.set(folder, entries);
    if (entries.has(path)) return;
    entries.set(path, { name, path, type, size: 0, modified: 0 });
    if (folder !== '') put(folder, 'directory');
  };
  for (const path of paths) put(path, 'file');
  const order = (a: FileInfo, b: FileInfo) =>
    Number(b.type === 'directory') - Number(a.type === 'directory') || (a.name < b.name ? -1 : 1);
  const listed = new Map([...folders].map(([folder, entries]) => [folder, [...entries.values()].sort(order)]));
  return rowsOf(listed, new Set(folders.keys()));
}

/** `src/main.rs` is `main.rs` in `src`. */
export function split(path: string): [folder: string, name: string] {
  const at = path.lastIndexOf('/');
  return at < 0 ? ['', path] : [path.slice(0, at), path.slice(at + 1)];
}

/** The folders that lead to a path, outermost first. */
export function above(path: string): string[] {
  const [folder] = split(path);
  return folder === '' ? [] : [...above(folder), folder];
}

/** The next row from a place on whose name begins with what was typed; the same key again goes to the next one. */
export function typeAhead(rows: readonly Row[], at: number, typed: string): number {
  const begins = [...typed].every((letter) => letter === typed[0]) ? typed.slice(0, 1) : typed;
  const first = typed.length > 1 && begins === typed ? at : at + 1;
  for (let step = 0; step < rows.length; step++) {
    const index = (first + step + rows.length) % rows.length;
    if (rows[index]!.name.toLowerCase().startsWith(begins.toLowerCase())) return index;
  }
  return at;
}
