import { Terminal } from '@xterm/xterm';
import { describe as group, expect, it, vi } from 'vitest';
import type { CommandRecord } from '../commands';
import { plainLines, readAnsi, textOf } from './ansi';
import { fold } from './fold';
import { MarkScanner } from './marks';
import { describe } from './outcome';
import { diffLines } from './output';
import { Pace } from './pace';
import { isRisky } from './paste';
import { offsetsOf, Place, SCROLLBACK } from './place';
import { Presence } from './presence';
import { merged } from './records';
import { leaveAnswersToTheHub } from './replies';
import { fileName } from './save';
import { sequenceOf, withControl } from './touch';
import { bytesInWords, sizeInWords } from './words';

const bytes = (text: string) => new TextEncoder().encode(text);

group('output with colours', () => {
  it('is lines of spans with a look', () => {
    expect(readAnsi('\x1b[1;31merror\x1b[0m: no\nok').lines).toEqual([
      [
        { text: 'error', look: 'fg-1 is-bold' },
        { text: ': no', look: '' },
      ],
      [{ text: 'ok', look: '' }],
    ]);
  });

  it('is what is left of a progress bar', () => {
    expect(textOf(readAnsi('10 %\r50 %\r100 %\r\ndone\x1b[K\n').lines)).toBe('100 %\ndone\n');
    expect(textOf(readAnsi('downloading\r\x1b[Kready\n').lines)).toBe('ready\n');
    expect(textOf(readAnsi('abc\b\bX\n').lines)).toBe('aXc\n');
  });

  it('keeps markup as text, and no title or link address', () => {
    expect(textOf(readAnsi('\x1b]0;<b>title</b>\x07<img src=x>\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\\n').lines)).toBe('<img src=x>link\n');
  });

  it('maps any colour to one of the theme', () => {
    const look = (sequence: string) => readAnsi(`\x1b[${sequence}mx`).lines[0]?.[0]?.look;
    expect(look('38;5;9')).toBe('fg-9');
    expect(look('38;2;220;30;30')).toBe('fg-1');
    expect(look('38;5;46')).toBe('fg-2');
    expect(look('48;5;250')).toBe('bg-7');
    expect(look('38;2;220;30;30;4')).toBe('fg-1 is-underline');
  });

  it('says when a program moved about the screen', () => {
    expect(readAnsi('\x1b[2J\x1b[Hmenu').moving).toBe(true);
    expect(readAnsi('\x1b[?1049hvim').moving).toBe(true);
    expect(readAnsi('\x1b[32mok\x1b[0m\x1b[?25h\x1b[K\n').moving).toBe(false);
  });

  it('stands a sequence that is cut off', () => {
    expect(textOf(readAnsi('abc\x1b[3').lines)).toBe('abc\n');
    expect(textOf(readAnsi('abc\x1b]0;ti').lines)).toBe('abc\n');
  });

  it('is nothing when nothing was printed', () => {
    expect(readAnsi('').lines).toEqual([]);
    expect(plainLines('')).toEqual([]);
    expect(textOf(plainLines('a\n\nb\n'))).toBe('a\n\nb\n');
  });
});

group('folding', () => {
  const of = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('leaves what is short as it is', () => {
    expect(fold(of(40), false)).toEqual({ head: of(40), hidden: 0, tail: [] });
  });

  it('shows the beginning and the end of what is long, and all when it is opened', () => {
    const { head, hidden, tail } = fold(of(100), false);
    expect([head.length + hidden + tail.length, head[0], tail.at(-1)]).toEqual([100, 0, 99]);
    expect(fold(of(100), true).head).toHaveLength(100);
  });
});

