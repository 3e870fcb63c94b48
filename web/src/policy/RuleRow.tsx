/** One rule, and what can be done with it where it is in force. */

import type { RuleShown } from '../commands';
import { Icon } from '../ui/Icon';
import { visible } from '../ui/visible';
import { form } from './state';
import { ACTIONS } from './words';

export function RuleRow({ rule, fixed = false }: { rule: RuleShown; fixed?: boolean }) {
  return (
    <article class="rule" aria-label={`Rule ${visible(rule.name)}`}>
      <header>
        <span class={ACTIONS[rule.action].tone}>{ACTIONS[rule.action].verb}</span>
        <code class="dim ellipsis" title={visible(rule.name)}>
          {visible(rule.name)}
        </code>
        {!fixed && (
          <span class="rule-do">
            <button class="icon-button" aria-label={`Change ${visible(rule.name)}`} title="Change" onClick={() => (form.value = { is: 'change', rule })}>
              <Icon name="edit" />
            </button>
            <button class="icon-button" aria-label={`Remove ${visible(rule.name)}`} title="Remove" onClick={() => (form.value = { is: 'remove', rule })}>
              <Icon name="remove" />
            </button>
          </span>
        )}
      </header>
      <RuleWords rule={rule} />
    </article>
  );
}

/** What it says. */
export function RuleWords({ rule }: { rule: RuleShown }) {
  const facts = [
    rule.everywhere ? 'in all workspaces' : '',
    rule.interactiveOnly ? 'only in sight' : '',
    rule.network ? 'with network' : '',
  ].filter(Boolean);
  return (
    <div class="rule-words">
      {rule.patterns.map((pattern) => (
        <code key={pattern} class="pattern">
          {visible(pattern)}
        </code>
      ))}
      {rule.reason && <p class="dim">{visible(rule.reason)}</p>}
      {facts.length > 0 && <p class="dim">{facts.join(' · ')}</p>}
      {(rule.matches?.length ?? 0) + (rule.notMatches?.length ?? 0) > 0 && (
        <p class="dim rule-examples">
          {rule.matches?.map((text) => (
            <span key={`+${text}`}>
              <span class="ok" aria-label="about">
                ✓
              </span>{' '}
              <code>{visible(text)}</code>
            </span>
          ))}
          {rule.notMatches?.map((text) => (
            <span key={`-${text}`}>
              <span class="danger" aria-label="not about">
                ✗
              </span>{' '}
              <code>{visible(text)}</code>
            </span>
          ))}
        </p>
      )}
    </div>
  );
}
