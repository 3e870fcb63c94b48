/** Narrows the time line. */

import { agentKey } from '../attention/stretches';
import { agents, terminals } from '../state/hub';
import { ALL, type Filter, filter, type Outcome } from './filter';

const OUTCOMES: Record<Outcome, string> = { all: 'Any result', failed: 'Failed', asked: 'Asked about', denied: 'Denied' };

export function Filters() {
  const now = filter.value;
  const set = (more: Partial<Filter>) => (filter.value = { ...now, ...more });
  const names = [...new Set(agents.value.map(agentKey))];
  if (!['', 'agents', 'people', 'everything', ...names].includes(now.actor)) names.push(now.actor);
  const ids = [...terminals.value.keys()];
  if (now.terminal !== '' && !ids.includes(now.terminal)) ids.push(now.terminal);
  return (
    <div class="activity-filters" role="search" aria-label="Filter the activity">
      <input
        class="field"
        type="search"
        aria-label="Text"
        placeholder="Filter"
        value={now.text}
        onInput={(event) => set({ text: event.currentTarget.value })}
      />
      <select class="field" aria-label="Terminal" value={now.terminal} onChange={(event) => set({ terminal: event.currentTarget.value })}>
        <option value="">Any terminal</option>
        {ids.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      <select class="field" aria-label="By whom" value={now.actor} onChange={(event) => set({ actor: event.currentTarget.value })}>
        <option value="">Everybody</option>
        <option value="agents">Agents</option>
        <option value="people">People</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        <option value="everything">Every call</option>
      </select>
      <select
        class="field"
        aria-label="Result"
        value={now.outcome}
        onChange={(event) => set({ outcome: event.currentTarget.value as Outcome })}
      >
        {Object.entries(OUTCOMES).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      {JSON.stringify(now) !== JSON.stringify(ALL) && (
        <button class="button bare" onClick={() => (filter.value = ALL)}>
          Clear
        </button>
      )}
    </div>
  );
}
