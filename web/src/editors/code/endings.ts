/**
 * Files with CRLF. The text is shared with the hub unit by unit, so a `\r` stays in it as a character of its line. Here it
 * can't be seen, can't be parted from its `\n`, and comes with each new line.
 */

import { EditorSelection, EditorState, type Extension, type Range, RangeSet, RangeValue, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { LINE_BREAK } from '../shared/transform';

/** Whether lines end with CRLF: as the first of them does. */
export function hasCrlf(text: Text): boolean {
  return text.lines > 1 && text.line(1).text.endsWith('\r');
}

/** What each file needs, whatever its lines end with. */
export function lineEndings(text: Text): Extension {
  const crlf = hasCrlf(text);
  const pasted = (input: string) => input.replace(/\r\n?/g, '\n').replaceAll('\n', crlf ? '\r\n' : '\n');
  return [
    EditorState.lineSeparator.of(LINE_BREAK),
    EditorView.clipboardInputFilter.of(pasted),
    EditorView.clipboardOutputFilter.of((output) => output.replaceAll('\r\n', '\n')),
    crlf ? [hidden, withReturns, besideReturns] : [],
  ];
}

const hide = Decoration.replace({});

class Inseparable extends RangeValue {}
const inseparable = new Inseparable();

/** Ends of lines that can be seen: the `\r` is hidden, and the cursor goes over `\r\n` in one step. */
class Hidden {
  marks: DecorationSet = Decoration.none;
  units: RangeSet<Inseparable> = RangeSet.empty;

  constructor(view: EditorView) {
    this.look(view);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged || update.viewportChanged) this.look(update.view);
  }

  private look({ state, visibleRanges }: EditorView): void {
    const marks: Range<Decoration>[] = [];
    const units: Range<Inseparable>[] = [];
    for (const { from, to } of visibleRanges) {
      for (let at = from; at <= to; ) {
        const line = state.doc.lineAt(at);
        if (line.text.endsWith('\r')) {
          marks.push(hide.range(line.to - 1, line.to));
          if (line.to < state.doc.length) units.push(inseparable.range(line.to - 1, line.to + 1));
        }
        at = line.to + 1;
      }
    }
    this.marks = Decoration.set(marks);
    this.units = RangeSet.of(units);
  }
}

const hidden = ViewPlugin.fromClass(Hidden, {
  decorations: (value) => value.marks,
  provide: (plugin) => EditorView.atomicRanges.of((view) => view.plugin(plugin)?.units ?? RangeSet.empty),
});

/** Line breaks that are typed get their `\r`. */
const withReturns = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || !transaction.isUserEvent('input')) return transaction;
  const missing: { from: number; insert: string }[] = [];
  const { newDoc } = transaction;
  transaction.changes.iterChanges((_fromA, _toA, from, to) => {
    for (let at = from; at < to; ) {
      const line = newDoc.lineAt(at);
      if (line.to < to && !line.text.endsWith('\r')) missing.push({ from: line.to, insert: '\r' });
      at = line.to + 1;
    }
  });
  return missing.length === 0 ? transaction : [transaction, { changes: missing, sequential: true }];
});

/** A cursor at the end of a line is before the `\r`, so that what is typed there does not part it from the `\n`. */
const besideReturns = EditorState.transactionFilter.of((transaction) => {
  const { selection, newDoc } = transaction;
  if (!selection) return transaction;
  const before = (at: number) => at - (newDoc.sliceString(at - 1, at + 1) === '\r\n' ? 1 : 0);
  const ranges = selection.ranges.map(({ anchor, head, goalColumn }) =>
    EditorSelection.range(before(anchor), before(head), goalColumn),
  );
  const moved = ranges.some((range, index) => !range.eq(selection.ranges[index]!));
  return moved ? [transaction, { selection: EditorSelection.create(ranges, selection.mainIndex), sequential: true }] : transaction;
});
