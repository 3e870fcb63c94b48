import { expect, test } from 'vitest';
import { listenToKeys, pressed, register } from './actions';

const key = (init: KeyboardEventInit & { code: string; key: string }) => new KeyboardEvent('keydown', init);

test('what Shift makes of a key is still the key', () => {
  let done = 0;
  register({ id: 'test.new', title: 'New', shortcut: 'Ctrl+Shift+`', run: () => (done += 1) });
  listenToKeys();
  // On a keyboard of the US, of Germany and of Russia.
  for (const typed of ['~', '°', 'Ё', 'Dead', '`']) dispatchEvent(key({ code: 'Backquote', key: typed, ctrlKey: true, shiftKey: true }));
  expect(done).toBe(5);
  dispatchEvent(key({ code: 'Digit2', key: '@', ctrlKey: true, shiftKey: true }));
  expect(done).toBe(5);
});

test.each([
  ['Latin', { code: 'KeyP', key: 'p', ctrlKey: true, altKey: true }, ['Ctrl+Alt+P']],
  ['another layout of Latin', { code: 'KeyQ', key: 'a', ctrlKey: true }, ['Ctrl+A']],
  ['Cyrillic', { code: 'KeyP', key: 'з', ctrlKey: true }, ['Ctrl+З', 'Ctrl+P']],
  ['Option on a Mac', { code: 'KeyP', key: 'π', ctrlKey: true, altKey: true }, ['Ctrl+Alt+Π', 'Ctrl+Alt+P']],
  ['AltGr', { code: 'KeyW', key: 'ł', ctrlKey: true, altKey: true, modifierAltGraph: true }, ['Ctrl+Alt+Ł']],
  ['no Ctrl', { code: 'Backquote', key: '~', shiftKey: true }, ['Shift+~']],
  ['a key with a name', { code: 'F6', key: 'F6', shiftKey: true }, ['Shift+F6']],
])('%s', (_, init, names) => {
  const event = key(init);
  // The document of the tests does not know of AltGr.
  event.getModifierState = (which) => which === 'AltGraph' && 'modifierAltGraph' in init;
  expect(pressed(event)).toEqual(names);
});
