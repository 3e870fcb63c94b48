/** How well a text matches what was typed: letters in order; runs and beginnings of words count more. 0: not at all. */
export function fuzzy(query: string, text: string): number {
  const wanted = query.toLowerCase().replaceAll(' ', '');
  const letters = text.toLowerCase();
  if (!wanted) return 1;
  let [found, score, last] = [0, 0, -2];
  for (let at = 0; at < letters.length && found < wanted.length; at++) {
    if (letters[at] !== wanted[found]) continue;
    score += last === at - 1 ? 3 : 1;
    if (at === 0 || ' .:/_-'.includes(letters[at - 1]!)) score += 2;
    last = at;
    found += 1;
  }
  return found === wanted.length ? Math.max(score - letters.length / 200, 0.01) : 0;
}

/** Those that match, the best first. */
export function best<T>(query: string, items: readonly T[], text: (item: T) => string, most: number): T[] {
  const scored = items.map((item) => ({ item, score: fuzzy(query, text(item)) })).filter(({ score }) => score > 0);
  scored.sort((a, b) => b.score - a.score);
  return scored.slice(0, most).map(({ item }) => item);
}
