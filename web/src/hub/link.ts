/**
 * The page's link to its hub, which outlives connections: it connects again by itself, and streams that last go on where
 * they were.
 */

import { signal } from '@preact/signals';
import {
  type Args,
  type CommandName,
  Connection,
  type Event,
  HubError,
  isOrdered,
  type OnEvent,
  type Result,
  type Running,
  type StreamName,
} from './connection';

export type Standing =
  | { is: 'connecting' }
  | { is: 'live'; build: string }
  /** Away; it is tried again by itself. `why`: somebody has ended the hub, or nobody knows. */
  | { is: 'away'; since: number; why: 'stopped' | 'lost' }
  /** The cookie does not count any more: somebody has to open a new link. */
  | { is: 'locked' };

export const standing = signal<Standing>({ is: 'connecting' });

const FIRST_DELAY = 200;
const LONGEST_DELAY = 4000;

let connection: Connection | null = null;
const lasting = new Set<(connection: Connection) => void>();

/** Calls a command. Fails with a `HubError`, at once while there is no connection. */
export function call<C extends CommandName>(command: C, args: Args<C>): Promise<Result<C>> {
  return connection ? connection.call(command, args) : Promise.reject(lost());
}

/** The same for a command that is only known by its schema. */
export function callAny(command: string, args: unknown): Promise<unknown> {
  return connection ? connection.callAny(command, args) : Promise.reject(lost());
}

/** Begins a stream on the present connection; it ends with it. */
export function stream<C extends StreamName>(
  command: C,
  args: Args<C>,
  onEvent: OnEvent<Event<C>>,
  window?: number,
): Running<Result<C>> {
  if (connection) return connection.stream(command, args, onEvent, window);
  const result = Promise.reject<Result<C>>(lost());
  return { result, send: () => false, untaken: () => [], cancel: () => {} };
}

export interface Lasting {
  /** Types into it. `false`: the hub is away, and nothing was taken. */
  send(bytes: Uint8Array): boolean;
  /** Ends it and begins it again with the arguments of now. */
  restart(): void;
  stop(): void;
}

/**
 * A stream that goes on over lost connections and restarts of the hub. `args` is asked for each time, so that it can say
 * where to go on. `ended` is told when the hub itself ended or refused it, `lost` what was typed and has not arrived when the
 * hub went.
 */
export function last<C extends StreamName>(
  command: C,
  args: () => Args<C>,
  onEvent: OnEvent<Event<C>>,
  options: { window?: number; ended?: (error: HubError | null) => void; lost?: (untaken: Uint8Array[]) => void } = {},
): Lasting {
  let running: Running<Result<C>> | null = null;
  let turn = 0;
  const begin = (on: Connection) => {
    const mine = ++turn;
    const now = on.stream(command, args(), (event, bytes) => (mine === turn ? onEvent(event, bytes) : undefined), options.window);
    running = now;
    now.result.then(
      () => mine === turn && options.ended?.(null),
      (error: HubError) => {
        if (mine !== turn) return;
        if (error.code === 'connection_lost' || isOrdered(error)) options.lost?.(now.untaken());
        else options.ended?.(error);
      },
    );
  };
  lasting.add(begin);
  if (connection) begin(connection);
  return {
    send: (bytes) => running?.send(bytes) ?? false,
    restart: () => {
      running?.cancel();
      if (connection) begin(connection);
    },
    stop: () => {
      turn += 1;
      lasting.delete(begin);
      running?.cancel();
    },
  };
}

/** Connects, and keeps it so. */
export async function connect(): Promise<void> {
  let delay = FIRST_DELAY;
  const url = new URL('/ws', location.href);
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  for (;;) {
    const trying = new Connection(url.href);
    try {
      const build = await trying.ready;
      connection = trying;
      delay = FIRST_DELAY;
      standing.value = { is: 'live', build };
      for (const begin of [...lasting]) begin(trying);
      const end = await trying.over;
      connection = null;
      standing.value = { is: 'away', since: Date.now(), why: isOrdered(end) ? 'stopped' : 'lost' };
    } catch {
      // A handshake that is refused looks like a hub that is not there; asking for the page tells them apart.
      if (await locked()) standing.value = { is: 'locked' };
      else if (standing.value.is !== 'away') standing.value = { is: 'away', since: Date.now(), why: 'lost' };
    }
    await new Promise((resolve) => setTimeout(resolve, delay));
    delay = Math.min(delay * 2, LONGEST_DELAY);
  }
}

/** Resolves when there is a connection. */
export function live(): Promise<void> {
  return new Promise((resolve) => {
    let over = false;
    const stop = standing.subscribe((now) => {
      if (over || now.is !== 'live') return;
      over = true;
      resolve();
      // Also when it is so at once, before there is something to stop.
      queueMicrotask(() => stop());
    });
  });
}

async function locked(): Promise<boolean> {
  try {
    const answer = await fetch('/session', { cache: 'no-store' });
    return answer.status === 401 || answer.status === 403;
  } catch {
    return false;
  }
}

function lost(): HubError {
  return new HubError({ code: 'connection_lost', message: 'the hub is away', hint: 'it is tried again by itself' });
}
