/** Who did something, always in words and always in the same colour: people blue, agents violet and its neighbours. */

import { computed } from '@preact/signals';
import { agents } from '../state/hub';

/** `claude-code#3` is `claude-code`; `web:2` and `cli:anna` are people. */
export interface Actor {
  kind: 'person' | 'agent';
  name: string;
}

export function actorOf(name: string): Actor {
  if (/^(web|cli|window):/.test(name)) return { kind: 'person', name: name.startsWith('cli:') ? name.slice(4) : 'you' };
  return { kind: 'agent', name: name.replace(/#\d+$/, '') };
}

const hues = computed(() => {
  const names = [...new Set(agents.value.map((agent) => agent.name))];
  return new Map(names.map((name, index) => [name, index % 4]));
});

export function hueOf(name: string): number {
  return hues.value.get(name) ?? 0;
}

export function ActorName({ name }: { name: string }) {
  const actor = actorOf(name);
  if (actor.kind === 'person') return <span class="person">{actor.name}</span>;
  return (
    <span class="agent" data-hue={hueOf(actor.name)}>
      {actor.name}
    </span>
  );
}
