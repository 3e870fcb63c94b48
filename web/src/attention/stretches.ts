/**
 * How long agents work at a stretch. A call ends and the next one begins after some thought, so a short rest does not end
 * it: only who has worked for a while and then rests is done.
 */

import type { AgentState } from '../commands';

/** Less work than this is nothing to tell about. */
export const WORTH_MS = 20_000;
/** Who rests this long has finished. */
export const REST_MS = 30_000;

export interface Stretch {
  fromMs: number;
  /** When it was last at work. */
  toMs: number;
  agent: AgentState;
}

export type Stretches = ReadonlyMap<string, Stretch>;

export function agentKey(agent: { name: string; number?: number }): string {
  return agent.number === undefined ? agent.name : `${agent.name}#${agent.number}`;
}

const busy = (agent: AgentState) =>
  agent.state === 'working' || agent.state === 'waits_for_approval' || agent.state === 'waits_for_input';

/** The stretches after a look at the agents. */
export function looked(before: Stretches, agents: readonly AgentState[], nowMs: number): Stretches {
  const after = new Map<string, Stretch>();
  for (const agent of agents) {
    const key = agentKey(agent);
    const was = before.get(key);
    if (busy(agent)) {
      const goesOn = was && nowMs - was.toMs < REST_MS;
      after.set(key, { fromMs: goesOn ? was.fromMs : Math.min(agent.sinceMs, nowMs), toMs: nowMs, agent });
    } else if (was) {
      // Between two looks it may have gone on for a while.
      const toMs = busy(was.agent) ? Math.max(was.toMs, Math.min(agent.sinceMs, nowMs)) : was.toMs;
      after.set(key, { ...was, toMs, agent });
    }
  }
  return after;
}

/** Those whose work is over and was worth telling. */
export function finished(stretches: Stretches, nowMs: number): Stretch[] {
  return [...stretches.values()].filter(
    ({ agent, fromMs, toMs }) =>
      (agent.state === 'idle' || agent.state === 'done') && toMs - fromMs > WORTH_MS && nowMs - toMs >= REST_MS,
  );
}
