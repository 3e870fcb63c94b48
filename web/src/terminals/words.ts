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

/** `80×24, as anna's window`. */
export function sizeInWords(size: WindowSize, by: string | undefined, me: string | undefined): string {
  const whose = by === undefined ? 'set by a call' : by === me ? 'as another window of yours' : `as ${actorOf(by).name === 'you' ? by : actorOf(by).name}'s window`;
  return `${size.cols}×${size.rows}, ${whose}`;
}
