/** Brings lines into sight that somebody points at, unless the person has this very text before them. */

import { EditorSelection } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { AuditCall, EditorInfo } from '../commands';
import { actorOf } from '../ui/actor';
import type { Session } from './shared/session';

/** For so long after a key, a click or a turn of the wheel somebody is reading here. */
const BUSY_MS = 5000;

/** When the person did something in an editor last. */
export class Presence {
  private last = -Infinity;

  constructor(
    private readonly view: EditorView,
    private readonly now: () => number = Date.now,
  ) {
    for (const name of ['keydown', 'pointerdown', 'wheel', 'touchmove'] as const) {
      view.dom.addEventListener(name, () => (this.last = this.now()), { passive: true, capture: true });
    }
  }

  /** They have the keyboard here and did something a moment ago: nothing may move. */
  get busy(): boolean {
    return this.view.hasFocus && this.now() - this.last < BUSY_MS;
  }
}

/** Whether somebody has it before them. */
export function isInSight(view: EditorView): boolean {
  return view.dom.clientHeight > 0;
}

/** Whether they see this place of it. */
export function isShown(view: EditorView, position: number): boolean {
  const [place, room] = [view.coordsAtPos(position), view.scrollDOM.getBoundingClientRect()];
  return place !== null && place.top >= room.top && place.bottom <= room.bottom;
}

/** Shows an editor as somebody left it, or at the line that it was opened for. */
export function begin(view: EditorView, session: Session, info: EditorInfo): void {
  const cursor = session.shownAt(info.cursor.line, info.cursor.column);
  const line = info.reveal ?? (info.firstLine > 1 ? info.firstLine : undefined);
  const y = info.reveal === undefined ? 'start' : 'center';
  view.dispatch({
    selection: EditorSelection.cursor(cursor),
    effects: line === undefined ? [] : EditorView.scrollIntoView(session.shownAt(line), { y }),
  });
}

/** Brings a line into the centre; the cursor goes along when the person asked for it. */
export function goTo(view: EditorView, session: Session, line: number, cursor?: { line: number; column: number }): void {
  view.dispatch({
    ...(cursor ? { selection: EditorSelection.cursor(session.shownAt(cursor.line, cursor.column)) } : {}),
    effects: EditorView.scrollIntoView(session.shownAt(line), { y: 'center' }),
  });
}

/** The agent that pointed at a line of a file last, by the newest calls. */
export function pointer(calls: readonly AuditCall[], path: string): string | null {
  const points = /^openspace\.editor\.(open|scroll_to|highlight)$/;
  const call = calls.findLast(
    (one) => points.test(one.command) && actorOf(one.actor).kind === 'agent' && one.args.includes(JSON.stringify(path)),
  );
  return call ? actorOf(call.actor).name : null;
}
