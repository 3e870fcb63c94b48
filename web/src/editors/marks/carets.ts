/** Where other people's front ends have their cursor in this text. */

import { type Range, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { WorkbenchViewer } from '../../commands';
import type { Place } from './highlights';

const setCarets = StateEffect.define<DecorationSet>();

export const otherCarets = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(carets, transaction) {
    for (const effect of transaction.effects) if (effect.is(setCarets)) return effect.value;
    return carets.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function showCarets(view: EditorView, viewers: readonly WorkbenchViewer[], place: Place): void {
  if (viewers.length === 0 && view.state.field(otherCarets).size === 0) return;
  const carets = viewers.flatMap(({ name, editor }): Range<Decoration>[] => {
    if (!editor) return [];
    const at = place(editor.cursor.line, editor.cursor.column);
    return [Decoration.widget({ widget: new Caret(viewerLabel(name)), side: 1 }).range(at)];
  });
  view.dispatch({ effects: setCarets.of(Decoration.set(carets, true)) });
}

/** `web:2` is the second browser that was let in. */
export function viewerLabel(name: string): string {
  const [kind, which] = name.split(/:(.*)/);
  if (kind === 'web') return `browser ${which}`;
  return which ? which : name;
}

class Caret extends WidgetType {
  constructor(private readonly label: string) {
    super();
  }

  override eq(other: Caret): boolean {
    return other.label === this.label;
  }

  override toDOM(): HTMLElement {
    const caret = document.createElement('span');
    caret.className = 'other-caret';
    caret.dataset['name'] = this.label;
    caret.setAttribute('aria-hidden', 'true');
    return caret;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
