/** What a terminal printed, with the times at which it came: for a replay and for a recording in a file. */

import type { CommandRecord, OutputTimes, WindowSize } from '../commands';

/** A piece of output, and when it came, in milliseconds since the recording began. */
export interface Piece {
  atMs: number;
  from: number;
  to: number;
}

/** A command on the time line. */
export interface CommandMark {
  atMs: number;
  offset: number;
  text: string;
  failed: boolean;
}

/** What came from an offset on was printed to a window of this size. */
export interface SizeMark {
  offset: number;
  size: WindowSize;
}

export interface Recording {
  /** The size at the beginning. */
  size: WindowSize;
  /** Each other size that the window had. */
  sizes: SizeMark[];
  /** When it begins, in milliseconds since 1970. */
  startedAtMs: number;
  durationMs: number;
  /** Where `bytes` begin in the output. */
  start: number;
  bytes: Uint8Array;
  pieces: Piece[];
  commands: CommandMark[];
}

/** Pauses are no longer than this in a replay: nobody wants to watch a lunch break. */
export const LONGEST_PAUSE_MS = 2000;

export function recording(
  times: OutputTimes,
  bytes: Uint8Array,
  size: WindowSize,
  commands: readonly CommandRecord[],
): Recording {
  const known = times.sizes ?? [];
  const end = times.start + bytes.length;
  const marks = times.marks.filter((mark) => mark.at < end);
  const startedAtMs = marks[0]?.timeMs ?? 0;
  let [shortened, previous] = [0, startedAtMs];
  const pieces = marks.map((mark, index): Piece => {
    const pause = Math.max(0, mark.timeMs - previous);
    previous = Math.max(previous, mark.timeMs);
    shortened += Math.min(pause, LONGEST_PAUSE_MS);
    const from = index === 0 ? times.start : mark.at;
    return { atMs: shortened, from, to: marks[index + 1]?.at ?? end };
  });
  const found = commands.map((command): CommandMark => ({
    atMs: timeAt(pieces, command.start),
    offset: command.start,
    text: command.text ?? '',
    failed: (command.exitCode ?? 0) !== 0,
  }));
  return {
    size: known.findLast((one) => one.at <= times.start)?.size ?? size,
    sizes: known.filter((one) => one.at > times.start && one.at <= end).map((one) => ({ offset: one.at, size: one.size })),
    startedAtMs,
    durationMs: pieces.at(-1)?.atMs ?? 0,
    start: times.start,
    bytes: withoutMarks(bytes),
    pieces,
    commands: found.filter((command) => command.offset >= times.start && command.offset <= end),
  };
}

const BEGIN = new TextEncoder().encode('\x1b]7733;');
const [BELL, ESCAPE, BACKSLASH] = [0x07, 0x1b, 0x5c];

/** What shells tell the hub about themselves is for nobody else. Each byte of it becomes one that terminals pass over, so that places stay. */
export function withoutMarks(bytes: Uint8Array): Uint8Array {
  const clean = bytes.slice();
  for (let at = clean.indexOf(ESCAPE); at >= 0; at = clean.indexOf(ESCAPE, at + 1)) {
    if (!BEGIN.every((byte, index) => clean[at + index] === byte)) continue;
    let end = at + BEGIN.length;
    while (end < clean.length && clean[end] !== BELL && !(clean[end] === ESCAPE && clean[end + 1] === BACKSLASH)) end += 1;
    end += clean[end] === ESCAPE ? 2 : 1;
    clean.fill(0, at, end);
    at = end - 1;
  }
  return clean;
}

/** When the byte at an offset came. */
export function timeAt(pieces: readonly Piece[], offset: number): number {
  return pieces.findLast((piece) => piece.from <= offset)?.atMs ?? 0;
}

/** Up to where had been printed at a time. */
export function offsetAt(recording: Recording, atMs: number): number {
  return recording.pieces.findLast((piece) => piece.atMs <= atMs)?.to ?? recording.start;
}

/** The bytes between two offsets. */
export function between(recording: Recording, from: number, to: number): Uint8Array {
  return recording.bytes.subarray(from - recording.start, to - recording.start);
}

/** The bytes between two offsets in parts, each with the size that the window gets before it, where that is another one. */
export function parts(recording: Recording, from: number, to: number): { size?: WindowSize; bytes: Uint8Array; from: number }[] {
  const changes = recording.sizes.filter((one) => one.offset >= from && one.offset < to);
  const cuts = [from, ...changes.map(({ offset }) => offset)];
  return cuts
    .map((cut, index) => {
      const size = changes[index - 1]?.size;
      return { ...(size ? { size } : {}), bytes: between(recording, cut, cuts[index + 1] ?? to), from: cut };
    })
    .filter(({ size, bytes }) => size !== undefined || bytes.length > 0);
}

/** The recording as asciicast v2 (https://docs.asciinema.org/manual/asciicast/v2/). */
export function asciicast(recording: Recording, title: string): string {
  const { size, startedAtMs, pieces } = recording;
  const header = {
    version: 2,
    width: size.cols,
    height: size.rows,
    timestamp: Math.floor(startedAtMs / 1000),
    title,
    env: { TERM: 'xterm-256color' },
  };
  // Characters may be cut at the end of a piece; the decoder keeps their beginning for the next.
  const utf8 = new TextDecoder();
  const events = pieces.flatMap((piece) =>
    parts(recording, piece.from, piece.to).flatMap(({ size: other, bytes }) => {
      const at = piece.atMs / 1000;
      const resized = other ? [JSON.stringify([at, 'r', `${other.cols}x${other.rows}`])] : [];
      const text = utf8.decode(bytes, { stream: true }).replaceAll('\0', '');
      return text === '' ? resized : [...resized, JSON.stringify([at, 'o', text])];
    }),
  );
  return [JSON.stringify(header), ...events, ''].join('\n');
}
