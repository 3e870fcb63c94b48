/** One rule in force. */

import type { RuleShown } from '../commands';
import { ACTIONS } from './words';

export function RuleRow({ rule }: { rule: RuleShown }) {
  const { verb, tone } = ACTIONS[rule.action];
  return (
    <article class="rule">
      <header>
        <span class={tone}>{verb}</span>
        {/* The place for what can be done with a rule, once the hub can change or remove one. */}
        <code class="dim ellipsis" title={rule.name}>
          {rule.name}
        </code>
      </header>
      {rule.patterns.map((pattern) => (
        <code key={pattern} class="pattern">
          {pattern}
        </code>
      ))}
    </article>
  );
}
