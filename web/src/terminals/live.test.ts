import { beforeEach, expect, test, vi } from 'vitest';
import type { Lasting } from '../hub/link';
import { HubError } from '../hub/connection';
import type { TerminalEvent } from '../commands';

let away = true;
let sent = '';
let tell: (event: TerminalEvent, bytes: Uint8Array) => void;
let lose: (untaken: Uint8Array[]) => void;
let list: () => Promise<unknown>;
vi.mock('../hub/link', async (original) => ({
  ...(await original<object>()),
  call: () => list(),
  last: (_command: string, _args: unknown, onEvent: typeof tell, options: { lost: typeof lose }): Lasting => {
    tell = onEvent;
    lose = options.lost;
    const send = (bytes: Uint8Array) => {
      if (!away) sent += new TextDecoder('latin1').decode(bytes);
      return !away;
    };
    return { send, restart: () => {}, stop: () => {} };
  },
}));
const { Live } = await import('./live');

const surface = { term: {} as never, resize: () => {}, hasKeyboard: () => false };
const begun = () => {
  const live = new Live('t1', surface);
  live.start();
  return live;
};
const type = (live: InstanceType<typeof Live>, ...pieces: string[]) => {
  for (const piece of pieces) live.send(Uint8Array.from(piece, (char) => char.charCodeAt(0)));
};
const comeBack = async () => {
  away = false;
  tell({ type: 'attached', viewer: 1 }, new Uint8Array());
  await new Promise((resolve) => setTimeout(resolve));
};

beforeEach(() => {
  [away, sent] = [true, ''];
  list = async () => ({ terminals: [{ id: 't1', running: true }] });
});

test('what the mouse and the focus report while the hub is away is not kept', async () => {
  const live = begun();
  for (let column = 1; column < 1000; column += 1) type(live, `\x1b[<35;${column};7M`);
  type(live, '\x1b[<0;10;7m', '\x1b[M !!', '\x1b[M \r\n', '\x1b[35;10;7M', '\x1b[I', '\x1b[O');
  expect(live.held.value).toEqual({ characters: 0, full: false });
  type(live, 'q', '\x1b[A', '\x1b[<35;10;7M', '\x1bOM', '\x1b[M');
  expect(live.held.value).toEqual({ characters: 4, full: false });
  await comeBack();
  expect(sent).toBe('q\x1b[A\x1bOM\x1b[M');
  // With the hub there, programs get them.
  type(live, '\x1b[<0;1;1M');
  expect(sent).toContain('\x1b[<0;1;1M');
});

test('a paste counts by its characters', () => {
  const live = begun();
  live.send(new TextEncoder().encode('schön\rzwei'));
  live.send(new TextEncoder().encode('\x1b[200~drei\x1b[201~'));
  expect(live.held.value).toEqual({ characters: 14, full: false });
});

test('what was typed waits on only for a hub that is away', async () => {
  const live = begun();
  type(live, 'ls\r');
  list = async () => Promise.reject(new HubError({ code: 'connection_lost', message: '' }));
  await comeBack();
  list = async () => Promise.reject(new HubError({ code: 'hub_stopping', message: '' }));
  await comeBack();
  expect([sent, live.held.value.characters]).toEqual(['', 3]);
  list = async () => Promise.reject(new HubError({ code: 'rate_limited', message: '' }));
  await comeBack();
  expect([sent, live.held.value.characters]).toEqual(['ls\r', 0]);
});

test('what was on its way when the hub went comes before what is typed afterwards', async () => {
  const live = begun();
  type(live, 'cho hi\r');
  lose(['\x1b[I', 'e'].map((piece) => new TextEncoder().encode(piece)));
  expect(live.held.value).toEqual({ characters: 8, full: false });
  await comeBack();
  expect([sent, live.held.value.characters]).toEqual(['echo hi\r', 0]);
});
