/** Markdown by blocks: paragraphs, headings, lists, tables, code. A block that is not finished yet is shown as far as it is. */

export type Block =
  | { is: 'text'; text: string }
  | { is: 'heading'; level: number; text: string }
  | { is: 'code'; language: string; text: string }
  | { is: 'quote'; inner: Block[] }
  | { is: 'list'; start: number | null; items: Item[] }
  | { is: 'table'; head: string[]; rows: string[][] }
  | { is: 'rule' };

export interface Item {
  /** A box that is ticked or not; none when it has no box. */
  ticked: boolean | null;
  inner: Block[];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}>\s?/;
const ITEM = /^( {0,8})([-*+]|\d{1,9}[.)])(?:(\s+)(.*))?$/;
const DELIMITER = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
const DEEPEST = 8;

export function blocksOf(text: string): Block[] {
  return parse(text.replaceAll('\r\n', '\n').split('\n'), 0);
}

/** The text of each block of the whole, so that those that are finished need not be read again. */
export function piecesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const pieces: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const end = blockEnd(lines, at);
    const piece = lines.slice(at, end).join('\n');
    if (piece.trim() !== '') pieces.push(piece);
    at = end;
  }
  return pieces;
}

function parse(lines: string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const end = blockEnd(lines, at);
    const block = blockOf(lines.slice(at, end), depth);
    if (block) blocks.push(block);
    at = end;
  }
  return blocks;
}

/** Where the block ends that begins at a line. */
function blockEnd(lines: string[], at: number): number {
  const line = lines[at]!;
  const fence = FENCE.exec(line);
  if (fence) return fenceEnd(lines, at, fence[1]!);
  if (line.trim() === '' || HEADING.test(line) || RULE.test(line)) return at + 1;
  let end = at + 1;
  if (QUOTE.test(line)) {
    while (end < lines.length && (QUOTE.test(lines[end]!) || (lines[end]!.trim() !== '' && !interrupts(lines[end]!)))) end += 1;
    return end;
  }
  if (ITEM.test(line)) return listEnd(lines, at);
  if (isTable(lines, at)) {
    while (end < lines.length && lines[end]!.includes('|') && lines[end]!.trim() !== '') end += 1;
    return end;
  }
  while (end < lines.length && lines[end]!.trim() !== '' && !interrupts(lines[end]!) && !isTable(lines, end)) end += 1;
  return end;
}

function fenceEnd(lines: string[], at: number, mark: string): number {
  const closes = new RegExp(`^ {0,3}${mark[0]}{${mark.length},}\\s*$`);
  for (let end = at + 1; end < lines.length; end += 1) if (closes.test(lines[end]!)) return end + 1;
  return lines.length;
}

/** Items, what is indented below them, and blank lines between. */
function listEnd(lines: string[], at: number): number {
  let end = at + 1;
  let fence: string | null = null;
  while (end < lines.length) {
    const line = lines[end]!;
    const fenced = FENCE.exec(line.trimStart());
    if (fence !== null) {
      if (line.trim().startsWith(fence) && line.trim().replaceAll(fence[0]!, '') === '') fence = null;
    } else if (line.trim() === '') {
      let after = end + 1;
      while (after < lines.length && lines[after]!.trim() === '') after += 1;
      const next = lines[after];
      if (next === undefined || !(ITEM.test(next) || /^ {2,}/.test(next)) || RULE.test(next)) return end;
      end = after;
      continue;
    } else if (fenced && /^\s{2,}/.test(line)) fence = fenced[1]!;
    else if (RULE.test(line)) return end;
    else if (!ITEM.test(line) && !/^ {2,}|^\t/.test(line) && interrupts(line)) return end;
    end += 1;
  }
  return end;
}

/** What ends a paragraph without a blank line. */
function interrupts(line: string): boolean {
  const item = ITEM.exec(line);
  return FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line) || (item !== null && item[4] !== undefined);
}

function isTable(lines: string[], at: number): boolean {
  return lines[at]!.includes('|') && at + 1 < lines.length && lines[at + 1]!.includes('-') && DELIMITER.test(lines[at + 1]!) && lines[at + 1]!.includes('|');
}

function blockOf(lines: string[], depth: number): Block | null {
  const first = lines[0]!;
  if (lines.every((line) => line.trim() === '')) return null;
  const text = lines.join('\n');
  if (depth > DEEPEST) return { is: 'text', text };
  const fence = FENCE.exec(first);
  if (fence) {
    const closed = lines.length > 1 && new RegExp(`^ {0,3}${fence[1]![0]}{${fence[1]!.length},}\\s*$`).test(lines.at(-1)!);
    return { is: 'code', language: fence[2]!, text: lines.slice(1, closed ? -1 : undefined).join('\n') };
  }
  const heading = HEADING.exec(first);
  if (heading) return { is: 'heading', level: heading[1]!.length, text: heading[2]! };
  if (RULE.test(first)) return { is: 'rule' };
  if (QUOTE.test(first)) return { is: 'quote', inner: parse(lines.map((line) => line.replace(QUOTE, '')), depth + 1) };
  if (ITEM.test(first)) return listOf(lines, depth);
  if (isTable(lines, 0)) return { is: 'table', head: cellsOf(first), rows: lines.slice(2).map(cellsOf) };
  return { is: 'text', text: text.trim() };
}

function listOf(lines: string[], depth: number): Block {
  const first = ITEM.exec(lines[0]!)!;
  const indent = first[1]!.length;
  const number = /^\d+/.exec(first[2]!);
  const items: string[][] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item && item[1]!.length <= indent + 1) items.push([item[4] ?? '']);
    else items.at(-1)!.push(line);
  }
  return {
    is: 'list',
    start: number ? Number(number[0]) : null,
    items: items.map((own) => {
      const box = /^\[([ xX])\]\s+/.exec(own[0]!);
      const body = [box ? own[0]!.slice(box[0].length) : own[0]!, ...unindented(own.slice(1))];
      return { ticked: box ? box[1] !== ' ' : null, inner: parse(body, depth + 1) };
    }),
  };
}

/** What belongs to an item stands as far to the right as its least indented line. */
function unindented(lines: string[]): string[] {
  const widths = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const least = Math.min(...widths, 16);
  return lines.map((line) => line.slice(Math.min(least, line.length - line.trimStart().length)));
}

function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, '').replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}
