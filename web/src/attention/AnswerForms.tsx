/** The longer answers: with a reason, edited, further than once, for always. Each goes back by Escape. */

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Approval, OfferedRule, Scope } from '../commands';
import { actorOf } from '../ui/actor';
import { visible } from '../ui/visible';

function Form(props: { label: string; onBack(): void; onSend(): void; children: ComponentChildren }) {
  const form = useRef<HTMLFormElement>(null);
  // The person asked for this form, so the keyboard goes along, before the next key comes.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('textarea, input, button')?.focus(), []);
  return (
    <form
      ref={form}
      class="answer-form"
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSend();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          event.stopPropagation();
          props.onBack();
        } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          props.onSend();
        }
      }}
    >
      {props.children}
    </form>
  );
}

export function ReasonForm(props: { busy: boolean; onBack(): void; onDeny(reason: string): void }) {
  const reason = useSignal('');
  return (
    <Form label="Deny with a reason" onBack={props.onBack} onSend={() => props.onDeny(reason.value.trim())}>
      <input
        class="field"
        aria-label="Reason, for the agent"
        placeholder="Why, for the agent"
        value={reason.value}
        onInput={(event) => (reason.value = event.currentTarget.value)}
      />
      <div class="answers">
        <button class="button deny" disabled={props.busy}>
          Deny with this reason
        </button>
        <Back onBack={props.onBack} />
      </div>
    </Form>
  );
}

export function EditForm(props: { text: string; busy: boolean; onBack(): void; onRun(command: string): void }) {
  const text = useSignal(props.text);
  const send = () => {
    if (text.value.trim() !== '') props.onRun(text.value);
  };
  return (
    <Form label="Edit the command" onBack={props.onBack} onSend={send}>
      <textarea
        class="field code"
        aria-label="Command to run instead"
        rows={Math.min(8, props.text.split('\n').length + 2)}
        spellcheck={false}
        autocapitalize="off"
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <div class="answers">
        <button class="button" disabled={props.busy || text.value.trim() === ''}>
          Run edited once
        </button>
        <Back onBack={props.onBack} />
      </div>
    </Form>
  );
}

export function scopeWords(scope: Scope, approval: Pick<Approval, 'agent' | 'terminal'>): { label: string; about: string } {
  switch (scope) {
    case 'once':
      return { label: 'Once', about: 'this one time' };
    case 'terminal':
      return { label: 'In this terminal', about: `the same command in ${approval.terminal ?? 'it'}` };
    case 'session':
      return { label: 'This session', about: `the same command, until ${actorOf(approval.agent).name} leaves` };
    case 'always':
      return { label: 'Always…', about: 'by a rule, which is shown first' };
  }
}

export function ScopeList(props: { approval: Approval; busy: boolean; onBack(): void; onPick(scope: Scope): void }) {
  return (
    <Form label="How far a yes reaches" onBack={props.onBack} onSend={() => {}}>
      <ul class="scopes">
        {props.approval.scopes.map((scope) => {
          const { label, about } = scopeWords(scope, props.approval);
          return (
            <li key={scope}>
              <button type="button" disabled={props.busy} onClick={() => props.onPick(scope)}>
                <strong>{label}</strong> <span class="dim">{about}</span>
              </button>
            </li>
          );
        })}
      </ul>
      <Back onBack={props.onBack} />
    </Form>
  );
}

export function AlwaysForm(props: { offer: OfferedRule; busy: boolean; onBack(): void; onAllow(): void }) {
  return (
    <Form label="Allow always" onBack={props.onBack} onSend={props.onAllow}>
      <p>This rule would be added: {visible(props.offer.words)}.</p>
      <pre class="offer" tabIndex={0} aria-label="The rule as it would stand in the policy file">
        {props.offer.toml.trim().split('\n').map(visible).join('\n')}
      </pre>
      <div class="answers">
        <Back onBack={props.onBack} />
        <button class="button" disabled={props.busy}>
          Add the rule and allow
        </button>
      </div>
    </Form>
  );
}

function Back({ onBack }: { onBack(): void }) {
  return (
    <button type="button" class="button bare" onClick={onBack}>
      Back
    </button>
  );
}
