/** Takes a rule out of its file, after a look at what would have been decided without it. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Rehearsed, RuleShown } from '../commands';
import { call } from '../hub/link';
import { Dialog } from '../ui/Dialog';
import { toast } from '../ui/toasts';
import { visible } from '../ui/visible';
import { Changes } from './Changes';
import { RuleWords } from './RuleRow';
import { form, learnPolicy } from './state';
import { type Trouble, troubleOf, TroubleWords } from './Trouble';

export function RemoveRuleDialog({ rule }: { rule: RuleShown }) {
  const rehearsed = useSignal<Rehearsed | null>(null);
  const trouble = useSignal<Trouble | null>(null);
  const which = { name: rule.name, everywhere: rule.everywhere ?? false };
  useEffect(() => {
    call('flightdeck.policy.rehearse', { rule: { patterns: [] }, insteadOf: which }).then(
      (found) => (rehearsed.value = found),
      (error: unknown) => (trouble.value = troubleOf(error)),
    );
  }, []);
  const close = () => (form.value = null);
  const remove = async () => {
    try {
      const { file } = await call('flightdeck.policy.remove', which);
      toast('success', `The rule ${rule.name} was removed`, { hint: file });
      close();
      await learnPolicy();
    } catch (error) {
      trouble.value = troubleOf(error);
    }
  };
  return (
    <Dialog label="Remove a rule" class="policy-dialog" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void remove();
        }}
      >
        <h3>Remove the rule {visible(rule.name)}?</h3>
        <RuleWords rule={rule} />
        {rehearsed.value && <Changes rehearsed={rehearsed.value} />}
        <TroubleWords trouble={trouble.value} />
        <div class="answers">
          <button type="button" class="button" autofocus onClick={close}>
            Keep it
          </button>
          <span class="fill" />
          <button class="button deny">Remove it</button>
        </div>
      </form>
    </Dialog>
  );
}
