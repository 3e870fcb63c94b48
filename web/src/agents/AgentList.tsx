/** All agents that the hub knows. */

import { agents } from '../state/hub';
import { AgentRow } from './AgentRow';
import { inOrder } from './describe';
import { agentKey } from '../attention/stretches';
import './agents.css';

export function AgentList({ brief = false }: { brief?: boolean }) {
  const shown = brief ? agents.value.filter((agent) => agent.state !== 'gone') : agents.value;
  if (shown.length === 0) return <p class="dim agents-empty">Agents show here as soon as they connect.</p>;
  return (
    <ul class="agent-list" aria-label="Agents">
      {inOrder(shown).map((agent) => (
        <li key={agentKey(agent)}>
          <AgentRow agent={agent} brief={brief} />
        </li>
      ))}
    </ul>
  );
}
