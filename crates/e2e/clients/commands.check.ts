// What the generated types must and must not take. Only compiled, never run: the test `types` does that.

import type {
  Approval,
  AreaLayout,
  ApprovalEvent,
  Commands,
  LayoutNode,
  Response,
  WorkbenchEvent,
} from '../../../web/src/commands';

declare function call<Id extends keyof Commands>(id: Id, args: Commands[Id]['args']): Promise<Commands[Id]['result']>;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

// Arguments are checked by the id of the command.
export async function calls(): Promise<void> {
  await call('flightdeck.workbench.watch', {});
  await call('flightdeck.workbench.watch', { epoch: 1, seq: 7 });
  await call('openspace.pane.open', { type: 'editor', contentId: 'README.md', splitDirection: 'vertical' });
  const { output } = await call('execute_command', { window_id: '@1', command: 'ls' });
  const text: string = output;
  // @ts-expect-error There is no such command.
  await call('flightdeck.workbench.wach', {});
  // @ts-expect-error A field that does not exist.
  await call('flightdeck.workbench.watch', { sequence: 7 });
  // @ts-expect-error One of some words.
  await call('openspace.pane.open', { type: 'editors', contentId: text });
  // @ts-expect-error What is left out is left out.
  await call('flightdeck.workbench.watch', { epoch: null });
  // @ts-expect-error A required field is missing.
  await call('execute_command', { window_id: '@1' });
}

// A tagged enum is told apart by its tag.
export function panes(event: WorkbenchEvent): number {
  if (event.event === 'changes') {
    // @ts-expect-error Changes have no snapshot.
    void event.snapshot;
    return event.changes.length;
  }
  return event.event === 'snapshot' ? event.snapshot.panes.length : 0;
}

function subject(approval: Approval): string {
  switch (approval.subject.kind) {
    case 'command':
      return approval.subject.text;
    case 'permission':
      return approval.subject.title;
    case 'file_write':
      return approval.subject.path;
  }
}

type TerminalStream = NonNullable<Commands['flightdeck.terminal.attach']['event']>;

export function resumeAt(event: TerminalStream): number | undefined {
  switch (event.type) {
    case 'snapshot':
      return event.at;
    case 'output':
      return event.to;
    case 'gap':
      // @ts-expect-error A gap has no size.
      void event.size;
      return event.to;
    default:
      return undefined;
  }
}

export function waiting(event: ApprovalEvent): string[] {
  switch (event.type) {
    case 'snapshot':
      return event.approvals.map((approval) => subject(approval));
    case 'pending':
      return [subject(event.approval)];
    case 'settled':
      // @ts-expect-error What is settled is an id alone.
      void event.approval;
      return [event.id];
    case 'policy':
      return event.policy.map((notice) => notice.file);
  }
}

// The layout is a tree, with types all the way down.
export function leaves(node: LayoutNode): string[] {
  return node.kind === 'pane' ? [node.id] : node.children.flatMap((child) => leaves(child.node));
}
export const nested: AreaLayout['root'] = {
  kind: 'split',
  direction: 'row',
  children: [
    { share: 50, node: { kind: 'pane', id: 'p1' } },
    // @ts-expect-error There is no such kind of node.
    { share: 50, node: { kind: 'tab', id: 'p2' } },
  ],
};

// Null stands only where it is sent.
export const sent: Same<null extends Response['error'] ? true : false, true> = true;
export const absent: Same<null extends Response['fallback'] ? true : false, false> = true;
