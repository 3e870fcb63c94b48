import { ChangeSet } from '@codemirror/state';
import { expect, test } from 'vitest';
import { randomEdit, randoms } from './random';
import { textOf, transform } from './transform';
import { difference, sendable, toHub } from './wire';

function edit(length: number, from: number, to: number, insert: string): ChangeSet {
  return ChangeSet.of({ from, to, insert }, length, '\n');
}

test('both orders end in the same text', () => {
  const random = randoms(1);
  for (let turn = 0; turn < 3000; turn++) {
    const text = textOf('one\ntwo\nthree'.slice(0, random(14)));
    const [a, b] = [randomEdit(random, text.length), randomEdit(random, text.length)];
    const [aAfter, bAfter] = transform(a, b);
    expect(aAfter.apply(b.apply(text)).toString()).toBe(bAfter.apply(a.apply(text)).toString());
  }
});

test('the text of the earlier edit comes first, also when it replaces what the later one inserts at', () => {
  const text = textOf('abcdef');
  const [inserts, replaces] = [edit(6, 2, 2, 'X'), edit(6, 2, 4, 'YY')];
  const after = (earlier: ChangeSet, later: ChangeSet) => transform(later, earlier)[0].apply(earlier.apply(text)).toString();
  expect(after(replaces, inserts)).toBe('abYYXef');
  expect(after(inserts, replaces)).toBe('abXYYef');
});

test('what both removed is removed once', () => {
  const [later] = transform(edit(6, 1, 4, ''), edit(6, 2, 6, ''));
  expect(toHub(later)).toEqual([{ from: 1, to: 2, insert: '' }]);
});

test('a difference leads from one text to the other, and never cuts a character in two', () => {
  const random = randoms(2);
  const letters = ['a', 'b', '\n', '😀', '😁', '🙀'];
  for (let turn = 0; turn < 1000; turn++) {
    const make = () => Array.from({ length: random(12) }, () => letters[random(letters.length)]).join('');
    const [before, after] = [make(), make()];
    const changes = difference(before, after);
    expect(changes.apply(textOf(before)).toString()).toBe(after);
    for (const { from, to, insert } of toHub(changes)) {
      // It fails for half of a character.
      [before.slice(0, from), before.slice(from, to), insert].forEach(encodeURIComponent);
    }
  }
});

test('an edit of very many pieces becomes one', () => {
  const text = textOf('ab'.repeat(9000));
  const pieces = Array.from({ length: 9000 }, (_, index) => ({ from: index * 2, to: index * 2 + 1, insert: 'xyz' }));
  const all = ChangeSet.of(pieces, text.length, '\n');
  const one = sendable(all, text);
  expect(toHub(one)).toHaveLength(1);
  expect(one.apply(text).toString()).toBe(all.apply(text).toString());
});
