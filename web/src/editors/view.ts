/** An editor: the shared text of a file, who is at it, and what has to be decided about it. */

import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { effect } from '@preact/signals';
import { h, render } from 'preact';
import type { TabInfo } from '../commands';
import { call } from '../hub/link';
import type { View } from '../layout/view';
import { editorOf, following, viewer, workbench } from '../state/workbench';
import { complain } from '../ui/toasts';
import { clearHighlights, openEditors } from './actions';
import { Bars } from './bars/Bars';
import { lineEndings } from './code/endings';
import { loadLanguage } from './code/languages';
import { writing } from './code/setup';
import './editors.css';
import { authorBars, settled } from './marks/authors';
import { otherCarets, showCarets } from './marks/carets';
import { highlightMarks, showHighlights } from './marks/highlights';
import { EditorModel } from './model';
import { begin, goTo, Presence } from './reveal';
import { Session } from './shared/session';
import { tellPlace } from './tell';
import { takeWanted } from './wanted';

export async function openEditor(host: HTMLElement, tab: TabInfo): Promise<View> {
  const path = tab.contentId;
  const session = await Session.open(path, (edit, before, after) => {
    void model.writes.noticed(edit, before, after);
  });
  const [frame, text, bars] = [element('editor'), element('editor-text'), element('editor-edge')];
  frame.append(text, bars);
  host.replaceChildren(frame);

  const view = new EditorView({
    parent: text,
    state: EditorState.create({
      doc: session.text,
      extensions: [
        writing(path, authorBars),
        lineEndings(session.text),
        keymap.of([{ key: 'Escape', run: () => clearHighlights(path) }]),
        highlightMarks,
        otherCarets,
        session.extension,
        tellPlace(() => editorOf(tab.id)?.id),
      ],
    }),
  });

  const save = async () => {
    try {
      await session.settled();
      await call('flightdeck.workbench.save', { path });
    } catch (error) {
      // A conflict has its own bar by now, with what can be done about it.
      if (model.document?.conflict === undefined) complain(error);
    }
  };
  const model: EditorModel = new EditorModel(
    path,
    text,
    save,
    (line) => {
      model.pointed.value = null;
      goTo(view, session, line, { line, column: 1 });
      view.focus();
    },
    () => view.focus(),
    () => view.state.doc.toString(),
  );
  render(h(Bars, { model }), bars);
  openEditors.set(tab.id, { view, model });
  session.attach(view);
  void loadLanguage(view, path);
  void model.writes.lookBack();

  const stops = [follow(view, session, model, tab.id), marks(view, session, path), settle(view, model)];
  return {
    focus: () => view.focus(),
    shown: (visible) => {
      if (visible) view.requestMeasure();
    },
    dispose() {
      for (const stop of stops) stop();
      if (openEditors.get(tab.id)?.view === view) openEditors.delete(tab.id);
      session.dispose();
      render(null, bars);
      view.destroy();
    },
  };
}

function element(name: string): HTMLElement {
  const made = document.createElement('div');
  made.className = name;
  return made;
}

/** Shows what others point at, and where a front end looks that this page follows. */
function follow(view: EditorView, session: Session, model: EditorModel, tab: string): () => void {
  const presence = new Presence(view);
  let reveals: number | null = null;
  const stopReveals = effect(() => {
    const editor = editorOf(tab);
    if (!editor || editor.reveals === reveals) return;
    const [first, { reveal, cursor }] = [reveals === null, editor];
    reveals = editor.reveals;
    if (first) {
      begin(view, session, editor);
      if (takeWanted(model.path)) view.focus();
    } else if (reveal !== undefined) later(() => point(reveal, cursor));
  });
  const point = (line: number, cursor: { line: number; column: number }) => {
    const wanted = takeWanted(model.path)?.line !== undefined;
    if (!wanted && presence.busy) {
      model.pointed.value = { line };
      return;
    }
    model.pointed.value = null;
    goTo(view, session, line, wanted ? cursor : undefined);
  };
  let leader = '';
  const stopLeader = effect(() => {
    const who = following.value;
    if (who.who !== 'viewer') return;
    const place = workbench.value.viewers.find((one) => one.id === who.id)?.editor;
    const now = JSON.stringify(place);
    if (!place || place.editorId !== editorOf(tab)?.id || now === leader) return;
    leader = now;
    if (!presence.busy) later(() => goTo(view, session, place.cursor.line));
  });
  return () => {
    stopReveals();
    stopLeader();
  };
}

/** Highlights and the cursors of others. The state comes before the text that it belongs to, so it is shown after both. */
function marks(view: EditorView, session: Session, path: string): () => void {
  const place = (line: number, column?: number) => session.shownAt(line, column);
  let over = false;
  let shown: readonly unknown[] = [];
  const stop = effect(() => {
    const { highlights, viewers, editors } = workbench.value;
    const mine = viewer.value;
    const ids = new Set(editors.filter((editor) => editor.path === path).map((editor) => editor.id));
    const others = viewers.filter((one) => one.id !== mine && one.editor && ids.has(one.editor.editorId));
    const here = highlights.filter((highlight) => highlight.path === path);
    const now = [session.taken.value, ...here, ...others];
    // In between they move with the text by themselves.
    if (now.length === shown.length && now.every((one, index) => one === shown[index])) return;
    shown = now;
    later(() => {
      if (over) return;
      showHighlights(view, here, place);
      showCarets(view, others, place);
    });
  });
  return () => {
    over = true;
    stop();
  };
}

/** What goes by itself: bars beside lines when they are saved or looked at, the comparison of a conflict with it. */
function settle(view: EditorView, model: EditorModel): () => void {
  let [dirty, wrote, conflict] = [false, false, false];
  return effect(() => {
    const inConflict = model.document?.conflict !== undefined;
    // While the keyboard is here nothing covers the text; the bar has a button.
    if (inConflict && !conflict && !view.hasFocus) model.compare({ of: 'conflict' });
    if (!inConflict && model.comparison.peek()?.of === 'conflict') model.comparison.value = null;
    conflict = inConflict;
    const [dirtyNow, wroteNow] = [model.document?.dirty ?? false, model.writes.newest.value !== null];
    if (dirty && !dirtyNow) later(() => view.dispatch({ effects: settled('person') }));
    if (wrote && !wroteNow) later(() => view.dispatch({ effects: settled('agent') }));
    [dirty, wrote] = [dirtyNow, wroteNow];
  });
}

/** After the texts of the same message were told. */
function later(run: () => void): void {
  queueMicrotask(run);
}
