import { expect, test } from 'vitest';
import type { CommandRecord, OutputTimes } from '../commands';
import { asciicast, between, LONGEST_PAUSE_MS, offsetAt, recording, withoutMarks } from './recording';

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

test('a recording in a file has the sizes of the window where they changed, and nothing that is the hub’s alone', () => {
  const marked = utf8.encode('one\r\n\x1b]7733;0123456789abcdef;D;n=1;x=0\x07two\x1b]7733;0123;A\x1b\\three');
  const sizes = [
    { at: 0, size: { rows: 24, cols: 80 } },
    { at: 5, size: { rows: 30, cols: 100 } },
    { at: marked.length - 5, size: { rows: 24, cols: 90 } },
  ];
  const times: OutputTimes = { start: 0, end: marked.length, marks: [{ at: 0, timeMs: 1000 }], sizes };
  const lines = asciicast(recording(times, marked, { rows: 1, cols: 1 }, []), 't1').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ width: 80, height: 24 }),
    [0, 'o', 'one\r\n'],
    [0, 'r', '100x30'],
    [0, 'o', 'two'],
    [0, 'r', '90x24'],
    [0, 'o', 'three'],
  ]);
  expect(lines.join()).not.toContain('7733');
});

test('a mark that is cut off at the end is left out too', () => {
  expect(new TextDecoder().decode(withoutMarks(utf8.encode('a\x1b[1mb\x1b]7733;01'))).replaceAll('\0', '')).toBe('a\x1b[1mb');
});

test('a recording in a file holds no marks of the shell', () => {
  const nonce = '0'.repeat(32);
  const text = `\x1b]7733;${nonce};A\x07$ \x1b]7733;${nonce};B\x07ls\r\n\x1b[1ma\x1b[m\r\n\x1b]7733;${nonce};D;n=1;x=0;h=  1  ls\r\n\x07`;
  const bytes = utf8.encode(`${text}\x1b]0;title\x07$ `);
  // A new piece after each byte: a mark may be cut anywhere.
  const times: OutputTimes = {
    start: 0,
    end: bytes.length,
    marks: Array.from(bytes, (_, at) => ({ at, timeMs: 1000 + at })),
  };
  const lines = asciicast(recording(times, bytes, { rows: 24, cols: 80 }, []), 't1').trimEnd().split('\n').slice(1);
  const shown = lines.map((line) => (JSON.parse(line) as [number, string, string])[2]).join('');
  expect(shown).toBe('$ ls\r\n\x1b[1ma\x1b[m\r\n\x1b]0;title\x07$ ');
});

test('a terminal that printed nothing is an empty recording', () => {
  const empty = recording({ start: 0, end: 0, marks: [] }, new Uint8Array(), { rows: 1, cols: 1 }, []);
  expect([empty.durationMs, offsetAt(empty, 5)]).toEqual([0, 0]);
});
