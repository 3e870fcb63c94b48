/** A call of the audit log in the words of a person: ‘ran `npm test` in t3’, ‘opened handler.rs:42’. */

import type { AuditCall } from '../commands';

/** A part of a sentence: plain words, a command, or something that can be opened. */
export type Part =
  | { is: 'text'; text: string }
  | { is: 'code'; text: string }
  /** A command that ran in a terminal. */
  | { is: 'command'; text: string; terminal: string; atMs: number }
  | { is: 'terminal'; id: string }
  | { is: 'file'; path: string; line?: number };

type Args = Record<string, unknown>;

const words = (text: string): Part => ({ is: 'text', text });
const code = (text: string): Part => ({ is: 'code', text });

function string(args: Args, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = args[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function terminalOf(call: AuditCall, args: Args): string | undefined {
  return call.terminal ?? string(args, 'id', 'terminalId', 'terminal_id', 'window_id');
}

/** ‘typed into t3’. */
function about(call: AuditCall, args: Args, before: string, without: string): Part[] {
  const id = terminalOf(call, args);
  return id === undefined ? [words(without)] : [words(`${before} `), { is: 'terminal', id }];
}

function file(args: Args, verb: string): Part[] {
  const path = string(args, 'path');
  if (path === undefined) return [words(`${verb} ${string(args, 'editorId') ?? 'a file'}`)];
  const line = args['line'] ?? args['startLine'];
  return [words(`${verb} `), { is: 'file', path, ...(typeof line === 'number' ? { line } : {}) }];
}

/** What a person has put in the place of what was asked for is what ran. */
function ran(call: AuditCall, args: Args): Part[] {
  const command = call.run?.edited ?? lineOf(args);
  if (command === undefined) return about(call, args, 'ran something in', 'ran something');
  const id = terminalOf(call, args);
  if (id === undefined) return [words('ran '), code(command)];
  return [words('ran '), { is: 'command', text: command, terminal: id, atMs: call.atMs }, words(' in '), { is: 'terminal', id }];
}

/** A command as one line: some take a list of words, others the arguments beside the program. */
function lineOf(args: Args): string | undefined {
  const { command, args: further } = args;
  const list = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);
  const line = [...(typeof command === 'string' && command !== '' ? [command] : list(command)), ...list(further)].join(' ');
  return line === '' ? undefined : line;
}

function answered(_: AuditCall, args: Args): Part[] {
  const id = string(args, 'id') ?? 'a request';
  if (args['choice'] !== 'approve') return [words(`denied ${id}`)];
  const scope = string(args, 'scope');
  const reach = scope && scope !== 'once' ? ` (${scope})` : '';
  const edited = string(args, 'command');
  return edited === undefined ? [words(`allowed ${id}${reach}`)] : [words(`changed ${id} to `), code(edited), words(reach)];
}

/** A terminal that was opened for a command is told by that. */
function opened(call: AuditCall, args: Args): Part[] {
  return call.run?.edited !== undefined || lineOf(args) !== undefined ? ran(call, args) : about(call, args, 'opened', 'opened a terminal');
}

/** The canonical contract says what it does to a terminal by its action. */
function canonical(call: AuditCall, args: Args): Part[] {
  const inner = nested(args);
  switch (string(inner, 'action')) {
    case 'list':
      return [words('listed terminals')];
    case 'read_output':
      return about(call, inner, 'read', 'read output');
    case 'terminate':
    case 'kill':
    case 'close':
      return about(call, inner, 'ended', 'ended a terminal');
    default:
      return opened(call, inner);
  }
}

const plain = (text: string) => (): Part[] => [words(text)];

const list = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : '');
const found = (args: Args) => [words('searched for '), code(string(args, 'query', 'pattern', 'text') ?? '…')];

