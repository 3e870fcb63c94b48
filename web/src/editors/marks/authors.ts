/** Who wrote which lines: a bar beside lines that an agent has just written, and beside those that are not saved yet. */

import { type EditorState, RangeSet, RangeSetBuilder, StateEffect, StateField, type Text, type Transaction } from '@codemirror/state';
import { gutter, GutterMarker } from '@codemirror/view';
import { actorOf, hueOf } from '../../ui/actor';
import { fromOthers } from '../shared/session';

type Author = { kind: 'person' } | { kind: 'agent'; name: string };

class Bar extends GutterMarker {
  constructor(readonly author: Author) {
    super();
  }

  override eq(other: Bar): boolean {
    return JSON.stringify(other.author) === JSON.stringify(this.author);
  }

  override toDOM(): HTMLElement {
    const bar = document.createElement('div');
    bar.className = `author ${this.author.kind}`;
    if (this.author.kind === 'agent') bar.dataset['hue'] = String(hueOf(this.author.name));
    bar.title = this.author.kind === 'agent' ? `${this.author.name} wrote this` : 'not saved yet';
    return bar;
  }
}

const PERSON = new Bar({ kind: 'person' });

/** Takes bars away: those of people when the text was saved, those of agents when they were looked at. */
const settle = StateEffect.define<Author['kind']>();

export function settled(kind: Author['kind']) {
  return settle.of(kind);
}

const authors = StateField.define<RangeSet<Bar>>({
  create: () => RangeSet.empty,
  update(bars, transaction) {
    let now = bars;
    if (transaction.docChanged) {
      const bar = writer(transaction);
      now = now.map(transaction.changes);
      now = once(bar ? now.update({ add: linesOf(transaction, bar), sort: true }) : now, transaction.newDoc, bar);
    }
    for (const effect of transaction.effects) {
      if (effect.is(settle)) now = now.update({ filter: (_from, _to, bar) => bar.author.kind !== effect.value });
    }
    return now;
  },
});

/** Who made a change; nobody when it came from the disk or the text was taken anew. */
function writer(transaction: Transaction): Bar | null {
  const origin = transaction.annotation(fromOthers);
  if (!origin) return PERSON;
  if (origin.by === undefined || origin.by === 'disk') return null;
  const actor = actorOf(origin.by);
  return actor.kind === 'agent' ? new Bar({ kind: 'agent', name: actor.name }) : PERSON;
}

function linesOf({ changes, newDoc }: Transaction, bar: Bar) {
  const added: ReturnType<Bar['range']>[] = [];
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    const last = newDoc.lineAt(Math.max(from, newDoc.sliceString(to - 1, to) === '\n' ? to - 1 : to)).number;
    for (let number = newDoc.lineAt(from).number; number <= last; number++) added.push(bar.range(newDoc.line(number).from));
  });
  return added;
}

/** One bar for each line, at its beginning; the newest author counts. */
function once(bars: RangeSet<Bar>, doc: Text, newest: Bar | null): RangeSet<Bar> {
  const builder = new RangeSetBuilder<Bar>();
  let [line, bar] = [-1, null as Bar | null];
  for (const at = bars.iter(); at.value; at.next()) {
    const from = doc.lineAt(at.from).from;
    if (from !== line) {
      if (bar) builder.add(line, line, bar);
      [line, bar] = [from, at.value];
    } else if (newest && at.value.eq(newest)) bar = at.value;
  }
  if (bar) builder.add(line, line, bar);
  return builder.finish();
}

export const authorBars = [
  authors,
  gutter({ class: 'cm-authors', markers: (view) => view.state.field(authors) }),
];

/** The lines that have a bar, for tests: `3 claude`. */
export function authorsOf(state: EditorState): string[] {
  const lines: string[] = [];
  for (const at = state.field(authors).iter(); at.value; at.next()) {
    const { author } = at.value;
    lines.push(`${state.doc.lineAt(at.from).number} ${author.kind === 'agent' ? author.name : 'person'}`);
  }
  return lines;
}
