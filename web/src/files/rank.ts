/** Files by what was typed: the name counts more than the folders before it. */

import { fuzzy } from '../palette/fuzzy';
import { split } from './rows';

/** `src/main.rs:42` asks for a line as well. */
export function asked(query: string): { text: string; line: number | undefined } {
  const found = /^(.*?):(\d+)$/.exec(query.trim());
  return found ? { text: found[1]!, line: Number(found[2]) } : { text: query.trim(), line: undefined };
}

/** Those that match, the best first. Among equals, and when nothing was typed, those that are open come first. */
export function rank(query: string, paths: readonly string[], open: ReadonlySet<string>, most: number): string[] {
  const score = (path: string) => {
    const name = fuzzy(query, split(path)[1]);
    const whole = fuzzy(query, path);
    if (whole === 0) return 0;
    return Math.max(whole, name * 2) + (open.has(path) ? 0.5 : 0);
  };
  const scored = paths.map((path) => ({ path, score: score(path) })).filter((one) => one.score > 0);
  scored.sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  return scored.slice(0, most).map((one) => one.path);
}