group('going on after a break', () => {
  it('begins with what was printed before', () => {
    expect(new Place().attach('t1', { rows: 24, cols: 80 })).toEqual({ id: 't1', scrollback: SCROLLBACK, size: { rows: 24, cols: 80 } });
  });

  it('goes on at the end of the last output, or where the last screen stood', () => {
    const place = new Place();
    place.take({ type: 'output', from: 10, to: 50 });
    place.take({ type: 'snapshot', at: 60, size: { rows: 24, cols: 80 } });
    expect(place.attach('t1', null)).toEqual({ id: 't1', from: 60 });
    place.take({ type: 'output', from: 60, to: 90 });
    place.take({ type: 'gap', from: 90, to: 5000 });
    expect(place.attach('t1', null)).toEqual({ id: 't1', from: 90 });
    place.take({ type: 'ended', at: 9000 });
    expect([place.begin, place.end]).toEqual([10, 90]);
  });

  it('knows what was never shown', () => {
    const place = new Place();
    place.take({ type: 'output', from: 100, to: 200 });
    place.take({ type: 'gap', from: 200, to: 5000 });
    place.take({ type: 'snapshot', at: 5000, size: { rows: 24, cols: 80 } });
    expect([99, 100, 199, 200, 4999, 5000].map((offset) => place.isMissing(offset))).toEqual([true, false, false, true, true, false]);
  });

  it('knows where a byte was, as nearly as can be when the hub took something out', () => {
    expect(offsetsOf({ from: 100, to: 110 }, 10, 4)).toEqual({ low: 104, high: 104 });
    expect(offsetsOf({ from: 100, to: 113 }, 10, 4)).toEqual({ low: 104, high: 107 });
  });
});

group('marks of the shell', () => {
  const mark = (body: string) => `\x1b]7733;a5532f0e3766d44bfd2c80152f23b7e4;${body}\x07`;

  it('are found with their ends', () => {
    const text = `x${mark('B')}ls\r\n${mark('C;n=1;t=1.5')}out`;
    expect(new MarkScanner().scan(bytes(text))).toEqual([
      { kind: 'B', end: 1 + mark('B').length },
      { kind: 'C', end: text.length - 3 },
    ]);
  });

  it('are found wherever the output is cut', () => {
    const text = `${mark('A')}$ ${mark('B')}\x1b[1mls\x1b]0;t\x07${mark('R;n=1;r=76f0c7fbb2072a4a')}out`;
    const whole = new MarkScanner().scan(bytes(text)).map(({ kind, end }) => [kind, end]);
    for (let cut = 1; cut < text.length; cut += 1) {
      const scanner = new MarkScanner();
      const first = scanner.scan(bytes(text.slice(0, cut))).map(({ kind, end }) => [kind, end]);
      const second = scanner.scan(bytes(text.slice(cut))).map(({ kind, end }) => [kind, end + cut]);
      expect([...first, ...second]).toEqual(whole);
    }
  });

  it('are not made of others, nor kept for ever', () => {
    const scanner = new MarkScanner();
    expect(scanner.scan(bytes('\x1b]133;C\x07\x1b]7733\x1b[0m'))).toEqual([]);
    expect(scanner.scan(bytes(`\x1b]7733;n;C;c=${'x'.repeat(100_000)}`))).toEqual([]);
    expect(scanner.scan(bytes(`\x07${mark('D;n=1')}`)).map(({ kind }) => kind)).toEqual(['D']);
  });
});

group('answers', () => {
  const questions =
    '\x1b[c\x1b[0c\x1b[>c\x1b[=c\x1b[>q\x1b[5n\x1b[6n\x1b[?6n\x1b[4$p\x1b[?2004$p\x1b[?u\x1b[18t\x1b[14t\x1bP$qm\x1b\\\x1bP+q544e\x1b\\\x1b]10;?\x07\x1b]11;?\x1b\\\x1b]4;1;?\x07\x05';

  async function typedAfterQuestions(prepare: (term: Terminal) => void): Promise<{ typed: string[]; shown: string | undefined }> {
    const term = new Terminal({ allowProposedApi: true });
    const typed: string[] = [];
    term.onData((data) => typed.push(data));
    prepare(term);
    await new Promise<void>((resolve) => term.write(`${questions}seen`, resolve));
    const shown = term.buffer.active.getLine(0)?.translateToString(true);
    term.dispose();
    return { typed, shown };
  }

  it('are not given by the page', async () => {
    expect(await typedAfterQuestions(leaveAnswersToTheHub)).toEqual({ typed: [], shown: 'seen' });
  });

  it('would be given otherwise', async () => {
    expect((await typedAfterQuestions(() => {})).typed.length).toBeGreaterThan(5);
  });
});

