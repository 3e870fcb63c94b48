/**
 * One connection to the hub: any number of calls at once, what they tell while they run, and credit in both directions,
 * so that a terminal that floods holds up nothing else.
 */

import type { Commands } from '../commands';
import { decodeEvent, encodeInput, type FromHub, type Refusal, type ToHub } from './frames';

const VERSION = 2;
/** What a call may have sent without being read, unless it says otherwise. */
const WINDOW = 256 * 1024;
/** What the hub takes as input of a call before it grants more. */
const INPUT_WINDOW = 256 * 1024;

export type CommandName = keyof Commands;
export type Args<C extends CommandName> = Commands[C]['args'];
export type Result<C extends CommandName> = Commands[C]['result'];
/** The commands that tell something while they run. */
export type StreamName = { [C in CommandName]: Commands[C] extends { event: unknown } ? C : never }[CommandName];
export type Event<C extends StreamName> = Commands[C] extends { event: infer E } ? E : never;

/** A call that the hub refused, or that the connection ended under. */
export class HubError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'HubError';
    this.code = refusal.code;
    this.hint = refusal.hint;
  }
}

/** Whether the hub ended since somebody wanted it, and not by accident. */
export function isOrdered({ code }: Pick<Refusal, 'code'>): boolean {
  return code === STOPPING;
}

/** What calls are refused with when somebody has ended the hub. */
const STOPPING = 'hub_stopping';
const LOST: Refusal = { code: 'connection_lost', message: 'the connection to the hub was lost' };

/** A call under way. */
export interface Running<R> {
  readonly result: Promise<R>;
  /** Types into it. It is kept until the hub takes it. `false`: the call is over, and nothing was taken. */
  send(bytes: Uint8Array): boolean;
  /** What was typed into it and has not arrived as far as is known, also after its end. A hub that was killed may have it. */
  untaken(): Uint8Array[];
  cancel(): void;
}

/** Takes an event. The next credit is granted when it is done with it. */
export type OnEvent<E> = (event: E, bytes: Uint8Array) => void | Promise<void>;

interface Call {
  resolve(result: unknown): void;
  reject(error: Error): void;
  onEvent: OnEvent<never> | undefined;
  window: number;
  /** What was read and not granted again yet. */
  read: number;
  /** What may still be sent as input, and what waits for that. */
  inputCredit: number;
  input: Uint8Array[];
  /** What was sent and not granted again yet. */
  sent: Uint8Array[];
}

