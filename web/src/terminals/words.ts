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

/** `80×24, as another window of yours`. */
export function sizeInWords(size: WindowSize, by: string | undefined): string {
  const whose = by === undefined ? 'set by a call' : actorOf(by).kind === 'person' ? 'as another window of yours' : `as the window of ${actorOf(by).name}`;
  return `${size.cols}×${size.rows}, ${whose}`;
}
