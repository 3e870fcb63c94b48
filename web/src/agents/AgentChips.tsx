/** The agents at a glance, in the bar. Those who wait come first, so that they are never among the ones left out. */

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
  const left = here.length - AT_MOST;
  const open = () => (panel.value = 'agents');
  return (
    <div class="chips">
      {here.slice(0, AT_MOST).map((agent) => {
        const { mark, word, tone } = standingOf(agent);
        return (
          <button key={agentKey(agent)} class="chip" title={visible(agent.reason)} onClick={open}>
            <span class={tone === 'agent' ? 'agent' : tone} data-hue={hueOf(agent.name)} aria-hidden="true">
              {mark}
            </span>
            {visible(labelOf(agent, agents.value))} <span class="dim">{word.replace(/^waits .*/, 'waits')}</span>
          </button>
        );
      })}
      {left > 0 && (
        <button class="chip" aria-label={`${left} more agents`} onClick={open}>
          +{left}
        </button>
      )}
    </div>
  );
}
