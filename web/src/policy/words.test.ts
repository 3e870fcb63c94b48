import { expect, test } from 'vitest';
import { byStance, decisionWords, patternsOf, rehearsedWords } from './words';

test('decisions are told as what would happen', () => {
  expect(decisionWords('needs_approval')).toEqual({ text: 'You would be asked', tone: 'warn' });
  expect(decisionWords('blocked').tone).toBe('danger');
  expect(decisionWords('something_new').text).toBe('something new');
});

test('patterns are one a line', () => {
  expect(patternsOf('  cargo test *\n\nnpm test  \n')).toEqual(['cargo test *', 'npm test']);
});

test('rehearsals', () => {
  expect(rehearsedWords(0, 0)).toContain('Nothing was run');
  expect(rehearsedWords(1, 0)).toBe('It would have changed nothing about the one command of the log.');
  expect(rehearsedWords(12, 3)).toBe('It would have changed 3 of 12 commands of the log:');
});

test('surfaces that are equally careful stand together', () => {
  const defaults = [
    { surface: 'terminal', stance: 'guard' },
    { surface: 'interactive', stance: 'ask' },
    { surface: 'tabs', stance: 'guard' },
  ];
  expect(byStance(defaults)).toEqual([
    { stance: 'guard', surfaces: ['Terminals', 'Tabs'] },
    { stance: 'ask', surfaces: ['Visible terminal, by contract'] },
  ]);
});
