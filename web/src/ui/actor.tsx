/** Who did something, always in words and always in the same colour: people blue, agents violet and its neighbours. */

import { visible } from './visible';

/** `claude-code#3` is `claude-code`; `web:2` and `cli:anna` are people, and a hub has one: whoever looks. */
export interface Actor {
  kind: 'person' | 'agent';
  name: string;
}

export function actorOf(name: string): Actor {
  if (/^(web|cli|window):/.test(name)) return { kind: 'person', name: 'you' };
  return { kind: 'agent', name: name.replace(/#\d+$/, '') };
}

/** The names in these that more than one agent has: of `claude#1`, `claude#2` and `codex#3`, that is `claude`. */
export function sharedNames(actors: readonly string[]): ReadonlySet<string> {
  const names = [...new Set(actors)].filter((actor) => actorOf(actor).kind === 'agent').map((actor) => actorOf(actor).name);
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
}

const HUES = 4;
/** FNV-1a, begun so that the agents that are often at work together differ. */
const [BASIS, PRIME] = [2166136300, 16777619];

/** The colour of an agent's name: the same in every browser, whoever else is there. */
export function hueOf(name: string): number {
  let hash = BASIS;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, PRIME) >>> 0;
  return (hash ^ (hash >>> 16)) & (HUES - 1);
}

export function ActorName({ name, numbered = false }: { name: string; numbered?: boolean }) {
  const actor = actorOf(name);
  if (actor.kind === 'person') return <span class="person">{visible(actor.name)}</span>;
  return (
    <span class="agent" data-hue={hueOf(actor.name)}>
      {visible(numbered ? name : actor.name)}
    </span>
  );
}
