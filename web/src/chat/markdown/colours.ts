/** Colours for code in a conversation, by the editor's own languages. Loaded when the first code with a language is shown. */

import { LanguageDescription } from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { highlightCode, tagHighlighter, tags as t } from '@lezer/highlight';

export interface Coloured {
  text: string;
  /** The name of a token: `keyword`. Empty for plain text. */
  look: string;
}

/** The same classes as in the editor, fewer of them. */
const looks = tagHighlighter([
  { tag: [t.keyword, t.modifier, t.operatorKeyword, t.controlKeyword, t.definitionKeyword, t.moduleKeyword, t.self, t.heading], class: 'keyword' },
  { tag: [t.string, t.special(t.string), t.regexp, t.character, t.inserted], class: 'string' },
  { tag: [t.comment, t.docComment, t.meta, t.documentMeta, t.quote], class: 'comment' },
  { tag: [t.number, t.bool, t.null, t.atom, t.unit, t.escape, t.color], class: 'number' },
  { tag: [t.typeName, t.className, t.namespace, t.tagName, t.labelName, t.link, t.url], class: 'type' },
  { tag: [t.function(t.variableName), t.function(t.propertyName), t.macroName, t.attributeName], class: 'function' },
  { tag: [t.invalid, t.deleted], class: 'deleted' },
]);

/** Nothing when the language is not known. */
export async function coloured(text: string, language: string): Promise<Coloured[] | null> {
  const found = LanguageDescription.matchLanguageName(languages, language, false) ?? LanguageDescription.matchFilename(languages, `x.${language}`);
  if (!found) return null;
  const { parser } = (await found.load()).language;
  const parts: Coloured[] = [];
  const say = (part: string, look: string) => {
    const last = parts.at(-1);
    if (last?.look === look) last.text += part;
    else parts.push({ text: part, look });
  };
  highlightCode(text, parser.parse(text), looks, say, () => say('\n', ''));
  return parts;
}
