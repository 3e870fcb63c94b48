/** Asks the policy about a command without running it, and answers in words. */

import { useSignal } from '@preact/signals';
import { Command } from '../attention/Command';
import type { PolicyAnswer, PolicyMode } from '../commands';
import { call } from '../hub/link';
import { Dialog } from '../ui/Dialog';
import { complain } from '../ui/toasts';
import { draft, form } from './state';
import { decisionWords, patternsOf, SURFACES } from './words';

const MODES: PolicyMode[] = ['terminal', 'interactive', 'openspace', 'tabs', 'acp', 'headless'];

export function TestDialog() {
  const command = useSignal(draft.peek());
  const mode = useSignal<PolicyMode>('terminal');
  const answer = useSignal<{ of: string; is: PolicyAnswer } | null>(null);
  const test = async () => {
    const of = command.value;
    if (of.trim() === '') return;
    try {
      answer.value = { of, is: await call('flightdeck.policy.test', { command: of, mode: mode.value }) };
    } catch (error) {
      complain(error);
    }
  };
  const shown = answer.value;
  return (
    <Dialog label="Test a command" class="policy-dialog" onClose={() => (form.value = null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void test();
        }}
      >
        <h3>What would become of a command?</h3>
        <label>
          Command; it is not run
          <input
            class="field code"
            autofocus
            spellcheck={false}
            placeholder="git push --force origin main"
            value={command.value}
            onInput={(event) => (command.value = event.currentTarget.value)}
          />
        </label>
        <label>
          Where an agent would run it
          <select class="field" value={mode.value} onChange={(event) => (mode.value = event.currentTarget.value as PolicyMode)}>
            {MODES.map((one) => (
              <option key={one} value={one}>
                {SURFACES[one] ?? one}
              </option>
            ))}
          </select>
        </label>
        {shown && <Answer of={shown.of} answer={shown.is} />}
        <div class="answers">
          <button type="button" class="button bare" onClick={() => (form.value = null)}>
            Close
          </button>
          <span class="fill" />
          {shown && (
            <button
              type="button"
              class="button"
              onClick={() => {
                draft.value = patternsOf(shown.of)[0] ?? '';
                form.value = { is: 'add' };
              }}
            >
              Make a rule of it
            </button>
          )}
          <button class="button primary" disabled={command.value.trim() === ''}>
            Test
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Answer({ of, answer }: { of: string; answer: PolicyAnswer }) {
  const { text, tone } = decisionWords(answer.decision);
  return (
    <div class="verdict" role="status" data-tone={tone}>
      <strong class={tone}>{text}</strong>
      <Command text={of} pieces={answer.pieces} />
      <p>{answer.reason}</p>
      {answer.unproven && <p class="dim">{answer.unproven}</p>}
      <p class="dim">
        rule <code>{answer.rule}</code>
      </p>
    </div>
  );
}
