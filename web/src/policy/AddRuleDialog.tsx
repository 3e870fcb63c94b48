/** Adds a rule, after a look at what it would have changed: rules are easier to get wrong than to read. */

import { useSignal } from '@preact/signals';
import type { AddRule, Rehearsed, RuleAction } from '../commands';
import { HubError } from '../hub/connection';
import { call } from '../hub/link';
import { ActorName } from '../ui/actor';
import { Dialog } from '../ui/Dialog';
import { toast } from '../ui/toasts';
import { draft, form, learnPolicy } from './state';
import { ACTIONS, patternsOf, rehearsedWords, shortDecision } from './words';

export function AddRuleDialog() {
  const action = useSignal<RuleAction>('allow');
  const patterns = useSignal(draft.peek());
  const name = useSignal('');
  const reason = useSignal('');
  const everywhere = useSignal(false);
  const interactiveOnly = useSignal(false);
  const network = useSignal(false);
  const rehearsed = useSignal<{ of: string; is: Rehearsed } | null>(null);
  const problem = useSignal<{ text: string; hint?: string | undefined } | null>(null);
  const busy = useSignal(false);

  const rule = (): AddRule => ({
    patterns: patternsOf(patterns.value),
    action: action.value,
    ...(name.value.trim() === '' ? {} : { name: name.value.trim() }),
    ...(reason.value.trim() === '' ? {} : { reason: reason.value.trim() }),
    ...(action.value === 'allow' && interactiveOnly.value ? { interactiveOnly: true } : {}),
    ...(action.value === 'allow' && network.value ? { network: true } : {}),
    ...(everywhere.value ? { everywhere: true } : {}),
  });
  const attempt = async (what: () => Promise<void>) => {
    busy.value = true;
    problem.value = null;
    try {
      await what();
    } catch (error) {
      // What is wrong with a pattern is said where it was written.
      problem.value = error instanceof HubError ? { text: error.message, hint: error.hint } : { text: String(error) };
    } finally {
      busy.value = false;
    }
  };
  const now = JSON.stringify(rule());
  const rehearse = () =>
    attempt(async () => {
      rehearsed.value = { of: now, is: await call('flightdeck.policy.rehearse', { rule: rule() }) };
    });
  const add = () =>
    attempt(async () => {
      const added = await call('flightdeck.policy.add', rule());
      toast('success', added.known ? `The rule ${added.name} was there already` : `The rule ${added.name} was added`, { hint: added.file });
      form.value = null;
      await learnPolicy();
    });
  const seen = rehearsed.value?.of === now ? rehearsed.value.is : null;
  const empty = patternsOf(patterns.value).length === 0;

  return (
    <Dialog label="Add a rule" class="policy-dialog" onClose={() => (form.value = null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void (seen ? add() : rehearse());
        }}
      >
        <h3>Add a rule</h3>
        <fieldset class="choices">
          <legend class="visually-hidden">What becomes of the commands</legend>
          {(Object.keys(ACTIONS) as RuleAction[]).map((one) => (
            <label key={one}>
              <input type="radio" name="action" checked={action.value === one} onChange={() => (action.value = one)} />
              <span class={ACTIONS[one].tone}>{ACTIONS[one].title}</span>
            </label>
          ))}
        </fieldset>
        <label>
          Commands, one pattern a line
          <textarea
            class="field code"
            rows={3}
            autofocus
            spellcheck={false}
            placeholder={'cargo test *\nnpm run lint'}
            value={patterns.value}
            onInput={(event) => (patterns.value = event.currentTarget.value)}
          />
        </label>
        <p class="dim">
          <code>*</code> as the last word stands for any further words, elsewhere for exactly one.
        </p>
        <div class="pair">
          <label>
            Reason, for whoever reads it
            <input class="field" value={reason.value} onInput={(event) => (reason.value = event.currentTarget.value)} />
          </label>
          <label>
            Name
            <input
              class="field code"
              placeholder="made from the pattern"
              value={name.value}
              onInput={(event) => (name.value = event.currentTarget.value)}
            />
          </label>
        </div>
        <label class="check">
          <input type="checkbox" checked={everywhere.value} onChange={() => (everywhere.value = !everywhere.value)} />
          In all workspaces
        </label>
        {action.value === 'allow' && (
          <>
            <label class="check">
              <input type="checkbox" checked={interactiveOnly.value} onChange={() => (interactiveOnly.value = !interactiveOnly.value)} />
              Only where a person can see it
            </label>
            <label class="check">
              <input type="checkbox" checked={network.value} onChange={() => (network.value = !network.value)} />
              Headless runs of it may use the network
            </label>
          </>
        )}
        {problem.value && (
          <p class="danger" role="alert">
            {problem.value.text}
            {problem.value.hint && <small class="dim"> {problem.value.hint}</small>}
          </p>
        )}
        {seen && <Changes rehearsed={seen} />}
        <div class="answers">
          <button type="button" class="button bare" onClick={() => (form.value = null)}>
            Cancel
          </button>
          <span class="fill" />
          <button type="button" class="button" disabled={busy.value || empty} onClick={() => void rehearse()}>
            What would it have changed?
          </button>
          <button type="button" class="button primary" disabled={busy.value || empty || !seen} onClick={() => void add()}>
            Add the rule
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Changes({ rehearsed }: { rehearsed: Rehearsed }) {
  const { changed, looked_at } = rehearsed;
  return (
    <div class="rehearsed" role="status">
      <p>{rehearsedWords(looked_at, changed.length)}</p>
      {changed.length > 0 && (
        <ul tabIndex={0} aria-label="What would have changed">
          {[...changed].reverse().map((one) => (
            <li key={`${one.at_ms} ${one.command}`}>
              <code>{one.command}</code>
              <span class="dim">
                {shortDecision(one.before)} → <strong>{shortDecision(one.after)}</strong>
                {one.times > 1 && ` · ${one.times} times`} · <ActorName name={one.actor} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
