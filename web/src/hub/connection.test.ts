import { expect, test, vi } from 'vitest';
import { Connection } from './connection';

/** A hub that says what the test wants it to. */
class FakeSocket {
  static OPEN = 1;
  static last: FakeSocket;
  readyState = 1;
  onmessage!: (message: { data: string }) => void;
  onclose!: () => void;
  sent: (string | Uint8Array)[] = [];
  constructor() {
    FakeSocket.last = this;
  }
  send(data: string | Uint8Array): void {
    this.sent.push(data);
  }
  close(): void {
    this.readyState = 3;
    this.onclose();
  }
  says(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}
vi.stubGlobal('WebSocket', FakeSocket);

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (pieces: Uint8Array[]) => pieces.map((piece) => new TextDecoder().decode(piece)).join('');
const attached = (welcome: object) => {
  const connection = new Connection('ws://x/ws');
  FakeSocket.last.says({ type: 'welcome', version: 2, build: '1', ...welcome });
  const running = connection.stream('flightdeck.terminal.attach', { id: 't1' }, () => {});
  running.result.catch(() => {});
  return running;
};

test('what was typed and not granted again has not arrived when the hub goes', () => {
  const running = attached({ acknowledges_input: true });
  for (const key of 'echo') running.send(bytes(key));
  FakeSocket.last.says({ type: 'credit', id: 1, bytes: 2 });
  expect(text(running.untaken())).toBe('ho');
  FakeSocket.last.close();
  expect(running.send(bytes('x'))).toBe(false);
  expect(text(running.untaken())).toBe('ho');
});

test('what a large paste had no credit for has not arrived, and the rest follows when there is some', () => {
  const running = attached({ acknowledges_input: true });
  running.send(bytes('a'.repeat(256 * 1024) + 'bc'));
  expect(FakeSocket.last.sent.filter((frame) => typeof frame !== 'string').length).toBe(1);
  FakeSocket.last.says({ type: 'credit', id: 1, bytes: 256 * 1024 });
  expect(FakeSocket.last.sent.filter((frame) => typeof frame !== 'string').length).toBe(2);
  expect(text(running.untaken())).toBe('bc');
});

test('a hub that does not acknowledge input may have taken all that was sent', () => {
  const running = attached({});
  running.send(bytes('echo'));
  FakeSocket.last.close();
  expect(running.untaken()).toEqual([]);
});
