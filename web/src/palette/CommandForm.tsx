/** A command of the hub as a small form, made from its schema; and what came of it. */

import { useSignal } from '@preact/signals';
import type { CommandInfo } from '../commands';
import { HubError } from '../hub/connection';
import { callAny } from '../hub/link';
import { Dialog } from '../ui/Dialog';
import { type Field, fieldsOf, valueOf } from './schema';
import './command-form.css';

export function CommandForm({ command, onClose }: { command: CommandInfo; onClose(): void }) {
  const outcome = useSignal<{ failed: boolean; text: string } | null>(null);
  const running = useSignal(false);
  const fields = fieldsOf(command.input);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    running.value = true;
    try {
      const args: Record<string, unknown> = {};
      for (const field of fields) {
        const value = valueOf(field, form.get(field.name));
        if (value !== undefined) args[field.name] = value;
      }
      outcome.value = { failed: false, text: JSON.stringify(await callAny(command.id, args), null, 2) };
    } catch (error) {
      const hint = error instanceof HubError && error.hint ? `\n${error.hint}` : '';
      outcome.value = { failed: true, text: `${error instanceof Error ? error.message : String(error)}${hint}` };
    } finally {
      running.value = false;
    }
  };
  return (
    <Dialog label={command.title} class="command-form" onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <header>
          <strong>{command.title}</strong>
          <code class="dim">{command.id}</code>
        </header>
        <p class="dim">{command.description}</p>
        {fields.map((field, index) => (
          <Input key={field.name} field={field} first={index === 0} />
        ))}
        {outcome.value && (
          <pre class={outcome.value.failed ? 'danger' : ''} role={outcome.value.failed ? 'alert' : 'status'}>
            {outcome.value.text}
          </pre>
        )}
        <footer>
          <button type="button" class="button" onClick={onClose}>
            Close
          </button>
          <button type="submit" class="button primary" disabled={running.value} autofocus={fields.length === 0}>
            {running.value ? 'Running…' : 'Run'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function Input({ field, first }: { field: Field; first: boolean }) {
  const common = { name: field.name, required: field.required, autofocus: first };
  return (
    <label>
      <span>
        {field.name}
        {field.required && <span class="warn"> needed</span>} <small class="dim">{field.description}</small>
      </span>
      {field.type === 'choice' ? (
        <select class="field" {...common}>
          {!field.required && <option value="">as usual</option>}
          {field.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : field.type === 'json' ? (
        <textarea class="field code" rows={3} spellcheck={false} placeholder="JSON" {...common} />
      ) : field.type === 'number' ? (
        <input class="field" type="number" step="any" {...common} />
      ) : (
        <input class="field" type="text" spellcheck={false} autocomplete="off" {...common} />
      )}
    </label>
  );
}
