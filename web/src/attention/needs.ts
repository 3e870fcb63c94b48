/** What needs a person, oldest first: the one list behind the count, the title and the notifications. */

import { computed } from '@preact/signals';
import type { AgentState, Approval } from '../commands';
import { agents, approvals } from '../state/hub';

export type Need =
  | { kind: 'approval'; key: string; sinceMs: number; approval: Approval }
  /** A program that an agent runs asks for a line or a password. */
  | { kind: 'input'; key: string; sinceMs: number; agent: AgentState };

export const needs = computed<Need[]>(() => {
  const all: Need[] = [
    ...approvals.value.map((approval): Need => ({ kind: 'approval', key: approval.id, sinceMs: approval.askedAtMs, approval })),
    ...agents.value
      .filter((agent) => agent.state === 'waits_for_input')
      .map((agent): Need => ({ kind: 'input', key: `input-${agent.name}-${agent.number}`, sinceMs: agent.sinceMs, agent })),
  ];
  return all.sort((a, b) => a.sinceMs - b.sinceMs);
});
