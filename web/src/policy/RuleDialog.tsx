/** Adds a rule or changes one, after a look at what it would have changed: rules are easier to get wrong than to read. */

import { useSignal } from '@preact/signals';
import type { AddRule, Rehearsed, RuleAction, RuleShown } from '../commands';
import { call } from '../hub/link';
import { Dialog } from '../ui/Dialog';
import { toast } from '../ui/toasts';
import { Changes } from './Changes';
import { draft, form, learnPolicy } from './state';
import { type Trouble, troubleOf, TroubleWords } from './Trouble';
import { ACTIONS, patternsOf } from './words';

/** `changed`: the rule that gets another one in its place; a new one is added without it. */
export function RuleDialog({ changed }: { changed?: RuleShown }) {
  const action = useSignal<RuleAction>(changed?.action ?? 'allow');
  const patterns = useSignal(changed?.patterns.join('\n') ?? draft.peek());
  const name = useSignal(changed?.name ?? '');
  const reason = useSignal(changed?.reason ?? '');
  const matches = useSignal(changed?.matches?.join('\n') ?? '');
  const notMatches = useSignal(changed?.notMatches?.join('\n') ?? '');
  const everywhere = useSignal(changed?.everywhere ?? false);
  const interactiveOnly = useSignal(changed?.interactiveOnly ?? false);
  const network = useSignal(changed?.network ?? false);
  const rehearsed = useSignal<{ of: string; is: Rehearsed } | null>(null);
  const trouble = useSignal<Trouble | null>(null);
  const busy = useSignal(false);

  const rule = (): AddRule => ({
    patterns: patternsOf(patterns.value),
    action: action.value,
    ...(name.value.trim() === '' ? {} : { name: name.value.trim() }),
    ...(reason.value.trim() === '' ? {} : { reason: reason.value.trim() }),
    ...(action.value === 'allow' && interactiveOnly.value ? { interactiveOnly: true } : {}),
    ...(action.value === 'allow' && network.value ? { network: true } : {}),
    ...(everywhere.value ? { everywhere: true } : {}),
    matches: patternsOf(matches.value),
    notMatches: patternsOf(notMatches.value),
  });
  const attempt = async (what: () => Promise<void>) => {
    busy.value = true;
    trouble.value = null;
    try {
      await what();
    } catch (error) {
      // What is wrong with a pattern is said where it was written.
      trouble.value = troubleOf(error);
    } finally {
      busy.value = false;
    }
  };
  const now = JSON.stringify(rule());
  const rehearse = () =>
    attempt(async () => {
      const instead = changed ? { insteadOf: { name: changed.name, everywhere: changed.everywhere ?? false } } : {};
      rehearsed.value = { of: now, is: await call('flightdeck.policy.rehearse', { rule: rule(), ...instead }) };
    });
  const save = () =>
    attempt(async () => {
      const added = await call('flightdeck.policy.add', { ...rule(), ...(changed ? { replaces: changed.name } : {}) });
      const became = changed ? 'changed' : added.known ? 'there already' : 'added';
      toast('success', `The rule ${added.name} was ${became}`, { hint: added.file });
      form.value = null;
      await learnPolicy();
    });
  const seen = rehearsed.value?.of === now ? rehearsed.value.is : null;
  const empty = patternsOf(patterns.value).length === 0;
  const title = changed ? 'Change a rule' : 'Add a rule';

  return (
    <Dialog label={title} class="policy-dialog" onClose={() => (form.value = null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void (seen ? save() : rehearse());
        }}
      >
        <h3>{title}</h3>
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
        <p class="dim policy-help">
          <code>*</code> as the last word stands for any further words, elsewhere for exactly one.
        </p>
        <div class="pair">
          <Lines label="Examples that it is about" placeholder="cargo test --workspace" text={matches} />
          <Lines label="Examples that it is not about" placeholder="cargo publish" text={notMatches} />
        </div>
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
        {/* A rule is changed in the file that it stands in. */}
        {!changed && <Check label="In all workspaces" of={everywhere} />}
        {action.value === 'allow' && <Check label="Only where a person can see it" of={interactiveOnly} />}
        {action.value === 'allow' && <Check label="Headless runs of it may use the network" of={network} />}
        <TroubleWords trouble={trouble.value} />
        {seen && <Changes rehearsed={seen} />}
        <div class="answers">
          <button type="button" class="button bare" onClick={() => (form.value = null)}>
            Cancel
          </button>
          <span class="fill" />
          <button type="button" class="button" disabled={busy.value || empty} onClick={() => void rehearse()}>
            What would it have changed?
          </button>
          <button type="button" class="button primary" disabled={busy.value || empty || !seen} onClick={() => void save()}>
            {changed ? 'Change the rule' : 'Add the rule'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Lines({ label, placeholder, text }: { label: string; placeholder: string; text: { value: string } }) {
  return (
    <label>
      {label}
      <textarea
        class="field code"
        rows={2}
        spellcheck={false}
        placeholder={placeholder}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
    </label>
  );
}

function Check({ label, of }: { label: string; of: { value: boolean } }) {
  return (
    <label class="check">
      <input type="checkbox" checked={of.value} onChange={() => (of.value = !of.value)} />
      {label}
    </label>
  );
}
