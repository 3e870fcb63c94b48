/** Goes to a terminal, also to one that no pane shows. */

import { signal, useSignal } from '@preact/signals';
import type { TerminalState } from '../commands';
import { register } from '../palette/actions';
import { best } from '../palette/fuzzy';
import { Picker } from '../palette/Picker';
import { terminals } from '../state/hub';
import { tabShowing } from '../state/workbench';
import { ActorName } from '../ui/actor';
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
  const words = (one: TerminalState) => `${one.id} ${one.title} ${one.runningCommand ?? ''} ${one.createdBy}`;
  return (
    <Picker
      label="Go to a terminal"
      placeholder="Name of a terminal, what runs in it, or who started it"
      items={best(query.value, all, words, MOST)}
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

function Found({ terminal }: { terminal: TerminalState }) {
  const asked = asking.value.get(terminal.id);
  return (
    <>
      <span class="found-name">
        {terminal.id} {terminal.title}
      </span>
      <span class="found-folder dim ellipsis">{terminal.runningCommand ?? (terminal.running ? '' : 'ended')}</span>
      {asked && <small class="warn">asks for {asked}</small>}
      {tabShowing(terminal.id) && <small class="dim">open</small>}
      <small>
        <ActorName name={terminal.createdBy} />
      </small>
    </>
  );
}
