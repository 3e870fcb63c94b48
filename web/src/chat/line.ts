/** A line as a person types it, in words: quotes hold together what belongs together. Nothing is expanded. */
export function wordsOf(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at]!;
    if (quote !== null) {
      if (char === quote) quote = null;
      else if (quote === '"' && char === '\\' && '"\\$`'.includes(line[at + 1] ?? '')) word += line[(at += 1)]!;
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (char === '\\' && at + 1 < line.length) word = (word ?? '') + line[(at += 1)]!;
    else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + char;
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}
