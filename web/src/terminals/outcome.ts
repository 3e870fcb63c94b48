/** How a command went, in a sign and in words. */

import type { CommandRecord } from '../commands';
import { actorOf } from '../ui/actor';
import { duration } from '../ui/time';

export type Outcome = { kind: 'ok' | 'failed' | 'running' | 'unknown'; sign: string; words: string };

export function outcomeOf(record: CommandRecord): Outcome {
  if (record.end === undefined) return { kind: 'running', sign: '●', words: 'running' };
  if (record.exitCode === undefined) return { kind: 'unknown', sign: '·', words: 'ended' };
  if (record.exitCode === 0) return { kind: 'ok', sign: '✓', words: 'exit 0' };
  return { kind: 'failed', sign: '✗', words: `exit ${record.exitCode}` };
}

/** Who ran it; what nobody is known for was typed. */
export function whoRan(record: CommandRecord): string {
  return record.actor === undefined ? 'typed' : actorOf(record.actor).name;
}

/** `npm test · 1.2 s · exit 1 · claude`. */
export function describe(record: CommandRecord): string {
  const took = record.durationMs === undefined ? [] : [duration(record.durationMs)];
  return [record.text?.trim() ?? 'a command', ...took, outcomeOf(record).words, whoRan(record)].join(' · ');
}
