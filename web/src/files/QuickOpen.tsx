/** Opens a file by a few letters of its name. */

import { signal, useSignal } from '@preact/signals';
import { openFile } from '../layout/actions';
import { register } from '../palette/actions';
import { Picker } from '../palette/Picker';
import { documents } from '../state/workbench';
import { visible } from '../ui/visible';
import './actions';
import { allFiles, allTruncated, refreshFiles } from './all';
import { asked, rank } from './rank';
import { split } from './rows';
import './quick-open.css';

const MOST = 80;
const open = signal(false);

export function openQuickOpen(): void {
  open.value = true;
  void refreshFiles();
}

register({ id: 'file.open', title: 'File: Open by name', shortcut: 'Ctrl+P', run: openQuickOpen });

export function QuickOpen() {
  const query = useSignal('');
  if (!open.value) return null;
  const shown = new Set(documents.value.keys());
  const items = () => {
    const { text, line } = asked(query.value);
    return (allFiles.value ? rank(text, allFiles.value, shown, MOST) : []).map((path) => ({ path, line }));
  };
  return (
    <Picker
      label="Open a file"
      placeholder="Name of a file, and :42 for a line"
      items={items}
      itemKey={({ path }) => path}
      render={({ path }) => <Found path={path} open={shown.has(path)} />}
      onQuery={(typed) => (query.value = typed)}
      onPick={({ path, line }) => void openFile(path, line)}
      onClose={() => {
        open.value = false;
        query.value = '';
      }}
      empty={emptiness(asked(query.value).text)}
    />
  );
}

function emptiness(text: string): string {
  if (!allFiles.value) return 'Looking for files…';
  if (text === '') return 'There are no files in this workspace yet';
  return allTruncated.value ? 'None of the first 10,000 files is called that' : 'No file is called that';
}

function Found({ path, open: isOpen }: { path: string; open: boolean }) {
  const [folder, name] = split(path);
  return (
    <>
      <span class="found-name">{visible(name)}</span>
      <span class="found-folder dim ellipsis">{visible(folder)}</span>
      {isOpen && <small class="dim">open</small>}
    </>
  );
}
