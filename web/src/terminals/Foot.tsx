/** The line below a terminal. It is always there, so that nothing above it moves when somebody takes the controls. */

import type { CommandRecord } from '../commands';
import { replayed } from '../replay/replayed';
import { status } from '../state/hub';
import { ActorName, actorOf } from '../ui/actor';
import { Icon } from '../ui/Icon';
import { age, now } from '../ui/time';
import { complain } from '../ui/toasts';
import { visible } from '../ui/visible';
import { handBack, takeOver } from './controls';
import { charactersInWords } from './input';
import type { Pane } from './pane';
import type { Mode } from './remembered';
import { sizeInWords } from './words';

export function Foot({ pane }: { pane: Pane }) {
  return (
    <footer class="term-foot" aria-label={`State of terminal ${pane.id}`}>
      <ModeSwitch pane={pane} />
      <span class="term-doing">
        <Doing pane={pane} />
      </span>
      <Password pane={pane} />
      <Held pane={pane} />
      <Size pane={pane} />
      <Controls pane={pane} />
      <button
        class="icon-button"
        aria-label="Replay"
        title="Replay, and save as a recording"
        onClick={() => (replayed.value = pane.id)}
      >
        <Icon name="replay" />
      </button>
      <button class="icon-button" aria-label="Find on the screen" title="Find on the screen (Ctrl+Alt+F)" onClick={() => pane.find()}>
        <Icon name="search" />
      </button>
    </footer>
  );
}

const MODES: { mode: Mode; title: string }[] = [
  { mode: 'screen', title: 'Screen' },
  { mode: 'commands', title: 'Commands' },
];

function ModeSwitch({ pane }: { pane: Pane }) {
  return (
    <div class="term-modes" role="group" aria-label="What is shown">
      {MODES.map(({ mode, title }) => (
        <button
          key={mode}
          aria-pressed={pane.mode.value === mode}
          title={`${title} (F8 switches)`}
          onClick={() => {
            pane.setMode(mode);
            requestAnimationFrame(() => pane.focus());
          }}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

/** What runs, or where the shell is. */
function Doing({ pane }: { pane: Pane }) {
  const state = pane.state.value;
  const ended = pane.live.ended.value;
  if (ended || (state && !state.running)) {
    const code = ended?.exitCode ?? state?.exitCode;
    return (
      <span class={code === 0 || code === undefined ? 'dim' : 'danger'}>{code === undefined ? 'ended' : `ended · exit ${code}`}</span>
    );
  }
  if (!state) return null;
  if (state.stalled) return <span class="warn">the disk takes no more output: programs wait</span>;
  const record = pane.records.running.value;
  // What was typed is known by its text only afterwards.
  if (!state.atPrompt && record) return <Running text={state.runningCommand ?? record.text ?? ''} record={record} />;
  return (
    <span class="dim ellipsis term-cwd" title={visible(state.cwd)}>
      {visible(shortPath(state.cwd))}
    </span>
  );
}

function Running({ text, record }: { text: string; record: CommandRecord | null }) {
  const since = record?.startedAt === undefined ? null : record.startedAt * 1000;
  return (
    <span class="term-running ellipsis" title={visible(text)}>
      <span class="warn" aria-hidden="true">
        ●
      </span>
      {text === '' ? <span class="ellipsis">running</span> : <code class="ellipsis">{visible(text)}</code>}
      {since !== null && <span class="dim">{age(since, now.value)}</span>}
      {text !== '' && <span class="visually-hidden">is running</span>}
    </span>
  );
}

function Password({ pane }: { pane: Pane }) {
  if (pane.asked.input.value !== 'password') return null;
  return (
    <span class="term-chip warn" role="status">
      <Icon name="key" />
      password asked<span class="dim"> · hidden from agents</span>
    </span>
  );
}

/** What was typed while the hub is away. It is not shown: it may be a password. */
function Held({ pane }: { pane: Pane }) {
  const { characters, full } = pane.live.held.value;
  if (characters === 0 && !full) return null;
  return (
    <span class="term-chip warn" role="status">
      {charactersInWords(characters)} {characters === 1 ? 'waits' : 'wait'} for the hub
      {full && <span>, and no more are taken</span>}
      <button
        class="button"
        onClick={() => {
          pane.live.dropTyped();
          pane.focus();
        }}
      >
        Discard
      </button>
    </span>
  );
}

/** Whose window the size follows, when it is not this one. */
function Size({ pane }: { pane: Pane }) {
  const [size, room] = [pane.live.size.value, pane.live.room.value];
  const differs = size && room && (size.rows !== room.rows || size.cols !== room.cols);
  if (!differs || pane.live.ended.value) return null;
  return (
    <span class="term-size dim">
      <span>{sizeInWords(size, pane.state.value?.sizeBy)}</span>
      <button class="button" onClick={() => void pane.live.useRoom().catch(complain)}>
        Use my size
      </button>
    </span>
  );
}

function Controls({ pane }: { pane: Pane }) {
  const control = pane.control.value;
  if (control.is === 'free' || pane.live.ended.value) return null;
  if (control.is === 'mine') {
    return (
      <span class="term-control">
        <span>
          <span class="person">You</span> hold<span class="term-more"> the controls</span>
        </span>
        <button
          class="button"
          onClick={() => {
            void handBack(pane.id);
            pane.focus();
          }}
        >
          Hand back
        </button>
      </span>
    );
  }
  const { actor, reason } = control.holder;
  const mine = actorOf(actor).kind === 'person';
  return (
    <span class="term-control" title={reason && visible(reason)}>
      <span>
        {mine ? <span class="person">You</span> : <ActorName name={actor} />} {mine ? 'hold' : 'holds'}
        <span class="term-more"> the controls</span>
        {mine && ' in another window'}
      </span>
      <button
        class="button"
        onClick={() => {
          void takeOver(pane.id);
          pane.focus();
        }}
      >
        Take over
      </button>
    </span>
  );
}

/** From the workspace on. */
function shortPath(path: string): string {
  const root = status.value?.workspace;
  if (root === undefined || path === root) return path.split('/').at(-1) ?? path;
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
