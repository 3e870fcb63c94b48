import { expect, test } from 'vitest';
import { viewerLabel } from './carets';
import { colour, labelOf } from './highlights';

test('only colours get into a style', () => {
  expect(colour('yellow')).toBe('var(--hl-yellow)');
  expect(colour('#A1b2c3')).toBe('#A1b2c3');
  expect(colour('red; background: url(//x)')).toBe('var(--agent)');
});

test('a chip says who, and what they call it', () => {
  expect(labelOf({ id: 'entry-point', createdBy: 'claude-code#3' })).toBe('claude-code · entry point');
  expect(labelOf({ id: 'h12', createdBy: 'codex' })).toBe('codex');
});

test('other front ends have names', () => {
  expect(viewerLabel('web:2')).toBe('browser 2');
  expect(viewerLabel('cli:anna')).toBe('anna');
});
