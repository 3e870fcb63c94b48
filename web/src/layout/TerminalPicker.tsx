/** Goes to a terminal, also to one that no pane shows. */

import { signal, useSignal } from '@preact/signals';
import { ASKED } from '../attention/titles';
import type { TerminalState } from '../commands';
import { register } from '../palette/actions';
import { best } from '../palette/fuzzy';
import { Picker } from '../palette/Picker';
import { terminals } from '../state/hub';
import { tabShowing } from '../state/workbench';
import { ActorName } from '../ui/actor';
import { visible } from '../ui/visible';
import { openTerminal } from './actions';
import { asking } from './asking';

const MOST = 80;
const open = signal(false);

export function openTerminals(): void {
  open.value = true;
}

register({
  id: 'terminal.go',
  title: 'Terminal: Go to one',
  shortcut: 'Ctrl+Alt+P',
  when: () => terminals.value.size > 0,
  run: openTerminals,
});

export function TerminalPicker() {
  const query = useSignal('');
  if (!open.value) return null;
  // Those that run come first, the newest of them first.
  const all = [...terminals.value.values()].reverse().sort((a, b) => Number(b.running) - Number(a.running));
  return (
    <Picker
      label="Go to a terminal"
      placeholder="Name of a terminal, what runs in it, or who started it"
      items={() => found(query.value, all)}
      itemKey={(one) => one.id}
      render={(one) => <Found terminal={one} />}
      onQuery={(typed) => (query.value = typed)}
      onPick={(one) => void openTerminal(one.id)}
      onClose={() => {
        open.value = false;
        query.value = '';
      }}
      empty={all.length === 0 ? 'There is no terminal yet' : 'No terminal is like that'}
    />
  );
}

const words = (one: TerminalState) => `${one.id} ${one.title} ${one.runningCommand ?? ''} ${one.createdBy}`;

/** Those that fit, the best first. Whoever types a whole id means that one. */
export function found(query: string, all: readonly TerminalState[]): readonly TerminalState[] {
  const id = query.trim().toLowerCase();
  const exact = all.find((one) => one.id === id);
  const others = best(query, all, words, MOST).filter((one) => one !== exact);
  return exact ? [exact, ...others] : others;
}

function Found({ terminal }: { terminal: TerminalState }) {
  const asked = asking.value.get(terminal.id);
  return (
    <>
      <span class="found-name">
        {terminal.id} {visible(terminal.title)}
      </span>
      <span class="found-folder dim ellipsis">{terminal.runningCommand !== undefined ? visible(terminal.runningCommand) : (terminal.running ? '' : 'ended')}</span>
      {asked && <small class="warn">asks for {ASKED[asked]}</small>}
      {tabShowing(terminal.id) && <small class="dim">open</small>}
      <small>
        <ActorName name={terminal.createdBy} />
      </small>
    </>
  );
}
