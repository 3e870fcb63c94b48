/**
 * Markdown within a line: code, links, emphasis. What it gives is a tree, never markup, so that whatever an agent writes
 * stays text. Every pattern looks only so far ahead: hostile text costs no more than other text.
 */

export type Inline =
  | { is: 'text'; text: string }
  | { is: 'code'; text: string }
  | { is: 'strong' | 'em' | 'del'; inner: Inline[] }
  | { is: 'link'; href: string; inner: Inline[] }
  /** A file of the workspace. */
  | { is: 'file'; path: string; line: number | undefined; inner: Inline[] }
  | { is: 'break' };

const PATTERNS = {
  escape: /\\([!-\/:-@\[-`{-~])/u,
  code: /(?<ticks>`+)(?<code>[^`](?:[\s\S]{0,2000}?[^`])?)\k<ticks>(?!`)/u,
  link: /!?\[(?<label>(?:[^\[\]\\\n]|\\.){0,500})\]\(\s{0,5}<?(?<href>[^\s()<>]{0,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200})?)>?(?:\s+"[^"\n]{0,300}")?\s{0,5}\)/u,
  angle: /<(?<angle>(?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/u,
  bare: /(?<bare>https?:\/\/[^\s<>"'`\])]{0,1999}[^\s<>"'`\]).,;:!?*_~])/u,
  strong: /(?<two>\*\*|__)(?=\S)(?<strong>[\s\S]{0,1500}?[^\s\\])\k<two>/u,
  em: /\*(?=[^\s*])(?<em>[^*]{0,800}?[^\s*\\])\*(?!\*)|(?<![\p{L}\p{N}_])_(?=[^\s_])(?<under>[^_]{0,800}?[^\s_\\])_(?![\p{L}\p{N}_])/u,
  del: /~~(?=\S)(?<del>[\s\S]{0,800}?\S)~~/u,
  newline: /(?: {2,}|\\)?\n/u,
};

const TOKEN = new RegExp(Object.values(PATTERNS).map((pattern) => pattern.source).join('|'), 'gu');
/** Emphasis within emphasis is no deeper than this in anything that people write. */
const DEEPEST = 6;

export function inlineOf(text: string, depth = 0): Inline[] {
  const found: Inline[] = [];
  const say = (plain: string) => {
    const last = found.at(-1);
    if (plain === '') return;
    if (last?.is === 'text') last.text += plain;
    else found.push({ is: 'text', text: plain });
  };
  if (depth > DEEPEST) return [{ is: 'text', text }];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    say(text.slice(from, match.index));
    from = match.index + match[0].length;
    const { code, label, href, angle, bare, strong, em, under, del } = match.groups!;
    const within = (inner: string) => inlineOf(inner, depth + 1);
    if (match[1] !== undefined) say(match[1]);
    else if (code !== undefined) found.push({ is: 'code', text: code.replace(/^ (.*\S.*) $/s, '$1') });
    else if (href !== undefined) found.push(linkTo(href, within(label || href)));
    else if (angle !== undefined) found.push(linkTo(angle, [{ is: 'text', text: angle }]));
    else if (bare !== undefined) found.push(linkTo(bare, [{ is: 'text', text: bare }]));
    else if (strong !== undefined) found.push({ is: 'strong', inner: within(strong) });
    else if ((em ?? under) !== undefined) found.push({ is: 'em', inner: within((em ?? under)!) });
    else if (del !== undefined) found.push({ is: 'del', inner: within(del) });
    else found.push({ is: 'break' });
  }
  say(text.slice(from));
  return found;
}

/** Only what a browser opens as a page is a link, and what has no scheme is a file; all else stays text. */
export function linkTo(href: string, inner: Inline[]): Inline {
  if (/^(https?:\/\/|mailto:)/i.test(href)) return { is: 'link', href, inner };
  const file = /^(?:file:\/\/)?([^:#?]+?)(?:#L(\d+)(?:-L?\d+)?|:(\d+)(?::\d+)?)?$/.exec(href);
  if (file && href !== '' && !/^[a-z][a-z\d+.-]*:(?!\d|\/\/\/)/i.test(href)) {
    const line = file[2] ?? file[3];
    return { is: 'file', path: decoded(file[1]!), line: line === undefined ? undefined : Number(line), inner };
  }
  return { is: 'strong', inner };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
