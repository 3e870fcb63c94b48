/** The policy's own words in those of a person. */

import type { RuleAction } from '../commands';

export function decisionWords(decision: string): { text: string; tone: 'ok' | 'warn' | 'danger' } {
  switch (decision) {
    case 'allowed':
      return { text: 'It would run', tone: 'ok' };
    case 'allowed_with_warning':
      return { text: 'It would run, although it is dangerous', tone: 'warn' };
    case 'needs_approval':
      return { text: 'You would be asked', tone: 'warn' };
    case 'blocked':
      return { text: 'It would not run', tone: 'danger' };
    default:
      return { text: decision.replaceAll('_', ' '), tone: 'warn' };
  }
}

/** The same in a word, for a list. */
export function shortDecision(decision: string): string {
  return { allowed: 'runs', allowed_with_warning: 'runs', needs_approval: 'asks', blocked: 'blocked' }[decision] ?? decision;
}

export const ACTIONS: Record<RuleAction, { verb: string; title: string; tone: 'ok' | 'warn' | 'danger' }> = {
  allow: { verb: 'allows', title: 'Allow', tone: 'ok' },
  ask: { verb: 'asks about', title: 'Ask about', tone: 'warn' },
  block: { verb: 'blocks', title: 'Block', tone: 'danger' },
};

export const SURFACES: Record<string, string> = {
  interactive: 'Visible terminal, by contract',
  terminal: 'Terminals',
  openspace: 'Workbench',
  tabs: 'Tabs',
  acp: 'ACP agents',
  headless: 'Headless',
};

export const STANCES: Record<string, string> = {
  strict: 'only what is proven safe runs',
  ask: 'you are asked about all that is not proven safe',
  guard: 'you are asked about what is dangerous',
  open: 'everything runs but what nobody can allow',
};

/** Surfaces that are equally careful stand together. */
export function byStance(defaults: readonly { surface: string; stance: string }[]): { stance: string; surfaces: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { surface, stance } of defaults) groups.set(stance, [...(groups.get(stance) ?? []), SURFACES[surface] ?? surface]);
  return [...groups].map(([stance, surfaces]) => ({ stance, surfaces }));
}

/** One pattern a line; empty lines are nothing. */
export function patternsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** What a rehearsal found, in one sentence. */
export function rehearsedWords(lookedAt: number, changed: number): string {
  if (lookedAt === 0) return 'Nothing was run yet that it could have changed.';
  const all = lookedAt === 1 ? 'the one command' : `${lookedAt} commands`;
  if (changed === 0) return `It would have changed nothing about ${all} of the log.`;
  return `It would have changed ${changed} of ${all} of the log:`;
}
