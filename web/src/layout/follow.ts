/** Who follows agents sees the terminal in which one begins something. The keyboard stays where it is. */

import type { AuditCall, TerminalState } from '../commands';
import { known, recentCalls, terminals } from '../state/hub';
import { focus, following, tabShowing, workbench } from '../state/workbench';
import { actorOf } from '../ui/actor';
import { makeRoom } from './actions';

/** The terminal that is to be shown, until it has a tab. */
let wanted: string | null = null;

export function watchFollowed(): void {
  let before = terminals.peek();
  terminals.subscribe((now) => {
    const begun = [...now.values()].filter((terminal) => begins(terminal, before.get(terminal.id))).at(-1);
    before = now;
    // The terminals of the first snapshot were there before the page was; `known` is set after them.
    if (!begun || !known.peek() || following.peek().who !== 'agents') return;
    wanted = begun.id;
    show();
  });
  // What is over before the terminals are looked at again is told of in the audit log alone.
  let last = recentCalls.peek().at(-1)?.seq ?? -1;
  recentCalls.subscribe((calls) => {
    const typed = calls.findLast((call) => call.seq > last && types(call));
    last = calls.at(-1)?.seq ?? last;
    if (typed === undefined || following.peek().who !== 'agents') return;
    wanted = typed.terminal!;
    show();
  });
  // A tab of a new terminal comes a moment after it.
  workbench.subscribe(show);
  following.subscribe(() => (wanted = null));
  // Files that agents turn to are shown by the state of the workbench.
  focus.subscribe((tab) => {
    if (tab !== null && following.peek().who === 'agents') makeRoom(tab);
  });
}

function show(): void {
  const tab = wanted === null ? null : tabShowing(wanted);
  if (!tab) return;
  wanted = null;
  makeRoom(tab.tab.id);
  focus.value = tab.tab.id;
}

/** Whether an agent begins something in it. */
function begins(now: TerminalState, was: TerminalState | undefined): boolean {
  if (actorOf(now.lease?.actor ?? now.createdBy).kind !== 'agent') return false;
  return was === undefined || (now.runningCommand !== undefined && now.runningCommand !== was.runningCommand);
}

/** Calls that give a terminal something to do. */
const TYPES = new Set([
  'flightdeck.terminal.run',
  'flightdeck.terminal.keys',
  'openspace.terminal.send',
  'execute_command',
  'start_process',
]);

/** Whether an agent gives a terminal something to do by it; one that runs on was allowed. */
function types({ command, terminal, actor, result, tookEffect }: AuditCall): boolean {
  return TYPES.has(command) && terminal !== undefined && actorOf(actor).kind === 'agent' && (tookEffect || result === 'running');
}
