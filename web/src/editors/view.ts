/** An editor: the shared text of a file, who is at it, and what has to be decided about it. */

import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { h, render } from 'preact';
import type { TabInfo } from '../commands';
import { HubError } from '../hub/connection';
import { call, live, standing } from '../hub/link';
import type { View } from '../layout/view';
import { editorOf } from '../state/workbench';
import { complain, toast } from '../ui/toasts';
import { visible as shownPath } from '../ui/visible';
import { clearHighlights, openEditors } from './actions';
import { Bars } from './bars/Bars';
import { lineEndings } from './code/endings';
import { loadLanguage } from './code/languages';
import { writing } from './code/setup';
import './editors.css';
import { Failed } from './Failed';
import { follow } from './follow';
import { authorBars } from './marks/authors';
import { otherCarets } from './marks/carets';
import { highlightMarks } from './marks/highlights';
import { keepMarks } from './marks/keep';
import { EditorModel } from './model';
import { goTo } from './reveal';
import { settle } from './settle';
import { Session } from './shared/session';
import { tellPlace } from './tell';

/** A file that can't be shown says why in its place, and can be tried again. */
export async function openEditor(host: HTMLElement, tab: TabInfo): Promise<View> {
  let view: View = { focus() {}, shown() {}, dispose() {} };
  let [visible, gone] = [false, false];
  const open = async () => {
    try {
      const opened = await begin(host, tab);
      if (gone) return opened.dispose();
      view = opened;
      view.shown(visible);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      const again = () => {
        render(null, host);
        void open().catch(complain);
      };
      if (!gone) render(h(Failed, { path: tab.contentId, error, again }), host);
    }
  };
  await open();
  return {
    focus: () => view.focus(),
    shown: (now) => {
      visible = now;
      view.shown(now);
    },
    dispose() {
      gone = true;
      view.dispose();
      render(null, host);
    },
  };
}

async function begin(host: HTMLElement, tab: TabInfo): Promise<View> {
  const path = tab.contentId;
  const session = await Session.open(path, (edit, before, after) => void model.writes.noticed(edit, before, after));
  const [frame, text, edge] = [element('editor'), element('editor-text'), element('editor-edge')];
  frame.append(text, edge);
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

  let waits = false;
  const model: EditorModel = new EditorModel(path, text, {
    async save() {
      try {
        if (standing.peek().is !== 'live') {
          toast('info', `${shownPath(path)} is saved when the hub is back`);
          // Asked for again, it is still one save.
          if (waits) return;
          waits = true;
          await live();
          await isAtHub(path, () => view.state.doc.toString());
          waits = false;
        }
        await session.settled();
        await call('flightdeck.workbench.save', { path });
      } catch (error) {
        // A conflict has its own bar by now, with what can be done about it.
        if (model.document?.conflict === undefined) complain(error, `${shownPath(path)} was not saved`);
      }
    },
    goTo(line) {
      goTo(view, session, line, { line, column: 1 });
      view.focus();
    },
    focus: () => view.focus(),
    text: () => view.state.doc.toString(),
  });
  render(h(Bars, { model }), edge);
  openEditors.set(tab.id, { view, model });
  session.attach(view);
  void loadLanguage(view, path);
  void model.writes.lookBack();

  const following = follow(view, session, model, tab.id);
  const stops = [following.stop, keepMarks(view, session, path), settle(view, model)];
  return {
    focus: () => view.focus(),
    shown: (visible) => {
      if (!visible) return;
      view.requestMeasure();
      following.shown();
    },
    dispose() {
      for (const stop of stops) stop();
      if (openEditors.get(tab.id)?.view === view) openEditors.delete(tab.id);
      session.dispose();
      render(null, edge);
      view.destroy();
    },
  };
}

function element(name: string): HTMLElement {
  const made = document.createElement('div');
  made.className = name;
  return made;
}

/** Waits, for a while, until the next hub has the text that is shown: it begins with what is on the disk. */
async function isAtHub(path: string, shown: () => string): Promise<void> {
  for (let look = 0; look < 100; look += 1) {
    const found = await call('flightdeck.workbench.document', { path }).catch(() => undefined);
    if (found?.text.replaceAll('\r\n', '\n') === shown()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
