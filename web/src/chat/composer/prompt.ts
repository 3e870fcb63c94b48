/** From what is typed to what is sent: text, mentions of files and pictures, in their order. */

import type { Block } from '../../commands';

export interface Picture {
  mime: string;
  /** Base64. */
  data: string;
}

const MENTION = /(^|[\s(["'])@([^\s"'()[\]]+)/g;

/** `src/main.rs:12-20` is a file and lines of it. */
function fileOf(word: string): { path: string; line?: number; endLine?: number } {
  const found = /^(.+?):(\d+)(?:-(\d+))?$/.exec(word);
  if (!found) return { path: word };
  return { path: found[1]!, line: Number(found[2]), ...(found[3] === undefined ? {} : { endLine: Number(found[3]) }) };
}

/** Only what is a file becomes a mention; an address or a handle stays as it was typed. */
export function contentOf(text: string, isFile: (path: string) => boolean, pictures: readonly Picture[]): Block[] {
  const blocks: Block[] = [];
  const say = (part: string) => {
    if (part !== '') blocks.push({ type: 'text', text: part });
  };
  const whole = text.trim();
  let from = 0;
  for (const match of whole.matchAll(MENTION)) {
    // A sentence may end behind it.
    const word = match[2]!.replace(/[.,;:!?]+$/, '');
    const file = fileOf(word);
    if (!isFile(file.path)) continue;
    const at = match.index + match[1]!.length;
    say(whole.slice(from, at));
    blocks.push({ type: 'file', ...file });
    from = at + 1 + word.length;
  }
  say(whole.slice(from));
  return [...blocks, ...pictures.map(({ mime, data }): Block => ({ type: 'image', mime, data }))];
}

export interface Wanted {
  is: 'file' | 'command';
  query: string;
  /** Where what was typed begins, with its sign. */
  from: number;
}

/** What is being asked for where the cursor is: a file behind `@`, or a command behind a `/` at the beginning. */
export function wantedAt(text: string, cursor: number): Wanted | null {
  const before = text.slice(0, cursor);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { is: 'command', query: command[1]!, from: 0 };
  const file = /(?:^|[\s(["'])@([^\s"'()[\]]*)$/.exec(before);
  if (file) return { is: 'file', query: file[1]!, from: cursor - file[1]!.length - 1 };
  return null;
}

/** The text with what was chosen in place of what was typed, and where the cursor is then. */
export function completed(text: string, cursor: number, wanted: Wanted, chosen: string): { text: string; cursor: number } {
  const sign = wanted.is === 'file' ? '@' : '/';
  const rest = text.slice(cursor);
  const put = `${sign}${chosen}${rest.startsWith(' ') ? '' : ' '}`;
  return { text: text.slice(0, wanted.from) + put + rest, cursor: wanted.from + put.length + (rest.startsWith(' ') ? 1 : 0) };
}
