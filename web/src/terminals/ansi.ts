/**
 * What a command printed, as lines of text with a look: for reading, in the colours of the theme. A program that moves
 * about the screen can't be read as lines, and is said to be `moving`.
 */

/** `fg-1 bold`: classes, so that the theme decides on colours and keeps them readable. */
export interface Span {
  text: string;
  look: string;
}
export type Line = Span[];

interface Style {
  fg: number | null;
  bg: number | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
}

const PLAIN: Style = { fg: null, bg: null, bold: false, dim: false, italic: false, underline: false, inverse: false };
const TAB = 8;
/** A string (a title, a link) or a sequence, whole or cut off at the end, or one control character. */
const TOKEN =
  // eslint-disable-next-line no-control-regex
  /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b\[([<=>?]?)([\d;:]*)[ -/]*([@-~]|$)|\x1b[ -/]*[0-~]|[\x00-\x1f\x7f]/g;

export function readAnsi(text: string): { lines: Line[]; moving: boolean } {
  const lines: Line[] = [];
  let row = new Row();
  let style = PLAIN;
  let moving = false;
  const end = () => {
    lines.push(row.spans());
    row = new Row();
  };
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    row.print(text.slice(from, match.index), lookOf(style));
    from = match.index + match[0].length;
    const [token, mark, numbers, final] = match;
    if (token === '\n') end();
    else if (token === '\r') row.at = 0;
    else if (token === '\b') row.at = Math.max(0, row.at - 1);
    else if (token === '\t') row.print(' '.repeat(TAB - (row.at % TAB)), lookOf(style));
    else if (final !== undefined && mark === '') {
      const first = Number(numbers?.split(/[;:]/)[0] || 0);
      if (final === 'm') style = styled(style, numbers ?? '');
      else if (final === 'K') row.erase(first);
      else if (final === 'G') row.at = Math.max(0, first - 1);
      else if (final === 'C') row.at += Math.max(1, first);
      else if (final === 'D') row.at = Math.max(0, row.at - Math.max(1, first));
      else if ('ABEFHJLMSTdfr@PX'.includes(final)) moving = true;
    } else if (final === 'h' && mark === '?' && /\b(1049|1047|47)\b/.test(numbers ?? '')) moving = true;
  }
  row.print(text.slice(from), lookOf(style));
  if (row.length > 0) end();
  return { lines, moving };
}

/** Plain text, as lines in the same form. */
export function plainLines(text: string): Line[] {
  const lines = text.replace(/\n$/, '').split('\n');
  return text === '' ? [] : lines.map((line) => (line === '' ? [] : [{ text: line, look: '' }]));
}

export function textOf(lines: readonly Line[]): string {
  return lines.map((line) => `${line.map((span) => span.text).join('')}\n`).join('');
}

/** One line while it is being written: characters may be written over, as progress bars do. */
class Row {
  at = 0;
  private cells: { char: string; look: string }[] = [];

  get length(): number {
    return this.cells.length;
  }

  print(text: string, look: string): void {
    for (const char of text) {
      while (this.cells.length < this.at) this.cells.push({ char: ' ', look: '' });
      this.cells[this.at] = { char, look };
      this.at += 1;
    }
  }

  erase(what: number): void {
    if (what === 0) this.cells.length = Math.min(this.cells.length, this.at);
    else if (what === 2) this.cells = [];
    else for (let index = 0; index <= this.at && index < this.cells.length; index += 1) this.cells[index] = { char: ' ', look: '' };
  }

  spans(): Line {
    const line: Line = [];
    for (const { char, look } of this.cells) {
      const last = line.at(-1);
      if (last?.look === look) last.text += char;
      else line.push({ text: char, look });
    }
    return line;
  }
}

function styled(style: Style, numbers: string): Style {
  const codes = numbers.split(/[;:]/).map(Number);
  const next = { ...style };
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index]!;
    if (code === 0) Object.assign(next, PLAIN);
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 3) next.italic = true;
    else if (code === 4) next.underline = true;
    else if (code === 7) next.inverse = true;
    else if (code === 22) next.bold = next.dim = false;
    else if (code === 23) next.italic = false;
    else if (code === 24) next.underline = false;
    else if (code === 27) next.inverse = false;
    else if (code >= 30 && code <= 37) next.fg = code - 30;
    else if (code >= 90 && code <= 97) next.fg = code - 82;
    else if (code === 39) next.fg = null;
    else if (code >= 40 && code <= 47) next.bg = code - 40;
    else if (code >= 100 && code <= 107) next.bg = code - 92;
    else if (code === 49) next.bg = null;
    else if (code === 38 || code === 48) {
      const [colour, used] = extended(codes.slice(index + 1));
      next[code === 38 ? 'fg' : 'bg'] = colour;
      index += used;
    }
  }
  return next;
}

/** One of 256 colours or any: the nearest of the theme's sixteen, which can be read on its ground. */
function extended(codes: number[]): [number | null, number] {
  if (codes[0] === 5) {
    const index = codes[1] ?? 0;
    if (index < 16) return [index, 2];
    if (index >= 232) return [grey((index - 232) * 10 + 8), 2];
    const cube = index - 16;
    const level = (part: number) => (part === 0 ? 0 : part * 40 + 55);
    return [nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)), 2];
  }
  if (codes[0] === 2) return [nearest(codes[1] ?? 0, codes[2] ?? 0, codes[3] ?? 0), 4];
  return [null, 0];
}

function nearest(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 40) return grey(most);
  const middle = (most + least) / 2;
  const hue = (red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0);
  return hue + (least > 100 ? 8 : 0);
}

function grey(level: number): number {
  return level < 64 ? 0 : level < 150 ? 8 : level < 220 ? 7 : 15;
}

function lookOf(style: Style): string {
  const parts: string[] = [];
  if (style.fg !== null) parts.push(`fg-${style.fg}`);
  if (style.bg !== null) parts.push(`bg-${style.bg}`);
  for (const name of ['bold', 'dim', 'italic', 'underline', 'inverse'] as const) if (style[name]) parts.push(`is-${name}`);
  return parts.join(' ');
}
