/** The actions of the workbench as a whole. Those of one concern are registered where that is. */

import { toggleNeeds } from './attention/go';
import { canSplitOff, closeTab, cyclePanes, maximised, newTerminal, newTerminalBeside, splitOff } from './layout/actions';
import { togglePanel } from './layout/panels';
import { register } from './palette/actions';
import { openPalette } from './palette/Palette';
import { type Panel, shownTheme, theme } from './state/preferences';
import { findTab, focus, follow, following } from './state/workbench';

export function registerActions(): void {
  const show = (name: Panel, title: string, shortcut: string) => ({
    id: `view.${name}`,
    title: `View: ${title}`,
    shortcut,
    run: () => togglePanel(name),
  });
  register(
    { id: 'palette.open', title: 'Commands', shortcut: 'F1', run: openPalette },
    show('files', 'Files', 'Ctrl+Shift+E'),
    show('search', 'Search in files', 'Ctrl+Shift+F'),
    show('agents', 'Agents', 'Ctrl+Shift+A'),
    show('activity', 'Activity', 'Ctrl+Shift+Y'),
    show('policy', 'Policy', 'Ctrl+Shift+L'),
    { id: 'view.attention', title: 'View: What needs you', run: toggleNeeds },
    {
      id: 'view.theme',
      title: 'View: Switch between dark and light',
      also: 'mode, colours',
      run: () => (theme.value = shownTheme.value === 'dark' ? 'light' : 'dark'),
    },
    {
      id: 'view.follow',
      title: 'View: Follow agents, or stop',
      run: () => follow(following.value.who === 'agents' ? { who: 'nobody' } : { who: 'agents' }),
    },
    { id: 'terminal.new', title: 'Terminal: New', also: 'open a shell, console', shortcut: 'Ctrl+Shift+`', run: newTerminal },
    {
      id: 'terminal.newRight',
      title: 'Terminal: New, in a pane at the right',
      also: 'open a shell, split',
      run: () => newTerminalBeside('right'),
    },
    {
      id: 'terminal.newBelow',
      title: 'Terminal: New, in a pane below',
      also: 'open a shell, split',
      run: () => newTerminalBeside('below'),
    },
    { id: 'tab.splitRight', title: 'Tab: Into a pane at the right', when: canSplitOff, run: () => splitOff('right') },
    { id: 'tab.splitBelow', title: 'Tab: Into a pane below', when: canSplitOff, run: () => splitOff('below') },
    { id: 'pane.next', title: 'Pane: Next', shortcut: 'F6', run: () => cyclePanes(1) },
    { id: 'pane.previous', title: 'Pane: Previous', shortcut: 'Shift+F6', run: () => cyclePanes(-1) },
    {
      id: 'pane.maximise',
      title: 'Pane: Maximise or restore',
      when: () => focus.value !== null,
      run: () => {
        const here = focus.value === null ? null : findTab(focus.value);
        maximised.value = maximised.value || !here ? null : here.pane.id;
      },
    },
    {
      id: 'tab.close',
      title: 'Tab: Close',
      shortcut: 'Ctrl+Alt+W',
      when: () => focus.value !== null && findTab(focus.value) !== null,
      run: () => focus.value && closeTab(focus.value),
    },
  );
}
