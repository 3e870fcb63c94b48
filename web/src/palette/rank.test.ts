import { expect, test } from 'vitest';
import { type CommandInfo, commands } from '../commands';
import { registerActions } from '../registered';
import { actions } from './actions';
import { type Item, rank } from './rank';
import { inOrder } from './recent';

registerActions();
const ALL: Item[] = [
  ...inOrder(actions(), []).map((action): Item => ({ is: 'action', action })),
  ...commands.map((command): Item => ({ is: 'command', command: { ...command, input: {} } as unknown as CommandInfo })),
];
const found = (query: string) => rank(query, ALL, 20).map((item) => (item.is === 'action' ? item.action.id : item.command.id));

test.each(['new terminal', 'terminal new', 'new term', 'term', 'new shell', 'shell', 'terminal.new', 'open a terminal'])(
  '%s: a new terminal',
  (query) => expect(found(query)[0]).toBe('terminal.new'),
);

test.each([
  ['theme', 'view.theme'],
  ['dark', 'view.theme'],
  ['new terminal right', 'terminal.newRight'],
  ['files', 'view.files'],
  ['next pane', 'pane.next'],
  ['flightdeck.terminal.new', 'flightdeck.terminal.new'],
  ['openspace.file.read', 'openspace.file.read'],
])('%s: %s', (query, first) => expect(found(query)[0]).toBe(first));

test('what can be done by hand comes before the commands that fit as well', () => {
  const kinds = rank('new terminal', ALL, 80).map(({ is }) => is);
  expect(kinds.indexOf('command')).toBeGreaterThan(2);
  expect(kinds.lastIndexOf('action')).toBeGreaterThan(0);
  expect(found('new terminal')).toContain('flightdeck.terminal.new');
});

test('letters in order are enough when no word is like that', () => {
  expect(found('trmnw')).toContain('terminal.new');
  expect(found('xqzj')).toEqual([]);
});

test('the order stays before anything is typed', () => {
  expect(rank('', ALL, 999)).toEqual(ALL);
});
