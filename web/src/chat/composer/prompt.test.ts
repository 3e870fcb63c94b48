import { expect, test } from 'vitest';
import { completed, contentOf, wantedAt } from './prompt';

const isFile = (path: string) => ['src/main.rs', 'README.md'].includes(path);

test('mentions of files become files, all else stays text', () => {
  expect(contentOf('look at @src/main.rs:12-20, then (@README.md). me@example.com @nobody', isFile, [])).toEqual([
    { type: 'text', text: 'look at ' },
    { type: 'file', path: 'src/main.rs', line: 12, endLine: 20 },
    { type: 'text', text: ', then (' },
    { type: 'file', path: 'README.md' },
    { type: 'text', text: '). me@example.com @nobody' },
  ]);
});

test('pictures come last, and need no words', () => {
  expect(contentOf('  ', isFile, [{ mime: 'image/png', data: 'AA==' }])).toEqual([{ type: 'image', mime: 'image/png', data: 'AA==' }]);
  expect(contentOf(' \n', isFile, [])).toEqual([]);
});

test('what is asked for where the cursor is', () => {
  expect(wantedAt('see @src/m', 10)).toEqual({ is: 'file', query: 'src/m', from: 4 });
  expect(wantedAt('@', 1)).toEqual({ is: 'file', query: '', from: 0 });
  expect(wantedAt('me@example', 10)).toBeNull();
  expect(wantedAt('/pl', 3)).toEqual({ is: 'command', query: 'pl', from: 0 });
  expect(wantedAt('a /pl', 5)).toBeNull();
  expect(wantedAt('/plan it', 8)).toBeNull();
});

test('what was chosen takes its place', () => {
  expect(completed('see @ma now', 7, { is: 'file', query: 'ma', from: 4 }, 'src/main.rs')).toEqual({ text: 'see @src/main.rs now', cursor: 17 });
  expect(completed('/pl', 3, { is: 'command', query: 'pl', from: 0 }, 'plan')).toEqual({ text: '/plan ', cursor: 6 });
});
