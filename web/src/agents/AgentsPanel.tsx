/** The agents in full: what each does, did last and holds. */

import { AgentList } from './AgentList';

export default function AgentsPanel() {
  return (
    <>
      <h2>Agents</h2>
      <AgentList />
    </>
  );
}