export class Connection {
  /** Resolves when the hub has said welcome, with its version. */
  readonly ready: Promise<string>;
  /** Resolves when the connection is over, with the reason where the hub gave one. */
  readonly over: Promise<Refusal>;
  private readonly calls = new Map<number, Call>();
  private readonly socket: WebSocket;
  private next = 1;
  private refusal: Refusal = LOST;
  private welcome!: (build: string) => void;
  /** Whether the hub grants input again as soon as it was taken. */
  private acknowledges = false;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.binaryType = 'arraybuffer';
    let end!: (refusal: Refusal) => void;
    let refuse!: (error: Error) => void;
    this.over = new Promise((resolve) => (end = resolve));
    this.ready = new Promise((resolve, reject) => {
      this.welcome = resolve;
      refuse = reject;
    });
    // Nobody may be waiting for it.
    this.ready.catch(() => {});
    this.socket.onopen = () => this.say({ type: 'hello', version: VERSION, actor: 'web' });
    this.socket.onmessage = (message: MessageEvent<string | ArrayBuffer>) => this.receive(message.data);
    this.socket.onclose = () => {
      const error = new HubError(this.refusal);
      refuse(error);
      for (const call of this.calls.values()) call.reject(error);
      this.calls.clear();
      end(this.refusal);
    };
  }

  call<C extends CommandName>(command: C, args: Args<C>): Promise<Result<C>> {
    return this.begin<Result<C>>(command, args, undefined, undefined).result;
  }

  /** Begins a call that tells something. `window`: how much may be on its way unread. */
  stream<C extends StreamName>(
    command: C,
    args: Args<C>,
    onEvent: OnEvent<Event<C>>,
    window = WINDOW,
  ): Running<Result<C>> {
    return this.begin<Result<C>>(command, args, onEvent as OnEvent<never>, window);
  }

  /** A command that is not known when this is built, as those of an IDE. */
  callAny(command: string, args: unknown): Promise<unknown> {
    return this.begin<unknown>(command, args, undefined, undefined).result;
  }

  close(): void {
    this.socket.close();
  }

  private begin<R>(
    command: string,
    args: unknown,
    onEvent: OnEvent<never> | undefined,
    window: number | undefined,
  ): Running<R> {
    const id = this.next++;
    let begun: Call | undefined;
    const result = new Promise<R>((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        reject(new HubError(LOST));
        return;
      }
      const call: Call = {
        resolve: resolve as (result: unknown) => void,
        reject,
        onEvent,
        window: window ?? WINDOW,
        read: 0,
        inputCredit: INPUT_WINDOW,
        input: [],
        sent: [],
      };
      begun = call;
      this.calls.set(id, call);
      this.say({ type: 'call', id, command, args, ...(window === undefined ? {} : { credit: window }) });
    });
    return {
      result,
      send: (bytes) => this.input(id, bytes),
      untaken: () => (begun ? [...(this.acknowledges ? begun.sent : []), ...begun.input] : []),
      cancel: () => {
        if (this.calls.has(id)) this.say({ type: 'cancel', id });
      },
    };
  }

  private say(message: ToHub): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private input(id: number, bytes: Uint8Array): boolean {
    const call = this.calls.get(id);
    if (!call || this.socket.readyState !== WebSocket.OPEN) return false;
    if (bytes.length > 0) call.input.push(bytes);
    this.flush(id, call);
    return true;
  }

  private flush(id: number, call: Call): void {
    while (call.input[0] && call.inputCredit > 0) {
      const bytes = call.input[0];
      const part = bytes.subarray(0, call.inputCredit);
      if (part.length === bytes.length) call.input.shift();
      else call.input[0] = bytes.subarray(part.length);
      call.inputCredit -= part.length;
      call.sent.push(part);
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(encodeInput(id, part));
    }
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      const frame = decodeEvent(data);
      if (!frame) return this.broken();
      const call = this.calls.get(frame.id);
      if (call) void this.deliver(frame.id, call, frame.event, frame.bytes, frame.cost);
      return;
    }
    const message = JSON.parse(data) as FromHub;
    if (message.type === 'welcome') {
      this.acknowledges = message.acknowledges_input ?? false;
      this.welcome(message.build);
      return;
    }
    if (message.type === 'failed' && message.id === undefined) {
      this.refusal = message.error;
      return;
    }
    const id = message.id as number;
    // It is told to calls, and the connection ends a moment later.
    if (message.type === 'failed' && message.error.code === STOPPING) this.refusal = message.error;
    const call = this.calls.get(id);
    if (!call) return;
    switch (message.type) {
      case 'done':
        this.calls.delete(id);
        call.resolve(message.result);
        break;
      case 'failed':
        this.calls.delete(id);
        call.reject(new HubError(message.error));
        break;
      case 'credit':
        call.inputCredit += message.bytes;
        call.sent = withoutFirst(call.sent, message.bytes);
        this.flush(id, call);
        break;
    }
  }

  private async deliver(id: number, call: Call, event: unknown, bytes: Uint8Array, cost: number): Promise<void> {
    try {
      await call.onEvent?.(event as never, bytes);
    } catch (error) {
      console.error('an event could not be shown', error);
    }
    call.read += cost;
    if (call.read >= call.window / 2 && this.calls.has(id)) {
      this.say({ type: 'credit', id, bytes: call.read });
      call.read = 0;
    }
  }

  private broken(): void {
    this.refusal = { code: 'protocol', message: 'the hub sent something that this page does not understand' };
    this.socket.close();
  }
}

/** What is left of these without so many bytes. */
function withoutFirst(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let drop = bytes;
  return pieces.flatMap((piece) => {
    const rest = piece.subarray(drop);
    drop -= piece.length - rest.length;
    return rest.length > 0 ? [rest] : [];
  });
}
