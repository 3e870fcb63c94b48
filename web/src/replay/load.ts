/** Gets a recording from the hub: the log, its times, and the commands in it. */

import { call, stream } from '../hub/link';
import { terminals } from '../state/hub';
import { type Recording, recording } from './recording';

/** More than this is not taken into a browser's memory; the end is what is shown. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_COMMANDS = 1000;

export async function load(id: string): Promise<Recording> {
  const times = await call('flightdeck.terminal.times', { id });
  const from = Math.max(times.start, times.end - MOST_BYTES);
  // What is not there any more stays empty, and a terminal shows nothing for it.
  const bytes = new Uint8Array(times.end - from);
  await stream('flightdeck.terminal.follow', { id, from }, (event, part) => {
    if (event.type === 'output') bytes.set(part.subarray(0, bytes.length - (event.from - from)), event.from - from);
  }).result;
  const history = await call('flightdeck.terminal.history', { id, limit: MOST_COMMANDS }).catch(() => ({ commands: [] }));
  const size = terminals.value.get(id)?.size ?? { rows: 24, cols: 80 };
  return recording({ ...times, start: from }, bytes, size, history.commands);
}
