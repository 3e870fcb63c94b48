/** Amounts and sizes, in the words of a glance. */

import type { WindowSize } from '../commands';
import { actorOf } from '../ui/actor';

export function bytesInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}

export function lines(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

/** Which of several windows of people it is: `anna`, `web:2`. */
const doorOf = (by: string) => (actorOf(by).kind === 'agent' ? actorOf(by).name : by.replace(/^(cli|window):(?!\d+$)/, ''));

/** `80×24, as anna's window`. */
export function sizeInWords(size: WindowSize, by: string | undefined, me: string | undefined): string {
  const whose = by === undefined ? 'set by a call' : by === me ? 'as another window of yours' : `as ${doorOf(by)}'s window`;
  return `${size.cols}×${size.rows}, ${whose}`;
}
