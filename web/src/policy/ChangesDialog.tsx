/** Rules that were changed from outside count only when a person has accepted the difference; here it is shown to them. */

import { signal } from '@preact/signals';
import type { PolicyChange } from '../commands';
import { Diff } from '../attention/Diff';
import { useGuard } from '../attention/useGuard';
import { call } from '../hub/link';
import { Dialog } from '../ui/Dialog';
import { complain, toast } from '../ui/toasts';
import { visible } from '../ui/visible';
import { RuleRow } from './RuleRow';
import { learnPolicy } from './state';

/** What is reviewed, as long as the dialog is open. */
const reviewed = signal<readonly PolicyChange[] | null>(null);

/** Shows what waits. */
export async function reviewPolicy(): Promise<void> {
  try {
    const { changes } = await call('flightdeck.policy.changes', {});
    if (changes.length > 0) reviewed.value = changes;
    else toast('info', 'Nothing waits: the policy files are in force');
  } catch (error) {
    complain(error);
  }
}

async function settle(how: () => Promise<unknown>, said: string): Promise<void> {
  try {
    await how();
    reviewed.value = null;
    toast('success', said);
    await learnPolicy();
  } catch (error) {
    complain(error);
    // A file that has changed again meanwhile is shown as it is now.
    await reviewPolicy();
  }
}

export function PolicyChangesDialog() {
  const changes = reviewed.value;
  return changes ? <Review changes={changes} /> : null;
}

const COMES = { added: 'added', removed: 'removed', changed: 'changed' };

function Review({ changes }: { changes: readonly PolicyChange[] }) {
  const ready = useGuard();
  const good = changes.filter((change) => change.problem === undefined);
  const accept = () => call('flightdeck.policy.accept', { versions: good.map((change) => change.version) });
  return (
    <Dialog label="The rules were changed from outside" class="policy-dialog" onClose={() => (reviewed.value = null)}>
      <div class="policy-review" data-ready={ready}>
        <h3>The rules were changed from outside</h3>
        <p class="dim">
          Something else than Flightdeck has written them, perhaps an agent. The last good rules stay in force until you accept this.
        </p>
        {changes.map((change) => (
          <section key={change.file}>
            <code>{visible(change.file)}</code>
            {change.problem && <p class="danger">{visible(change.problem)}</p>}
            {change.rules.map(({ change: how, rule }) => (
              <div key={rule.name} class="policy-change">
                <span class={how === 'removed' ? 'warn' : 'danger'}>{COMES[how]}</span>
                <RuleRow rule={rule} fixed />
              </div>
            ))}
            {change.defaults && <p class="warn">How careful each surface is would change too.</p>}
            <Diff diff={change.diff} />
          </section>
        ))}
        <div class="answers">
          <button
            class="button deny"
            autofocus
            onClick={() => void settle(() => call('flightdeck.policy.reject', {}), 'The rules are again as they were')}
          >
            Put them back
          </button>
          <span class="fill" />
          <button
            class="button"
            disabled={good.length === 0}
            onClick={() => void settle(accept, 'The changed rules are in force')}
          >
            Accept
          </button>
        </div>
      </div>
    </Dialog>
  );
}
