import { expect, test } from 'vitest';
import type { CommandRecord, OutputTimes } from '../commands';
import { asciicast, between, LONGEST_PAUSE_MS, offsetAt, recording } from './recording';

const utf8 = new TextEncoder();
const TEXT = utf8.encode('$ ls\r\na ä\r\n$ exit\r\n');
const TIMES: OutputTimes = {
  start: 100,
  end: 100 + TEXT.length,
  marks: [
    { at: 102, timeMs: 5000 },
    { at: 109, timeMs: 5500 },
    { at: 112, timeMs: 3_600_000 },
  ],
};
const COMMANDS = [
  { number: 1, text: 'ls', start: 106, end: 112, exitCode: 0 },
  { number: 2, text: 'exit', start: 118, exitCode: 1 },
] as CommandRecord[];

const made = () => recording(TIMES, TEXT, { rows: 24, cols: 80 }, COMMANDS);

test('pieces cover all of the output, and pauses are short', () => {
  const { pieces, durationMs } = made();
  expect(pieces.map(({ from, to }) => [from, to])).toEqual([[100, 109], [109, 112], [112, 100 + TEXT.length]]);
  expect(pieces.map(({ atMs }) => atMs)).toEqual([0, 500, 500 + LONGEST_PAUSE_MS]);
  expect(durationMs).toBe(500 + LONGEST_PAUSE_MS);
});

test('a place on the time line is a place in the output', () => {
  const replay = made();
  expect(offsetAt(replay, 0)).toBe(109);
  expect(offsetAt(replay, 499)).toBe(109);
  expect(offsetAt(replay, 500)).toBe(112);
  expect(offsetAt(replay, 1e9)).toBe(100 + TEXT.length);
  expect(new TextDecoder().decode(between(replay, 100, 106))).toBe('$ ls\r\n');
});

test('commands stand on the time line', () => {
  expect(made().commands).toEqual([
    { atMs: 0, offset: 106, text: 'ls', failed: false },
    { atMs: 500 + LONGEST_PAUSE_MS, offset: 118, text: 'exit', failed: true },
  ]);
});

test('a recording in a file holds every character, also one that was cut in two', () => {
  const lines = asciicast(made(), 't1').trimEnd().split('\n').map((line) => JSON.parse(line) as unknown);
  expect(lines[0]).toMatchObject({ version: 2, width: 80, height: 24, title: 't1' });
  const text = lines.slice(1).map((event) => (event as [number, string, string])[2]).join('');
  expect(text).toBe('$ ls\r\na ä\r\n$ exit\r\n');
});

test('a terminal that printed nothing is an empty recording', () => {
  const empty = recording({ start: 0, end: 0, marks: [] }, new Uint8Array(), { rows: 1, cols: 1 }, []);
  expect([empty.durationMs, offsetAt(empty, 5)]).toEqual([0, 0]);
});
