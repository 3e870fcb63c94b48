/** What the palette finds, and in which order: what somebody can do by hand comes before the commands of the hub. */

import type { CommandInfo } from '../commands';
import type { Action } from './actions';
import { fuzzy } from './fuzzy';

export type Item = { is: 'action'; action: Action } | { is: 'command'; command: CommandInfo };

/** How well a query fits: by the beginnings of words, within them, or by letters in order alone. */
const [BEGINS, WITHIN, LETTERS] = [3, 2, 1];

interface Found {
  item: Item;
  fit: number;
  /** Whether the title alone says it, without the id or other words for it. */
  titled: boolean;
  /** Among those that are alike in all that. */
  score: number;
}

const textsOf = (item: Item) =>
  item.is === 'action'
    ? { title: item.action.title, rest: `${item.action.id} ${spaced(item.action.id)} ${item.action.also ?? ''}` }
    : { title: item.command.title, rest: item.command.id };

/** `terminal.newRight` has three words. */
const spaced = (id: string) => id.replace(/([a-z])([A-Z])/g, '$1 $2');

/** Those that fit, the best first; words count in any order. */
export function rank(query: string, items: readonly Item[], most: number): Item[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = items.flatMap((item) => fitOf(words, item) ?? []);
  found.sort(
    (a, b) =>
      b.fit - a.fit ||
      Number(b.item.is === 'action') - Number(a.item.is === 'action') ||
      Number(b.titled) - Number(a.titled) ||
      b.score - a.score,
  );
  return found.slice(0, most).map(({ item }) => item);
}

function fitOf(words: readonly string[], item: Item): Found | null {
  const { title, rest } = textsOf(item);
  const [inTitle, inAll] = [title.toLowerCase(), `${title} ${rest}`.toLowerCase()];
  const titled = words.every((word) => begins(inTitle, word));
  // Of two that have all words the shorter one says less that was not asked for.
  if (words.every((word) => begins(inAll, word))) return { item, fit: BEGINS, titled, score: words.length > 0 ? -title.length : 0 };
  if (words.every((word) => inAll.includes(word))) return { item, fit: WITHIN, titled, score: -title.length };
  const score = fuzzy(words.join(''), item.is === 'action' ? title : inAll);
  return score > 0 ? { item, fit: LETTERS, titled, score } : null;
}

/** Whether a word of the text begins like that. */
function begins(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]!)) return true;
  }
  return false;
}
