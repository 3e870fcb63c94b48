/** The answers to a request. Deny comes first and is the default; nothing here allows more than it says. */

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AnswerApproval, Approval, PermissionOption } from '../commands';
import { Icon } from '../ui/Icon';
import { AlwaysForm, EditForm, ReasonForm, ScopeList } from './AnswerForms';
import { answer } from './answers';
import { visible } from '../ui/visible';

type Step = 'ask' | 'reason' | 'edit' | 'scopes' | 'always';

export function Answers({ approval, inDialog = false }: { approval: Approval; inDialog?: boolean }) {
  const step = useSignal<Step>('ask');
  const busy = useSignal(false);
  const row = useRef<HTMLDivElement>(null);
  const cameFrom = useRef<Step>('ask');

  const give = async (more: Omit<AnswerApproval, 'id'>) => {
    if (busy.value) return;
    busy.value = true;
    if (!(await answer({ id: approval.id, ...more }))) busy.value = false;
  };
  const back = () => {
    cameFrom.current = step.value;
    step.value = 'ask';
  };
  // Who goes back finds the keyboard where they left it.
  useLayoutEffect(() => {
    if (step.value !== 'ask' || cameFrom.current === 'ask') return;
    row.current?.querySelector<HTMLElement>(`[data-step="${cameFrom.current}"]`)?.focus();
    cameFrom.current = 'ask';
  }, [step.value]);

  const { subject } = approval;
  switch (step.value) {
    case 'reason':
      return (
        <ReasonForm
          busy={busy.value}
          onBack={back}
          onDeny={(reason) => void give({ choice: 'decline', ...(reason === '' ? {} : { reason }) })}
        />
      );
    case 'edit':
      if (subject.kind !== 'command') break;
      return (
        <EditForm text={subject.text} busy={busy.value} onBack={back} onRun={(command) => void give({ choice: 'approve', command })} />
      );
    case 'scopes':
      return (
        <ScopeList
          approval={approval}
          busy={busy.value}
          onBack={back}
          onPick={(scope) => {
            if (scope === 'always') step.value = 'always';
            else void give({ choice: 'approve', scope });
          }}
        />
      );
    case 'always':
      if (!approval.offer) break;
      return (
        <AlwaysForm
          offer={approval.offer}
          busy={busy.value}
          onBack={() => (step.value = 'scopes')}
          onAllow={() => void give({ choice: 'approve', scope: 'always' })}
        />
      );
    case 'ask':
      break;
  }

  const further = approval.scopes.filter((scope) => scope !== 'always' || approval.offer);
  return (
    <div class="answers" ref={row}>
      <span class="split">
        <button class="button deny" autofocus={inDialog} disabled={busy.value} onClick={() => void give({ choice: 'decline' })}>
          Deny
        </button>
        <button
          class="button deny more"
          data-step="reason"
          aria-label="Deny with a reason"
          title="Deny with a reason"
          disabled={busy.value}
          onClick={() => (step.value = 'reason')}
        >
          <Icon name="chevronDown" />
        </button>
      </span>
      {subject.kind === 'command' && subject.editable && (
        <button class="button" data-step="edit" disabled={busy.value} onClick={() => (step.value = 'edit')}>
          Edit
        </button>
      )}
      {subject.kind === 'permission' ? (
        <Options options={subject.options} busy={busy.value} onPick={give} />
      ) : (
        <span class="split">
          <button class="button" disabled={busy.value} onClick={() => void give({ choice: 'approve', scope: 'once' })}>
            Allow once
          </button>
          {further.length > 1 && (
            <button
              class="button more"
              data-step="scopes"
              aria-label="Allow further than once"
              title="Allow further than once"
              disabled={busy.value}
              onClick={() => (step.value = 'scopes')}
            >
              <Icon name="chevronDown" />
            </button>
          )}
        </span>
      )}
    </div>
  );
}

/** An agent's own answers, in its own words; each says in full what it means. */
function Options(props: { options: PermissionOption[]; busy: boolean; onPick(more: Omit<AnswerApproval, 'id'>): void }) {
  const says = (option: PermissionOption) => (option.kind.startsWith('allow') ? ('approve' as const) : ('decline' as const));
  // What Deny says already is not said twice.
  const shown = props.options.filter((option) => option.kind !== 'reject_once');
  return (
    <>
      {shown.map((option) => (
        <button
          key={option.id}
          class={says(option) === 'decline' ? 'button deny' : 'button'}
          disabled={props.busy}
          onClick={() => props.onPick({ choice: says(option), option: option.id })}
        >
          {visible(option.name)}
        </button>
      ))}
    </>
  );
}