const TABLE: Record<string, (call: AuditCall, args: Args) => Part[]> = {
  'flightdeck.terminal.run': ran,
  'flightdeck.terminal.exec': ran,
  execute_command: ran,
  start_process: ran,
  memory_terminal: canonical,
  memory_terminal_interactive: canonical,
  memory_terminal_vscode: canonical,
  'flightdeck.chat.terminal.new': ran,
  'flightdeck.terminal.keys': (call, args) => about(call, args, 'typed into', 'typed'),
  'openspace.terminal.send': (call, args) => about(call, args, 'typed into', 'typed'),
  'flightdeck.terminal.new': opened,
  'openspace.terminal.create': (call, args) => about(call, args, 'opened', 'opened a terminal'),
  create_tab: (call, args) => about(call, args, 'opened', 'opened a terminal'),
  'flightdeck.terminal.kill': (call, args) => about(call, args, 'ended', 'ended a terminal'),
  'openspace.terminal.close': (call, args) => about(call, args, 'closed', 'closed a terminal'),
  'flightdeck.terminal.signal': (call, args) => about(call, args, `sent ${string(args, 'signal') ?? 'a signal'} to`, 'sent a signal'),
  'flightdeck.terminal.read': (call, args) => about(call, args, 'read', 'read output'),
  'flightdeck.terminal.screen': (call, args) => about(call, args, 'looked at', 'looked at a screen'),
  'openspace.terminal.read_output': (call, args) => about(call, args, 'read', 'read output'),
  'flightdeck.terminal.wait': (call, args) => about(call, args, 'waited for', 'waited'),
  'flightdeck.terminal.attach': (call, args) => about(call, args, 'opened', 'opened a terminal'),
  'flightdeck.terminal.lease': (call, args) => {
    const did = { take: 'took the controls of', release: 'handed back', wait: 'waited for' }[String(args['action'])];
    return about(call, args, did ?? 'asked who holds', 'asked for the controls');
  },
  'openspace.editor.open': (_, args) => file(args, 'opened'),
  'openspace.editor.close': (_, args) => file(args, 'closed'),
  'openspace.editor.highlight': (_, args) => file(args, 'highlighted'),
  'openspace.editor.scroll_to': (_, args) => file(args, 'scrolled to'),
  'openspace.editor.read_file': (_, args) => file(args, 'read'),
  'openspace.file.read': (_, args) => file(args, 'read'),
  'openspace.file.write': (_, args) => file(args, 'wrote'),
  'openspace.file.undo': (_, args) => (string(args, 'path') ? file(args, 'took back a write to') : [words('took back a write')]),
  'openspace.file.search': (_, args) => found(args),
  'openspace.file.list': (_, args) => [words(`listed ${string(args, 'path') ?? 'files'}`)],
  'flightdeck.workbench.save': (_, args) => file(args, 'saved'),
  'flightdeck.workbench.edit': (_, args) => file(args, 'edited'),
  'flightdeck.workbench.resolve': (_, args) => file(args, args['keep'] === 'mine' ? 'kept their own' : 'took the disk’s'),
  close_tab: (call, args) => about(call, args, 'closed', 'closed a tab'),
  list_tabs: plain('listed tabs'),
  read_logs_from_tab: (call, args) => about(call, args, 'read', 'read output'),
  stream_logs_from_tab: (call, args) => about(call, args, 'read', 'read output'),
  set_history_limit: plain('changed how much of tabs is kept'),
  stop_process: (call, args) => about(call, args, 'stopped what ran in', 'stopped a process'),
  'flightdeck.terminal.follow': (call, args) => about(call, args, 'followed', 'followed output'),
  'flightdeck.terminal.history': (call, args) => about(call, args, 'looked at the commands of', 'looked at commands'),
  'flightdeck.terminal.list': plain('listed terminals'),
  'flightdeck.terminal.pin': (call, args) => about(call, args, 'pinned', 'pinned a terminal'),
  'flightdeck.terminal.remove': (call, args) => about(call, args, 'removed', 'removed a terminal'),
  'flightdeck.terminal.resize': (call, args) => about(call, args, 'resized', 'resized a terminal'),
  'flightdeck.terminal.search': (_, args) => found(args),
  'flightdeck.terminal.times': (call, args) => about(call, args, 'looked at', 'looked at a terminal'),
  'flightdeck.terminal.watch': (call, args) => about(call, args, 'watched', 'watched a terminal'),
  'openspace.terminal.list': plain('listed terminals'),
  'openspace.editor.clear_highlight': plain('removed a highlight'),
  'openspace.pane.close': plain('closed a pane'),
  'openspace.pane.focus': plain('turned to a pane'),
  'openspace.pane.list': plain('listed panes'),
  'openspace.pane.resize': plain('resized a pane'),
  'flightdeck.workbench.clear_highlights': (_, args) => file(args, 'removed the highlights of'),
  'flightdeck.workbench.pin': (_, args) => [words(args['pinned'] === false ? 'unpinned a pane' : 'pinned a pane')],
  'flightdeck.workbench.document': (_, args) => file(args, 'looked at'),
  'flightdeck.workbench.snapshot': plain('looked at the workbench'),
  'flightdeck.workbench.state': plain('looked at the panes'),
  'flightdeck.workbench.view': plain('looked around'),
  'flightdeck.workbench.watch': plain('watched the workbench'),
  'flightdeck.file.writes': plain('listed writes'),
  'flightdeck.file.write_texts': plain('looked at a write'),
  'flightdeck.approval.list': plain('looked at what is asked'),
  'flightdeck.approval.watch': plain('watched what is asked'),
  'flightdeck.agent.list': plain('listed agents'),
  'flightdeck.consent.show': plain('looked at the consent'),
  'flightdeck.bridge.register': plain('registered an IDE'),
  'flightdeck.bridge.result': plain('passed on a result of the IDE'),
  'flightdeck.bridge.serve': plain('served as the IDE'),
  'flightdeck.bridge.state': plain('passed on the state of the IDE'),
  'flightdeck.chat.agents': plain('listed known agents'),
  'flightdeck.chat.answer': plain('answered an agent’s question'),
  'flightdeck.chat.authenticate': plain('signed in to an agent'),
  'flightdeck.chat.budget': plain('changed the budget of a conversation'),
  'flightdeck.chat.cancel': plain('stopped an agent’s turn'),
  'flightdeck.chat.file.read': (_, args) => file(args, 'read'),
  'flightdeck.chat.file.write': (_, args) => file(args, 'wrote'),
  'flightdeck.chat.list': plain('listed conversations'),
  'flightdeck.chat.logout': plain('signed out of an agent'),
  'flightdeck.chat.mode': plain('changed the mode of an agent'),
  'flightdeck.chat.new': plain('began a conversation with an agent'),
  'flightdeck.chat.option': plain('changed an option of an agent'),
  'flightdeck.chat.output': plain('read the output in a tool call'),
  'flightdeck.chat.overview': plain('watched the conversations'),
  'flightdeck.chat.permission': plain('asked for permission'),
  'flightdeck.chat.prompt': plain('prompted an agent'),
  'flightdeck.chat.read': plain('read a conversation'),
  'flightdeck.chat.remove': plain('removed a conversation'),
  'flightdeck.chat.restart': plain('started an agent again'),
  'flightdeck.chat.session.delete': plain('deleted a session of an agent'),
  'flightdeck.chat.session.list': plain('listed the sessions of an agent'),
  'flightdeck.chat.stop': plain('stopped an agent'),
  'flightdeck.chat.terminal.kill': (call, args) => about(call, args, 'ended the command in', 'ended a command'),
  'flightdeck.chat.terminal.output': (call, args) => about(call, args, 'read', 'read output'),
  'flightdeck.chat.terminal.release': (call, args) => about(call, args, 'released', 'released a terminal'),
  'flightdeck.chat.terminal.wait': (call, args) => about(call, args, 'waited for', 'waited for a command'),
  'flightdeck.chat.watch': plain('watched a conversation'),
  'flightdeck.hub.acknowledge': plain('acknowledged what happened to the database'),
  'flightdeck.hub.audit': plain('read the audit log'),
  'flightdeck.hub.commands': plain('listed the commands'),
  'flightdeck.hub.instructions': plain('read the instructions'),
  'flightdeck.hub.results': plain('looked at the last results'),
  'flightdeck.hub.status': plain('looked at the hub'),
  'flightdeck.hub.stop': plain('stopped the hub'),
  'flightdeck.hub.verify': plain('verified the audit log'),
  'flightdeck.hub.watch': plain('watched the hub'),
  'flightdeck.hub.link': () => [words('made a login link')],
  'flightdeck.workbench.close_tab': () => [words('closed a tab')],
  'flightdeck.workbench.move_tab': () => [words('moved a tab')],
  'openspace.pane.open': (_, args) => [words(`opened ${string(args, 'contentId', 'path') ?? 'a pane'}`)],
  'flightdeck.approval.answer': answered,
  'flightdeck.consent.set': (_, args) => [words(args['allow'] === true ? 'let agents control the workbench' : 'kept agents from the workbench')],
  'flightdeck.policy.add': (_, args) => [
    words(`added a rule that ${{ ask: 'asks about', block: 'blocks' }[String(args['action'])] ?? 'allows'} `),
    code(list(args['patterns'])),
  ],
  'flightdeck.policy.remove': (_, args) => [words('removed the rule '), code(string(args, 'name') ?? '…')],
  'flightdeck.policy.accept': plain('accepted the changed rules'),
  'flightdeck.policy.reject': plain('put the rules back'),
  'flightdeck.policy.rehearse': plain('tried what a rule would have changed'),
  'flightdeck.policy.show': plain('looked at the rules'),
  'flightdeck.policy.changes': plain('looked at the changed rules'),
  'flightdeck.policy.test': (_, args) => [words('asked the policy about '), code(string(args, 'command') ?? '…')],
};

