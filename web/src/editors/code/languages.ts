/** The language of a file by its name. Each is loaded when the first file of it is opened. */

import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { Compartment, type Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

const language = new Compartment();

/** The place where the language goes when it is there. */
export function languageLater(): Extension {
  return language.of([]);
}

/** Colours appear when the language has come; without one the text is plain. */
export async function loadLanguage(view: EditorView, path: string): Promise<void> {
  const name = path.split('/').at(-1)!;
  const found = LanguageDescription.matchFilename(languages, name);
  if (!found) return;
  try {
    const support = await found.load();
    view.dispatch({ effects: language.reconfigure(support) });
  } catch (error) {
    console.warn(`${path}: its language could not be loaded`, error);
  }
}
