/** What agents point at: lines in a colour with a bar at the left, and who says so at the end of the first of them. */

import { type EditorState, type Range, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { Highlight } from '../../commands';
import { actorOf, hueOf } from '../../ui/actor';

/** Where a line and column of the hub's text are in the text that is shown. */
export type Place = (line: number, column?: number) => number;

/** A region of a highlight as it stands in the text. */
interface Region {
  highlight: Highlight;
  from: number;
  to: number;
  /** Only a part of its lines is meant. */
  partial: boolean;
  /** The first region of a highlight says whose it is. */
  first: boolean;
}

interface Marks {
  regions: readonly Region[];
  decorations: DecorationSet;
}

const setRegions = StateEffect.define<readonly Region[]>();

/** Between two messages of the hub regions move with what is typed, by the rules that the hub has for them. */
export const highlightMarks = StateField.define<Marks>({
  create: () => ({ regions: [], decorations: Decoration.none }),
  update(marks, transaction) {
    const told = transaction.effects.findLast((effect) => effect.is(setRegions));
    if (told) return { regions: told.value, decorations: decorate(transaction.state, told.value) };
    if (!transaction.docChanged || marks.regions.length === 0) return marks;
    const regions = marks.regions
      .map((region) => ({ ...region, from: transaction.changes.mapPos(region.from, 1), to: transaction.changes.mapPos(region.to, -1) }))
      .filter((region) => region.from <= region.to);
    return { regions, decorations: decorate(transaction.state, regions) };
  },
  provide: (field) => EditorView.decorations.from(field, (marks) => marks.decorations),
});

export function showHighlights(view: EditorView, highlights: readonly Highlight[], place: Place): void {
  if (highlights.length === 0 && view.state.field(highlightMarks).regions.length === 0) return;
  const regions = highlights.flatMap((highlight) =>
    highlight.ranges.map((range, index): Region => {
      const from = place(range.startLine, range.startColumn);
      const to = Math.max(from, place(range.endLine, range.endColumn ?? Number.MAX_SAFE_INTEGER));
      const partial = range.startColumn !== undefined || range.endColumn !== undefined;
      return { highlight, from, to, partial, first: index === 0 };
    }),
  );
  view.dispatch({ effects: setRegions.of(regions) });
}

function decorate({ doc }: EditorState, regions: readonly Region[]): DecorationSet {
  const marks: Range<Decoration>[] = [];
  for (const { highlight, from, to, partial, first } of regions) {
    const [top, bottom] = [doc.lineAt(from), doc.lineAt(to)];
    const attributes = { style: `--hl: ${colour(highlight.color)}`, 'data-highlight': highlight.id };
    const line = Decoration.line({ class: partial ? 'hl hl-partial' : 'hl', attributes });
    for (let number = top.number; number <= bottom.number; number++) marks.push(line.range(doc.line(number).from));
    if (partial && from < to) marks.push(Decoration.mark({ class: 'hl-text', attributes }).range(from, to));
    if (first) marks.push(Decoration.widget({ widget: new Chip(highlight), side: 1 }).range(top.to));
  }
  return Decoration.set(marks, true);
}

const NAMED = new Set(['yellow', 'green', 'red', 'blue', 'orange', 'purple', 'gray']);

/** A colour of the tokens, or the agent's own. Nothing else gets into a style. */
export function colour(name: string): string {
  if (NAMED.has(name)) return `var(--hl-${name})`;
  return /^#[0-9a-f]{6}$/i.test(name) ? name : 'var(--agent)';
}

/** A name that the hub has made says nothing to a person. */
export function labelOf({ id, createdBy }: Pick<Highlight, 'id' | 'createdBy'>): string {
  const { name } = actorOf(createdBy);
  return /^(h|highlight-?)\d+$/.test(id) ? name : `${name} · ${inWords(id)}`;
}

/** `where-the-panic-starts` was written for people, only without spaces. */
function inWords(id: string): string {
  return /^[\p{L}\p{N}]+([-_][\p{L}\p{N}]+)+$/u.test(id) ? id.replace(/[-_]/g, ' ') : id;
}

class Chip extends WidgetType {
  private readonly label: string;

  constructor(private readonly highlight: Highlight) {
    super();
    this.label = labelOf(highlight);
  }

  override eq(other: Chip): boolean {
    return other.label === this.label && other.highlight.color === this.highlight.color;
  }

  override toDOM(): HTMLElement {
    const chip = document.createElement('span');
    const actor = actorOf(this.highlight.createdBy);
    chip.className = `hl-chip ${actor.kind}`;
    chip.dataset['hue'] = String(hueOf(actor.name));
    chip.style.setProperty('--hl', colour(this.highlight.color));
    chip.textContent = this.label;
    chip.title = `${this.label} · Escape clears the highlights of this file`;
    return chip;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
