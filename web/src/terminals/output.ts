/** What one command printed, for reading. */

import type { CommandRecord } from '../commands';
import { call } from '../hub/link';
import { type Line, plainLines, readAnsi } from './ansi';

/** More is shown by its beginning and its end, as the hub cuts it. */
const MOST = 64 * 1024;
/** So much of the end of one that runs. */
const LATEST = 16 * 1024;

export interface Output {
  lines: Line[];
  /** How many bytes are not in them. */
  omitted: number;
}

export async function outputOf(id: string, record: CommandRecord): Promise<Output> {
  const { start, end, number } = record;
  if (end !== undefined && end === start) return { lines: [], omitted: 0 };
  if (end !== undefined && end - start <= MOST) {
    const { text, from } = await call('flightdeck.terminal.read', { id, from: start, to: end, raw: true, maxBytes: MOST });
    const { lines, moving } = readAnsi(text);
    if (!moving && from === start) return { lines, omitted: 0 };
  }
  // As the hub renders it: without colours, but with the outcome of what moved about.
  const found = await call('flightdeck.terminal.history', { id, number });
  return { lines: plainLines(found.output ?? ''), omitted: found.omittedBytes ?? 0 };
}

/** The end of what the running one has printed so far. */
export async function latestOf(id: string, record: CommandRecord, end: number): Promise<Output> {
  const from = Math.max(record.start, end - LATEST);
  const { text } = await call('flightdeck.terminal.read', { id, from, raw: true, maxBytes: 2 * LATEST });
  // The first line may be cut.
  const whole = from > record.start ? text.slice(text.indexOf('\n') + 1) : text;
  return { lines: readAnsi(whole).lines, omitted: from - record.start };
}

export interface Comparison {
  /** The run that it is compared with; none when it never ran before. */
  with: number | undefined;
  lines: { sign: '+' | '-' | ' ' | '@'; text: string }[];
}

export async function comparisonOf(id: string, number: number): Promise<Comparison> {
  const found = await call('flightdeck.terminal.history', { id, number, diff: true });
  return { with: found.comparedWith, lines: found.comparedWith === undefined ? [] : diffLines(found.output ?? '') };
}

/** A unified diff without its head. */
export function diffLines(text: string): Comparison['lines'] {
  const lines = text.split('\n').filter((line, index, all) => line !== '' || index < all.length - 1);
  return lines
    .filter((line) => !/^(---|\+\+\+) run \d+/.test(line) && !line.startsWith('\\ No newline'))
    .map((line) => {
      const sign = line[0] === '+' || line[0] === '-' || line[0] === '@' ? line[0] : ' ';
      return { sign, text: sign === '@' ? line : line.slice(1) };
    });
}
