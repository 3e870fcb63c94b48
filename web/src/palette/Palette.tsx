/** The palette: everything that can be done by hand, and every command of the hub with its arguments as a form. */

import { signal, useSignal } from '@preact/signals';
import type { CommandInfo } from '../commands';
import { call } from '../hub/link';
import { complain } from '../ui/toasts';
import { actions } from './actions';
import { inOrder, remember } from './recent';
import { CommandForm } from './CommandForm';
import { Picker } from './Picker';
import { type Item, rank } from './rank';

export const paletteOpen = signal(false);
const asked = signal<CommandInfo | null>(null);
const commands = signal<readonly CommandInfo[]>([]);

const MOST = 80;

export function openPalette(): void {
  paletteOpen.value = true;
  call('flightdeck.hub.commands', {}).then((list) => (commands.value = list.commands), complain);
}

export function Palette() {
  const query = useSignal('');
  if (asked.value) return <CommandForm command={asked.value} onClose={() => (asked.value = null)} />;
  if (!paletteOpen.value) return null;
  const all: Item[] = [
    ...inOrder(actions()).map((action): Item => ({ is: 'action', action })),
    ...commands.value.map((command): Item => ({ is: 'command', command })),
  ];
  return (
    <Picker
      label="Commands"
      placeholder="Type a command"
      items={() => rank(query.value, all, MOST)}
      itemKey={(item) => (item.is === 'action' ? item.action.id : item.command.id)}
      render={(item) =>
        item.is === 'action' ? (
          <>
            <span>{item.action.title}</span>
            <code>{item.action.shortcut ? <kbd>{item.action.shortcut}</kbd> : item.action.id}</code>
          </>
        ) : (
          <>
            <span class="dim">{item.command.title}…</span>
            <code>{item.command.id}</code>
          </>
        )
      }
      onQuery={(text) => (query.value = text)}
      onPick={(item) => {
        query.value = '';
        if (item.is === 'action') {
          remember(item.action.id);
          item.action.run();
        } else asked.value = item.command;
      }}
      onClose={() => {
        paletteOpen.value = false;
        query.value = '';
      }}
      empty="Nothing is called that"
    />
  );
}
