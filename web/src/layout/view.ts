/** What a tab shows. Views are made once and never moved in the document, since editors and terminals don't survive that. */

import type { TabInfo } from '../commands';
import { loadPart } from '../hub/parts';

export interface View {
  /** Takes the keyboard. */
  focus(): void;
  /** It came into sight or went out of it. */
  shown(visible: boolean): void;
  dispose(): void;
}

/** Editors and terminals are loaded when the first of them is needed. */
export async function openView(host: HTMLElement, tab: TabInfo): Promise<View> {
  switch (tab.type) {
    case 'editor': {
      const { openEditor } = await loadPart(() => import('../editors/view'));
      return openEditor(host, tab);
    }
    case 'terminal': {
      const { openTerminal } = await loadPart(() => import('../terminals/view'));
      return openTerminal(host, tab.contentId);
    }
  }
}

const views = new Map<string, View>();

/** The tab that a person asked for before it was there. Whatever they do meanwhile, they do not wait for it any more. */
let awaited: string | null = null;
for (const deed of ['keydown', 'pointerdown']) addEventListener(deed, () => (awaited = null), true);

/** Views that are open, by tab. */
export const openViews = {
  set(tab: string, view: View): void {
    views.set(tab, view);
    if (awaited === tab) this.focus(tab);
  },
  delete(tab: string): void {
    views.delete(tab);
  },
  /** Gives it the keyboard, now or as soon as it is there. */
  focus(tab: string): void {
    const view = views.get(tab);
    awaited = view ? null : tab;
    view?.focus();
  },
};
