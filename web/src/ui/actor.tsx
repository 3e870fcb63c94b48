/** Who did something, always in words and always in the same colour: people blue, agents violet and its neighbours. */

import { effect, signal } from '@preact/signals';
import { agents } from '../state/hub';
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

const KEY = 'flightdeck.hues';
const HUES = 4;
/** Names whose colours are remembered; the oldest is forgotten first. */
const MOST = 64;

/** A name keeps its colour in this browser, whoever comes and goes. */
const hues = signal<ReadonlyMap<string, number>>(stored());

effect(() => {
  const fresh = agents.value.map(({ name }) => name).filter((name) => !hues.peek().has(name));
  if (fresh.length === 0) return;
  let all = hues.peek();
  for (const name of fresh) all = withHue(all, name);
  hues.value = new Map([...all].slice(-MOST));
  try {
    localStorage.setItem(KEY, JSON.stringify([...hues.peek()]));
  } catch {
    // A browser that keeps nothing forgets it with the page.
  }
});

function stored(): ReadonlyMap<string, number> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    const is = (one: unknown): one is [string, number] => Array.isArray(one) && typeof one[0] === 'string' && Number.isInteger(one[1]);
    return new Map(Array.isArray(kept) ? kept.filter(is) : []);
  } catch {
    return new Map();
  }
}

/** With one more name, in a colour that few have. */
export function withHue(all: ReadonlyMap<string, number>, name: string): Map<string, number> {
  const used = Array.from({ length: HUES }, (_, hue) => [...all.values()].filter((one) => one === hue).length);
  return new Map(all).set(name, all.get(name) ?? used.indexOf(Math.min(...used)));
}

export function hueOf(name: string): number {
  return hues.value.get(name) ?? 0;
}

export function ActorName({ name }: { name: string }) {
  const actor = actorOf(name);
  if (actor.kind === 'person') return <span class="person">{visible(actor.name)}</span>;
  return (
    <span class="agent" data-hue={hueOf(actor.name)}>
      {visible(actor.name)}
    </span>
  );
}