/** The canonical contract has the command one level deeper. */
function nested(args: Args): Args {
  for (const name of ['payload', 'request', 'params', 'execution']) {
    const inner = args[name];
    if (typeof inner === 'object' && inner !== null) return { ...args, ...(inner as Args) };
  }
  return args;
}

export function argsOf(call: AuditCall): Args {
  try {
    const value: unknown = JSON.parse(call.args);
    return typeof value === 'object' && value !== null ? (value as Args) : {};
  } catch {
    return {};
  }
}

/** What did not come to its end may have been done all the same. */
const UNSURE: ReadonlySet<string> = new Set(['abandoned', 'cancelled', 'interrupted', 'timed_out', 'disconnected', 'hub_stopping']);
/** Nobody let it be done. */
const REFUSED: ReadonlySet<string> = new Set(['blocked', 'declined', 'approval_expired', 'approval_unavailable', 'consent_declined']);

/** What is no regular verb; the others lose their `ed`, or its `d`. */
const VERBS: Record<string, string> = {
  ran: 'run',
  sent: 'send',
  took: 'take',
  wrote: 'write',
  kept: 'keep',
  made: 'make',
  denied: 'deny',
  began: 'begin',
  put: 'put',
  let: 'let',
  tried: 'try',
  verified: 'verify',
  stopped: 'stop',
  unpinned: 'unpin',
  pinned: 'pin',
};
const WITH_E = /^(?:clos|mov|sav|typ|chang|remov|releas|resiz|serv|handl)ed$/;

