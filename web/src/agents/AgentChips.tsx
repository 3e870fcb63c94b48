/** The agents at a glance, in the bar. Those who wait come first, so that they are never among the ones left out. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { agents } from '../state/hub';
import { panel } from '../state/preferences';
import { hueOf } from '../ui/actor';
import { agentKey } from '../attention/stretches';
import { visible } from '../ui/visible';
import { inOrder, labelOf, standingOf } from './describe';
import './agents.css';

const AT_MOST = 4;

export function AgentChips() {
  const here = inOrder(agents.value.filter((agent) => agent.state !== 'gone'));
  const chips = here.slice(0, AT_MOST);
  const { row, fits } = useFitting(here.length);
  const left = here.length - Math.min(fits, chips.length);
  const open = () => (panel.value = 'agents');
  return (
    <div class="chips" ref={row}>
      {chips.map((agent, index) => {
        const { mark, word, tone } = standingOf(agent);
        return (
          <button key={agentKey(agent)} class="chip" data-fits={index < fits} title={visible(`${labelOf(agent, agents.value)}: ${agent.reason}`)} onClick={open}>
            <span class={tone === 'agent' ? 'agent' : tone} data-hue={hueOf(agent.name)} aria-hidden="true">
              {mark}
            </span>
            <span class="chip-name ellipsis">{visible(labelOf(agent, agents.value))}</span> <span class="dim">{word.replace(/^waits .*/, 'waits')}</span>
          </button>
        );
      })}
      {left > 0 && (
        <button class="chip chip-more" aria-label={`${left} more agents`} onClick={open}>
          +{left}
        </button>
      )}
    </div>
  );
}

/** What lies between two chips, and what the one that counts the others takes. */
const [GAP, MORE] = [6, 46];

/** How many of the chips there is room for beside the one that counts the others. Those that do not fit keep their width, unseen. */
function useFitting(all: number) {
  const row = useRef<HTMLDivElement>(null);
  const [fits, setFits] = useState(AT_MOST);
  useLayoutEffect(() => {
    const measure = () => {
      const widths = [...row.current!.querySelectorAll<HTMLElement>('.chip:not(.chip-more)')].map((chip) => chip.offsetWidth + GAP);
      setFits(fitting(widths, row.current!.clientWidth + GAP, all));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(row.current!);
    return () => observer.disconnect();
  });
  return { row, fits };
}

/** How many of the first of these fit, with the one that counts the rest of `all`. */
export function fitting(widths: readonly number[], room: number, all: number): number {
  for (let count = widths.length; count > 0; count -= 1) {
    const taken = widths.slice(0, count).reduce((sum, width) => sum + width, 0);
    if (taken + (count < all ? MORE + GAP : 0) <= room) return count;
  }
  return 0;
}
