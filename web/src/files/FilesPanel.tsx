/** The files of the workspace as a tree that follows the disk. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { newTerminal } from '../layout/actions';
import { workspaceName } from '../state/hub';
import { Icon } from '../ui/Icon';
import { allFiles, refreshFiles } from './all';
import { rank } from './rank';
import { folders, incomplete, openFolders, refreshAll, watchFolders } from './store';
import { Tree } from './Tree';
import { rowsOf, rowsOfPaths } from './rows';
import './files.css';

/** Found by a filter; who needs more types another letter. */
const MOST_FOUND = 300;

export default function FilesPanel() {
  const filter = useSignal('');
  useEffect(watchFolders, []);
  const text = filter.value.trim();
  const listed = folders.value.get('');
  const rows = text
    ? rowsOfPaths(rank(text, allFiles.value ?? [], new Set(), MOST_FOUND))
    : rowsOf(folders.value, openFolders.value);
  return (
    <div class="files">
      <header class="panel-head">
        <h2>Files</h2>
        <button class="icon-button" aria-label="Look again" title="Look again" onClick={refreshAll}>
          <Icon name="again" />
        </button>
      </header>
      <div class="panel-filter">
        <input
          class="field"
          type="search"
          aria-label="Filter files"
          placeholder="Filter"
          spellcheck={false}
          autocomplete="off"
          value={filter.value}
          onFocus={() => void refreshFiles()}
          onInput={(event) => (filter.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') filter.value = '';
            if (event.key === 'ArrowDown') document.getElementById('file-tree')?.focus();
          }}
        />
      </div>
      {rows.length > 0 && <Tree rows={rows} filtered={text !== ''} />}
      {listed === undefined && <Skeleton />}
      {listed?.length === 0 && !text && !incomplete.value.has('') && <Empty />}
      {text && rows.length === 0 && allFiles.value && <p class="panel-note dim">No file is called that.</p>}
      {[...incomplete.value].map(([folder, problem]) => (
        <p class="panel-note warn" key={folder}>
          {folder || workspaceName.value}: {problem}
        </p>
      ))}
    </div>
  );
}

function Empty() {
  return (
    <div class="panel-note">
      <p class="dim">{workspaceName.value} has no files yet. What you or an agent make there appears here at once.</p>
      <button class="button" onClick={() => void newTerminal()}>
        <Icon name="terminal" />
        New terminal
      </button>
    </div>
  );
}

/** Keeps the layout still; it is seen only when it takes long. */
export function Skeleton() {
  return (
    <div class="skeleton" aria-hidden="true">
      {[62, 44, 70, 38, 55].map((width) => (
        <i key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
