import { render } from 'preact';
import { expect, test } from 'vitest';
import { type Block, blocksOf, piecesOf } from './blocks';
import { inlineOf } from './inline';
import { Markdown } from './Markdown';

function shown(text: string): HTMLElement {
  const host = document.createElement('div');
  render(<Markdown text={text} />, host);
  return host;
}

test('hostile markup stays text', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[click](javascript:alert(1))',
    '[click](JaVaScRiPt:alert(1))',
    '[click](data:text/html,<script>alert(1)</script>)',
    '![x](https://evil.example/track.png)',
    '<a href="javascript:alert(1)">x</a>',
    '[x](vbscript:x)',
    '`<b>`',
    '"><svg onload=alert(1)>',
  ];
  for (const text of hostile) {
    const host = shown(text);
    expect(host.querySelector('script, img, svg:not(.icon), b, iframe'), text).toBeNull();
    for (const link of host.querySelectorAll('a')) expect(link.getAttribute('href'), text).toMatch(/^https?:\/\//);
    for (const element of host.querySelectorAll('*')) {
      for (const { name } of element.attributes) expect(name, text).not.toMatch(/^on/);
    }
  }
  expect(shown('<script>alert(1)</script>').textContent).toBe('<script>alert(1)</script>');
});

test('links open pages, and paths open files', () => {
  expect(shown('see https://example.com/a_b_c.').querySelector('a')?.getAttribute('href')).toBe('https://example.com/a_b_c');
  expect(inlineOf('[here](src/main.rs#L12)')).toEqual([{ is: 'file', path: 'src/main.rs', line: 12, inner: [{ is: 'text', text: 'here' }] }]);
  expect(inlineOf('[here](src/main.rs:7)')).toMatchObject([{ is: 'file', path: 'src/main.rs', line: 7 }]);
  expect(inlineOf('[file](file:///w/shop/a%20b.txt)')).toMatchObject([{ is: 'file', path: '/w/shop/a b.txt' }]);
});

test('emphasis, code and what only looks like it', () => {
  expect(shown('**bold** and *slanted* and ~~gone~~ and `a*b*c`').innerHTML).toBe(
    '<div class="markdown"><p><strong>bold</strong> and <em>slanted</em> and <del>gone</del> and <code>a*b*c</code></p></div>',
  );
  expect(shown('snake_case_name and 2 * 3 * 4').textContent).toBe('snake_case_name and 2 * 3 * 4');
  expect(shown('snake_case_name and 2 * 3 * 4').querySelector('em')).toBeNull();
  expect(shown('**a *b* c**').innerHTML).toContain('<strong>a <em>b</em> c</strong>');
  expect(shown('\\*not\\*').textContent).toBe('*not*');
});

test('blocks', () => {
  expect(blocksOf('# One\ntext\nmore\n\n---\n> said\n> twice').map(({ is }) => is)).toEqual(['heading', 'text', 'rule', 'quote']);
  expect(blocksOf('```rust\nfn a() {}\n\n# no heading\n```\nafter')).toEqual([
    { is: 'code', language: 'rust', text: 'fn a() {}\n\n# no heading' },
    { is: 'text', text: 'after' },
  ]);
  expect(blocksOf('| a | b |\n|---|:-:|\n| 1 | 2 \\| 3 |')).toEqual([{ is: 'table', head: ['a', 'b'], rows: [['1', '2 | 3']] }]);
  expect(blocksOf('a | b')).toEqual([{ is: 'text', text: 'a | b' }]);
});

test('lists nest, count and have boxes', () => {
  const [list] = blocksOf('3. one\n4. two\n   - inner\n   - more\n\n     a paragraph\n5. three');
  expect(list).toMatchObject({ is: 'list', start: 3 });
  expect(list?.is === 'list' && list.items.length).toBe(3);
  expect(shown('- [x] done\n- [ ] open\n- plain').querySelectorAll('li').length).toBe(3);
  expect(shown('1. a\n\n   ```sh\n   ls\n   ```\n2. b').querySelector('li pre')?.textContent).toBe('ls');
  expect(shown('- a\n  - b').querySelector('li li')?.textContent).toBe('b');
});

test('code that is not finished yet is shown as far as it is', () => {
  expect(blocksOf('so:\n```js\nconst a')).toEqual([{ is: 'text', text: 'so:' }, { is: 'code', language: 'js', text: 'const a' }]);
});

test('a longer text has the same pieces, but for the last', () => {
  const text = 'one\n\n- a\n- b\n\n```\nx\n```\n\nlast';
  const [before, after] = [piecesOf(text), piecesOf(`${text} and more`)];
  expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
  expect(after.length).toBe(before.length);
  expect(piecesOf(text).flatMap(blocksOf)).toEqual(blocksOf(text));
});

/** Reads all of it, to the last word. */
function read(blocks: Block[]): void {
  for (const block of blocks) {
    if (block.is === 'text') inlineOf(block.text);
    else if (block.is === 'quote') read(block.inner);
    else if (block.is === 'list') for (const item of block.items) read(item.inner);
  }
}

test('hostile text costs no more than other text', () => {
  const lines = ['**a ', '[', '`` ` ', '*a_', '> ', '- ', '~~x ', '| - ', '![](', '(', '    - a\n', '#', '\\', '__x ', '```\n', '1. ', '- a\n\n', '\n', '- x\n  ```\n'];
  for (const line of lines) {
    const text = line.repeat(Math.ceil(65_536 / line.length));
    const began = performance.now();
    read(blocksOf(text));
    expect(performance.now() - began, line).toBeLessThan(1500);
  }
});
