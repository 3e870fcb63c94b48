import { EditorView } from '@codemirror/view';
import { expect, test } from 'vitest';
import type { AuditCall } from '../commands';
import { pointer, Presence } from './reveal';

test('somebody is busy while they have the keyboard and did something a moment ago', () => {
  let now = 10_000;
  const view = new EditorView({ parent: document.body });
  const presence = new Presence(view, () => now);
  view.focus();
  expect(presence.busy).toBe(false);
  view.dom.dispatchEvent(new Event('keydown'));
  expect(presence.busy).toBe(view.hasFocus);
  now += 6000;
  expect(presence.busy).toBe(false);
  view.destroy();
});

test('the newest agent that pointed into the file is named', () => {
  const call = (actor: string, command: string, path: string) => ({ actor, command, args: JSON.stringify({ path }) }) as AuditCall;
  const calls = [
    call('codex#1', 'openspace.editor.open', 'a.rs'),
    call('claude#2', 'openspace.editor.scroll_to', 'a.rs'),
    call('codex#1', 'openspace.editor.open', 'b.rs'),
    call('web:1', 'openspace.editor.open', 'a.rs'),
    call('codex#1', 'openspace.file.read', 'a.rs'),
  ];
  expect(pointer(calls, 'a.rs')).toBe('claude');
  expect(pointer(calls, 'c.rs')).toBeNull();
});