group('the pace', () => {
  const paced = (eager: boolean) => {
    const frames: (() => void)[] = [];
    const done: number[] = [];
    const pace = new Pace(
      () => eager,
      (run) => frames.push(run),
    );
    for (const index of [0, 1, 2, 3, 4]) pace.add(20_000, () => done.push(index));
    return { done, frame: () => frames.shift()?.() };
  };

  it('is that of the output where the keyboard is', () => {
    expect(paced(true).done).toEqual([0, 1, 2, 3, 4]);
  });

  it('is a slice of each frame elsewhere, in order', () => {
    const { done, frame } = paced(false);
    expect(done).toEqual([0, 1]);
    frame();
    expect(done).toEqual([0, 1, 2, 3]);
    frame();
    expect(done).toEqual([0, 1, 2, 3, 4]);
  });
});

group('presence', () => {
  it('ends a while after the last look, and not with a glance elsewhere', () => {
    vi.useFakeTimers();
    const told = { come: vi.fn(), leave: vi.fn() };
    const presence = new Presence(told);
    presence.shown(true);
    presence.shown(false);
    vi.advanceTimersByTime(5000);
    presence.shown(true);
    vi.advanceTimersByTime(60_000);
    expect([told.come.mock.calls.length, told.leave.mock.calls.length]).toEqual([1, 0]);
    presence.shown(false);
    vi.advanceTimersByTime(60_000);
    expect(told.leave).toHaveBeenCalledTimes(1);
    presence.shown(true);
    expect(told.come).toHaveBeenCalledTimes(2);
    presence.dispose();
    vi.useRealTimers();
  });
});

group('records', () => {
  const record = (number: number, more: Partial<CommandRecord> = {}): CommandRecord => ({ number, start: number * 100, ...more });

  it('are joined by number, and those that have not changed stay the same', () => {
    const old = [record(1, { end: 150, exitCode: 0 }), record(2)];
    const now = merged(old, [record(1, { end: 150, exitCode: 0 }), record(2, { end: 260, exitCode: 1 }), record(3)]);
    expect(now.map(({ number, end }) => [number, end])).toEqual([[1, 150], [2, 260], [3, undefined]]);
    expect(now[0]).toBe(old[0]);
  });

  it('are described in words', () => {
    expect(describe(record(1, { text: 'npm test', end: 5, exitCode: 1, durationMs: 1200, actor: 'claude#3' }))).toBe('npm test · 1.2 s · exit 1 · claude');
    expect(describe(record(1, { text: 'sleep 9' }))).toBe('sleep 9 · running · typed');
  });

  it('differ by lines, without the head of the diff', () => {
    expect(diffLines('--- run 1\n+++ run 2\n@@ -1,2 +1,2 @@\n one\n-2\n+3\n')).toEqual([
      { sign: '@', text: '@@ -1,2 +1,2 @@' },
      { sign: ' ', text: 'one' },
      { sign: '-', text: '2' },
      { sign: '+', text: '3' },
    ]);
    expect(diffLines('')).toEqual([]);
  });
});

group('words', () => {
  it('say how much and whose', () => {
    expect([bytesInWords(12), bytesInWords(3400), bytesInWords(8_600_000)]).toEqual(['12 bytes', '3.4 kB', '8.6 MB']);
    const size = { rows: 24, cols: 80 };
    expect(sizeInWords(size, 'claude#1')).toBe('80×24, as the window of claude');
    expect(sizeInWords(size, 'web:1')).toBe('80×24, as another window of yours');
    expect(sizeInWords(size, undefined)).toBe('80×24, set by a call');
  });

  it('make a file name of any title', () => {
    expect(fileName('t3', '../../etc <b>pass wd</b>')).toBe('t3-etc-b-pass-wd-b.txt');
    expect(fileName('t3', '…')).toBe('t3.txt');
  });
});

group('keys of a phone', () => {
  it('are what a keyboard would send', () => {
    expect(sequenceOf('↑', { applicationCursorKeysMode: false })).toBe('\x1b[A');
    expect(sequenceOf('↑', { applicationCursorKeysMode: true })).toBe('\x1bOA');
    expect(sequenceOf('Ctrl', { applicationCursorKeysMode: true })).toBe(null);
    expect([withControl('c'), withControl('['), withControl('é'), withControl('ls')]).toEqual(['\x03', '\x1b', 'é', 'ls']);
  });
});

group('a paste', () => {
  it('is risky when several lines would run at once', () => {
    expect(isRisky('ls\n', false)).toBe(false);
    expect(isRisky('cd /\nrm -r x', false)).toBe(true);
    expect(isRisky('cd /\r\nrm -r x\r\n', false)).toBe(true);
    expect(isRisky('cd /\nrm -r x', true)).toBe(false);
  });
});
