/** The workbench as the hub has it: panes, editors, documents, highlights, and who looks where. Only this file changes it. */

import { computed, signal } from '@preact/signals';
import type { AppliedEdit, Change, EditorInfo, Leader, PaneInfo, Snapshot, TabInfo, WorkbenchEvent } from '../commands';
import { call, last } from '../hub/link';
import { readSession, writeSession } from './session';

const EMPTY: Snapshot = {
  epoch: 0,
  seq: 0,
  areas: [],
  panes: [],
  editors: [],
  documents: [],
  highlights: [],
  viewers: [],
};

export const workbench = signal<Snapshot>(EMPTY);
/** Who this front end is. */
export const viewer = signal<number | null>(null);
/** The tab that has this page's keyboard, or had it last. */
export const focus = signal<string | null>(null);
/** Whom this page follows. */
export const following = signal<Leader>({ who: 'nobody' });

export const panes = computed(() => new Map(workbench.value.panes.map((pane) => [pane.id, pane])));
export const documents = computed(() => new Map(workbench.value.documents.map((document) => [document.path, document])));
export const editorsByTab = computed(() => new Map(workbench.value.editors.map((editor) => [editor.tab, editor])));

/** What happens to the text of a document: editors listen, since texts are not part of the state. */
export type TextEvent =
  | { type: 'edited'; path: string; edit: AppliedEdit }
  | { type: 'loaded'; path: string; version: number }
  /** The whole state came anew: texts may have changed in any way. */
  | { type: 'anew' };

const textListeners = new Set<(event: TextEvent) => void>();

export function onText(listener: (event: TextEvent) => void): () => void {
  textListeners.add(listener);
  return () => textListeners.delete(listener);
}

let begun = false;

/** Begins to watch, for as long as the page is open. */
export function watchWorkbench(): void {
  last(
    'flightdeck.workbench.watch',
    () => (begun ? { epoch: workbench.value.epoch, seq: workbench.value.seq } : {}),
    (event) => take(event),
  );
}

function take(event: WorkbenchEvent): void {
  switch (event.event) {
    case 'watching':
      viewer.value = event.viewer;
      // The hub forgets a front end with its connection.
      tellView({ window: { width: innerWidth, height: innerHeight }, follow: following.peek() });
      break;
    case 'snapshot':
      workbench.value = event.snapshot;
      if (!begun) focus.value = rememberedFocus() ?? tabOf(event.snapshot.activePane);
      begun = true;
      tell({ type: 'anew' });
      break;
    case 'changes': {
      let state = workbench.value;
      const texts: TextEvent[] = [];
      for (const { seq, change } of event.changes) {
        state = { ...applied(state, change), seq };
        if (change.type === 'edited' || change.type === 'loaded') texts.push(change);
      }
      workbench.value = state;
      const led = event.changes.some(({ change }) => change.type === 'active_pane');
      // Who follows agents wants to see what they turn to. The keyboard stays where it is.
      if (led && following.peek().who === 'agents') focus.value = tabOf(state.activePane) ?? focus.peek();
      texts.forEach(tell);
      break;
    }
  }
}

function tell(event: TextEvent): void {
  for (const listener of [...textListeners]) listener(event);
}

/** The state after a change. Each change carries the new state of what it is about, so there is nothing to work out. */
export function applied(state: Snapshot, change: Change): Snapshot {
  switch (change.type) {
    case 'areas':
      return { ...state, areas: change.areas };
    case 'pane':
      return { ...state, panes: put(state.panes, change.pane, (pane) => pane.id) };
    case 'pane_gone':
      return { ...state, panes: state.panes.filter((pane) => pane.id !== change.id) };
    case 'active_pane': {
      const { activePane: _, ...rest } = state;
      return change.id === undefined ? rest : { ...rest, activePane: change.id };
    }
    case 'editor':
      return { ...state, editors: put(state.editors, change.editor, (editor) => editor.id) };
    case 'editor_gone':
      return { ...state, editors: state.editors.filter((editor) => editor.id !== change.id) };
    case 'document':
      return { ...state, documents: put(state.documents, change.document, (document) => document.path) };
    case 'document_gone':
      return { ...state, documents: state.documents.filter((document) => document.path !== change.path) };
    case 'loaded':
      return state;
    case 'edited': {
      const document = state.documents.find((one) => one.path === change.path);
      if (!document) return state;
      const edited = { ...document, version: change.edit.version, dirty: true };
      return { ...state, documents: put(state.documents, edited, (one) => one.path) };
    }
    case 'highlights': {
      const others = state.highlights.filter((highlight) => highlight.path !== change.path);
      return { ...state, highlights: [...others, ...change.highlights] };
    }
    case 'viewer':
      return { ...state, viewers: put(state.viewers, change.viewer, (one) => one.id) };
    case 'viewer_gone':
      return { ...state, viewers: state.viewers.filter((one) => one.id !== change.id) };
  }
}

function put<T>(list: readonly T[], item: T, key: (item: T) => unknown): T[] {
  const at = list.findIndex((one) => key(one) === key(item));
  return at < 0 ? [...list, item] : list.with(at, item);
}

const FOCUS = 'flightdeck.focus';

/** The tab that this page had in front before it was loaded again. */
function rememberedFocus(): string | null {
  const tab = readSession(FOCUS);
  return typeof tab === 'string' && findTab(tab) ? tab : null;
}

focus.subscribe((tab) => {
  if (tab !== null) writeSession(FOCUS, tab);
});

function tabOf(pane: string | undefined): string | null {
  return pane === undefined ? null : (panes.peek().get(pane)?.activeTab ?? null);
}

/** Tells the hub where this page looks. Nobody waits for it. */
export function tellView(view: {
  focus?: string;
  window?: { width: number; height: number };
  follow?: Leader;
  editor?: { editorId: string; cursor: { line: number; column: number }; firstLine: number };
}): void {
  const id = viewer.peek();
  if (id !== null) call('flightdeck.workbench.view', { viewer: id, ...view }).catch(() => {});
}

/** Gives the keyboard of this page to a tab. */
export function focusTab(tab: string): void {
  if (focus.peek() !== tab) {
    focus.value = tab;
    tellView({ focus: tab });
  }
}

export function follow(leader: Leader): void {
  following.value = leader;
  tellView({ follow: leader });
}

/** The pane and the tab with this id. */
export function findTab(tab: string): { pane: PaneInfo; tab: TabInfo } | null {
  for (const pane of workbench.value.panes) {
    const found = pane.tabs.find((one) => one.id === tab);
    if (found) return { pane, tab: found };
  }
  return null;
}

/** The tab that shows a file or a terminal. */
export function tabShowing(contentId: string): { pane: PaneInfo; tab: TabInfo } | null {
  for (const pane of workbench.value.panes) {
    const found = pane.tabs.find((one) => one.contentId === contentId);
    if (found) return { pane, tab: found };
  }
  return null;
}

export function editorOf(tab: string): EditorInfo | undefined {
  return editorsByTab.value.get(tab);
}
