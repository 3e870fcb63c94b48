/** A terminal along a time line: play, scrub, jump from command to command, and take it along as a file. */

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Dialog } from '../ui/Dialog';
import { download } from '../ui/download';
import { Icon } from '../ui/Icon';
import { duration } from '../ui/time';
import { complain } from '../ui/toasts';
import { saveOutput } from '../terminals/save';
import { makeTerminal } from '../terminals/xterm';
import { load } from './load';
import { Player } from './player';
import { asciicast, offsetAt, type Recording } from './recording';
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
  const player = useRef<Player | null>(null);

  /** Shows what was there at a time. */
  const show = (atMs: number) => {
    const what = recording.value;
    if (!what) return;
    at.value = Math.min(Math.max(atMs, 0), what.durationMs);
    void player.current?.seek(offsetAt(what, at.value));
  };

  useEffect(() => {
    let [gone, dispose] = [false, () => {}];
    load(id).then((loaded) => {
      if (gone || !host.current) return;
      const made = makeTerminal({ ...loaded.size, lines: 5000, fontSize: 13, readOnly: true });
      dispose = made.dispose;
      made.term.open(host.current);
      recording.value = loaded;
      player.current = new Player(made.term, loaded);
      show(0);
    }, complain);
    return () => {
      gone = true;
      player.current?.stop();
      dispose();
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
