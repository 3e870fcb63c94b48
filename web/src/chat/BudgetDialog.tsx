/** How much a conversation may use. */

import { useSignal } from '@preact/signals';
import type { Chat } from '../commands';
import { Dialog } from '../ui/Dialog';
import { setBudget } from './deeds';
import { usageWords } from './words';

export function BudgetDialog({ chat, onClose }: { chat: Chat; onClose(): void }) {
  const tokens = useSignal(chat.budget?.tokens?.toString() ?? '');
  const cost = useSignal(chat.budget?.cost?.toString() ?? '');
  const used = usageWords(chat.usage, undefined);
  const save = async () => {
    const budget = {
      ...(tokens.value === '' ? {} : { tokens: Number(tokens.value) }),
      ...(cost.value === '' ? {} : { cost: Number(cost.value) }),
    };
    if (await setBudget(chat.id, Object.keys(budget).length > 0 ? budget : null)) onClose();
  };
  return (
    <Dialog label="Budget" class="chat-dialog" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <h3>Budget of this conversation</h3>
        <p class="dim">At four fifths of it you are warned; beyond it the turn is stopped. {used ? `Used so far: ${used.text}.` : 'This agent has not told what it uses yet.'}</p>
        <label class="chat-field">
          <span>Tokens</span>
          <input class="field" type="number" min="1" step="1" placeholder="no limit" value={tokens.value} onInput={(event) => (tokens.value = event.currentTarget.value)} />
        </label>
        <label class="chat-field">
          <span>Cost ({chat.usage?.cost?.currency ?? 'USD'})</span>
          <input class="field" type="number" min="0.01" step="0.01" placeholder="no limit" value={cost.value} onInput={(event) => (cost.value = event.currentTarget.value)} />
        </label>
        <div class="answers">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button class="button primary">Set</button>
        </div>
      </form>
    </Dialog>
  );
}