/** Whether it was done: a call that failed has done nothing. */
export function wasDone(call: AuditCall): boolean {
  return call.result === 'ok' || call.result === 'running' || UNSURE.has(call.result);
}

export function partsOf(call: AuditCall): Part[] {
  const told = TABLE[call.command]?.(call, argsOf(call));
  // An IDE has brought it, or another version of the hub.
  const parts = told ?? [words('called '), code(call.command)];
  if (wasDone(call)) return parts;
  const start = REFUSED.has(call.result) ? 'wanted' : 'failed';
  const [first, ...others] = parts;
  if (first?.is !== 'text') return [words(`${start}: `), ...parts];
  // ‘failed to end t3’ where ‘ended t3’ would be a lie.
  return [words(first.text.replace(/^\w+/, (verb) => `${start} to ${presentOf(verb)}`)), ...others];
}

function presentOf(verb: string): string {
  return VERBS[verb] ?? (WITH_E.test(verb) ? verb.slice(0, -1) : verb.replace(/ed$/, ''));
}

/** The same without anything to open, for a line of text. */
export function sentenceOf(call: AuditCall): string {
  return partsOf(call)
    .map((part) => {
      switch (part.is) {
        case 'text':
          return part.text;
        case 'code':
        case 'command':
          return part.text;
        case 'terminal':
          return part.id;
        case 'file':
          return part.line === undefined ? part.path : `${part.path}:${part.line}`;
      }
    })
    .join('');
}
