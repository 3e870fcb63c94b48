/** What is around a terminal: the screen or its commands, and a line below that says who holds the controls. */

import { useLayoutEffect, useRef } from 'preact/hooks';
import { Dialog } from '../ui/Dialog';
import { CommandsView } from './CommandsView';
import { FindBar } from './FindBar';
import { Foot } from './Foot';
import { LogView } from './LogView';
import type { Pane } from './pane';
import { pending } from './paste';
import { TouchRow } from './TouchRow';

export function Frame({ pane }: { pane: Pane }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => pane.open(place.current!), [pane]);
  const mode = pane.mode.value;
  const [size, room] = [pane.live.size.value, pane.live.room.value];
  const control = pane.control.value;
  const holder = control.is === 'theirs' ? (control.holder.human ? 'person' : 'agent') : undefined;
  const boxed = size !== null && room !== null && (size.rows < room.rows || size.cols < room.cols);
  return (
    <div class="term" data-mode={mode} data-held-by={holder} data-terminal={pane.id}>
      <div class="term-stage">
        <div class="term-screen" ref={place} data-boxed={boxed} aria-hidden={mode !== 'screen'} />
        {pane.live.trouble.value !== null && (
          <p class="term-trouble" role="alert">
            {pane.live.trouble.value}
          </p>
        )}
        {mode === 'screen' && pane.atTop.value && pane.log.value === null && (
          <button class="button term-earlier" onClick={() => pane.openLog()}>
            Earlier output
          </button>
        )}
        {mode === 'screen' && pane.finding.value && <FindBar pane={pane} />}
        {mode === 'commands' && <CommandsView pane={pane} />}
        {pane.log.value !== null && <LogView pane={pane} upTo={pane.log.value} />}
      </div>
      {mode === 'screen' && <TouchRow pane={pane} />}
      <Foot pane={pane} />
      {pending.value?.into === pane.screen.term && <PasteQuestion />}
    </div>
  );
}

function PasteQuestion() {
  const paste = pending.value;
  if (!paste) return null;
  const close = () => (pending.value = null);
  return (
    <Dialog label={paste.said} class="paste" onClose={close}>
      <p>
        <strong>{paste.said}</strong> The program here can't tell a paste from typing: each line would run at once.
      </p>
      <pre>{paste.text}</pre>
      <footer>
        {/* The harmless answer comes first, and has the keyboard. */}
        <button class="button" autoFocus onClick={close}>
          Cancel
        </button>
        <button
          class="button"
          onClick={() => {
            close();
            paste.go();
          }}
        >
          Paste
        </button>
      </footer>
    </Dialog>
  );
}
