/** A terminal along a time line: play, scrub, jump from command to command, and take it along as a file. */

import { useSignal } from '@preact/signals';
import type { Terminal } from '@xterm/xterm';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../ui/Dialog';
import { download } from '../ui/download';
import { Icon } from '../ui/Icon';
import { duration } from '../ui/time';
import { complain } from '../ui/toasts';
import { saveOutput } from '../terminals/save';
import { makeTerminal } from '../terminals/xterm';
import { load } from './load';
import { asciicast, offsetAt, parts, type Recording } from './recording';
import { replayed } from './replayed';
import './replay.css';

export default function ReplayDialog() {
  const id = replayed.value;
  return id === null ? null : <Replay key={id} id={id} onClose={() => (replayed.value = null)} />;
}

const SPEEDS = [1, 2, 4, 8];
const FRAME_MS = 50;

function Replay({ id, onClose }: { id: string; onClose(): void }) {
  const recording = useSignal<Recording | null>(null);
  const at = useSignal(0);
  const playing = useSignal(true);
  const speed = useSignal(1);
  const host = useRef<HTMLDivElement>(null);
  const screen = useRef<{ terminal: Terminal; dispose(): void; offset: number } | null>(null);

  /** Shows what was there at a time. Going back means beginning again: a terminal can't be run backwards. */
  const show = (atMs: number) => {
    const [what, where] = [recording.value, screen.current];
    if (!what || !where) return;
    at.value = Math.min(Math.max(atMs, 0), what.durationMs);
    const offset = offsetAt(what, at.value);
    if (offset < where.offset) {
      where.terminal.reset();
      where.terminal.resize(what.size.cols, what.size.rows);
      where.offset = what.start;
    }
    for (const { bytes, size } of parts(what, where.offset, offset)) {
      // What was printed before is drawn first.
      if (size) where.terminal.write('', () => where.terminal.resize(size.cols, size.rows));
      where.terminal.write(bytes);
    }
    where.offset = offset;
  };

  useEffect(() => {
    let gone = false;
    load(id).then((loaded) => {
      if (gone || !host.current) return;
      const { term, dispose } = makeTerminal({ ...loaded.size, lines: 5000, fontSize: 13, readOnly: true });
      term.open(host.current);
      recording.value = loaded;
      screen.current = { terminal: term, dispose, offset: loaded.start };
      show(0);
    }, complain);
    return () => {
      gone = true;
      screen.current?.dispose();
    };
  }, []);

  useEffect(() => {
    const timer = setInterval(() => {
      if (!playing.value || !recording.value) return;
      show(at.value + FRAME_MS * speed.value);
      if (at.value >= recording.value.durationMs) playing.value = false;
    }, FRAME_MS);
    return () => clearInterval(timer);
  }, []);

  const what = recording.value;
  const jump = (step: 1 | -1) => {
    const times = what?.commands.map((command) => command.atMs) ?? [];
    const next = step > 0 ? times.find((time) => time > at.value) : times.findLast((time) => time < at.value);
    show(next ?? (step > 0 ? (what?.durationMs ?? 0) : 0));
  };
  return (
    <Dialog label={`Replay of ${id}`} class="replay" onClose={onClose}>
      <header>
        <strong>Replay of {id}</strong>
        <span class="dim">pauses are shortened</span>
        <span class="replay-fill" />
        <button class="button" disabled={!what} onClick={() => what && download(`${id}.cast`, 'application/x-asciicast', [asciicast(what, id)])}>
          Save as asciicast
        </button>
        <button class="button" disabled={!what} onClick={() => void saveOutput(id, '').catch(complain)}>
          Save as text
        </button>
        <button class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="replay-screen" ref={host} aria-label="What the terminal showed" role="group" />
      <footer>
        <button
          class="icon-button"
          aria-label={playing.value ? 'Pause' : 'Play'}
          autofocus
          onClick={() => {
            if (!playing.value && what && at.value >= what.durationMs) show(0);
            playing.value = !playing.value;
          }}
        >
          <Icon name={playing.value ? 'pause' : 'play'} />
        </button>
        <button class="button bare" onClick={() => jump(-1)}>
          ‹ command
        </button>
        <button class="button bare" onClick={() => jump(1)}>
          command ›
        </button>
        <div class="replay-line">
          <input
            type="range"
            aria-label="Time"
            min={0}
            max={what?.durationMs ?? 0}
            value={at.value}
            aria-valuetext={duration(at.value)}
            onInput={(event) => {
              playing.value = false;
              show(Number(event.currentTarget.value));
            }}
          />
          {what?.commands.map((command) => (
            <button
              key={command.offset}
              class="replay-mark"
              tabIndex={-1}
              data-failed={command.failed}
              title={command.text}
              aria-label={`Go to ${command.text}`}
              style={{ left: `${what.durationMs === 0 ? 0 : (command.atMs / what.durationMs) * 100}%` }}
              onClick={() => show(command.atMs)}
            />
          ))}
        </div>
        <span class="dim code">
          {duration(at.value)} / {duration(what?.durationMs ?? 0)}
        </span>
        <button
          class="button bare"
          aria-label={`Speed ${speed.value}×`}
          onClick={() => (speed.value = SPEEDS[(SPEEDS.indexOf(speed.value) + 1) % SPEEDS.length]!)}
        >
          {speed.value}×
        </button>
      </footer>
    </Dialog>
  );
}
