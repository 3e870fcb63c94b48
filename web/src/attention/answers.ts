/** Answers of this person, and how requests ended that somebody else answered or nobody did. */

import type { AnswerApproval, Approval, ApprovalEvent } from '../commands';
import { HubError } from '../hub/connection';
import { call, last } from '../hub/link';
import { panel } from '../state/preferences';
import { actorOf } from '../ui/actor';
import { complain, type Severity, toast } from '../ui/toasts';

/** What was answered from this page: its end is no news here. */
const mine = new Set<string>();
const known = new Map<string, Approval>();

/** Gives an answer. Whether it counted; when it didn't, the person has been told why. */
export async function answer(args: AnswerApproval): Promise<boolean> {
  mine.add(args.id);
  try {
    const { rule } = await call('flightdeck.approval.answer', args);
    if (rule !== undefined) {
      toast('success', `The rule ${rule} was added`, { action: { label: 'Show', run: () => (panel.value = 'policy') } });
    }
    return true;
  } catch (error) {
    if (error instanceof HubError && (error.code === 'approval_settled' || error.code === 'approval_not_found')) {
      // Two people at once are no mistake of either.
      toast('info', error.code === 'approval_settled' ? 'It was answered already: your answer came too late' : 'It waits no more: your answer came too late');
      return true;
    }
    mine.delete(args.id);
    complain(error);
    return false;
  }
}

/** Begins to listen how requests end. Who is the person that is asked is no matter of this. */
export function watchAnswers(): void {
  last('flightdeck.approval.watch', () => ({}), (event) => take(event));
}

function take(event: ApprovalEvent): void {
  switch (event.type) {
    case 'snapshot':
      known.clear();
      for (const approval of event.approvals) known.set(approval.id, approval);
      break;
    case 'pending':
      known.set(event.approval.id, event.approval);
      break;
    case 'settled': {
      const approval = known.get(event.id);
      known.delete(event.id);
      const told = mine.delete(event.id) ? null : settledWords(event, approval);
      if (told) toast(told.severity, told.text, told.hint === undefined ? {} : { hint: told.hint });
      break;
    }
  }
}

type Settled = Extract<ApprovalEvent, { type: 'settled' }>;

/** How it ended, for whoever has just seen its card go. */
export function settledWords(event: Settled, approval: Approval | undefined): { severity: Severity; text: string; hint?: string } {
  const what = approval === undefined ? event.id : subjectWords(approval);
  switch (event.outcome) {
    case 'approved':
    case 'declined': {
      const how = event.outcome === 'declined' ? 'denied' : event.edited === undefined ? 'allowed' : `changed to ${event.edited}`;
      const why = event.reason === undefined ? {} : { hint: event.reason };
      return { severity: 'info', text: `${what}: ${how} by ${whoElse(event.by)}`, ...why };
    }
    case 'expired':
      return { severity: 'warning', text: `${what}: nobody answered in time, so it was not done` };
    case 'dismissed':
      return { severity: 'info', text: `${what}: put away by ${whoElse(event.by)}, so it was not done` };
    case 'withdrawn':
      return { severity: 'info', text: `${what}: the agent has given it up` };
  }
}

/** Who answered, when it was not done here. */
function whoElse(by: string | undefined): string {
  if (by === undefined) return 'somebody else';
  const { kind, name } = actorOf(by);
  return kind === 'person' ? 'you in another window' : name;
}

const LONGEST = 60;

/** What it is about, in a few words. */
export function subjectWords(approval: Approval): string {
  const { subject } = approval;
  const text = subject.kind === 'command' ? subject.text : subject.kind === 'permission' ? subject.title : `Writing ${subject.path}`;
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
