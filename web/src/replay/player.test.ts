import { Terminal } from '@xterm/xterm';
import { expect, test } from 'vitest';
import { Player } from './player';
import type { Recording } from './recording';

const LINES = Array.from({ length: 40_000 }, (_, index) => `line ${index}\r\n`);
const bytes = new TextEncoder().encode(LINES.join(''));
const end = 1000 + bytes.length;
const recording: Recording = {
  size: { rows: 10, cols: 40 },
  sizes: [
    { offset: 1000 + LINES.slice(0, 2).join('').length, size: { rows: 12, cols: 60 } },
    { offset: 1000 + LINES.slice(0, 2).join('').length, size: { rows: 12, cols: 70 } },
    { offset: end, size: { rows: 12, cols: 90 } },
  ],
  startedAtMs: 0,
  durationMs: 0,
  start: 1000,
  bytes,
  pieces: [],
  commands: [],
};

function terminal() {
  const term = new Terminal({ allowProposedApi: true, ...recording.size });
  const sizes: number[] = [];
  term.onResize(({ cols }) => sizes.push(cols));
  /** Its width, and the last line that was printed. */
  const shown = () => {
    const { active } = term.buffer;
    return [term.cols, active.getLine(active.baseY + active.cursorY - 1)?.translateToString(true)];
  };
  return { term, shown, sizes };
}

test('the end has the size that it was printed to', async () => {
  const { term, shown, sizes } = terminal();
  await new Player(term, recording).seek(end);
  expect(shown()).toEqual([70, 'line 39999']);
  expect(sizes).toEqual([60, 70]);
});

test('going back while the end is drawn shows the beginning, in its size', async () => {
  const { term, shown } = terminal();
  const player = new Player(term, recording);
  void player.seek(end);
  await player.seek(1000 + LINES[0]!.length);
  expect(shown()).toEqual([40, 'line 0']);
  const drawn = player.seek(end);
  setTimeout(() => void player.seek(1000 + LINES.slice(0, 3).join('').length), 5);
  await drawn;
  expect(shown()).toEqual([70, 'line 2']);
});

test('no more is drawn once it was stopped', async () => {
  const { term, shown } = terminal();
  const player = new Player(term, recording);
  const drawn = player.seek(end);
  player.stop();
  await drawn;
  expect(shown()).not.toContain('line 39999');
});
