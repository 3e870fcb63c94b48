/**
 * The frames of the hub's protocol (docs/socket.md) as a WebSocket carries them: messages as text, events and input as
 * bytes that begin with the kind.
 */

const EVENT = 1;
const INPUT = 2;

/** How the hub says that a call failed. */
export interface Refusal {
  code: string;
  message: string;
  hint?: string;
}

/** Messages from the hub. */
export type FromHub =
  | { type: 'welcome'; version: number; build: string; acknowledges_input?: boolean }
  | { type: 'done'; id: number; result: unknown }
  | { type: 'failed'; id?: number; error: Refusal }
  | { type: 'credit'; id: number; bytes: number };

/** Messages to the hub. */
export type ToHub =
  | { type: 'hello'; version: number; actor: string }
  | { type: 'call'; id: number; command: string; args: unknown; credit?: number }
  | { type: 'cancel'; id: number }
  | { type: 'credit'; id: number; bytes: number };

/** An event of a call. */
export interface EventFrame {
  id: number;
  event: unknown;
  /** What belongs to it: output, a screen, a picture. */
  bytes: Uint8Array;
  /** What it costs of the credit. */
  cost: number;
}

const utf8 = new TextDecoder();

/** Reads a binary message; `null` when it is none that a hub of this version sends. */
export function decodeEvent(message: ArrayBuffer): EventFrame | null {
  if (message.byteLength < 9) return null;
  const view = new DataView(message);
  const length = view.getUint32(5, true);
  if (view.getUint8(0) !== EVENT || 9 + length > message.byteLength) return null;
  const event: unknown = JSON.parse(utf8.decode(new Uint8Array(message, 9, length)));
  return { id: view.getUint32(1, true), event, bytes: new Uint8Array(message, 9 + length), cost: message.byteLength - 9 };
}

/** Input for a call. */
export function encodeInput(id: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(5 + bytes.length);
  frame[0] = INPUT;
  new DataView(frame.buffer).setUint32(1, id, true);
  frame.set(bytes, 5);
  return frame;
}
