/** A call of the audit log in the words of a person: ‘ran `npm test` in t3’, ‘opened handler.rs:42’. */

import { type AuditCall, commands } from '../commands';

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

function ran(call: AuditCall, args: Args): Part[] {
  const command = string(args, 'command');
  if (command === undefined) return about(call, args, 'ran something in', 'ran something');
  const id = terminalOf(call, args);
  if (id === undefined) return [words('ran '), code(command)];
  return [words('ran '), { is: 'command', text: command, terminal: id, atMs: call.atMs }, words(' in '), { is: 'terminal', id }];
}

function answered(_: AuditCall, args: Args): Part[] {
  const id = string(args, 'id') ?? 'a request';
  if (args['choice'] !== 'approve') return [words(`denied ${id}`)];
  const scope = string(args, 'scope');
  return [words(`allowed ${id}${args['command'] === undefined ? '' : ' edited'}${scope && scope !== 'once' ? ` (${scope})` : ''}`)];
}

const list = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string').join(', ') : '');

const TABLE: Record<string, (call: AuditCall, args: Args) => Part[]> = {
  'flightdeck.terminal.run': ran,
  'flightdeck.terminal.exec': ran,
  execute_command: ran,
  start_process: ran,
  memory_terminal: ran,
  memory_terminal_interactive: (call, args) => ran(call, nested(args)),
  memory_terminal_vscode: (call, args) => ran(call, nested(args)),
  'flightdeck.terminal.keys': (call, args) => about(call, args, 'typed into', 'typed'),
  'openspace.terminal.send': (call, args) => about(call, args, 'typed into', 'typed'),
  'flightdeck.terminal.new': (call, args) => about(call, args, 'opened', 'opened a terminal'),
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
  'openspace.file.search': (_, args) => [words('searched for '), code(string(args, 'query', 'pattern', 'text') ?? '…')],
  'openspace.file.list': (_, args) => [words(`listed ${string(args, 'path') ?? 'files'}`)],
  'flightdeck.workbench.save': (_, args) => file(args, 'saved'),
  'flightdeck.workbench.edit': (_, args) => file(args, 'edited'),
  'flightdeck.workbench.resolve': (_, args) => file(args, args['keep'] === 'mine' ? 'kept their own' : 'took the disk’s'),
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
  'flightdeck.policy.test': (_, args) => [words('asked the policy about '), code(string(args, 'command') ?? '…')],
};

/** The canonical contract has the command one level deeper. */
function nested(args: Args): Args {
  for (const name of ['payload', 'request', 'params']) {
    const inner = args[name];
    if (typeof inner === 'object' && inner !== null) return { ...args, ...(inner as Args) };
  }
  return args;
}

const TITLES = new Map<string, string>(commands.map(({ id, title }) => [id, title]));

export function argsOf(call: AuditCall): Args {
  try {
    const value: unknown = JSON.parse(call.args);
    return typeof value === 'object' && value !== null ? (value as Args) : {};
  } catch {
    return {};
  }
}

/** What did not come to its end may have been done all the same. */
const UNSURE: ReadonlySet<string> = new Set(['cancelled', 'interrupted', 'timed_out', 'disconnected', 'hub_stopping']);
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
};
const WITH_E = /^(?:clos|mov|sav|typ)ed$/;

/** Whether it was done: a call that failed has done nothing. */
export function wasDone(call: AuditCall): boolean {
  return call.result === 'ok' || call.result === 'running' || UNSURE.has(call.result);
}

export function partsOf(call: AuditCall): Part[] {
  const [told, title] = [TABLE[call.command]?.(call, argsOf(call)), TITLES.get(call.command)];
  const parts = told ?? [title === undefined ? code(call.command) : words(title.charAt(0).toLowerCase() + title.slice(1))];
  if (wasDone(call)) return parts;
  const start = REFUSED.has(call.result) ? 'wanted' : 'failed';
  const [first, ...others] = parts;
  if (!told || first?.is !== 'text') return [words(`${start}: `), ...parts];
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
