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

export interface Recording {
  size: WindowSize;
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
    size,
    startedAtMs,
    durationMs: pieces.at(-1)?.atMs ?? 0,
    start: times.start,
    bytes,
    pieces,
    commands: found.filter((command) => command.offset >= times.start && command.offset <= end),
  };
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
  const events = pieces.map((piece) =>
    JSON.stringify([piece.atMs / 1000, 'o', utf8.decode(between(recording, piece.from, piece.to), { stream: true })]),
  );
  return [JSON.stringify(header), ...events, ''].join('\n');
}
