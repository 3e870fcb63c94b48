/** Shows what others point at in an editor, and where a front end looks that this page follows. */

import type { EditorView } from '@codemirror/view';
import { effect } from '@preact/signals';
import { editorOf, following, workbench } from '../state/workbench';
import { later } from './later';
import type { EditorModel } from './model';
import { begin, goTo, isInSight, isShown, Presence } from './reveal';
import type { Session } from './shared/session';
import { takeWanted } from './wanted';

interface Following {
  /** It came into sight: what could not be scrolled to before is scrolled to now. */
  shown(): void;
  stop(): void;
}

export function follow(view: EditorView, session: Session, model: EditorModel, tab: string): Following {
  const presence = new Presence(view);
  // A text that is not in sight has no height, and nothing to scroll in.
  let waiting: (() => void) | null = null;
  const whenShown = (run: () => void) => {
    waiting = null;
    if (view.dom.clientHeight > 0) run();
    else waiting = run;
  };

  let reveals: number | null = null;
  const stopReveals = effect(() => {
    const editor = editorOf(tab);
    if (!editor || editor.reveals === reveals) return;
    const first = reveals === null;
    reveals = editor.reveals;
    const { reveal, cursor } = editor;
    if (first) {
      const wanted = takeWanted(model.path);
      whenShown(() => begin(view, session, editor));
      if (wanted) view.focus();
    } else if (reveal !== undefined) later(() => point(reveal, cursor));
  });

  const point = (line: number, cursor: { line: number; column: number }) => {
    const wanted = takeWanted(model.path)?.line !== undefined;
    // Who has the file before them reads it, with or without the keyboard; who follows agents wants to be led.
    const reads = following.peek().who !== 'agents' && isInSight(view);
    if (!wanted && (presence.busy || reads)) {
      // What is in sight already needs no hint to go there.
      model.pointed.value = isShown(view, session.shownAt(line)) ? null : { line };
      return;
    }
    model.pointed.value = null;
    whenShown(() => goTo(view, session, line, wanted ? cursor : undefined));
  };

  let seen = '';
  const stopLeader = effect(() => {
    const leader = following.value;
    if (leader.who !== 'viewer') return;
    const place = workbench.value.viewers.find((one) => one.id === leader.id)?.editor;
    const now = JSON.stringify(place);
    if (!place || place.editorId !== editorOf(tab)?.id || now === seen) return;
    seen = now;
    if (!presence.busy) later(() => whenShown(() => goTo(view, session, place.cursor.line)));
  });

  return {
    shown() {
      const run = waiting;
      waiting = null;
      run?.();
    },
    stop() {
      stopReveals();
      stopLeader();
    },
  };
}
