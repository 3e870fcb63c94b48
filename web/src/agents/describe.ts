/** How an agent stands, in a mark, a word and a line. */

import { isHum } from '../activity/filter';
import { runningOf, sentenceOf } from '../activity/words';
import type { AgentState, AuditCall, Standing, TerminalState } from '../commands';
import { agentKey } from '../attention/stretches';
import { type Mark, SHARED } from '../ui/mark';

const STANDING: Record<Standing, Mark> = {
  ...SHARED,
  waits_for_approval: { mark: '◐', word: 'waits for you', tone: 'warn' },
  idle: { mark: '○', word: 'idle', tone: 'dim' },
  done: { mark: '✓', word: 'done', tone: 'dim' },
};

export function standingOf(agent: AgentState): Mark {
  return STANDING[agent.state];
}

/** Two agents of one name are told apart by their numbers. */
export function labelOf(agent: AgentState, all: readonly AgentState[]): string {
  const alone = all.filter((one) => one.name === agent.name && one.state !== 'gone').length <= 1;
  return alone ? agent.name : agentKey(agent);
}

/** What waits for a person comes first, what is gone last. */
export function inOrder(all: readonly AgentState[]): AgentState[] {
  const rank = (agent: AgentState) => (agent.state.startsWith('waits') ? 0 : agent.state === 'gone' ? 2 : 1);
  return [...all].sort((a, b) => rank(a) - rank(b));
}

/** What it did, newest first. What it only asked after is left out. */
export function deedsOf(agent: AgentState, calls: readonly AuditCall[]): AuditCall[] {
  const key = agentKey(agent);
  return calls.filter((call) => call.actor === key && !isHum(call)).reverse();
}

/** What it does now, or did last; nothing where the state says it all. */
export function doingOf(agent: AgentState, calls: readonly AuditCall[]): string {
  const deeds = deedsOf(agent, calls);
  switch (agent.state) {
    case 'working': {
      const running = deeds.find((call) => call.result === 'running');
      // ‘ran npm test’ is not over yet; what runs is said by itself.
      return running ? runningOf(running) : (agent.command ?? agent.reason);
    }
    case 'waits_for_approval':
      // Its card says what for.
      return '';
    case 'waits_for_input':
    case 'failed':
      return agent.reason;
    case 'idle':
    case 'done':
    case 'gone': {
      const last = deeds[0];
      return last ? sentenceOf(last) : agent.state === 'gone' ? 'has left' : 'nothing under way';
    }
  }
}

/** The terminals that it holds the controls of, and those that it started. */
export function terminalsOf(agent: AgentState, terminals: Iterable<TerminalState>): { held: TerminalState[]; own: TerminalState[] } {
  const key = agentKey(agent);
  const held: TerminalState[] = [];
  const own: TerminalState[] = [];
  for (const terminal of terminals) {
    if (terminal.lease?.actor === key) held.push(terminal);
    else if (terminal.createdBy === key && terminal.running) own.push(terminal);
  }
  return { held, own };
}
