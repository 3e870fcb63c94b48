/** Which calls the time line shows, and the question to the hub that finds the same ones further back. */

import { signal } from '@preact/signals';
import { agentKey } from '../attention/stretches';
import { type AgentState, type AuditCall, type AuditQuery, commands } from '../commands';
import { panel } from '../state/preferences';
import { actorOf } from '../ui/actor';
import { argsOf, sentenceOf } from './words';

export type Outcome = 'all' | 'failed' | 'asked' | 'denied';

export interface Filter {
  text: string;
  /** Everybody's deeds, those of agents, those of people, everything that was called, or somebody's by name. */
  actor: '' | 'agents' | 'people' | 'everything' | (string & {});
  outcome: Outcome;
  terminal: string;
}

export const ALL: Filter = { text: '', actor: '', outcome: 'all', terminal: '' };
export const filter = signal<Filter>(ALL);

export function showActivityOf(agent: AgentState): void {
  filter.value = { ...ALL, actor: agentKey(agent) };
  panel.value = 'activity';
}

const READS: ReadonlySet<string> = new Set(commands.filter(({ effects }) => effects === 'reads').map(({ id }) => id));
/** What programs ask of the hub behind somebody's back: no agent can call it, and no person means it. */
const INTERNAL: ReadonlySet<string> = new Set(commands.filter(({ effects, tool }) => effects === 'reads' && !tool).map(({ id }) => id));
/** What agents that the hub runs do by their own protocol. */
const DEEDS: ReadonlySet<string> = new Set(['flightdeck.chat.file.read']);
/** What front ends tell of by themselves all the time. */
const HUM: ReadonlySet<string> = new Set([
  'flightdeck.workbench.view',
  'flightdeck.terminal.attach',
  'flightdeck.terminal.follow',
  'flightdeck.terminal.resize',
  'flightdeck.workbench.edit',
]);

/** What front ends and agents' own connections ask by themselves is nobody's deed. */
export function isHum(call: AuditCall): boolean {
  if (INTERNAL.has(call.command) && !DEEDS.has(call.command)) return true;
  return actorOf(call.actor).kind === 'person' && (READS.has(call.command) || HUM.has(call.command) || showsTerminal(call));
}

/** A person looks at a terminal: a new one was opened before, by a call of its own. */
function showsTerminal(call: AuditCall): boolean {
  return call.command === 'openspace.pane.open' && argsOf(call).type === 'terminal';
}

/** Somebody was asked about it, whatever they said. */
export function wasAsked(call: AuditCall): boolean {
  return ['approved', 'declined', 'dismissed', 'expired', 'needs_approval'].includes(call.decision);
}

/** It was not let run: by a person, by a rule, or since nobody answered. */
export function wasDenied(call: AuditCall): boolean {
  return ['declined', 'blocked', 'dismissed', 'expired'].includes(call.decision) || call.result === 'approval_unavailable';
}

export function hasFailed(call: AuditCall): boolean {
  return call.result === 'ok' ? (call.run?.exitCode ?? 0) !== 0 : call.result !== 'running';
}

export function shows(want: Filter, call: AuditCall): boolean {
  switch (want.actor) {
    case '':
      if (isHum(call)) return false;
      break;
    case 'agents':
      if (actorOf(call.actor).kind !== 'agent' || isHum(call)) return false;
      break;
    case 'people':
      if (actorOf(call.actor).kind !== 'person' || isHum(call)) return false;
      break;
    case 'everything':
      break;
    default:
      if (call.actor !== want.actor || isHum(call)) return false;
  }
  if (want.outcome === 'failed' && !hasFailed(call)) return false;
  if (want.outcome === 'asked' && !wasAsked(call)) return false;
  if (want.outcome === 'denied' && !wasDenied(call)) return false;
  if (want.terminal !== '' && !isAbout(call, want.terminal)) return false;
  const text = want.text.trim().toLowerCase();
  return text === '' || textOf(call).includes(text);
}

function isAbout(call: AuditCall, terminal: string): boolean {
  return call.terminal === terminal || call.summary.some((part) => part.kind === 'terminal' && part.id === terminal);
}

function textOf(call: AuditCall): string {
  const { actor, command, args, decision, rule, reason, result, error, trace } = call;
  return [actor, command, args, decision, rule, reason, result, error, trace, sentenceOf(call)].join('\n').toLowerCase();
}

/**
 * The widest question that finds all that is shown: the hub can't tell everything apart, and what is too much is left out
 * here.
 */
export function queryOf(want: Filter, limit: number): AuditQuery {
  const named = !['', 'agents', 'people', 'everything'].includes(want.actor);
  return {
    limit,
    ...(named ? { actor: want.actor } : {}),
    // To the hub, a call has also failed whose command ended with another exit code than 0.
    ...(want.outcome === 'failed' || want.outcome === 'denied' ? { result: 'failed' } : {}),
  };
}
