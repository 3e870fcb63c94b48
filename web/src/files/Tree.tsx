/** The rows of the tree, and the keys that walk it. */

import { useRef } from 'preact/hooks';
import { openFile } from '../layout/actions';
import { documents, focus, findTab } from '../state/workbench';
import { hueOf } from '../ui/actor';
import { Icon } from '../ui/Icon';
import { visible } from '../ui/visible';
import { selected, toggle } from './store';
import { touched } from './touched';
import { type Row, split, typeAhead } from './rows';

/** Letters that follow each other so fast are one word. */
const TYPING_MS = 700;

export function Tree({ rows, filtered }: { rows: readonly Row[]; filtered: boolean }) {
  const typed = useRef({ text: '', at: 0 });
  const at = Math.max(0, rows.findIndex((row) => row.path === selected.value));
  const current = rows[at];
  const go = (index: number) => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row) return;
    selected.value = row.path;
    document.getElementById(rowId(row))?.scrollIntoView({ block: 'nearest' });
  };
  const key = (event: KeyboardEvent): boolean => {
    switch (event.key) {
      case 'ArrowDown':
        return done(go(at + 1));
      case 'ArrowUp':
        return done(go(at - 1));
      case 'Home':
        return done(go(0));
      case 'End':
        return done(go(rows.length - 1));
      case 'ArrowRight':
        if (current?.kind !== 'folder') return true;
        return done(current.open ? go(at + 1) : toggle(current.path, true));
      case 'ArrowLeft':
        if (current?.open && !filtered) return done(toggle(current.path, false));
        return done(go(rows.findIndex((row) => row.path === split(current?.path ?? '')[0])));
      case 'Enter':
      case ' ':
        return done(current && act(current, filtered));
      default:
        return letter(event);
    }
  };
  const letter = (event: KeyboardEvent): boolean => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return false;
    const goesOn = event.timeStamp - typed.current.at < TYPING_MS;
    typed.current = { text: goesOn ? typed.current.text + event.key : event.key, at: event.timeStamp };
    return done(go(typeAhead(rows, at, typed.current.text)));
  };
  return (
    <ul
      class="tree"
      id="file-tree"
      role="tree"
      tabIndex={0}
      aria-label="Files"
      aria-activedescendant={current && rowId(current)}
      onKeyDown={(event) => {
        if (event.key.length > 1) typed.current.text = '';
        if (key(event)) event.preventDefault();
      }}
    >
      {rows.map((row) => (
        <TreeRow key={row.path} row={row} current={row === current} filtered={filtered} />
      ))}
    </ul>
  );
}

function TreeRow({ row, current, filtered }: { row: Row; current: boolean; filtered: boolean }) {
  const folder = row.kind === 'folder';
  return (
    <li
      id={rowId(row)}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.of}
      aria-selected={current}
      aria-expanded={folder ? row.open : undefined}
      data-path={row.path}
      data-dim={row.dim}
      data-shown={isShown(row.path)}
      title={titleOf(row)}
      style={{ paddingLeft: `${(row.level - 1) * 12 + 6}px` }}
      onClick={() => {
        selected.value = row.path;
        act(row, filtered);
      }}
    >
      {folder ? <Icon name={row.open ? 'chevronDown' : 'chevronRight'} /> : <span class="tree-gap" />}
      <span class="ellipsis">{visible(row.name)}</span>
      {!folder && <Marks path={row.path} />}
    </li>
  );
}

function titleOf(row: Row): string {
  const path = visible(row.path);
  if (row.sensitive) return `${path} · holds secrets, agents don’t see it`;
  return row.ignored ? `${path} · git leaves it out` : path;
}

/** Unsaved changes, and what an agent did with it. */
function Marks({ path }: { path: string }) {
  const touch = touched.value.get(path);
  const document = documents.value.get(path);
  return (
    <span class="tree-marks">
      {document?.conflict !== undefined && <span class="danger">conflict</span>}
      {document?.dirty && document.conflict === undefined && (
        <span class="warn" role="img" aria-label="unsaved" title="Unsaved changes">
          ●
        </span>
      )}
      {touch && (
        <span class="agent" data-hue={hueOf(touch.by)} role="img" aria-label={visible(touch.text)} title={visible(touch.text)}>
          ●
        </span>
      )}
    </span>
  );
}

function act(row: Row, filtered: boolean): void {
  if (row.kind === 'file') void openFile(row.path);
  else if (!filtered) toggle(row.path);
}

/** Whether the tab that has the keyboard shows it. */
function isShown(path: string): boolean {
  return focus.value !== null && findTab(focus.value)?.tab.contentId === path;
}

/** An id that no character of a path can break. */
function rowId(row: Row): string {
  return `file-${encodeURIComponent(row.path)}`;
}

/** The key was for the tree. */
function done(_: unknown): true {
  return true;
}
