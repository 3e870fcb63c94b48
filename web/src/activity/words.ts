/** The sentence about a call, as the hub has written it, as plain text. */

import type { AuditCall, SummaryPart } from '../commands';

/** What is known of a call's arguments; the log cuts long ones, and hides secrets. */
export function argsOf(call: AuditCall): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(call.args);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** When its last entry was written: calls stand in that order, so this is the time beside them. */
export function toldAtMs(call: Pick<AuditCall, 'atMs' | 'durationMs'>): number {
  return call.atMs + (call.durationMs ?? 0);
}

function textOf(parts: readonly SummaryPart[]): string {
  return parts
    .map((part) => {
      switch (part.kind) {
        case 'terminal':
          return part.id;
        case 'file':
          return part.line == null ? part.path : `${part.path}:${part.line}`;
        default:
          return part.text;
      }
    })
    .join('');
}

export function sentenceOf(call: AuditCall): string {
  return textOf(call.summary);
}

/** The same for a call under way: a command needs no verb. */
export function runningOf(call: AuditCall): string {
  const command = call.summary.findIndex(({ kind }) => kind === 'command' || kind === 'code');
  return textOf(call.summary.slice(Math.max(command, 0)));
}
