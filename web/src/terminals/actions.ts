/** What can be done with the terminal that has the keyboard. */

import { call } from '../hub/link';
import { type Action, register } from '../palette/actions';
import { complain, toast } from '../ui/toasts';
import { handBack, takeOver } from './controls';
import { openPanes } from './open';
import type { Pane } from './pane';
import { paste } from './paste';
import { saveOutput } from './save';

/** Registers them; again does no harm. */
export function registerTerminalActions(): void {
  const action = (id: string, title: string, run: (pane: Pane) => unknown, more: Partial<Action> & { if?(pane: Pane): boolean } = {}): Action => {
    const { if: possible, ...rest } = more;
    return {
      id: `terminal.${id}`,
      title: `Terminal: ${title}`,
      ...rest,
      when: () => {
        const pane = openPanes.current();
        return pane !== null && (possible?.(pane) ?? true);
      },
      run: () => {
        const pane = openPanes.current();
        if (pane) void Promise.resolve(run(pane)).catch(complain);
      },
    };
  };
  register(
    action('commands', 'Show commands or the screen', (pane) => pane.setMode(pane.mode.peek() === 'screen' ? 'commands' : 'screen'), {
      shortcut: 'F8',
    }),
    action('find', 'Find on the screen', (pane) => pane.find(), { shortcut: 'Ctrl+Alt+F' }),
    action('previous_command', 'Previous command', (pane) => pane.step(-1), { shortcut: 'Alt+ArrowUp' }),
    action('next_command', 'Next command', (pane) => pane.step(1), { shortcut: 'Alt+ArrowDown' }),
    action('take_over', 'Take over the controls', (pane) => takeOver(pane.id), { if: (pane) => pane.control.value.is !== 'mine' }),
    action('hand_back', 'Hand the controls back', (pane) => handBack(pane.id), { if: (pane) => pane.control.value.is === 'mine' }),
    action('use_my_size', 'Use the size of this window', (pane) => pane.live.useRoom()),
    action('log', 'Show earlier output', (pane) => pane.openLog()),
    action('save', 'Save output as text', (pane) => saveOutput(pane.id, pane.state.peek()?.title ?? '')),
    action('copy', 'Copy what is selected', (pane) => copySelection(pane), { shortcut: 'Ctrl+Shift+C' }),
    action('paste', 'Paste', async (pane) => paste(await navigator.clipboard.readText(), pane.screen.term)),
    action('interrupt', 'Interrupt the program (Ctrl+C)', (pane) => call('flightdeck.terminal.signal', { id: pane.id, signal: 'INT' })),
  );
}

async function copySelection(pane: Pane): Promise<void> {
  const text = pane.screen.term.getSelection() || (getSelection()?.toString() ?? '');
  if (text === '') return toast('info', 'Nothing is selected');
  await navigator.clipboard.writeText(text);
}
