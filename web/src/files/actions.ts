/** What can be done with files by hand, beside opening one. */

import { register } from '../palette/actions';
import { panel } from '../state/preferences';
import { findTab, focus } from '../state/workbench';
import { refreshAll, reveal } from './store';

function currentFile(): string | null {
  const shown = focus.value === null ? null : findTab(focus.value);
  return shown?.tab.type === 'editor' ? shown.tab.contentId : null;
}

register(
  { id: 'file.refresh', title: 'File: Look again at the tree', run: refreshAll },
  {
    id: 'file.reveal',
    title: 'File: Show the current file in the tree',
    when: () => currentFile() !== null,
    run: () => {
      const path = currentFile();
      if (path === null) return;
      panel.value = 'files';
      reveal(path);
      requestAnimationFrame(() => document.querySelector('.tree [aria-selected="true"]')?.scrollIntoView({ block: 'center' }));
    },
  },
);
