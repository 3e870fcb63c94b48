// The commands of the hub and their types. Made from their definitions by `make generate`.

/** What can be asked of an agent beside prompts. */
export interface Abilities {
  /** `flightdeck.chat.session.list`. */
  listSessions: boolean;
  /** `flightdeck.chat.session.delete`. */
  deleteSessions: boolean;
  /** `flightdeck.chat.logout`. */
  logout: boolean;
  /** To work in other folders beside that of the conversation. */
  additionalDirectories: boolean;
}

/** Puts what a policy file says into force. */
export interface AcceptPolicy {
  /** The `version` of each change that a person has seen. When a file is another one by now, nothing is accepted. */
  versions: string[];
}

/** What a prompt may hold beside text and mentions of files. */
export interface Accepts {
  /** Pictures. */
  images: boolean;
  /** Sound. */
  audio: boolean;
  /** The text of files, beside their names. */
  contents: boolean;
}

/** Ends the warnings about the database: a person knows of them. */
export type AcknowledgeDatabase = { [key: string]: never };

/** What is to be done. */
export type Action =
  /** Starts a command, or opens a terminal. */
  | 'execute'
  /** Gives the output of what was executed. */
  | 'read_output'
  /** Ends what was executed. */
  | 'terminate'
  /** Gives what there is. */
  | 'list';

/** By which way the terminal is reached. */
export type AdapterOverride =
  /** The configured one. */
  | 'local'
  /** The one that comes with the program. */
  | 'bundled'
  /** From inside a container to its host. */
  | 'container_bridge'
  /** Found out. */
  | 'auto';

/** Adds a rule to the workspace's policy file. */
export interface AddRule {
  /** Patterns of commands: `cargo test *`. */
  patterns?: string[];
  /** What becomes of them; `allow` when absent. */
  action?: RuleAction;
  /** A name; made from the first pattern when absent. */
  name?: string;
  /** Why, for whoever reads the file. */
  reason?: string;
  /** For an allowing rule: only where a person can see it, never headless. */
  interactiveOnly?: boolean;
  /** For an allowing rule: headless runs of it may use the network. */
  network?: boolean;
  /** In the user's own file, for all workspaces, instead of this workspace's. */
  everywhere?: boolean;
  /** The rule of this name goes, and the new one stands in its place. */
  replaces?: string;
  /** Commands that it has to be about, or it is refused. */
  matches?: string[];
  /** Commands that it must not be about. */
  notMatches?: string[];
}

/** Who a conversation is with. */
export interface AgentInfo {
  /** The preset, when it was started by one. */
  preset?: string;
  /** What it calls itself; the program's name until it has said so. */
  name: string;
  /** Its name for people. */
  title: string;
  /** Its version, once it has said so. */
  version?: string;
  /** The program and its arguments. */
  command: string[];
  /** Its number among the agents that are here, while it is. */
  number?: number;
}

/** The sessions that an agent knows. */
export interface AgentSessions {
  /** In the agent's order. */
  sessions: ListedSession[];
  /** There are more of them than are listed. */
  more: boolean;
}

/** One agent as it stands. Which further fields there are goes by `state`. */
export interface AgentState {
  /** What it calls itself. */
  name: string;
  /** Its number; absent for one that an earlier hub knew. */
  number?: number;
  /** What it does or waits for. */
  state: Standing;
  /** Why it is said to, in words. */
  reason: string;
  /** Since when, in milliseconds since 1970. */
  sinceMs: number;
  /** When working or failed: which command of the hub. */
  command?: string;
  /** When it waits for approval: which. */
  approval?: ApprovalId;
  /** When it waits for input: in which terminal. */
  terminal?: TerminalId;
  /** When it waits for input in a terminal: which. */
  asks?: InputKind;
}

/** Answers a request. */
export interface AnswerApproval {
  /** Which one. */
  id: ApprovalId;
  /** Yes or no. */
  choice: Choice;
  /** How far a yes reaches; `once` when absent. */
  scope?: Scope;
  /** With a yes: run this instead. It reaches no further than once. */
  command?: string;
  /** To an agent's own question: the id of the option. The first that says yes, or no, for once when absent. */
  option?: string;
  /** With a no: why, for the agent. */
  reason?: string;
}

/** Answers a question of the agent's that has a form. */
export interface AnswerQuestion {
  /** In which conversation. */
  id: ConversationId;
  /** The number of the entry with the question. */
  entry: number;
  /** What was filled in, by field; absent to decline. */
  values?: { [key: string]: unknown };
}

/** An answer that counted. */
export interface Answered {
  /** What was answered. */
  id: ApprovalId;
  /** How it ended. */
  outcome: Outcome;
  /** The name of the rule that was added. */
  rule?: string;
}

export type AnyAction = 'execute' | 'read_output' | 'terminate' | 'list' | 'run' | 'kill' | 'send' | 'close' | 'create';

/** An edit as the hub applied it. */
export interface AppliedEdit {
  /** The version that it made, one above the version that its positions belong to. */
  version: BufferVersion;
  /** Sorted and not overlapping; all positions are those before the edit. */
  changes: TextChange[];
  /** Who. */
  by: string;
  /** The client that sent it; absent for what came from the disk. */
  client?: string;
  /** The client's own number of it. */
  clientSeq?: number;
}

/** Something that waits for a person's yes. */
export interface Approval {
  /** Its name in answers. */
  id: ApprovalId;
  /** Who asks: `claude-code#3`. */
  agent: string;
  /** What it called: `flightdeck.terminal.run`. */
  call: string;
  /** Where it comes from, when that is not this machine. It would run here. */
  origin?: Origin;
  /** What it is about. */
  subject: Subject;
  /** In which terminal, when it is an existing one. */
  terminal?: TerminalId;
  /** The rule that asks. */
  rule: string;
  /** Why it asks. */
  reason: string;
  /** Whether it is dangerous, or only not known to be safe. */
  dangerous: boolean;
  /** How far a yes can reach. */
  scopes: Scope[];
  /** The rule that `always` would add. */
  offer?: OfferedRule;
  /** When it was asked, in milliseconds since 1970. */
  askedAtMs: number;
  /** When it lapses. */
  expiresAtMs: number;
  /** The id that the agent follows its call by. */
  trace?: string;
}

/** What a watcher is told. The first frame is a snapshot; another one follows whenever a watcher fell behind. */
export type ApprovalEvent =
  /** Everything that waits now. */
  | {
    type: 'snapshot';
    /** Oldest first. */
    approvals: Approval[];
  }
  /** Something new waits. */
  | {
    type: 'pending';
    /** What. */
    approval: Approval;
  }
  /** Something waits no more. */
  | {
    type: 'settled';
    /** What. */
    id: ApprovalId;
    /** How it ended. */
    outcome: Outcome;
    /** Who answered. */
    by?: string;
    /** What they said. */
    reason?: string;
    /** The command that they have put in the place of the one that was asked for. */
    edited?: string;
  }
  /** A policy file says something else than what is in force, which is for a person to look at. Told when there is such a file, and whenever that changes. */
  | {
    type: 'policy';
    /** The files; none when all is in force. */
    policy: PolicyNotice[];
  };

export type ApprovalId = string;

/** One simple command of a text. */
export interface ApprovalPiece {
  /** Its text. */
  text: string;
  /** Where it begins in the command, in bytes. */
  start: number;
  /** Where it ends. */
  end: number;
  /** How deep it is nested. */
  depth: number;
  /** What is dangerous about it. */
  danger?: string;
}

/** What waits for an answer. */
export interface Approvals {
  /** Oldest first. */
  approvals: Approval[];
  /** How many front ends with a person are attached. With none, nothing waits: it is refused at once. */
  attended: number;
}

/** A part of the workbench. Main and right stand side by side, bottom is below both; an empty one takes no room. */
export type Area =
  /** Editors. */
  | 'main'
  /** Beside the editors. */
  | 'right'
  /** Terminals. */
  | 'bottom';

/** An area that holds something. */
export interface AreaLayout {
  /** Which. */
  area: Area;
  /** Its room in the whole. */
  geometry: Geometry;
  /** Its panes. */
  root: LayoutNode;
}

export interface Arguments {
  /** What is to be done: execute, read_output, terminate or list. The others are deprecated. */
  action: AnyAction;
  /** How it runs, and what for. Required by `execute`. */
  invocation?: Invocation;
  /** Names of the call; made up when absent. */
  correlation?: Correlation;
  /** Where it runs and how long it is waited for. */
  runtime?: Runtime;
  /** What to run, for `execute`. */
  execution?: Execution;
  /** What an earlier call made: for `read_output` and `terminate`, and to run in an open terminal. */
  target?: Target;
  /** Where the call comes from; leave it out. */
  compat?: Compat;
  /** Deprecated: `execution.command`. */
  command?: string;
  /** Deprecated: `execution.command`, of the action send. */
  text?: string;
  /** Deprecated: `execution.args`. */
  args?: string[];
  /** Deprecated: `execution.env`. */
  env?: { [key: string]: string };
  /** Deprecated: `runtime.cwd`. */
  cwd?: string;
  /** Deprecated: `runtime.timeout_ms`. In milliseconds. */
  timeout?: number;
  /** Deprecated: `runtime.timeout_ms`. */
  timeout_ms?: number;
  /** Deprecated: `runtime.workspace_id`. */
  workspace_id?: string;
  /** Deprecated: `runtime.name`. */
  name?: string;
  /** Deprecated: `target.session_id`. */
  session_id?: string;
  /** Deprecated: `target.terminal_id`. */
  terminal_id?: string;
}

/** Asks a person for a conversation's agent. */
export interface AskPermission {
  /** The conversation. */
  id: ConversationId;
  /** The number of the entry that shows it. */
  entry: number;
  /** What it is about. */
  permission: PermissionSubject;
}

/** A question of an agent's whether it may. */
export interface Asked {
  /** Its name in `flightdeck.approval.answer`, which settles it, while it waits. */
  approval?: ApprovalId;
  /** The tool call that it is about. */
  tool: string;
  /** What it wants to do, in its own words. */
  title: string;
  /** The answers it understands. */
  options: PermissionOption[];
  /** How it was answered; absent while it waits. */
  outcome?: PermissionOutcome;
}

/** What of a terminal can change. */
export type Aspect =
  /** The title. */
  | 'title'
  /** The size, or whose window it follows. */
  | 'size'
  /** The folder. */
  | 'folder'
  /** Whether the shell waits at its prompt. */
  | 'prompt'
  /** The command that runs. */
  | 'command'
  /** It rang. */
  | 'bell'
  /** Who holds the controls. */
  | 'lease'
  /** Whether its output can be written. */
  | 'stall'
  /** What its program asks somebody to type. */
  | 'asks';

/** Shows a terminal live, as [`TerminalEvent`]s: its screen first, then what comes. Input of the call is typed into it. */
export interface Attach {
  /** Which one. */
  id: TerminalId;
  /** The viewer's window. The terminal takes the size of the viewer who typed last, or else the smallest. */
  size?: WindowSize;
  /** Go on at this cursor, the `to` of the last event: what was missed comes as output. When that is too much or no longer there, a gap is told and the screen comes again. */
  from?: number;
  /** So many lines of output from before the screen are sent ahead of it, for scrolling back; none when absent. */
  scrollback?: number;
}

/** A call as the audit log has it. */
export interface AuditCall {
  /** The number of its first entry. */
  seq: number;
  /** When it began, in milliseconds since 1970. */
  atMs: number;
  /** Who called. */
  actor: string;
  /** Through which door: `control`, `mcp-stdio`, `mcp-http`. */
  surface: string;
  /** What was called. */
  command: string;
  /** With which arguments, as JSON text; secrets are hidden. */
  args: string;
  /** What the policy said. */
  decision: string;
  /** The rule that decided. */
  rule: string;
  /** Why. */
  reason: string;
  /** `ok`, an error code, `running`, or `interrupted` when the hub ended in the middle of it. */
  result: string;
  /** What went wrong. */
  error?: string;
  /** How long it took, in milliseconds. */
  durationMs?: number;
  /** The id that the caller follows it by. */
  trace?: string;
  /** The terminal that it was about. */
  terminal?: string;
  /** What it ran, when it ran a command and waited for it. */
  run?: AuditRun;
  /** The call as a sentence for people, without its subject. */
  summary: SummaryPart[];
  /** Whether the call took effect, as far as its result tells; one that was cut off may have. */
  tookEffect: boolean;
}

/** A part of the audit log. */
export interface AuditPage {
  /** Oldest first. */
  calls: AuditCall[];
  /** What to give as `after` to go on. */
  next: number;
}

/** Reads the audit log. What is given narrows the choice. */
export interface AuditQuery {
  /** Calls from this time on, in milliseconds since 1970. */
  sinceMs?: number;
  /** Calls before this time. */
  untilMs?: number;
  /** A part of the name of who called. */
  actor?: string;
  /** How the command begins, or a pattern with `*`. */
  command?: string;
  /** The terminal that it was about. */
  terminal?: string;
  /** `ok`, `failed`, or an error code. A command that ended with another exit code than 0 has failed. */
  result?: string;
  /** A part of any of its texts. */
  text?: string;
  /** How many at most; 100 when absent, 10000 at most. */
  limit?: number;
  /** What came after this entry, oldest first, instead of the newest. */
  after?: number;
  /** With `after`: wait for something new when there is nothing yet, for at most so many milliseconds. */
  waitMs?: number;
}

/** What a call ran or decided about. How a command ended that went on is told as it is known when the log is read. */
export interface AuditRun {
  /** The command that a person has put in the place of the one that was asked for. */
  edited?: string;
  /** The exit code; absent when the command went on, or nobody knows. */
  exitCode?: number;
  /** The command goes on. */
  running?: boolean;
  /** Its number among the commands of its terminal, where a shell ran it. */
  command?: number;
  /** What an answer was about: the command that an agent wanted to run. */
  asked?: string;
}

/** Whether the audit log is as it was written. */
export interface AuditVerified {
  /** Nothing was changed, removed or added. */
  intact: boolean;
  /** How many entries there are. */
  entries: number;
  /** The number of the oldest that is kept. */
  firstSeq: number;
  /** The number of the newest. */
  lastSeq: number;
  /** The hash of the newest: whoever notes it elsewhere can tell later that nothing before it was written anew. */
  head?: string;
  /** What is wrong, and where first. */
  problem?: string;
  /** What has happened to the database outside of the hub, until a person has acknowledged it. The log is not intact then, even if its own entries fit together. */
  database?: DatabaseProblem[];
}

/** A way to sign in. */
export interface AuthMethod {
  /** Its name in `flightdeck.chat.authenticate`. */
  id: string;
  /** Its name for people. */
  name: string;
  /** What it does. */
  description?: string;
  /** What is run in a terminal to do so, when the agent can't do it by itself. */
  command?: string[];
  /** Variables that are set for that. */
  env?: { [key: string]: string };
}

/** Signs in. */
export interface Authenticate {
  /** In which conversation. */
  id: ConversationId;
  /** The id of the way to do so. */
  method: string;
}

/** What the policy said. */
export type Authorization =
  /** It ran. */
  | 'allowed'
  /** It ran, and `warning` says what is dangerous about it. */
  | 'allowed_with_warning'
  /** It did not run. */
  | 'blocked';

/** A process that a command left in the background. */
export interface Background {
  /** Its process id. */
  pid: number;
  /** What it is. */
  command: string;
  /** Whether it goes on. When false it was ended with the command. */
  running: boolean;
}

/** A part of a prompt, or of what an agent shows. */
export type Block =
  /** Text. */
  | {
    type: 'text';
    /** In Markdown. */
    text: string;
  }
  /** A file of the workspace. */
  | {
    type: 'file';
    /** From the workspace on, or an absolute path in it. */
    path: string;
    /** The first line that is meant, from 1 on. */
    line?: number;
    /** The last line that is meant. */
    endLine?: number;
  }
  /** A picture. */
  | {
    type: 'image';
    /** `image/png`. */
    mime: string;
    /** Base64. */
    data: string;
  }
  /** Sound. */
  | {
    type: 'audio';
    /** `audio/wav`. */
    mime: string;
    /** Base64. */
    data: string;
  }
  /** Something elsewhere. */
  | {
    type: 'link';
    /** Where. */
    uri: string;
    /** Its name for people. */
    name: string;
  };

/** A command that an IDE brings. */
export interface BridgeCommand {
  /** Its name everywhere, with a prefix of the IDE's own: `theia.git.commit`. */
  id: string;
  /** A few words for a palette. */
  title: string;
  /** What an agent has to know; the title when absent. */
  description?: string;
  /** The JSON schema of its arguments, which agents get as it is; any object when absent. */
  inputSchema?: { [key: string]: unknown };
  /** It changes nothing. What does not say so counts as destructive. */
  readOnly?: boolean;
}

/** What `flightdeck.bridge.serve` tells. */
export type BridgeEvent =
  /** Commands go to this IDE from now on. */
  | {
    type: 'ready';
  }
  /** One to carry out. */
  | {
    type: 'execute';
    /** Which. */
    execute: Execute;
  };

/** The IDE is registered; it counts from the moment when its socket is open. */
export interface BridgeRegistered {
  /** Its id, a secret between the hub and the IDE. */
  bridgeId: string;
  /** The path of the WebSocket over which it gets commands. */
  socket: string;
  /** The commands that it will get, its own included. */
  commands: string[];
  /** How long it has for each. */
  timeoutMs: number;
}

/** `POST /openspace/state`: how the IDE stands. */
export interface BridgeState {
  /** The registration. */
  bridgeId: string;
  /** Its panes. */
  panes: PaneSummaryInput[];
  /** The one with the keyboard. */
  activePane?: string;
  /** When that was, as RFC 3339. */
  timestamp?: string;
}

/** Where hubs of containers are served. */
export interface BridgeStatus {
  /** The address and the port. */
  address: string;
  /** The file with the token that a container needs. */
  tokenFile: string;
}

/** What a conversation may use. At four fifths of it a warning is shown; beyond it the turn is cancelled, and none is begun before it is raised. */
export interface Budget {
  /** How many tokens. */
  tokens?: number;
  /** How much money, in the currency that the agent tells. */
  cost?: number;
}

/** Which state of a document's buffer: goes up by one with every edit and is never used twice for one path. */
export type BufferVersion = number;

/** What came of a call. Fields that say nothing are absent. */
export interface CallOutcome {
  /** What the policy said. */
  authorization?: Authorization;
  /** What to look out for. */
  warning?: string;
  /** What was printed. */
  stdout?: string;
  /** What was printed as errors, where the two are apart. */
  stderr?: string;
  /** The exit code, once there is one. */
  exit_code?: number;
  /** Whether it still runs. */
  running?: boolean;
  /** What it asks for, which is why it was not waited for any longer or did not end in time. */
  input?: InputState;
  /** What there is, for `list`. */
  items?: Item[];
  /** The time was up before the end. */
  timed_out?: boolean;
  /** Output was left out. */
  truncated?: boolean;
  /** How many bytes of it. */
  omitted_bytes?: number;
  /** The resource that has all of it, in pieces of 64 KiB, when something was left out. */
  whole_output?: string;
}

/** How a call ended. */
export interface CallResult {
  /** Whose call it was. */
  agent: string;
  /** Which command. */
  command: string;
  /** The file, pane or terminal that it was about. */
  subject?: string;
  /** Whether it did what was asked. */
  success: boolean;
  /** What went wrong, for programs. */
  code?: ErrorCode;
  /** What went wrong. */
  error?: string;
  /** When, in milliseconds since 1970. */
  atMs: number;
}

/** How the last `openspace.*` calls of agents ended. */
export interface CallResults {
  /** The last 20 of each agent, oldest first. */
  results: CallResult[];
}

/** Where a call comes from. */
export type CallerSurface =
  /** The MCP server. */
  | 'server'
  /** The editor's extension. */
  | 'extension'
  /** The dashboard. */
  | 'dashboard'
  /** A button in a chat. */
  | 'chat_button';

/** Tells the agent to stop its turn. */
export interface CancelTurn {
  /** In which conversation. */
  id: ConversationId;
}

/** What kind of thing went wrong. */
export type Category =
  /** The request is not in order. */
  | 'validation'
  /** A person decided. */
  | 'user_decision'
  /** The time was up. */
  | 'runtime_timeout'
  /** The way to the terminal. */
  | 'transport'
  /** What is needed is not there. */
  | 'runtime_unavailable'
  /** The policy. */
  | 'authorization'
  /** What was meant does not exist. */
  | 'identity'
  /** Something inside. */
  | 'internal';

/** One change. Each carries the new state of what it is about, so that a front end has nothing to work out. */
export type Change =
  /** The areas are divided like this now. */
  | {
    type: 'areas';
    /** Those that hold something. */
    areas: AreaLayout[];
  }
  /** A pane is new or another. */
  | {
    type: 'pane';
    /** As it is now. */
    pane: PaneInfo;
  }
  /** A pane is gone. */
  | {
    type: 'pane_gone';
    /** Which. */
    id: PaneId;
  }
  /** Somebody has focused another pane; a front end's own focus stays where it is unless it follows them. */
  | {
    type: 'active_pane';
    /** Which. */
    id?: PaneId;
  }
  /** An editor is new or another. */
  | {
    type: 'editor';
    /** As it is now. */
    editor: EditorInfo;
  }
  /** An editor is gone. */
  | {
    type: 'editor_gone';
    /** Which. */
    id: EditorId;
  }
  /** A document is new or another. */
  | {
    type: 'document';
    /** As it is now. */
    document: DocumentInfo;
  }
  /** A document is gone. */
  | {
    type: 'document_gone';
    /** Which. */
    path: string;
  }
  /** A text was read from disk, with no edits that lead to it: take it anew. */
  | {
    type: 'loaded';
    /** Of which document. */
    path: string;
    /** Its version. */
    version: BufferVersion;
  }
  /** A text was edited. The document has unsaved changes from here on, unless a `document` follows that says otherwise. */
  | {
    type: 'edited';
    /** Of which document. */
    path: string;
    /** How. */
    edit: AppliedEdit;
  }
  /** All highlights of a document, in place of those that it had. */
  | {
    type: 'highlights';
    /** Which document. */
    path: string;
    /** By id. */
    highlights: Highlight[];
  }
  /** A front end begins to watch, or looks elsewhere. */
  | {
    type: 'viewer';
    /** As it is now. */
    viewer: WorkbenchViewer;
  }
  /** A front end does not watch any more. */
  | {
    type: 'viewer_gone';
    /** Which. */
    id: ViewerId;
  };

/** A command that a rule would have decided otherwise. */
export interface Changed {
  /** When it was asked for last, in milliseconds since 1970. */
  at_ms: number;
  /** Who asked. */
  actor: string;
  /** The command. */
  command: string;
  /** How often it was asked for. */
  times: number;
  /** What the rules in force say. */
  before: string;
  /** What they would say with the new one. */
  after: string;
}

/** A conversation as it stands. */
export interface Chat {
  /** Its name in all calls. */
  id: ConversationId;
  /** What it is about: what the agent calls it, or the beginning of the first prompt. */
  title: string;
  /** Who it is with. */
  agent: AgentInfo;
  /** The folder that the agent works in. */
  cwd: string;
  /** Other folders that it may work in, where it can do so. */
  additionalDirectories?: string[];
  /** What the agent does or waits for. */
  state: ChatState;
  /** Why it is said to, in words. */
  reason: string;
  /** Since when, in milliseconds since 1970. */
  sinceMs: number;
  /** When it was begun. */
  createdAtMs: number;
  /** When something was last said or done in it. */
  updatedAtMs: number;
  /** How many prompts there were; the last one's turn has this number. */
  turn: number;
  /** The number of the newest entry; 0 when there is none. */
  lastEntry: number;
  /** When it waits for approval: which. */
  approval?: ApprovalId;
  /** When it waits for input: in which terminal. */
  terminal?: TerminalId;
  /** The agent's own name for its session, by which it can be taken up again. */
  session?: string;
  /** How the agent can go on with this conversation when its process has ended. */
  resumable: Resumable;
  /** What a prompt may hold beside text and mentions of files. */
  accepts: Accepts;
  /** What else can be asked of the agent. */
  abilities: Abilities;
  /** Ways to sign in that the agent offers. */
  auth?: AuthMethod[];
  /** The modes that the agent can work in. */
  modes?: ChatModes;
  /** What else can be chosen, the model among it. */
  options?: ChatOption[];
  /** Commands that the agent understands at the beginning of a prompt, as `/name`. */
  commands?: SlashCommand[];
  /** What it has used, where the agent tells. */
  usage?: Usage;
  /** What it may use. */
  budget?: Budget;
}

/** What a watcher of one conversation is told. The first is a snapshot; another one follows whenever a watcher fell behind. The others are in order and leave nothing out. */
export type ChatEvent =
  /** The conversation and its newest entries: they take the place of everything before. */
  | {
    type: 'snapshot';
    /** How it stands. */
    chat: Chat;
    /** The newest entries, oldest first. */
    entries: Entry[];
    /** Whether there are earlier ones, which `flightdeck.chat.read` gives. */
    earlier: boolean;
  }
  /** How the conversation stands now. */
  | {
    type: 'chat';
    /** All of it. */
    chat: Chat;
  }
  /** An entry is new, or has changed: it takes the place of the one with its number. */
  | {
    type: 'entry';
    /** All of it. */
    entry: Entry;
  }
  /** Text came to the end of an entry: of what the agent says or thinks, or of the last output in a tool call. */
  | {
    type: 'text';
    /** Which entry. */
    number: number;
    /** What is to be put behind the text that is there. */
    text: string;
  }
  /** The conversation was removed. Nothing follows. */
  | {
    type: 'removed';
    /** Which. */
    id: ConversationId;
  };

/** How a command ended. */
export interface ChatExit {
  /** Its exit code; absent when a signal ended it. */
  exitCode?: number;
  /** The signal that ended it: `SIGTERM`. */
  signal?: string;
}

/** The text of a file. */
export interface ChatFile {
  /** The lines that were asked for. */
  content: string;
}

/** A mode that an agent can work in. */
export interface ChatMode {
  /** Its name in `flightdeck.chat.mode`. */
  id: string;
  /** Its name for people. */
  name: string;
  /** What it does. */
  description?: string;
}

/** The modes that an agent can work in. */
export interface ChatModes {
  /** The one that counts. */
  current: string;
  /** All of them. */
  available: ChatMode[];
}

/** Something that can be chosen of an agent: its model, how long it thinks. */
export type ChatOption = {
  /** Its name in `flightdeck.chat.option`. */
  id: string;
  /** Its name for people. */
  name: string;
  /** What it does. */
  description?: string;
  /** What kind of thing it is: `model`, `mode`, `thought_level`, or a word of the agent's. */
  category?: string;
} & ({
  kind: 'select';
  /** The one that counts. */
  current: string;
  /** All of them. */
  values: OptionValue[];
} | {
  kind: 'switch';
  /** What counts. */
  on: boolean;
});

/** Entries of a conversation. */
export interface ChatRead {
  /** How it stands. */
  chat: Chat;
  /** Oldest first. */
  entries: Entry[];
  /** Whether there are earlier ones. */
  earlier: boolean;
}

/** A conversation that was begun. */
export interface ChatStarted {
  /** Its name in all other calls. */
  id: ConversationId;
}

/** What the agent of a conversation does or waits for. */
export type ChatState =
  /** Its process was started, and it has not said yet that it can be prompted. */
  | 'starting'
  /** It wants a person to sign in first: `auth` has the ways. */
  | 'waits_for_sign_in'
  /** It can be prompted, and was not yet. */
  | 'ready'
  /** It works on the last prompt. */
  | 'working'
  /** It waits for a person's yes. */
  | 'waits_for_approval'
  /** It waits for a person's answer, or a program that it runs asks for input. */
  | 'waits_for_input'
  /** It has ended its turn, and can be prompted again. */
  | 'done'
  /** It has failed; the reason says how. Its process may still be there. */
  | 'failed'
  /** Its process has ended. What was said is here, and it may be started again. */
  | 'gone';

/** A terminal that was started. */
export interface ChatTerminal {
  /** Its name. */
  terminal: TerminalId;
}

/** The conversations of a hub. */
export interface Chats {
  /** The one that was last used first. */
  chats: Chat[];
}

/** What a watcher of all conversations is told: all of them, again whenever one has changed. */
export interface ChatsEvent {
  /** The one that was last used first. */
  chats: Chat[];
}

/** A node with its share of the split that it is in. */
export interface Child {
  /** Its share of the split. */
  share: Percent;
  /** What is there. */
  node: LayoutNode;
}

/** A yes or a no. */
export type Choice =
  /** It may run. */
  | 'approve'
  /** It may not. */
  | 'decline';

/** `openspace.editor.clear_highlight`. */
export interface ClearHighlight {
  /** Its name. */
  highlightId: string;
}

/** `flightdeck.workbench.clear_highlights`. */
export interface ClearHighlights {
  /** Of this file: what a person wants when they press Escape. */
  path: string;
}

/** `openspace.editor.close`. */
export interface CloseEditor {
  /** The file. */
  path: string;
}

/** `openspace.pane.close`. */
export interface ClosePane {
  /** The pane, with all its tabs. Terminals in it go on. */
  paneId: string;
}

/** `flightdeck.workbench.close_tab`. */
export interface ClosePaneTab {
  /** Which tab. */
  tabId: PaneTabId;
  /** Also when it holds unsaved changes, which are lost then. */
  discard?: boolean;
}

/** `close_tab`. */
export interface CloseTab {
  /** The tab. */
  window_id: TabNumber;
}

/** `openspace.terminal.close`. */
export interface CloseTerminal {
  /** A terminal's id, or its title. */
  terminalId: string;
}

export type Color = string;

/** A command, for a palette or a client that is not built with the hub. */
export interface CommandInfo {
  /** Its name in calls. */
  id: string;
  /** A few words for people. */
  title: string;
  /** What it does. */
  description: string;
  /** `reads`, `writes`, `destructive` or `executes`. */
  effects: string;
  /** Whether agents get it as a tool. */
  tool: boolean;
  /** Whether it is refused to everybody but people. */
  peopleOnly: boolean;
  /** The JSON schema of its arguments. */
  input: { [key: string]: unknown };
  /** The JSON schema of what agents get as its result. */
  output: { [key: string]: unknown };
}

/** The commands that there are now. */
export interface CommandList {
  /** By id. */
  commands: CommandInfo[];
}

/** A command that ran in a shell. */
export interface CommandRecord {
  /** Counts from 1 in each terminal. */
  number: number;
  /** The command line, where it is known. */
  text?: string;
  /** Who ran it, where it is known; a person at the keyboard otherwise. */
  actor?: string;
  /** Where it ran. */
  cwd?: string;
  /** Where its output begins. */
  start: number;
  /** Where its output ends; absent while it runs. */
  end?: number;
  /** Its exit code. */
  exitCode?: number;
  /** The exit code of each stage. */
  stages?: number[];
  /** When it began, in seconds since 1970. */
  startedAt?: number;
  /** How long it took. */
  durationMs?: number;
}

/** Commands, oldest first. */
export interface CommandRecords {
  /** The last one may still run. */
  commands: CommandRecord[];
  /** Whether there are older ones. */
  more?: boolean;
  /** What the one that was asked for printed, or how that differs from the run before. */
  output?: string;
  /** How many bytes of output were left out in the middle. */
  omittedBytes?: number;
  /** The number of the run before that `output` compares with. */
  comparedWith?: number;
}

/** `POST /openspace/command-results`, or a message over the socket: how a command ended in the IDE. */
export interface CommandResult {
  /** The registration; may be left out over the socket. */
  bridgeId?: string;
  /** The call. */
  requestId: number;
  /** Whether it did what was asked. */
  success: boolean;
  /** What went wrong. */
  error?: string;
  /** The fields of the result. */
  data?: unknown;
}

/** A command that would run. */
export interface CommandSubject {
  /** The command as it would run. */
  text: string;
  /** Where it would run. */
  cwd: string;
  /** Variables that the agent sets for it, as `NAME=value`; secrets are hidden. */
  env?: string[];
  /** Whether another command can be put in its place. */
  editable: boolean;
  /** The simple commands in it, in order, with what is dangerous about each. */
  pieces: ApprovalPiece[];
}

/** Where a call comes from. */
export interface Compat {
  /** The action that was asked of a bridge which made this request of it; absent once it is normalised. */
  legacy_action?: LegacyAction;
  /** Who calls. */
  caller_surface?: CallerSurface;
}

/** The older forms that a request used. */
export interface CompatNote {
  /** Whether an older action or an older tool was used. */
  alias_applied: boolean;
  /** Fields that have another place now. */
  moved?: Moved[];
  /** What to change, once the older forms are on their way out. */
  warning?: string;
}

/** How it stands. */
export interface Consent {
  /** Whether a person has to be asked: there is no answer to this version of the text. */
  ask: boolean;
  /** What was answered. */
  allowed?: boolean;
  /** By whom. */
  by?: string;
  /** When, in milliseconds since 1970. */
  atMs?: number;
  /** The version of the text. */
  version: number;
  /** The text. */
  text: string;
}

/** What a tab shows. */
export type ContentKind =
  /** A document. */
  | 'editor'
  /** A terminal. */
  | 'terminal';

export type ConversationId = string;

/** Names that connect a response, the audit log and the caller's own records. */
export interface Correlation {
  /** Made up when absent. */
  request_id?: string;
  /** Passed on unchanged; made from `request_id` when absent. */
  trace_id?: string;
  /** A name of your own, which comes back in the response. */
  client_request_id?: string;
}

/** An amount of money. */
export interface Cost {
  /** How much. */
  amount: number;
  /** Of which currency: `USD`. */
  currency: string;
}

/** `create_tab`. */
export interface CreateTab {
  /** A name for people; the shell's when absent. */
  name?: string;
  /** The folder to start in, absolute or relative to the workspace; the workspace when absent. */
  cwd?: string;
  /** Environment variables to set. */
  env?: { [key: string]: string };
  /** Use a login shell (as `zsh -l` is), which loads the user's profile. */
  login?: boolean;
}

/** `openspace.terminal.create`. */
export interface CreateTerminal {
  /** A name for people, which other calls may use as the terminal's id while it is unique. */
  title?: string;
  /** The folder to start in; the workspace when absent. */
  cwd?: string;
  /** The shell; when absent the user's own, or bash where that has a syntax of its own, as fish has. */
  shellPath?: string;
}

/** A terminal that was started. */
export interface Created {
  /** Its name in all other calls. */
  id: TerminalId;
  /** Where its output begins, to read or wait from. */
  cursor: number;
}

/** Warnings about the database that have ended. */
export interface DatabaseAcknowledged {
  /** What they were. */
  database: DatabaseProblem[];
}

/** Something that has happened to the database outside of the hub. */
export interface DatabaseProblem {
  /** What happened, for programs. */
  kind: DatabaseProblemKind;
  /** What happened and what follows from it, for people. */
  text: string;
  /** What to do. */
  hint: string;
  /** When the hub noticed it, in milliseconds since 1970. */
  noticedAtMs: number;
  /** Where the old database is, if it could be kept. */
  setAside?: string;
}

/** What has happened to the database. */
export type DatabaseProblemKind =
  /** It was gone, and a new one was begun. */
  | 'lost'
  /** It, or a part of it, can't be read. */
  | 'damaged'
  /** Another one was in its place. */
  | 'replaced'
  /** It is an older copy, or the end of its audit log was cut. */
  | 'rolled_back'
  /** Its audit log is not the one that was written. */
  | 'rewritten'
  /** The file that would tell was removed, so that none of these can be ruled out. */
  | 'unwitnessed'
  /** It was removed or replaced while the hub runs, which goes on writing into what nobody can find any more. */
  | 'removed';

/** Has an agent forget one of its sessions. */
export interface DeleteSession {
  /** The conversation whose agent is asked. */
  id: ConversationId;
  /** The agent's own name for the session; not that of the conversation. */
  session: string;
}

/** How the children of a split stand. */
export type Direction =
  /** Side by side. */
  | 'row'
  /** One below the other. */
  | 'column';

/** The text of a document. */
export interface Document {
  /** Which. */
  path: string;
  /** The state that the text is of: the base of edits. */
  version: BufferVersion;
  /** The text. */
  text: string;
  /** It holds changes that are not on disk. */
  dirty: boolean;
  /** What is on disk, when that has changed below unsaved changes. */
  theirs?: string;
}

/** What became of an edit. */
export interface DocumentEdited {
  /** The version that it made. */
  version: BufferVersion;
  /** As it was applied, in positions of the version before. */
  changes: TextChange[];
  /** It had been applied before. */
  repeated: boolean;
}

/** A document without its text. */
export interface DocumentInfo {
  /** Relative to the workspace. */
  path: string;
  /** The state of its buffer. */
  version: BufferVersion;
  /** Its text is there; otherwise it is read from disk when somebody needs it. */
  loaded: boolean;
  /** The version of the file that the buffer comes from. */
  diskVersion?: string;
  /** It holds changes that are not on disk. */
  dirty: boolean;
  /** The version that the file got on disk while the buffer held unsaved changes. */
  conflict?: string;
  /** The file is gone. */
  deleted: boolean;
}

/** Done, and there is nothing more to say. */
export type Done = { [key: string]: never };

/** `flightdeck.workbench.edit`. */
export interface EditDocument {
  /** A file that is open. */
  path: string;
  /** The version that the positions belong to. */
  base: BufferVersion;
  /** Sorted and not overlapping. */
  changes: TextChangeInput[];
  /** A name that the client keeps over reconnects and that nobody else has. */
  client: string;
  /** The client's number of the edit; one that is sent again is not applied again. */
  clientSeq: number;
}

export type EditorId = string;

/** An editor: one view of a document. */
export interface EditorInfo {
  /** Its id. */
  id: EditorId;
  /** The tab that it is in. */
  tab: PaneTabId;
  /** The document. */
  path: string;
  /** Where its cursor was put last, by anybody: a front end that opens it begins there. */
  cursor: Position;
  /** What was selected there. */
  selection?: Selection;
  /** The first line that was seen. */
  firstLine: number;
  /** A line to bring into the centre. */
  reveal?: number;
  /** Goes up each time that a line is to be brought into the centre, also when it is the same line again. */
  reveals: number;
}

/** An editor that is open. */
export interface EditorOpened {
  /** The editor. An external IDE has names of its own, or none. */
  editorId?: string;
  /** The pane that it is in. */
  paneId?: string;
  /** The highlight of the line, when one was asked for. */
  highlightId?: string;
  /** The line that is shown in place of one behind the end of the file. */
  lastLine?: number;
  /** Whether a window is open that shows it. */
  shown: boolean;
  /** The front ends that are open, or the external IDE. */
  seenBy?: string[];
}

/** A place in an editor: moves with the text. */
export interface EditorView {
  /** Which editor. */
  editorId: EditorId;
  /** The cursor. */
  cursor: Position;
  /** What is selected. */
  selection?: Selection;
  /** The first line that is seen. */
  firstLine: number;
}

/** Nothing to say. */
export type Empty = { [key: string]: never };

/** Something that was said or done. */
export type Entry = {
  /** Its number: they begin at 1, grow without gaps, and stand for the order. */
  number: number;
  /** The turn that it belongs to; 0 before the first prompt. */
  turn: number;
  /** When it began, in milliseconds since 1970. */
  atMs: number;
} & ({
  kind: 'user';
  /** What a person has said. */
  blocks: Block[];
  /** Who: `cli:anna`. Absent for what an agent told again of an earlier session. */
  by?: string;
} | {
  kind: 'agent';
  /** The text so far. */
  text: string;
} | {
  kind: 'thought';
  /** The text so far. */
  text: string;
} | {
  kind: 'shown';
  /** What. */
  block: Block;
} | {
  kind: 'plan';
  /** In order. */
  steps: PlanStep[];
} | {
  kind: 'tool';
} & ToolCall | {
  kind: 'permission';
} & Asked | {
  kind: 'question';
} & Question | {
  kind: 'ended';
  /** Why the agent stopped. */
  reason: StopReason;
  /** How many tokens the turn took, where the agent tells. */
  tokens?: number;
} | {
  kind: 'note';
  /** How much it matters. */
  level: Level;
  /** In words. */
  text: string;
  /** What belongs to it, such as the last lines of the agent's error output. */
  details?: string;
});

/** What went wrong, for programs. A code never changes its meaning and is never reused. */
export type ErrorCode =
  /** An argument is missing, unknown, or out of range. */
  | 'invalid_argument'
  /** There is no command of that name. */
  | 'unknown_command'
  /** There is no terminal of that name. */
  | 'terminal_not_found'
  /** The terminal has ended. */
  | 'terminal_ended'
  /** Another command runs in the terminal. */
  | 'terminal_busy'
  /** The terminal holds no shell. */
  | 'not_a_shell'
  /** The command has no terminal to type into. */
  | 'no_terminal'
  /** The shell did not show a prompt. */
  | 'no_prompt'
  /** The program does not read its input. */
  | 'input_not_read'
  /** The folder to start in does not exist or is no folder. */
  | 'cwd_missing'
  /** There is no such program. */
  | 'program_not_found'
  /** The program is there but can't be executed. */
  | 'program_not_executable'
  /** Some processes could not be ended. */
  | 'still_running'
  /** The port that was waited for is held by a process of another program; whose it is stands in the details. */
  | 'port_taken'
  /** The machine's limit of open files or processes is reached. */
  | 'resource_limit'
  /** The disk is full or can't be written. */
  | 'storage'
  /** The keeper is gone. */
  | 'keeper_lost'
  /** Tabs are to run in tmux, and it is not installed. */
  | 'tmux_missing'
  /** Tabs are to run in tmux, and it is too old. */
  | 'tmux_too_old'
  /** tmux did not do what was asked, or does not answer. */
  | 'tmux_failed'
  /** The hub and the caller, or the hub and the keeper, are of versions that don't understand each other. */
  | 'version_mismatch'
  /** Somebody else holds the controls of the terminal. */
  | 'lease_held'
  /** Several terminals have that title. */
  | 'ambiguous'
  /** Too many calls of one agent are waiting already. */
  | 'too_many_calls'
  /** An agent calls faster than it may. */
  | 'rate_limited'
  /** An agent made as many calls in one turn as it may. */
  | 'turn_limit'
  /** This caller may not do that. */
  | 'not_allowed'
  /** HTTP is not served. */
  | 'not_served'
  /** The call was given up by its caller. */
  | 'cancelled'
  /** The hub is about to end; what runs in terminals goes on. */
  | 'hub_stopping'
  /** There is no action of that name in the terminal contract, or its old name is not taken any more. */
  | 'invalid_action'
  /** The mode is unknown or can't be had here. */
  | 'invalid_mode'
  /** The command is no whole text for its shell; where, and what is missing or misplaced, is in the details. */
  | 'syntax_error'
  /** The policy does not let the command run. */
  | 'blocked'
  /** A person was asked and said no. */
  | 'declined'
  /** A person was asked and did not answer in time. */
  | 'approval_expired'
  /** A person would have to be asked, and nobody can be. */
  | 'approval_unavailable'
  /** It did not come to its end in the time that the caller gave it. */
  | 'timed_out'
  /** The connection was lost before the answer came. */
  | 'disconnected'
  /** There is no question of that name. */
  | 'approval_not_found'
  /** Somebody else has answered the question already. */
  | 'approval_settled'
  /** The user does not want agents to do this kind of thing. */
  | 'consent_declined'
  /** The policy file can't be read, so nothing can be decided by it. */
  | 'policy_invalid'
  /** There is no such file or folder. */
  | 'file_not_found'
  /** The path can't be one of a file in the workspace. */
  | 'bad_path'
  /** The path leads out of the workspace. */
  | 'outside_workspace'
  /** The file holds secrets, so it is not read. */
  | 'sensitive_file'
  /** The file may not be written. */
  | 'protected_file'
  /** It is a folder, a device, a pipe or a socket. */
  | 'not_a_file'
  /** It is not a folder. */
  | 'not_a_folder'
  /** The file is not text. */
  | 'binary_file'
  /** The file is text in an encoding that is not known. */
  | 'unknown_encoding'
  /** There is more of it than can be taken. */
  | 'too_large'
  /** The file is not what the caller takes it for; the current version is in the details. */
  | 'stale_version'
  /** The system does not permit it. */
  | 'permission_denied'
  /** There is no write that could be taken back. */
  | 'nothing_to_undo'
  /** A person has changed the file in the editor and not saved it. */
  | 'unsaved_changes'
  /** There is no such pane. */
  | 'pane_not_found'
  /** The file is not open in an editor. */
  | 'editor_not_open'
  /** There is no such highlight. */
  | 'highlight_not_found'
  /** The layout has no room for it. */
  | 'layout_impossible'
  /** The text has changed so much that an edit of it can't be placed any more. */
  | 'edit_too_old'
  /** It is documented, and not there yet. */
  | 'not_supported'
  /** Another IDE carries out the commands. */
  | 'bridge_taken'
  /** The IDE that carries out the commands is gone. */
  | 'bridge_gone'
  /** The IDE that carries out the commands could not do it. */
  | 'bridge_failed'
  /** There is no conversation of that name. */
  | 'chat_not_found'
  /** The agent can't do that now: it works on a prompt, waits for a sign-in, or is gone. */
  | 'chat_not_ready'
  /** The agent has answered with an error; its words are in the message. */
  | 'agent_failed'
  /** The conversation has used what it may. */
  | 'budget_exhausted'
  /** Something that should not happen. */
  | 'internal';

/** Starts one command as a process of its own and waits for its end. */
export interface Exec {
  /** What to start and how; `command` is required. */
  terminal?: New;
  /** How long to wait for its end; 30 s when absent. It goes on after that. */
  timeoutMs?: number;
  /** End the command, and everything it started, when the time is up. */
  killOnTimeout?: boolean;
  /** How much output to return at most. */
  maxBytes?: number;
  /** Return the bytes as they came. */
  raw?: boolean;
  /** Send the output as events while it comes instead of in the result. */
  stream?: boolean;
}

/** A command for the IDE, over its socket. */
export interface Execute {
  /** The call; its result carries the same. */
  requestId: number;
  /** `openspace.editor.open` and the like. */
  commandId: string;
  /** As the command's schema has them. */
  args: unknown;
}

/** `execute_command`. */
export interface ExecuteCommand {
  /** The tab. */
  window_id: TabNumber;
  /** The command, as it would be typed, with any number of lines, 1 MiB at most. */
  command: string;
  /** How long to wait for its end; 10000 when absent, 300000 at most. The command goes on after that. */
  timeout_ms?: Whole;
  /** Remove ANSI sequences; false when absent. */
  strip_ansi?: boolean;
}

/** A command that was executed. */
export interface Executed {
  /** Exactly what the command printed. */
  output: string;
  /** Its exit code; absent while it runs, and where the shell has not told it. */
  exit_code?: number;
  /** The disk is full: it stands still until there is room for what it prints, and was not waited for. */
  stalled?: boolean;
  /** The time was up before its end. It goes on, and stop_process ends it. */
  timed_out: boolean;
  /** What it asks for, which is why it was not waited for any longer or did not end in time: a line, a password, or single keys (`raw`), as a REPL, an editor or a pager does. start_process types the answer. */
  input?: InputState;
  /** What to do next, when it has not ended as commands do, or part of its output is left out. */
  hint?: string;
  /** So many bytes in the middle of a long output were left out; a line in `output` says how to read them. */
  omitted_bytes?: Whole;
  /** The resource that has all of it, in pieces of 64 KiB, when something was left out. */
  whole_output?: string;
}

/** What to run. */
export interface Execution {
  /** The command. Without `args` it is a command line for a shell; with them it is a program. */
  command?: string;
  /** Arguments of the program, each as it is: no quoting. */
  args?: string[];
  /** Environment variables to set. */
  env?: { [key: string]: string };
}

/** What went wrong. */
export interface Failure {
  /** For programs; it never changes its meaning. */
  code: PmTerm;
  /** What kind of thing went wrong. */
  category: Category;
  /** What happened, in a sentence. */
  message: string;
  /** Whether the same request can succeed another time. */
  retriable: boolean;
  /** Facts: `reason` is a finer code, `hint` says what to do, `fields` what is wrong with each field. */
  details: { [key: string]: unknown };
}

/** What to do now. */
export interface Fallback {
  /** The way out, for programs. It depends on the code alone. */
  strategy: Strategy;
  /** The action to call next, or `none`. */
  next_action: NextAction;
  /** The mode to call it in. */
  recommended_mode: Mode;
  /** The same in words. */
  user_message: string;
  /** Whether a program may send the same request again without asking anybody. */
  can_auto_retry: boolean;
  /** The request to send now, ready as it is; only there where one is known that would be accepted. */
  request?: { [key: string]: unknown };
}

/** A field of a form. */
export type Field = {
  /** Its name in answers. */
  name: string;
  /** Its name for people. */
  title: string;
  /** What it is for. */
  description?: string;
  /** Whether it has to be filled in. */
  required: boolean;
  /** The smallest number. */
  minimum?: number;
  /** The largest number. */
  maximum?: number;
  /** How many characters a text has at least. */
  minLength?: number;
  /** How many characters a text has at most. */
  maxLength?: number;
  /** How many values are chosen at least. */
  minItems?: number;
  /** How many values are chosen at most. */
  maxItems?: number;
  /** What stands in it at first. */
  default?: unknown;
} & ({
  input: 'text';
} | {
  input: 'number';
  /** Without a fraction. */
  integer: boolean;
} | {
  input: 'switch';
} | {
  input: 'select';
  /** All of them. */
  options: FieldOption[];
} | {
  input: 'many';
  /** All of them. */
  options: FieldOption[];
});

/** A value that can be chosen in a field. */
export interface FieldOption {
  /** As it is answered. */
  value: string;
  /** For people. */
  title: string;
}

/** Text of a file. */
export interface FileContent {
  /** The text, decoded, with its line endings as they are. */
  content: string;
  /** The path from the workspace on. */
  path: string;
  /** The first line that is here; 0 when there is none. */
  startLine: number;
  /** The last line that is here; 0 when there is none. */
  endLine: number;
  /** How many lines the file has. */
  totalLines: number;
  /** How many bytes it has on disk, or its unsaved text has. */
  size: number;
  /** What it holds, as a hash: give it to `openspace.file.write` as `expectedVersion`. */
  version: string;
  /** How its text is encoded: `utf-8`, `utf-8-bom`, `utf-16le` or `utf-16be`. */
  encoding: string;
  /** There is more in the range that was asked for; go on from `nextLine`. */
  truncated: boolean;
  /** Where to go on. */
  nextLine?: number;
  /** A single line did not fit: where to go on in it, as `startOffset`. */
  nextOffset?: number;
  /** It is what a person has in the editor and not saved yet. */
  unsaved?: boolean;
}

/** An entry of a folder. */
export interface FileInfo {
  /** Its name. */
  name: string;
  /** Its path from the workspace on. */
  path: string;
  /** What it is. */
  type: FileType;
  /** How many bytes it has. */
  size: number;
  /** When it was changed last, in milliseconds since 1970. */
  modified: number;
  /** It holds secrets: it can't be read. */
  sensitive?: boolean;
  /** Git leaves it out. */
  ignored?: boolean;
}

/** What is in a folder. */
export interface FileList {
  /** Folders first, then by name. */
  files: FileInfo[];
  /** There are more entries than are here. */
  truncated: boolean;
  /** So many folders could not be looked into. */
  unreadable?: number;
}

/** What an entry of a folder is. */
export type FileType =
  /** A file. */
  | 'file'
  /** A folder. */
  | 'directory'
  /** A link, which is not followed. */
  | 'symlink'
  /** A device, a pipe or a socket. */
  | 'other';

/** A file that would be written. */
export interface FileWriteSubject {
  /** Which file. */
  path: string;
  /** What would change, as a unified diff. */
  diff: string;
}

/** A file that was written. */
export interface FileWritten {
  /** The path from the workspace on. */
  path: string;
  /** What it holds now. */
  version: string;
  /** How many bytes it has on disk. */
  size: number;
  /** It was not there before. */
  created: boolean;
  /** What was kept of the old file although the content said otherwise: its line endings, its encoding. */
  kept?: string;
  /** The entry that `openspace.file.undo` takes back. */
  undoId?: number;
}

/** `openspace.pane.focus`. */
export interface FocusPane {
  /** The pane. */
  paneId: string;
}

/** Streams output as [`TerminalEvent`]s. */
export interface Follow {
  /** Of which terminal. */
  id: TerminalId;
  /** From this cursor on; the whole log when neither this nor `lines` is given. */
  from?: number;
  /** From the last so many lines on. */
  lines?: number;
  /** Go on until the terminal ends; otherwise stop at the present end. */
  follow?: boolean;
  /** Plain text instead of the bytes as they came. */
  plain?: boolean;
}

/** A stream that is over. */
export interface Followed {
  /** Where it began. */
  from: number;
  /** Where it ended. */
  next: number;
  /** Older output was asked for that is no longer there. */
  truncated: boolean;
  /** The exit code, when the terminal has ended. */
  exitCode?: number;
}

/** What was found. */
export interface Found {
  /** Oldest first in each terminal. */
  matches: Match[];
  /** There is more: the limit of matches, bytes or time was reached. */
  truncated: boolean;
  /** With `id` and `truncated`: search on from here. */
  next?: number;
  /** With `truncated`: how to search on. */
  hint?: string;
  /** How much was searched. */
  searchedBytes: number;
}

/** A rectangle in percent of the whole workbench. */
export interface Geometry {
  /** From the left. */
  x: Percent;
  /** From the top. */
  y: Percent;
  /** How wide. */
  width: Percent;
  /** How high. */
  height: Percent;
}

/** `flightdeck.workbench.document`. */
export interface GetDocument {
  /** A file that is open. */
  path: string;
}

/** Marked regions under one name. */
export interface Highlight {
  /** Its name. */
  id: HighlightId;
  /** The document. */
  path: string;
  /** The regions; they move with the text. */
  ranges: Range[];
  /** Its colour. */
  color: Color;
  /** Who made it. */
  createdBy: string;
}

export type HighlightId = string;

/** `openspace.editor.highlight`. */
export interface HighlightRanges {
  /** The file. It is opened when it is not open yet. */
  path: string;
  /** What to highlight. */
  ranges: Range[];
  /** A name for it; the same name again replaces it. One is made when absent. */
  highlightId?: string;
  /** `yellow`, `green`, `red`, `blue`, `purple`, `orange` or `#rrggbb`; yellow when absent. */
  color?: string;
}

/** A highlight. */
export interface Highlighted {
  /** Its name, for `openspace.editor.clear_highlight`. */
  highlightId: string;
  /** The last line of the file, when a range was to reach behind it. */
  lastLine?: number;
  /** Whether a window is open that shows it. */
  shown: boolean;
  /** The front ends that are open, or the external IDE. */
  seenBy?: string[];
}

/** Lists the commands that ran in a terminal, or reads what one of them printed. */
export interface History {
  /** In which one. */
  id: TerminalId;
  /** The newest so many; 50 when absent. */
  limit?: number;
  /** Only commands before this number. */
  before?: number;
  /** One command, with its output. */
  number?: number;
  /** With `number`: what changed since the run before of the same command line, as a unified diff. */
  diff?: boolean;
  /** With `number`: how much output to return at most; 16 KiB when absent (64 for people). */
  maxBytes?: number;
}

/** How much output a new tab keeps. */
export interface HistoryLimit {
  /** In lines of 256 bytes. */
  lines: Whole;
  /** In bytes. */
  bytes: Whole;
}

/** Whoever holds the controls. */
export interface Holder {
  /** A person's front end or an agent. */
  actor: string;
  /** Whether it is a person. */
  human: boolean;
  /** Since when, in seconds since 1970. */
  since: number;
  /** Why, in the holder's words. */
  reason?: string;
}

/** Where HTTP is served. */
export interface HttpStatus {
  /** `http://127.0.0.1:21034`; MCP is at `/mcp` below it. */
  url: string;
}

/** Something that changed. */
export type HubChange =
  /** A terminal was started, or taken up. */
  | {
    type: 'terminal_created';
    /** As it is now. */
    terminal: TerminalState;
  }
  /** Something about a terminal is different. */
  | {
    type: 'terminal_changed';
    /** As it is now. */
    terminal: TerminalState;
    /** What is different. */
    aspects: Aspect[];
  }
  /** A terminal's program has ended. */
  | {
    type: 'terminal_ended';
    /** As it is now. */
    terminal: TerminalState;
  }
  /** A terminal was removed. */
  | {
    type: 'terminal_gone';
    /** Which. */
    id: TerminalId;
  }
  /** An agent came, or does or waits for something else. */
  | {
    type: 'agent';
    /** As it stands. */
    agent: AgentState;
  }
  /** An agent is no longer known. */
  | {
    type: 'agent_forgotten';
    /** What it called itself. */
    name: string;
    /** Its number. */
    number?: number;
  }
  /** What waits for a person's yes is different. */
  | {
    type: 'approvals';
    /** All that waits now, oldest first. */
    approvals: Approval[];
  }
  /** A policy file was changed from outside, or what it says is in force again. */
  | {
    type: 'policy';
    /** The files that say something else than what is in force. */
    policy: PolicyNotice[];
  }
  /** Something has happened to the database outside of the hub, or a person has acknowledged that. */
  | {
    type: 'database';
    /** What nobody has acknowledged. */
    database: DatabaseProblem[];
  };

/** What a watcher is told. */
export type HubEvent =
  /** Everything; what the watcher has is to be replaced. It comes first, and again for one that fell behind. */
  | {
    type: 'snapshot';
    /** The state. */
    snapshot: HubSnapshot;
  }
  /** Changes, in order. */
  | {
    type: 'changes';
    /** One after the other. */
    changes: NumberedHubChange[];
  }
  /** With `audit`: what the log has that is new. A call that was running is told again when it has ended. */
  | {
    type: 'audit';
    /** Oldest first. */
    calls: AuditCall[];
    /** What to give as `after` to go on. */
    next: number;
  }
  /** With `folders`: something came into these or went, or they did. List them again. */
  | {
    type: 'folders';
    /** As they were given. */
    changed: string[];
  }
  /** With `list`: the terminals that there are. */
  | {
    type: 'list';
    /** Their ids. */
    terminals: TerminalId[];
  };

/** A hub as it stands, as far as the watcher may know. */
export interface HubSnapshot {
  /** Tells this life of the hub from others. */
  epoch: number;
  /** The last change that is in it. */
  seq: number;
  /** The terminals, those that have ended as well. */
  terminals: TerminalState[];
  /** The agents, for people. */
  agents: AgentState[];
  /** What waits for a yes, for people. */
  approvals: Approval[];
  /** The policy files that say something else than what is in force, for people. */
  policy?: PolicyNotice[];
  /** What has happened to the database outside of the hub, for people. */
  database?: DatabaseProblem[];
}

/** How the hub stands. */
export interface HubStatus {
  /** The hub's process. */
  pid: number;
  /** The keeper's process. */
  keeperPid: number;
  /** The root folder. */
  workspace: string;
  /** The branch of git that it is on, where it is a repository. */
  branch?: string;
  /** The hub's socket. */
  socket: string;
  /** Where HTTP is served, when it is. */
  http?: HttpStatus;
  /** The file with the token that HTTP asks for. */
  tokenFile?: string;
  /** Where hubs of containers are served, when they are. */
  bridge?: BridgeStatus;
  /** How this program is started: by its name where that finds it, else by its path. */
  program: string;
  /** The hub's version. */
  version: string;
  /** The keeper's version. */
  keeperVersion: string;
  /** How many terminals run. */
  running: number;
  /** How many are known in all. */
  terminals: number;
  /** The agents that are connected. */
  agents: string[];
  /** Where logs and records are kept. */
  state: string;
  /** What new tabs run in. */
  tabs: TabsStatus;
  /** What is wrong with the settings file, where, and what counts instead. */
  settingsProblem?: string;
  /** The policy files that say something else than what is in force. */
  policy?: PolicyNotice[];
  /** What has happened to the database outside of the hub, until a person has acknowledged it. */
  database?: DatabaseProblem[];
}

/** What a call made or went to. */
export interface Identity {
  /** For `target.session_id`. */
  session_id?: string;
  /** For `target.terminal_id`. */
  terminal_id?: string;
}

/** What a program asks somebody to type. */
export type InputKind =
  /** A line with echo off. */
  | 'password'
  /** A line. */
  | 'line';

/** A program waits for somebody to type. */
export interface InputRequest {
  /** What it waits for. */
  kind: InputKind;
  /** The agent that runs it: `claude-code#3`. */
  agent: string;
  /** Since when that is known, in milliseconds since 1970. */
  sinceMs: number;
}

/** What the program in the foreground waits for. */
export type InputState =
  /** A line with echo off. */
  | 'password'
  /** A line. */
  | 'line'
  /** Keys. */
  | 'raw'
  /** Nothing: it is at work. */
  | 'busy'
  /** There is nothing to type into. */
  | 'none';

/** A text for an agent. */
export interface Instructions {
  /** Markdown. */
  text: string;
}

/** What `execute` is for. */
export type Intent =
  /** Opens a terminal without running anything. */
  | 'open_only'
  /** Runs `execution.command`. */
  | 'execute_command';

/** How it runs, and what for. */
export interface Invocation {
  /** `interactive` when absent. */
  mode?: Mode;
  /** Required by `execute`. */
  intent?: Intent;
}

/** One thing that there is. */
export interface Item {
  /** For `target.session_id`. */
  session_id: string;
  /** For `target.terminal_id`, when it is a terminal. */
  terminal_id?: string;
  /** How it runs. */
  mode: Mode;
  /** What runs there, or ran last. */
  command?: string;
  /** Where it is. */
  cwd: string;
  /** Whether the command still runs, as `read_output` says it. A terminal that was only opened runs. */
  running: boolean;
  /** How it ended. */
  exit_code?: number;
  /** Whether it still takes commands, or runs. */
  open: boolean;
  /** Who made it. */
  created_by: string;
  /** Whether other agents may read and end it. */
  shared: boolean;
}

/** Which text stays. */
export type Keep =
  /** The one in the editor. */
  | 'mine'
  /** The one on disk. */
  | 'theirs';

/** Ends a terminal and everything that was started in it. */
export interface Kill {
  /** Which terminal. */
  id: TerminalId;
  /** The first signal: `HUP` when absent. What is left after a grace period gets `KILL`. */
  signal?: string;
  /** How long programs may take to end by themselves; 1500 ms when absent. */
  graceMs?: number;
}

/** Ends the command; the terminal stays. */
export type KillChatTerminal = OfChatTerminal;

/** A terminal that was ended. */
export interface Killed {
  /** How many processes were there. */
  processes: number;
  /** How it ended; 128 + N for signal N. */
  exitCode?: number;
}

/** A pane, or a split into several. */
export type LayoutNode =
  /** A pane. */
  | {
    kind: 'pane';
    /** Which. */
    id: PaneId;
  }
  /** At least two nodes; none of them is a split in the same direction. */
  | {
    kind: 'split';
    /** How they stand. */
    direction: Direction;
    /** From left to right or from top to bottom; their shares sum up to 100. */
    children: Child[];
  };

/** Whom a front end lets lead: it shows what they show. Nobody, unless its person chose otherwise. */
export type Leader =
  /** Nobody. */
  | {
    who: 'nobody';
  }
  /** Agents: what they open, focus and scroll to. */
  | {
    who: 'agents';
  }
  /** Another front end. */
  | {
    who: 'viewer';
    /** Its number. */
    id: ViewerId;
  };

/** What to do about a lease. */
export type LeaseAction =
  /** Say who holds the controls. */
  | 'show'
  /** Take them. A person can always do so; an agent only when nobody else holds them. */
  | 'take'
  /** Hand them back. */
  | 'release'
  /** Wait until they are free, and take them. */
  | 'wait';

/** Shows, takes or hands back the controls of a terminal. */
export interface LeaseRequest {
  /** Of which terminal. */
  id: TerminalId;
  /** What to do; `show` when absent. */
  action?: LeaseAction;
  /** Why, for whoever is refused meanwhile. */
  reason?: string;
  /** With `wait`: how long at most; 30 s when absent. */
  timeoutMs?: number;
}

/** How the lease stands now. */
export interface LeaseState {
  /** Who holds it; absent when nobody does. */
  holder?: Holder;
  /** Whether the caller may type now. */
  yours: boolean;
}

/** The actions of older callers. */
export type LegacyAction =
  /** Now `execute` with the intent `execute_command`. */
  | 'run'
  /** Now `terminate` with `target.session_id`. */
  | 'kill'
  /** Now `execute` with `target.terminal_id`. */
  | 'send'
  /** Now `terminate` with `target.terminal_id`. */
  | 'close'
  /** Now `execute` with the intent `open_only`. */
  | 'create'
  /** Still `list`. */
  | 'list';

/** How much a note matters. */
export type Level =
  /** To know. */
  | 'info'
  /** To look out for. */
  | 'warning'
  /** Something went wrong. */
  | 'error';

/** A link into the workspace. */
export interface Link {
  /** It works once, for two minutes. */
  url: string;
}

/** Lists terminals. */
export interface List {
  /** Those that have ended as well. */
  all?: boolean;
  /** So many at most; 50 when absent, 500 at most. */
  limit?: number;
  /** Those after a page that was given: its `next`. */
  after?: string;
}

/** Lists the agents. */
export type ListAgents = { [key: string]: never };

/** Lists what waits. */
export type ListApprovals = { [key: string]: never };

/** Lists the conversations. */
export type ListChats = { [key: string]: never };

/** `openspace.file.list`. */
export interface ListFiles {
  /** The folder; the workspace when absent. */
  path?: string;
  /** Also what is in its folders, but for what `.gitignore` leaves out. */
  recursive?: boolean;
  /** How many entries at most; 1000 when absent, 10000 at most. */
  maxEntries?: number;
}

/** `openspace.pane.list`. */
export type ListPanes = { [key: string]: never };

/** Asks what waits to be accepted. */
export type ListPolicyChanges = { [key: string]: never };

/** Lists the agents that are known by name. */
export type ListPresets = { [key: string]: never };

/** Lists the sessions that an agent knows. One of them is taken up with `session` of `flightdeck.chat.new`. */
export interface ListSessions {
  /** The conversation whose agent is asked. */
  id: ConversationId;
  /** Those of all folders, and not of the conversation's alone. */
  all?: boolean;
}

/** `list_tabs`. */
export type ListTabs = { [key: string]: never };

/** `openspace.terminal.list`. */
export interface ListTerminals {
  /** So many at most; 50 when absent, 500 at most. */
  limit?: number;
  /** Those after a page that was given: its `next`. */
  after?: string;
}

/** `flightdeck.file.writes`. */
export interface ListWrites {
  /** Only those of this file. */
  path?: string;
  /** How many at most; 20 when absent. */
  limit?: number;
}

/** The terminals of the workspace. */
export interface Listed {
  /** Those that run first, the newest first. */
  terminals: TerminalInfo[];
  /** How many more there are. */
  more?: number;
  /** The next ones are listed with this as `after`; absent when there are none. */
  next?: string;
}

/** The agents of a hub. */
export interface ListedAgents {
  /** In the order of arrival; those that are gone come last. */
  agents: AgentState[];
}

/** A session that an agent knows. */
export interface ListedSession {
  /** The agent's own name for it. */
  session: string;
  /** The folder that it works in. */
  cwd: string;
  /** Other folders that it may work in. */
  additionalDirectories?: string[];
  /** What it is about. */
  title?: string;
  /** When something was last said in it, as ISO 8601. */
  updatedAt?: string;
  /** The conversation that has it here, if one does. */
  conversation?: ConversationId;
}

/** A place in a file. */
export interface Location {
  /** The file, as the agent names it. */
  path: string;
  /** The line, from 1 on. */
  line?: number;
}

/** A part of a tab's log. */
export interface LogChunk {
  /** The text. */
  chunk: string;
  /** Where to go on: the next `from_byte`. */
  next_byte: Whole;
  /** There is no more for now. A tab that is open may print on. */
  eof: boolean;
  /** So many bytes after `from_byte` are gone: only the newest output is kept, and this begins at the oldest of it. */
  gap_bytes?: Whole;
}

/** Looks at the screen. */
export interface LookAtScreen {
  /** Of which terminal. */
  id: TerminalId;
  /** As ANSI, with colours and cursor, instead of text. */
  ansi?: boolean;
  /** A picture (PNG) as well, for colours and layouts that text can't show. */
  image?: boolean;
}

/** A line that matches. */
export interface Match {
  /** In which terminal. */
  id: TerminalId;
  /** Where the line begins in its log. */
  cursor: number;
  /** The line, cut at 500 characters. */
  line: string;
  /** The lines before, but for those that the match before has told. */
  before?: string[];
  /** The lines after, up to the next match. */
  after?: string[];
}

/** How a command runs. */
export type Mode =
  /** In a terminal that people see and can type into; a person is asked where the policy wants it. */
  | 'interactive'
  /** Without a terminal, and only what the policy has proven to be safe. */
  | 'headless';

/** `flightdeck.workbench.move_tab`. */
export interface MovePaneTab {
  /** Which tab. */
  tabId: PaneTabId;
  /** Into this pane, or beside it when `splitDirection` is given. */
  paneId: PaneId;
  /** Before the tab with this index; at the end when absent. */
  index?: number;
  /** Into a new pane beside the given one. */
  splitDirection?: SplitDirection;
  /** With `splitDirection`: at its left or above it, not at its right or below. */
  before?: boolean;
}

/** A field that has another place now. */
export interface Moved {
  /** Where it was. */
  from: string;
  /** Where it belongs. */
  to: string;
}

/** Starts a terminal. */
export interface New {
  /** One command with its arguments instead of a shell. */
  command?: string[];
  /** Run the command on pipes, with stdout and stderr apart, instead of a terminal. */
  pipes?: boolean;
  /** With `pipes`: hold stdin open. Text is written to it with flightdeck.terminal.keys; the key C-d ends it. */
  stdin?: boolean;
  /** The shell; `$SHELL` when absent, or for an agent bash where that is fish or another one of its own syntax. */
  shell?: string;
  /** Start the shell as a login shell. */
  login?: boolean;
  /** The folder to start in, absolute or relative to the workspace; the workspace when absent. */
  cwd?: string;
  /** Environment variables to set. */
  env?: { [key: string]: string };
  /** Start from an empty environment instead of the hub's. */
  clearEnv?: boolean;
  /** A name for people. */
  title?: string;
  /** The size of the window. */
  size?: WindowSize;
  /** How many bytes of output are kept on disk; 256 MiB when absent. */
  logBytes?: number;
  /** Keep it when the agent that started it leaves; otherwise it is ended some minutes later. */
  keep?: boolean;
}

/** Begins a conversation: starts an agent. */
export interface NewChat {
  /** A preset of `flightdeck.chat.agents`. */
  agent?: string;
  /** A program with its arguments instead, which speaks the Agent Client Protocol on stdin and stdout. */
  command?: string[];
  /** The folder to work in, absolute or relative to the workspace; the workspace when absent. */
  cwd?: string;
  /** Other folders that it may work in, in the same form. An agent that can't is said to. */
  additionalDirectories?: string[];
  /** Environment variables to set for the agent. */
  env?: { [key: string]: string };
  /** The agent's own name of an earlier session, to go on with that. */
  session?: string;
  /** What it may use. */
  budget?: Budget;
}

/** Starts a command in a terminal of its own. */
export interface NewChatTerminal {
  /** The conversation. */
  id: ConversationId;
  /** The agent's own name for this request. A request that was carried out already is answered with the same terminal. */
  request: string;
  /** The program, or a whole line for a shell when there are no arguments. */
  command: string;
  /** Its arguments. */
  args?: string[];
  /** Variables to set. */
  env?: { [key: string]: string };
  /** The folder, absolute; that of the conversation when absent. */
  cwd?: string;
  /** How many bytes of output are given at most; older ones are left out. */
  outputLimit?: number;
}

/** The action to call next. */
export type NextAction =
  /** Run it, corrected or in another mode. */
  | 'execute'
  /** Look at the output. */
  | 'read_output'
  /** End it. */
  | 'terminate'
  /** Look what there is. */
  | 'list'
  /** Nothing: it is for the user to say. */
  | 'none';

/** A change with its number. */
export interface Numbered {
  /** One above the number of the change before. */
  seq: number;
  /** What changed. */
  change: Change;
}

/** A change with its number. Numbers grow; those of changes that the watcher may not know of are left out. */
export interface NumberedHubChange {
  /** Its number. */
  seq: number;
  /** What changed. */
  change: HubChange;
}

/** Names a terminal of a conversation. */
export interface OfChatTerminal {
  /** The conversation. */
  id: ConversationId;
  /** The terminal. */
  terminal: TerminalId;
}

/** A rule as it would be added. */
export interface OfferedRule {
  /** In words: `git push with any further words`. */
  words: string;
  /** As it would stand in the policy file. */
  toml: string;
}

/** `openspace.editor.open`. */
export interface OpenEditor {
  /** The file. */
  path: string;
  /** Go to this line, from 1 on. */
  line?: number;
  /** And to this column, from 1 on. */
  column?: number;
  /** Highlight the line. */
  highlight?: boolean;
}

/** `openspace.pane.open`. */
export interface OpenPane {
  /** What to show. */
  type: PaneType;
  /** The path of a file, or the id or title of a terminal. */
  contentId: string;
  /** A name for people; the file's or terminal's own when absent. */
  title?: string;
  /** A new pane beside the active one, to the right (`vertical`) or below (`horizontal`); a tab of it when absent. */
  splitDirection?: SplitDirection;
}

/** What an answer to an agent's own question means. */
export type OptionKind =
  /** Yes, this time. */
  | 'allow_once'
  /** Yes, and the agent does not ask again. */
  | 'allow_always'
  /** No, this time. */
  | 'reject_once'
  /** No, and the agent does not ask again. */
  | 'reject_always';

/** A value that can be chosen. */
export interface OptionValue {
  /** Its name in `flightdeck.chat.option`. */
  id: string;
  /** Its name for people. */
  name: string;
  /** What it means. */
  description?: string;
  /** The group that it stands in. */
  group?: string;
}

/** A container that something comes from, by what it says of itself. */
export interface Origin {
  /** Its name. */
  container: string;
  /** The folder that its hub serves. */
  workspace: string;
  /** The address that it came from, as this machine sees it. */
  address: string;
}

/** How a request ended. */
export type Outcome =
  /** A person said yes. */
  | 'approved'
  /** A person said no. */
  | 'declined'
  /** The question was put away, and nobody said yes or no. */
  | 'dismissed'
  /** Nobody answered in time. */
  | 'expired'
  /** The agent gave up or left. */
  | 'withdrawn';

/** Output that was read. */
export interface Output {
  /** The text. Bytes that are no UTF-8 are shown as U+FFFD. */
  text: string;
  /** Where it begins. */
  from: number;
  /** Where to go on. */
  next: number;
  /** The end of the log when it was read. */
  end: number;
  /** Bytes that come after `text`: go on from `next`. */
  more?: number;
  /** Older output exists, or existed, that is not in `text`. */
  truncated: boolean;
  /** Whether the first process still runs. */
  running: boolean;
}

/** Lines of output, oldest first. */
export interface OutputLines {
  /** What the terminal printed, as plain text. */
  output: string[];
  /** There was more output than fits. */
  truncated: boolean;
  /** The resource that has all of it, in pieces of 64 KiB, when something was left out. */
  wholeOutput?: string;
}

/** What came from here on was printed to a window of this size. */
export interface OutputSize {
  /** The place in the output. */
  at: number;
  /** The size. */
  size: WindowSize;
}

/** Which output of a program. */
export type OutputStream =
  /** A terminal's, or the standard output of a program on pipes. */
  | 'main'
  /** The standard error of a program on pipes. */
  | 'stderr';

/** What is here came then. What follows came later, but not after the next one. */
export interface OutputTime {
  /** The place in the output. */
  at: number;
  /** The time, in milliseconds since 1970. */
  timeMs: number;
}

/** When the output came that is still there. */
export interface OutputTimes {
  /** The first byte that is there. */
  start: number;
  /** The end of the output. */
  end: number;
  /** In order of place and time. */
  marks: OutputTime[];
  /** The sizes that the window had, in order; the first is the one at the start. */
  sizes?: OutputSize[];
}

/** Makes the caller one of the front ends of the person who has given it a code. */
export interface Pair {
  /** The code that a trusted front end shows. */
  code: string;
}

/** What counts as a person's from now on. */
export interface Paired {
  /** This process and all that it starts, until it ends. Without it, the connection alone. */
  pid?: number;
  /** The name of its program. */
  program?: string;
}

/** A code by which a person vouches for a program. */
export interface PairingCode {
  /** `K7QM-2RXD`. It works once. */
  code: string;
  /** For how long. */
  expiresInSeconds: number;
}

export type PaneId = string;

/** A pane: a stack of tabs of which one is shown. */
export interface PaneInfo {
  /** Its id in other calls. */
  id: PaneId;
  /** Where it is. */
  area: Area;
  /** The title of the tab that is shown. */
  title: string;
  /** From left to right; never empty. */
  tabs: TabInfo[];
  /** The tab that is shown. */
  activeTab: PaneTabId;
  /** Its room in the whole. */
  geometry: Geometry;
  /** A person wants it to stay. */
  pinned: boolean;
  /** It is the one that has the focus. */
  active: boolean;
  /** Who opened it. */
  createdBy: string;
}

/** Where a tab is now. */
export interface PaneMoved {
  /** The pane. */
  paneId: PaneId;
}

/** Where it is shown. */
export interface PaneOpened {
  /** The pane. An external IDE has names of its own. */
  paneId: string;
  /** Whether a window is open that shows it. */
  shown: boolean;
  /** The front ends that are open, or the external IDE. */
  seenBy?: string[];
}

/** `GET /openspace/state`: the panes at one moment. */
export interface PaneState {
  /** All panes. */
  panes: PaneSummary[];
  /** The one with the keyboard. */
  activePane?: string;
  /** When, as RFC 3339. An external IDE that has told nothing yet has none. */
  timestamp?: string;
  /** The external IDE whose panes they are. */
  ide?: string;
}

/** A pane of the workbench or of an external IDE, which has names of its own. */
export interface PaneSummary {
  /** Its id in other calls. */
  id: string;
  /** Where it is. */
  area: Area;
  /** The title of the tab that is shown. */
  title: string;
  /** From left to right. */
  tabs: PaneTab[];
  /** The tab that is shown. */
  activeTab?: string;
  /** Its room in percent of the whole. */
  geometry: Geometry;
  /** A person wants it to stay. */
  pinned?: boolean;
  /** Who opened it. */
  createdBy?: string;
}

/** A pane of the workbench or of an external IDE, which has names of its own. */
export interface PaneSummaryInput {
  /** Its id in other calls. */
  id: string;
  /** Where it is. */
  area: Area;
  /** The title of the tab that is shown. */
  title: string;
  /** From left to right. */
  tabs: PaneTabInput[];
  /** The tab that is shown. */
  activeTab?: string;
  /** Its room in percent of the whole. */
  geometry: Geometry;
  /** A person wants it to stay. */
  pinned?: boolean;
  /** Who opened it. */
  createdBy?: string;
}

/** A tab of a pane. */
export interface PaneTab {
  /** Its id. */
  id: string;
  /** The path of a file, or the id of a terminal. */
  contentId: string;
  /** `editor`, `terminal`, or what else an external IDE has. */
  type: string;
  /** Its name for people. */
  title: string;
  /** It holds changes that are not on disk. */
  isDirty: boolean;
  /** It is the one that its pane shows. */
  isActive: boolean;
}

export type PaneTabId = string;

/** A tab of a pane. */
export interface PaneTabInput {
  /** Its id. */
  id: string;
  /** The path of a file, or the id of a terminal. */
  contentId: string;
  /** `editor`, `terminal`, or what else an external IDE has. */
  type: string;
  /** Its name for people. */
  title: string;
  /** It holds changes that are not on disk. */
  isDirty?: boolean;
  /** It is the one that its pane shows. */
  isActive?: boolean;
}

/** What a pane can show. */
export type PaneType =
  /** A file. */
  | 'editor'
  /** A terminal. */
  | 'terminal'
  /** Not there yet. */
  | 'presentation'
  /** Not there yet. */
  | 'whiteboard';

/** The layout. */
export interface Panes {
  /** All panes. */
  panes: PaneSummary[];
  /** The one with the keyboard. */
  activePane?: string;
}

export type Percent = number;

/** A person's answer. */
export interface PermissionGiven {
  /** The id of the option that was chosen; absent when nobody answered. */
  option?: string;
  /** Who chose it, or why nobody did. */
  by: string;
}

/** An answer to an agent's own question. */
export interface PermissionOption {
  /** Its name in answers. */
  id: string;
  /** What a person reads. */
  name: string;
  /** What it means. */
  kind: OptionKind;
}

/** How a question of an agent's was answered. */
export type PermissionOutcome =
  /** A person chose. */
  | {
    outcome: 'chosen';
    /** The id of the option. */
    option: string;
    /** Who. */
    by: string;
  }
  /** Nobody answered in time, or nobody was there to be asked: the agent was told that it is cancelled. */
  | {
    outcome: 'unanswered';
    /** How that came, in words. */
    why: string;
  }
  /** The turn was cancelled, or the agent took it back. */
  | {
    outcome: 'cancelled';
  };

/** What an agent asks by itself. */
export interface PermissionSubject {
  /** What it wants to do, in its own words. */
  title: string;
  /** What kind of deed it says that is: `edit`, `execute`, `fetch`. */
  deed?: string;
  /** The answers it understands. */
  options: PermissionOption[];
  /** What would change, as a unified diff. */
  diff?: string;
  /** The files that it is about. */
  locations?: string[];
}

/** A picture that is sent as data beside the result. */
export interface Picture {
  /** `image/png`. */
  mimeType: string;
  /** How large it is. */
  bytes: number;
}

/** Keeps a terminal although the agent that started it leaves, or no longer. */
export interface Pin {
  /** Which one. */
  id: TerminalId;
  /** `false` lets it go with its agent again. */
  keep?: boolean;
}

/** `flightdeck.workbench.pin`. */
export interface PinPane {
  /** Which pane. */
  paneId: PaneId;
  /** Whether it stays when the agent that opened it leaves. */
  pinned: boolean;
}

/** A step of a plan. */
export interface PlanStep {
  /** What is to be done. */
  text: string;
  /** How much it matters. */
  priority: Priority;
  /** How far it is. */
  status: StepStatus;
}

/** What went wrong, in the words of the contract. */
export type PmTerm =
  /** An unknown action or alias. */
  | 'PM_TERM_INVALID_ACTION'
  /** A field that can't be taken. */
  | 'PM_TERM_INVALID_PAYLOAD'
  /** A mode that can't be had. */
  | 'PM_TERM_INVALID_MODE'
  /** A person said no. */
  | 'PM_TERM_DECLINED'
  /** The time was up. */
  | 'PM_TERM_TIMEOUT'
  /** The connection was lost. */
  | 'PM_TERM_DISCONNECTED'
  /** Nobody is there to see it. */
  | 'PM_TERM_GUI_UNAVAILABLE'
  /** The policy does not let it run. */
  | 'PM_TERM_BLOCKED_DESTRUCTIVE'
  /** No such session or terminal. */
  | 'PM_TERM_NOT_FOUND'
  /** What has no code of its own: something is in use for now, the machine is at its limits, or it is a mistake of Flightdeck's own. */
  | 'PM_TERM_INTERNAL';

/** What was accepted. */
export interface PolicyAccepted {
  /** The files whose rules are in force now. */
  files: string[];
}

/** What the policy says. */
export interface PolicyAnswer {
  /** `allowed`, `allowed_with_warning`, `needs_approval` or `blocked`. */
  decision: string;
  /** The rule that decided. */
  rule: string;
  /** Why. */
  reason: string;
  /** The simple commands, in order, with what is dangerous about each. */
  pieces: ApprovalPiece[];
  /** Why nothing can be proven of it. */
  unproven?: string;
  /** The rule that `always` would add. */
  offer?: OfferedRule;
}

/** The difference between a policy file and what is in force of it. */
export interface PolicyChange {
  /** Which file. */
  file: string;
  /** Why what it says is not in force. */
  state: PolicyState;
  /** Names exactly this text of this file, for the one who accepts it. */
  version: string;
  /** What is wrong with it. Then it can't be accepted. */
  problem?: string;
  /** The rules that would come, go or be others. */
  rules: RuleChange[];
  /** Whether `[defaults]` would be others. */
  defaults: boolean;
  /** From the text in force to that of the file, as a unified diff. */
  diff: string;
}

/** What waits to be accepted. */
export interface PolicyChanges {
  /** The user's own file first. */
  changes: PolicyChange[];
}

/** A policy file. */
export interface PolicyFile {
  /** Where. */
  path: string;
  /** Whether it is there. */
  present: boolean;
  /** Why what it says now is not in force; the last good rules are. */
  problem?: string;
  /** It was changed from outside, or removed: that counts when a person has accepted it, and the last good rules until then. */
  waiting?: boolean;
}

/** Where a command would be run, for a question to the policy. */
export type PolicyMode =
  /** Unseen: only what is proven safe. */
  | 'headless'
  /** In sight of a person, by the canonical contract. */
  | 'interactive'
  /** `flightdeck.terminal.*`. */
  | 'terminal'
  /** `openspace.*`. */
  | 'openspace'
  /** Tabs. */
  | 'tabs'
  /** Terminals of ACP agents. */
  | 'acp';

/** A policy file that says something else than what is in force, for people. */
export interface PolicyNotice {
  /** Which file. */
  file: string;
  /** Why what it says is not in force. */
  state: PolicyState;
  /** What happened, and what to do. */
  text: string;
}

/** What was put back. */
export interface PolicyRejected {
  /** The files that are again as they were. */
  files: RejectedFile[];
}

/** The rules in force. */
export interface PolicyShown {
  /** The files, the user's own first. */
  files: PolicyFile[];
  /** The user's rules in force. */
  rules: RuleShown[];
  /** How careful each surface is. */
  defaults: SurfaceDefault[];
}

/** Why what a policy file says is not in force. */
export type PolicyState =
  /** It was changed by something else than the hub, and no person has accepted that yet. */
  | 'changed'
  /** It was removed by something else than the hub, and no person has accepted that yet. */
  | 'removed'
  /** It can't be read, or is no policy. */
  | 'broken';

/** A place in a text: lines from 1, columns from 1 in UTF-16 units. */
export interface Position {
  /** The line. */
  line: number;
  /** The column. */
  column: number;
}

/** An agent that is known by name. */
export interface Preset {
  /** Its name in `flightdeck.chat.new`: `claude`. */
  id: string;
  /** Its name for people. */
  name: string;
  /** The program and its arguments. */
  command: string[];
  /** Where the program is, when it is installed. */
  found?: string;
  /** Variables that are set for it. */
  env?: { [key: string]: string };
  /** What a person types to install it. */
  install: string;
}

/** The agents that are known by name. */
export interface Presets {
  /** Those that are installed first. */
  agents: Preset[];
}

/** How much a step matters. */
export type Priority =
  /** Much. */
  | 'high'
  /** As most. */
  | 'medium'
  /** Little. */
  | 'low';

/** A process was started. */
export interface ProcessStarted {
  /** The shell has got the command. False when it was only typed, as `append_newline: false` asks for, and when a program waited for input, which has got it as its answer. */
  started: boolean;
  /** What was done instead, when it was not started. */
  note?: string;
}

/** How stopping a process went. */
export interface ProcessStopped {
  /** Nothing runs in the foreground of the tab any more. */
  success: boolean;
  /** What still runs. */
  error?: string;
  /** The same for programs. */
  code?: string;
  /** What to do next. */
  hint?: string;
}

/** Says something to an agent. */
export interface Prompt {
  /** In which conversation. */
  id: ConversationId;
  /** What. */
  content: Block[];
}

/** A prompt that the agent works on. */
export interface Prompted {
  /** The number of its turn. */
  turn: number;
}

/** A question of an agent's with a form. */
export interface Question {
  /** What is asked. */
  message: string;
  /** What can be filled in, in order. */
  fields: Field[];
  /** A page to open instead of a form. It is opened when a person wants it, and never before. */
  url?: string;
  /** Whose page that is: the host of its address, which is shown apart. One that begins with `xn--` in a part of it looks like another. */
  host?: string;
  /** What is done on that page is done, as the agent tells. */
  completed?: boolean;
  /** How it was answered; absent while it waits. */
  outcome?: QuestionOutcome;
}

/** How a form was answered. */
export type QuestionOutcome =
  /** It was filled in. */
  | {
    outcome: 'accepted';
    /** By field. */
    values: { [key: string]: unknown };
    /** Who. */
    by: string;
  }
  /** A person does not want to answer. */
  | {
    outcome: 'declined';
    /** Who. */
    by: string;
  }
  /** The turn was cancelled, or the agent took it back. */
  | {
    outcome: 'cancelled';
  };

/** A bounded run, when the waiting is over. */
export interface Ran {
  /** Where it ran. */
  id: TerminalId;
  /** Its output, exactly what it printed; plain text unless `raw` was asked. */
  output?: string;
  /** What it printed on stderr, when it ran on pipes. */
  stderr?: string;
  /** The exit code; absent while it runs. 128 + N when signal N ended it, or when the command said so itself (`exit 139`). */
  exitCode?: number;
  /** The signal that ended the process, where the kernel told: not of a command in a shell. */
  signal?: string;
  /** The exit code of each stage, when the last pipeline had several. */
  stages?: number[];
  /** What the command left in the background, when it ran in a terminal of its own. That ended with the command, and hung these up; in a shell terminal (`id`) they go on. */
  background?: Background[];
  /** The time was up before the command ended. */
  timedOut: boolean;
  /** Whether it still runs. */
  running: boolean;
  /** What the program asks for, which is why it was not waited for any longer or did not end in time: a line, a password, or single keys (`raw`), as an editor, a pager or a REPL does. Answer with flightdeck.terminal.keys. */
  input?: InputState;
  /** What to do next, when it has not ended as commands do, or part of its output is left out. */
  hint?: string;
  /** The disk is full, and the command stands still until there is room for what it prints: it was not waited for any longer. */
  stalled?: boolean;
  /** Whether it has ended without its exit code being told: the shell is at its prompt, but something has taken our part out of its prompt (`PROMPT_COMMAND`, `PS1`, `precmd_functions`). The next command puts that back where it can. */
  untold?: boolean;
  /** Whether the shell itself ended (`exit`, `exec`). */
  shellEnded?: boolean;
  /** How long it took, or has taken so far. */
  durationMs: number;
  /** Where its output begins in the terminal's log. */
  start: number;
  /** Where its output ends, so far. */
  end: number;
  /** How many bytes of output were left out in the middle; read them with `start` and `end`. */
  omittedBytes?: number;
  /** The resource that has all of the output, when some of it was left out. */
  wholeOutput?: string;
}

/** A region of a text. Without columns it is whole lines. */
export interface Range {
  /** The first line, from 1. */
  startLine: number;
  /** The last line; it belongs to the region. */
  endLine: number;
  /** Where it begins in the first line, from 1, in UTF-16 units; the beginning of the line when absent. */
  startColumn?: number;
  /** Where it ends in the last line, before the character in this column; the end of the line when absent. */
  endColumn?: number;
}

/** Reads output. */
export interface Read {
  /** Of which terminal. */
  id: TerminalId;
  /** The last so many lines; 100 when neither this nor `from` is given. */
  lines?: number;
  /** Bytes from this cursor on. */
  from?: number;
  /** Bytes up to this cursor. */
  to?: number;
  /** How much at most; 16 KiB when absent (64 for people). */
  maxBytes?: number;
  /** The bytes as they came, with escape sequences. */
  raw?: boolean;
}

/** Reads entries of a conversation. */
export interface ReadChat {
  /** Which. */
  id: ConversationId;
  /** Those before the one with this number; the newest when absent. */
  before?: number;
  /** How many; 100 when absent, 500 at most. */
  limit?: number;
}

/** Reads a file, as the person has it in the editor. */
export interface ReadChatFile {
  /** The conversation. */
  id: ConversationId;
  /** The file, absolute or from the workspace on. */
  path: string;
  /** The first line, from 1 on; the beginning when absent. */
  line?: number;
  /** How many lines; all when absent. */
  limit?: number;
}

/** Reads what a terminal in a tool call printed, of one that is gone the last that was kept. */
export type ReadChatOutput = OfChatTerminal;

/** Reads the transcript. */
export type ReadChatTerminal = OfChatTerminal;

/** `openspace.file.read`. */
export interface ReadFile {
  /** The file, from the workspace on or as an absolute path in it. */
  path: string;
  /** The first line, from 1 on; the beginning when absent. */
  startLine?: number;
  /** Bytes of the first line to leave out, to go on inside of a long line: `nextOffset` of the answer before. */
  startOffset?: number;
  /** The last line, included; the end when absent. */
  endLine?: number;
  /** How many bytes of text at most; 32768 when absent, 4 at least, 1048576 at most. */
  maxBytes?: number;
}

/** `read_logs_from_tab`. */
export interface ReadLogs {
  /** The tab. */
  window_id: TabNumber;
  /** So many lines from the end; 500 when absent, or as many as 32 KiB hold; 100000 at most. */
  lines?: Whole;
  /** Remove ANSI sequences; false when absent. */
  strip_ansi?: boolean;
}

/** `openspace.terminal.read_output`. */
export interface ReadOutput {
  /** A terminal's id, or its title. */
  terminalId: string;
  /** The last so many lines; 100 when absent, 10000 at most. */
  lines?: number;
}

/** `POST /openspace/register-bridge`: an IDE wants to carry out pane and editor commands. */
export interface RegisterBridge {
  /** What the IDE calls itself. */
  name: string;
  /** The id of an earlier registration, to take that one up again after a break. */
  bridgeId?: string;
  /** Commands of its own. Agents get them as tools while its socket is open. */
  commands?: BridgeCommand[];
}

/** Replays a proposed rule over what was run so far. */
export interface Rehearse {
  /** The rule. Without patterns it is none, which makes sense with `insteadOf` only. */
  rule?: AddRule;
  /** A rule in force that would be gone. */
  insteadOf?: RemoveRule;
  /** Calls from this time on, in milliseconds since 1970; everything when absent. */
  sinceMs?: number;
}

/** What a rule would have changed. */
export interface Rehearsed {
  /** How many commands of the log were looked at. */
  looked_at: number;
  /** Those that would have been decided otherwise, newest last. */
  changed: Changed[];
}

/** Puts the files back as they were when they were accepted. */
export type RejectPolicy = { [key: string]: never };

/** A file that is again as it was. */
export interface RejectedFile {
  /** Which. */
  file: string;
  /** Where what it said is kept. Nothing when it had been removed. */
  aside?: string;
}

/** Ends the command if it runs, and gives the terminal up. People can still look at it. */
export type ReleaseChatTerminal = OfChatTerminal;

/** Removes a terminal that has ended, with its log. */
export interface Remove {
  /** Which one. */
  id: TerminalId;
}

/** Ends the agent's process, and forgets what was said. */
export interface RemoveChat {
  /** Which. */
  id: ConversationId;
}

/** Removes a rule from a policy file. */
export interface RemoveRule {
  /** Its name. */
  name: string;
  /** From the user's own file instead of this workspace's. */
  everywhere?: boolean;
}

/** Changes the window. */
export interface Resize {
  /** Of which terminal. */
  id: TerminalId;
  /** To this size. */
  size: WindowSize;
  /** The window of this viewer has it: the terminal follows by its rule. Without it the terminal itself is set. */
  viewer?: ViewerId;
}

/** `openspace.pane.resize`. */
export interface ResizePane {
  /** The pane. */
  paneId: string;
  /** Its width in percent of the whole. */
  width?: number;
  /** Its height in percent of the whole. */
  height?: number;
}

/** `flightdeck.workbench.resolve`. */
export interface ResolveConflict {
  /** A file with unsaved changes that has changed on disk. */
  path: string;
  /** Which text stays. */
  keep: Keep;
}

/** What a request was taken to mean. */
export interface Resolved {
  /** The canonical action; null when it could not be told. */
  canonical_action: Action | null;
  /** Whether an older action or an older tool was used. */
  alias_applied: boolean;
  /** The older action that was used, or null. */
  legacy_action: LegacyAction | null;
  /** The mode that was asked for, or the default; null when it is none. */
  mode: Mode | null;
  /** The older tool that was used; absent for the canonical one. */
  tool?: ToolName;
}

/** What every call is answered with. */
export interface Response {
  /** Whether the call did what was asked. */
  success: boolean;
  /** The canonical action; null when the request had none. */
  action: Action | null;
  /** How far it is. */
  status: Status;
  /** Names of the call. */
  correlation: Correlation;
  /** What the request was taken to mean. */
  resolved: Resolved;
  /** The older forms that the request used; absent when there were none. */
  compat?: CompatNote;
  /** What the call made or went to: the target of later calls. */
  identity?: Identity;
  /** What came of it. */
  result?: CallOutcome;
  /** What went wrong; null when nothing did. */
  error: Failure | null;
  /** What to do now; only there when something went wrong. */
  fallback?: Fallback;
}

/** Starts the agent of a conversation again, with its last session. */
export interface RestartChat {
  /** Which. */
  id: ConversationId;
  /** Begin a new session, in which the agent knows nothing of what was said. Without it an agent that can't take its session up again is not started. */
  fresh?: boolean;
}

/** How an agent can go on with a conversation when its process has ended. */
export type Resumable =
  /** It can't, or has not said so: a new session knows nothing of this one. */
  | 'no'
  /** It reads its session again, and tells all of it anew. */
  | 'load'
  /** It takes its session up where it was. */
  | 'resume';

/** What a rule says of the commands that it matches. */
export type RuleAction =
  /** They run. */
  | 'allow'
  /** A person is asked. */
  | 'ask'
  /** They don't run. */
  | 'block';

/** A rule that was added. */
export interface RuleAdded {
  /** Its name. */
  name: string;
  /** As it stands in the file. */
  toml: string;
  /** The file. */
  file: string;
  /** It was there already. */
  known: boolean;
}

/** What would become of a rule. */
export interface RuleChange {
  /** What. */
  change: RuleDifference;
  /** The rule as it would be; one that goes, as it is. */
  rule: RuleShown;
}

/** How a rule differs. */
export type RuleDifference =
  /** It comes. */
  | 'added'
  /** It goes. */
  | 'removed'
  /** It says something else under the same name. */
  | 'changed';

/** A rule that was removed. */
export interface RuleRemoved {
  /** Its name. */
  name: string;
  /** The file. */
  file: string;
}

/** A rule as it stands. */
export interface RuleShown {
  /** Its name. */
  name: string;
  /** What becomes of the commands. */
  action: RuleAction;
  /** Which commands. */
  patterns: string[];
  /** It is in the user's own file, for all workspaces. */
  everywhere?: boolean;
  /** It allows only where a person can see it. */
  interactiveOnly?: boolean;
  /** Headless runs of it may use the network. */
  network?: boolean;
  /** Why it is there. */
  reason?: string;
  /** Commands that it is about. */
  matches?: string[];
  /** Commands that it is not about. */
  notMatches?: string[];
}

/** Runs a command and waits for its end: in a shell terminal, or as a process of its own. */
export interface Run {
  /** In the shell of this terminal; in a fresh terminal of its own when absent. */
  id?: TerminalId;
  /** The command, as it would be typed: any number of lines, 1 MiB at most. */
  command: string;
  /** The folder to start in, without `id`; the workspace when absent. */
  cwd?: string;
  /** Environment variables to set, without `id`. */
  env?: { [key: string]: string };
  /** How long to wait for its end; 30 s when absent, 300 s at most. The command goes on after that. */
  timeoutMs?: number;
  /** How much output to return at most, head and tail; 16 KiB when absent (64 for people). */
  maxBytes?: number;
  /** Return the bytes as they came, with escape sequences, instead of plain text. */
  raw?: boolean;
}

/** Where it runs and how long it is waited for. */
export interface Runtime {
  /** The workspace that is meant; the served one when absent. */
  workspace_id?: string;
  /** The folder to start in, absolute or relative to the workspace; the workspace when absent. */
  cwd?: string;
  /** How long to wait, in milliseconds: 1 to 300000. A command may go on after that. */
  timeout_ms?: number;
  /** By which way the terminal is reached; leave it out. */
  adapter_override?: AdapterOverride;
  /** The window's program, when several are installed: an absolute path, and one that the user has set up. */
  binary_path?: string;
  /** Let an interactive command run headless when nobody can be asked, if the policy allows it there. */
  allow_headless_fallback?: boolean;
  /** Let other agents read and end what this makes. */
  shared?: boolean;
  /** A title for people, for a terminal that is opened. */
  name?: string;
}

/** `flightdeck.workbench.save`. */
export interface SaveDocument {
  /** A file that is open. */
  path: string;
  /** Also over what somebody else has written meanwhile. */
  overwrite?: boolean;
}

/** How far a yes reaches. */
export type Scope =
  /** This one time. */
  | 'once'
  /** The same command in this terminal. */
  | 'terminal'
  /** The same command of this agent, until it disconnects. */
  | 'session'
  /** From now on, by a rule in the policy file. */
  | 'always';

/** The screen as a person would see it. */
export interface ScreenShown {
  /** Its text, or ANSI. */
  text: string;
  /** The row of the cursor, from 0. */
  cursorRow: number;
  /** The column of the cursor, from 0. */
  cursorCol: number;
  /** Whether the cursor is shown. */
  cursorVisible: boolean;
  /** The window. */
  size: WindowSize;
  /** Whether a full-screen program is shown. */
  altScreen: boolean;
  /** The title that the program set. */
  title?: string;
  /** What the program waits for. */
  input: InputState;
  /** The output that the screen stands for. */
  cursor: number;
  /** The picture that comes beside this, when one was asked for. */
  image?: Picture;
}

/** `openspace.editor.scroll_to`. */
export interface ScrollTo {
  /** A file that is open. */
  path: string;
  /** The line that comes to the middle, from 1 on. */
  line: number;
}

/** An editor that was scrolled. */
export interface Scrolled {
  /** The line that is shown in place of one behind the end of the file. */
  lastLine?: number;
  /** Whether a window is open that shows it. */
  shown: boolean;
  /** The front ends that are open, or the external IDE. */
  seenBy?: string[];
}

/** Searches the logs, line by line, as plain text. */
export interface Search {
  /** A regular expression. */
  pattern: string;
  /** One terminal; all of them, those that ended as well, when absent. */
  id?: TerminalId;
  /** The pattern is text as it is. */
  literal?: boolean;
  /** Upper and lower case are the same. */
  ignoreCase?: boolean;
  /** So many lines before and after each match; 0 when absent, 20 at most. */
  context?: number;
  /** How many matches at most; 50 when absent, 1000 at most. */
  maxMatches?: number;
  /** With `id`: from this cursor on. */
  from?: number;
}

/** `openspace.file.search`. */
export interface SearchFiles {
  /** What to find in the files of the workspace; what `.gitignore` leaves out is not looked at. */
  query: string;
  /** Only in this folder or file. */
  path?: string;
  /** Only files like these: `*.rs,src/**`. */
  includePattern?: string;
  /** No files like these. */
  excludePattern?: string;
  /** The query is a regular expression; otherwise it is text as it is. */
  regex?: boolean;
  /** Upper and lower case are different. */
  caseSensitive?: boolean;
  /** How many matches at most; 200 when absent, 5000 at most. */
  maxResults?: number;
}

/** What a search has found since it told last. All of it is in the result once more, in order. */
export interface SearchFound {
  /** In the order in which it was found. */
  matches: SearchMatch[];
}

/** A line that matches. */
export interface SearchMatch {
  /** The path from the workspace on. */
  path: string;
  /** The line, from 1 on. */
  line: number;
  /** The first column that matches, from 1 on, in characters. */
  column: number;
  /** The line, cut around the match when it is long. */
  text: string;
}

/** What was found. */
export interface SearchResult {
  /** By path and line. */
  matches: SearchMatch[];
  /** There may be more. */
  truncated: boolean;
  /** Why it ended early. */
  reason?: string;
  /** How many files were looked at. */
  searchedFiles: number;
  /** How many were left out: not text, with secrets, or not readable. */
  skippedFiles: number;
}

/** How far a terminal has come. */
export interface Seen {
  /** The end of its log. */
  cursor: number;
  /** Whether its first process still runs. */
  running: boolean;
}

/** Selected text, from where the selection began to where the cursor is. */
export interface Selection {
  /** Where it began. */
  anchor: Position;
  /** Where the cursor is. */
  head: Position;
}

/** Types into a terminal. The parts are sent in this order: text, paste, keys. */
export interface Send {
  /** Into which terminal. */
  id: TerminalId;
  /** Text as it is. */
  text?: string;
  /** Text as a paste, which the program may tell from typing. */
  paste?: string;
  /** Named keys: `Enter`, `C-c`, `Up`, `F5`. */
  keys?: string[];
  /** Wait until the program has answered and the screen stands still, and give it back: type and look in one call. */
  screen?: boolean;
}

/** Sends one signal and changes nothing else. */
export interface SendSignal {
  /** To which terminal. */
  id: TerminalId;
  /** `INT`, `TERM`, `SIGHUP`, `9`. */
  signal: string;
}

/** `openspace.terminal.send`. */
export interface SendText {
  /** A terminal's id, or its title. */
  terminalId: string;
  /** Text as it is; end it with a newline to run it as a command. */
  text: string;
}

/** What was typed is in. */
export interface Sent {
  /** The end of the log before the input: what the program answers comes after it. */
  cursor: number;
  /** The screen after it, when it was asked for. */
  screen?: string;
}

/** `flightdeck.bridge.serve`: the IDE's socket. */
export interface ServeBridge {
  /** The registration. */
  bridgeId: string;
}

/** Sets what a conversation may use. */
export interface SetBudget {
  /** Which. */
  id: ConversationId;
  /** What; absent for no limit. */
  budget?: Budget;
}

/** Gives or takes consent. */
export interface SetConsent {
  /** Whether agents may. */
  allow: boolean;
  /** Which version of the text was shown. */
  version: number;
  /** Do not ask again; otherwise the answer counts until the hub ends. */
  remember?: boolean;
}

/** `set_history_limit`. */
export interface SetHistoryLimit {
  /** How many lines of output a new tab keeps at least, at 256 bytes a line. */
  lines?: Whole;
  /** The same in bytes. Give one of the two. */
  bytes?: Whole;
}

/** Chooses the agent's mode. */
export interface SetMode {
  /** In which conversation. */
  id: ConversationId;
  /** The id of the mode. */
  mode: string;
}

/** Chooses something else of the agent's: its model. */
export interface SetOption {
  /** In which conversation. */
  id: ConversationId;
  /** The id of the option. */
  option: string;
  /** The id of the value; `true` or `false` for a switch. */
  value: string;
}

/** `flightdeck.workbench.view`. What is absent stays as it is. */
export interface SetView {
  /** The front end's own number, from the first event of `flightdeck.workbench.watch`. */
  viewer: ViewerId;
  /** The tab that has its keyboard now. */
  focus?: PaneTabId;
  /** Its place in an editor. */
  editor?: EditorView;
  /** The room that it has. */
  window?: Window;
  /** Whom it lets lead. */
  follow?: Leader;
}

/** Asks how it stands. */
export type ShowConsent = { [key: string]: never };

/** Shows the rules in force. */
export type ShowPolicy = { [key: string]: never };

/** `flightdeck.file.write_texts`. */
export interface ShowWrite {
  /** Its entry, as `flightdeck.file.writes` has it. */
  undoId: number;
}

/** Who sees it. Nothing that is shown in a workbench without a window is seen by anybody. */
export interface Shown {
  /** Whether a window is open that shows it. */
  shown: boolean;
  /** The front ends that are open, or the external IDE. */
  seenBy?: string[];
}

/** A sign-in that has ended or begun. */
export interface SignIn {
  /** The terminal in which a person goes on with it; absent when it is done. The agent starts again once that has ended well. */
  terminal?: TerminalId;
}

/** Signs out of an agent. */
export interface SignOut {
  /** The conversation with it. */
  id: ConversationId;
}

/** A command that an agent understands at the beginning of a prompt. */
export interface SlashCommand {
  /** Its name, without the slash. */
  name: string;
  /** What it does. */
  description: string;
  /** What is written behind it. */
  hint?: string;
}

/** The whole state, for a front end that begins. */
export interface Snapshot {
  /** Which life of the hub; numbers of changes count from 0 in each. */
  epoch: number;
  /** The number of the last change that is in it. */
  seq: number;
  /** The areas that hold something. */
  areas: AreaLayout[];
  /** All panes, by id. */
  panes: PaneInfo[];
  /** The one that somebody focused last, a person or an agent. Each front end has a focus of its own. */
  activePane?: PaneId;
  /** All editors, by id. */
  editors: EditorInfo[];
  /** All documents, by path. Their texts are asked for one by one. */
  documents: DocumentInfo[];
  /** All highlights, by document and then by id. */
  highlights: Highlight[];
  /** The front ends that watch, by number. */
  viewers: WorkbenchViewer[];
}

/** Where a new pane goes, in the words of `openspace.pane.open`. */
export type SplitDirection =
  /** Below the active pane. */
  | 'horizontal'
  /** To the right of the active pane. */
  | 'vertical';

/** What an agent does or waits for. */
export type Standing =
  /** Calls of it are under way. */
  | 'working'
  /** A call of it waits for a person's yes. */
  | 'waits_for_approval'
  /** A program that it runs asks for a line or a password, also when the call that started it has returned. */
  | 'waits_for_input'
  /** It is here, and nothing of it is under way. */
  | 'idle'
  /** It is run by the hub, has ended its turn, and can be prompted again. */
  | 'done'
  /** Its last call failed, and none has come since; or its last turn did. */
  | 'failed'
  /** It has left; what it started stays for a while, in case it comes back. */
  | 'gone';

/** `start_process`. */
export interface StartProcess {
  /** The tab. */
  window_id: TabNumber;
  /** The command, which is typed into the tab; 1 MiB at most. */
  command: string;
  /** Press Enter after it; true when absent. With false it is only typed. */
  append_newline?: boolean;
}

/** How far a call is. */
export type Status =
  /** It was started and goes on. */
  | 'accepted'
  /** It is done. */
  | 'completed'
  /** It went wrong. */
  | 'failed';

/** How far a step is. */
export type StepStatus =
  /** It was not begun. */
  | 'pending'
  /** It is under way. */
  | 'in_progress'
  /** It is done. */
  | 'completed';

/** Ends the agent's process. What was said stays. */
export interface StopChat {
  /** Which. */
  id: ConversationId;
}

/** Ends the hub. */
export interface StopHub {
  /** Its terminals too. */
  all?: boolean;
}

/** `stop_process`. */
export interface StopProcess {
  /** The tab. */
  window_id: TabNumber;
  /** How to stop it; SIGINT when absent. */
  signal?: StopSignal;
}

/** Why an agent stopped. */
export type StopReason =
  /** It has done what it was asked. */
  | 'end_turn'
  /** Its model's answer became too long. */
  | 'max_tokens'
  /** It has asked its model as often as it may in one turn. */
  | 'max_requests'
  /** It does not want to. */
  | 'refusal'
  /** It was told to. */
  | 'cancelled'
  /** It was told to, because the conversation's budget is used up. */
  | 'budget'
  /** It has failed. */
  | 'failed';

/** How a process is stopped. */
export type StopSignal =
  /** As Ctrl-C does it. */
  | 'SIGINT'
  /** The signal to the process group in the foreground. */
  | 'SIGTERM';

/** A hub that ends. */
export interface Stopping {
  /** Its process. */
  pid: number;
  /** How many terminals were ended. */
  ended: number;
}

/** What a caller does about it. */
export type Strategy =
  /** The same request never succeeds. */
  | 'reject_no_retry'
  /** Tell the user that it was declined. */
  | 'report_decline'
  /** Try again, in this mode or the other. */
  | 'suggest_retry_headless_or_interactive'
  /** Connect again, then try again. */
  | 'suggest_reconnect_retry'
  /** Run it headless, if that is allowed. */
  | 'fallback_to_headless_if_allowed'
  /** Do it in a safer way. */
  | 'reject_with_safety_hint'
  /** Look what there is, then try again. */
  | 'refresh_list_then_retry'
  /** Look what happened, then try again. */
  | 'deterministic_internal_fallback';

/** `stream_logs_from_tab`. */
export interface StreamLogs {
  /** The tab. */
  window_id: TabNumber;
  /** Where to begin, in bytes since the tab began; 0 when absent. */
  from_byte?: Whole;
  /** How many bytes to read at most; 32768 when absent, 1048576 at most. */
  max_bytes?: Whole;
  /** Remove ANSI sequences; false when absent. */
  strip_ansi?: boolean;
}

/** What an approval is about. */
export type Subject =
  /** A command that would run. */
  | {
    kind: 'command';
  } & CommandSubject
  /** What an agent asks by itself, with answers of its own. */
  | {
    kind: 'permission';
  } & PermissionSubject
  /** A file that would be written. */
  | {
    kind: 'file_write';
  } & FileWriteSubject;

/** A part of the sentence about a call: `ran `, `npm test`, ` in `, `t3`. */
export type SummaryPart =
  /** Plain words. */
  | {
    kind: 'text';
    /** The words, with the spaces around them. */
    text: string;
  }
  /** Something literal: a pattern, a command that runs in no terminal, an id. */
  | {
    kind: 'code';
    /** What it says. */
    text: string;
  }
  /** A command that ran in the terminal of the call. */
  | {
    kind: 'command';
    /** Its text. */
    text: string;
  }
  /** A terminal. */
  | {
    kind: 'terminal';
    /** Its id. */
    id: string;
  }
  /** A file of the workspace. */
  | {
    kind: 'file';
    /** Its path, as it was given. */
    path: string;
    /** The line in it, from 1 on. */
    line?: number;
  };

/** How careful a surface is. */
export interface SurfaceDefault {
  /** Which surface. */
  surface: string;
  /** `strict`, `ask`, `guard` or `open`. */
  stance: string;
}

/** A tab was closed. */
export interface TabClosed {
  /** Nothing of it runs any more. */
  closed: boolean;
}

/** A tab that was created. */
export interface TabCreated {
  /** Its id in all other calls, such as `@3`. */
  window_id: TabNumber;
  /** Its name. */
  name: string;
}

/** A tab of a pane. */
export interface TabInfo {
  /** Its id. */
  id: PaneTabId;
  /** The path of a document, or the id of a terminal. */
  contentId: string;
  /** What it shows. */
  type: ContentKind;
  /** Its name for people. */
  title: string;
  /** It holds changes that are not on disk. */
  isDirty: boolean;
  /** It is the one that its pane shows. */
  isActive: boolean;
  /** The editor in it. */
  editor?: EditorId;
  /** Who opened it. */
  createdBy: string;
}

/** The tabs that are open. */
export interface TabList {
  /** Oldest first. */
  tabs: TabSummary[];
}

/** The last lines of a tab's log. */
export interface TabLogs {
  /** The lines. The last one may be unfinished, as a prompt is. */
  content: string;
  /** How many lines these are. */
  returned_lines: Whole;
  /** More lines existed than are returned. */
  truncated: boolean;
  /** The resource that has all of it, in pieces of 64 KiB, when something was left out. */
  whole_output?: string;
}

export type TabNumber = string;

/** One tab. */
export interface TabSummary {
  /** Its id. */
  window_id: TabNumber;
  /** Its name. */
  name: string;
  /** It was used last. Exactly one tab is active while there are any. */
  active: boolean;
}

/** What new tabs run in. */
export interface TabsStatus {
  /** `tmux`, `pty`, or `none` when tmux is asked for and can't be used. */
  backend: string;
  /** Why, in words. */
  why: string;
}

/** What an earlier call made. */
export interface Target {
  /** The `identity.session_id` of a response. */
  session_id?: string;
  /** The `identity.terminal_id` of a response. */
  terminal_id?: string;
}

/** A terminal that was created. */
export interface TerminalCreated {
  /** Its id in all other calls. */
  terminalId: TerminalId;
}

/** What a stream of a terminal tells. Cursors count the bytes that the terminal has printed since it began. */
export type TerminalEvent =
  /** The first event of `attach`: who this viewer is, for `flightdeck.terminal.resize`. */
  | {
    type: 'attached';
    /** Its number. */
    viewer: ViewerId;
  }
  /** Bytes follow that draw the whole screen as it was at a cursor. They replace what was shown. */
  | {
    type: 'snapshot';
    /** Output goes on from here. */
    at: number;
    /** The terminal's size. */
    size: WindowSize;
  }
  /** Bytes follow that were printed between two cursors. There may be fewer of them: what the hub has answered for the program is left out, and text may be asked for in place of the bytes. */
  | {
    type: 'output';
    /** Where they begin. */
    from: number;
    /** Where the next begin, and where a stream that is cut off goes on. */
    to: number;
    /** Which stream of a program on pipes. */
    stream?: OutputStream;
  }
  /** Output that is not sent: the log no longer has it, or the viewer was too far behind. */
  | {
    type: 'gap';
    /** The first byte that is missing. */
    from: number;
    /** The next one that is there. */
    to: number;
  }
  /** The terminal has another size. */
  | {
    type: 'resized';
    /** The new one. */
    size: WindowSize;
    /** Whose window it is; absent when it was set by a call. */
    by?: string;
  }
  /** The program has ended, and all that it printed was sent. */
  | {
    type: 'ended';
    /** The end of the log. */
    at: number;
    /** How it ended, as far as it is known. */
    exitCode?: number;
  };

export type TerminalId = string;

/** A terminal as it stands. */
export interface TerminalInfo {
  /** Its name. */
  id: TerminalId;
  /** A name for people: given, set by the program, or the command. */
  title: string;
  /** What it is for. */
  kind: TerminalKind;
  /** What was started in it. */
  command: string;
  /** Where it is now, or was started. */
  cwd: string;
  /** Whether its first process still runs. */
  running: boolean;
  /** The exit code of that process; 128 + N when signal N ended it, as a shell reports it. */
  exitCode?: number;
  /** The signal that ended it. */
  signal?: string;
  /** Whether the keeper was lost before the exit code was known. */
  lost?: boolean;
  /** Why its output can't be read, or why it could not be taken up after a restart. */
  trouble?: string;
  /** The disk takes no more output; its programs wait. */
  stalled?: boolean;
  /** The program in the foreground. */
  foreground?: string;
  /** What it waits for. */
  input: InputState;
  /** Whether a full-screen program is shown. */
  altScreen?: boolean;
  /** The first process. */
  pid?: number;
  /** The window. */
  size: WindowSize;
  /** Who started it. */
  createdBy: string;
  /** When, in seconds since 1970. */
  createdAt: number;
  /** The oldest byte of output that is still there; 0 when absent. */
  logStart?: number;
  /** How many bytes of output there were so far. */
  logEnd: number;
  /** Who holds the controls, when somebody does. */
  lease?: Holder;
  /** Whether it stays when the agent that started it leaves. */
  kept?: boolean;
}

/** What a terminal is for. */
export type TerminalKind =
  /** A shell to run commands in. */
  | 'shell'
  /** One command on a terminal. */
  | 'command'
  /** One command on pipes. */
  | 'pipes';

/** A terminal as it stands. */
export interface TerminalState {
  /** Its id. */
  id: TerminalId;
  /** A name for people. */
  title: string;
  /** What runs in it. */
  kind: TerminalKind;
  /** The folder that its shell or program is in. */
  cwd: string;
  /** Its size. */
  size: WindowSize;
  /** Whose window the size follows. */
  sizeBy?: string;
  /** Whether its shell waits at the prompt. */
  atPrompt: boolean;
  /** The command that its shell runs, where that is known. */
  runningCommand?: string;
  /** How often it rang. */
  bells: number;
  /** Who holds the controls. */
  lease?: Holder;
  /** Whether its first process runs. */
  running: boolean;
  /** How that ended. */
  exitCode?: number;
  /** The disk takes no more output, and the programs wait. */
  stalled: boolean;
  /** Who started it. */
  createdBy: string;
  /** What the program that an agent runs in it asks somebody to type, until it is answered. */
  asks?: InputRequest;
}

/** A terminal in few words. */
export interface TerminalSummary {
  /** Its id. */
  id: TerminalId;
  /** Its name for people. */
  title: string;
  /** Where it is. */
  cwd: string;
  /** Whether its shell still runs. */
  running: boolean;
  /** The exit code of its shell. */
  exitCode?: number;
  /** Who holds the controls. */
  lease?: string;
  /** Who started it. */
  createdBy: string;
}

/** The terminals that run. */
export interface Terminals {
  /** The newest first. */
  terminals: TerminalSummary[];
  /** How many more there are. */
  more?: number;
  /** The next ones are listed with this as `after`; absent when there are none. */
  next?: string;
}

/** Asks what the policy says of a command. */
export interface TestPolicy {
  /** The command. */
  command: string;
  /** Where it would be run; `terminal` when absent. */
  mode?: PolicyMode;
  /** The folder; the workspace when absent. */
  cwd?: string;
}

/** One replaced piece of text. Positions count UTF-16 units from the beginning, as browsers do; a line break is one unit when it is `\n` and two when it is `\r\n`. */
export interface TextChange {
  /** Where the replaced text begins. */
  from: number;
  /** Where it ends; the same as `from` when nothing is removed. */
  to: number;
  /** What stands there instead. */
  insert: string;
}

/** One replaced piece of text. Positions count UTF-16 units from the beginning, as browsers do; a line break is one unit when it is `\n` and two when it is `\r\n`. */
export interface TextChangeInput {
  /** Where the replaced text begins. */
  from: number;
  /** Where it ends; the same as `from` when nothing is removed. */
  to: number;
  /** What stands there instead. */
  insert?: string;
}

/** Tells when output came. */
export interface Times {
  /** Of which terminal. */
  id: TerminalId;
}

/** Something that an agent does. */
export interface ToolCall {
  /** The agent's own name for it. */
  id: string;
  /** What it does, in the agent's words. */
  title: string;
  /** What kind of deed it is. */
  tool: ToolKind;
  /** How far it is. */
  status: ToolStatus;
  /** What there is to see of it. */
  content?: ToolContent[];
  /** The files that it is about. */
  locations?: Location[];
  /** What the tool was given. */
  input?: unknown;
  /** What the tool gave. */
  output?: unknown;
}

/** Something to see of a tool call. */
export type ToolContent =
  /** A text, a picture, a file. */
  | {
    type: 'block';
    /** What. */
    block: Block;
  }
  /** What changes in a file. */
  | {
    type: 'diff';
    /** Which file. */
    path: string;
    /** As a unified diff, without a head. */
    diff: string;
    /** How many lines are new. */
    added: number;
    /** How many lines are gone. */
    removed: number;
    /** There is more of it than is here. */
    truncated?: boolean;
  }
  /** A terminal of Flightdeck's, live; `flightdeck.terminal.attach` shows it. It can be looked at after the agent has released it. */
  | {
    type: 'terminal';
    /** Which. */
    terminal: TerminalId;
  }
  /** What a command printed that the agent runs by itself. It grows while it runs. */
  | {
    type: 'output';
    /** The agent's own name for it. */
    id: string;
    /** As it was printed, with control sequences; the last part of it, when it is long. */
    text: string;
    /** There was more at the beginning. */
    truncated?: boolean;
    /** How it ended, when it has. */
    exitCode?: number;
    /** The signal that ended it. */
    signal?: string;
  };

/** What kind of deed a tool call is. */
export type ToolKind =
  /** Reads files. */
  | 'read'
  /** Changes files. */
  | 'edit'
  /** Deletes files. */
  | 'delete'
  /** Moves files. */
  | 'move'
  /** Looks for something. */
  | 'search'
  /** Runs a command. */
  | 'execute'
  /** Thinks. */
  | 'think'
  /** Fetches something from elsewhere. */
  | 'fetch'
  /** Changes the agent's mode. */
  | 'switch_mode'
  /** Something else. */
  | 'other';

/** The tool that was called. */
export type ToolName =
  /** The canonical one. */
  | 'memory_terminal_interactive'
  /** The older one that runs allowed commands without a terminal. */
  | 'memory_terminal'
  /** The older one that manages visible terminals. */
  | 'memory_terminal_vscode';

/** How far a tool call is. */
export type ToolStatus =
  /** It was not begun: the agent still writes it, or it waits for a yes. */
  | 'pending'
  /** It is under way. */
  | 'in_progress'
  /** It is done. */
  | 'completed'
  /** It has failed. */
  | 'failed'
  /** The turn was cancelled, or the agent is gone, before it came to an end. */
  | 'cancelled';

/** What a command has printed so far. */
export interface Transcript {
  /** Plain text; what was in it once stays in it, but for what the limit takes away at the beginning. */
  output: string;
  /** Whether something was left out at the beginning. */
  truncated: boolean;
  /** How it ended, when it has. */
  exit?: ChatExit;
}

/** `openspace.file.undo`. */
export interface UndoWrite {
  /** Take back the last write to this file; the last write of all when neither this nor `undoId` is there. */
  path?: string;
  /** Take back just this write. */
  undoId?: number;
}

/** What a conversation has used. */
export interface Usage {
  /** How many tokens the agent's context holds. */
  context?: number;
  /** How many it can hold. */
  size?: number;
  /** How many tokens all turns took together, where the agent tells. */
  tokens?: number;
  /** What it cost so far. */
  cost?: Cost;
}

/** One front end that looks at terminals; its number is never used again while the hub runs. */
export type ViewerId = number;

/** Waits for the first of some conditions. When none is given: for the end of the command that runs in its shell, or of the last one that has ended there; else for the end of its process. A process that ends before anything that was asked for makes the wait fail with `terminal_ended`. */
export interface Wait {
  /** On which terminal. */
  id: TerminalId;
  /** Its process ends. */
  exit?: boolean;
  /** A line of output matches this regular expression. */
  pattern?: string;
  /** A program asks for a line, a password or, in a line editor of its own, a key. */
  input?: boolean;
  /** The shell is back at its prompt. */
  prompt?: boolean;
  /** No output for so many milliseconds. */
  quietMs?: number;
  /** A process of this terminal listens on this local port. When another program has it, the wait fails with `port_taken`. */
  port?: number;
  /** Look for `pattern` from this cursor on. When absent: from the start of the last command, or from where you last read, waited or typed there; 1 MiB back at most. */
  from?: number;
  /** How long at most; 30 s when absent. A wait that ends by it fails with `timed_out`. */
  timeoutMs?: number;
}

/** Waits for the end of the command. */
export type WaitForChatTerminal = OfChatTerminal;

/** What ended a wait. */
export type WaitReason =
  /** The process ended. */
  | 'exit'
  /** A line matched. */
  | 'pattern'
  /** A program asks for input. */
  | 'input'
  /** The shell is at its prompt. */
  | 'prompt'
  /** Nothing was printed. */
  | 'quiet'
  /** A process of the terminal listens on the port. */
  | 'port'
  /** The command has ended. */
  | 'command';

/** The end of a wait. */
export interface Waited {
  /** What ended it. */
  reason: WaitReason;
  /** Where to go on. */
  cursor: number;
  /** The line that matched. */
  line?: string;
  /** The exit code, when the command or the process ended. */
  exitCode?: number;
  /** What kind of input is asked for. */
  input?: InputState;
}

/** Tells what waits and how it ended, as [`ApprovalEvent`]s. */
export interface WatchApprovals {
  /** A person is here and will answer: as long as this call lasts, agents' requests wait instead of being refused. */
  attend?: boolean;
}

/** From where on the audit log is told. */
export interface WatchAudit {
  /** After this entry, the `next` of the last event; from now on when absent. */
  after?: number;
}

/** Tells what is said and done in one conversation, as `ChatEvent`s. */
export interface WatchChat {
  /** Which. */
  id: ConversationId;
  /** How many of the newest entries come first; 100 when absent, 500 at most. */
  last?: number;
  /** A person is here and will answer: as long as this call lasts, agents' requests wait instead of being refused. */
  attend?: boolean;
}

/** Tells all conversations as they are and as they change. */
export type WatchChats = { [key: string]: never };

/** `flightdeck.hub.watch`. */
export interface WatchHub {
  /** The epoch of the snapshot that the watcher has. */
  epoch?: number;
  /** The last change that it has seen. With both, only what it missed is told. */
  seq?: number;
  /** Tell the entries of the audit log too, for people. */
  audit?: WatchAudit;
  /** Tell when something comes into one of these folders or goes; relative to the workspace, which is the empty one. */
  folders?: string[];
  /** Tell nothing but which terminals there are, whenever that changes. It costs next to nothing. */
  list?: boolean;
}

/** Tells, as [`Seen`], whenever there is something new to see in a terminal. */
export interface WatchTerminal {
  /** Which one. */
  id: TerminalId;
}

/** `flightdeck.workbench.watch`. */
export interface WatchWorkbench {
  /** The epoch of the snapshot that the front end has. */
  epoch?: number;
  /** The last change that it has seen. With both, only what it missed is sent. */
  seq?: number;
}

export type Whole = number;

/** The room of a front end, in its own pixels. */
export interface Window {
  /** From left to right. */
  width: number;
  /** From top to bottom. */
  height: number;
}

/** Rows and columns. */
export interface WindowSize {
  /** Rows, 1 to 2000. */
  rows: number;
  /** Columns, 1 to 2000. */
  cols: number;
}

/** A frame of `flightdeck.workbench.watch`. */
export type WorkbenchEvent =
  /** The first event: who this front end is, for `flightdeck.workbench.view`. */
  | {
    event: 'watching';
    /** Its number. */
    viewer: ViewerId;
  }
  /** Everything; what the front end has is to be replaced. */
  | {
    event: 'snapshot';
    /** The state. */
    snapshot: Snapshot;
  }
  /** Changes, in order. */
  | {
    event: 'changes';
    /** One after the other. */
    changes: Numbered[];
  };

/** A front end that watches the workbench, and where it looks. */
export interface WorkbenchViewer {
  /** Its number. */
  id: ViewerId;
  /** Whose it is: `web:2`. */
  name: string;
  /** The tab that has its keyboard. */
  focus?: PaneTabId;
  /** Its place in the editor that it was last in. */
  editor?: EditorView;
  /** The room that it has. */
  window?: Window;
  /** Whom it lets lead. */
  follow: Leader;
}

/** A write. */
export interface Write {
  /** Its entry, for `openspace.file.undo`. */
  undoId: number;
  /** Which file. */
  path: string;
  /** Who. */
  actor: string;
  /** When, in milliseconds since 1970. */
  writtenAtMs: number;
  /** What the file held before; absent when it was made by this. */
  before?: string;
  /** What it held after; absent when it was removed by this. */
  after?: string;
  /** It took another write back. */
  undo?: boolean;
}

/** Writes a file, new or old. */
export interface WriteChatFile {
  /** The conversation. */
  id: ConversationId;
  /** The file, absolute or from the workspace on. */
  path: string;
  /** All of its new content. */
  content: string;
}

/** `openspace.file.write`. */
export interface WriteFile {
  /** The file, from the workspace on or as an absolute path in it. Folders that are missing are made. */
  path: string;
  /** All of its new content. Line endings and encoding stay those of the file. */
  content: string;
  /** Write only if the file still has this version, or only if there is none when it is `absent`. */
  expectedVersion?: string;
}

/** A write as it was. */
export interface WriteTexts {
  /** Which file. */
  path: string;
  /** The text before; empty when the write made the file. Absent when it was no text. */
  before?: string;
  /** The text after; empty when the write removed the file. Absent when it was no text, or is not kept any more. */
  after?: string;
}

/** A write that was taken back. */
export interface WriteUndone {
  /** Which file. */
  path: string;
  /** What it holds now; absent when the write had made it, so that it is gone again. */
  version?: string;
  /** Whose write it was. */
  actor: string;
  /** When that was, in milliseconds since 1970. */
  writtenAtMs: number;
  /** The entry by which this can be taken back in turn. */
  undoId?: number;
}

/** What was written through the hub and can be taken back. */
export interface Writes {
  /** The latest first. */
  writes: Write[];
}

/** What each command takes and gives, and what it tells while it runs. */
export interface Commands {
  /** Close a tab */
  'close_tab': { args: CloseTab; result: TabClosed };
  /** Create a tab */
  'create_tab': { args: CreateTab; result: TabCreated };
  /** Execute a command in a tab */
  'execute_command': { args: ExecuteCommand; result: Executed };
  /** List agents */
  'flightdeck.agent.list': { args: ListAgents; result: ListedAgents };
  /** Answer an approval */
  'flightdeck.approval.answer': { args: AnswerApproval; result: Answered };
  /** List approvals */
  'flightdeck.approval.list': { args: ListApprovals; result: Approvals };
  /** Watch approvals */
  'flightdeck.approval.watch': { args: WatchApprovals; result: Done; event: ApprovalEvent };
  /** Register an IDE */
  'flightdeck.bridge.register': { args: RegisterBridge; result: BridgeRegistered };
  /** Give the IDE's result */
  'flightdeck.bridge.result': { args: CommandResult; result: Done };
  /** Serve as the IDE */
  'flightdeck.bridge.serve': { args: ServeBridge; result: Done; event: BridgeEvent };
  /** Tell the IDE's state */
  'flightdeck.bridge.state': { args: BridgeState; result: Done };
  /** List known agents */
  'flightdeck.chat.agents': { args: ListPresets; result: Presets };
  /** Answer an agent's question */
  'flightdeck.chat.answer': { args: AnswerQuestion; result: Done };
  /** Sign in to an agent */
  'flightdeck.chat.authenticate': { args: Authenticate; result: SignIn };
  /** Set a budget */
  'flightdeck.chat.budget': { args: SetBudget; result: Done };
  /** Cancel a turn */
  'flightdeck.chat.cancel': { args: CancelTurn; result: Done };
  /** Read a file for an agent */
  'flightdeck.chat.file.read': { args: ReadChatFile; result: ChatFile };
  /** Write a file for an agent */
  'flightdeck.chat.file.write': { args: WriteChatFile; result: FileWritten };
  /** List conversations */
  'flightdeck.chat.list': { args: ListChats; result: Chats };
  /** Sign out of an agent */
  'flightdeck.chat.logout': { args: SignOut; result: Done };
  /** Choose an agent's mode */
  'flightdeck.chat.mode': { args: SetMode; result: Done };
  /** New conversation */
  'flightdeck.chat.new': { args: NewChat; result: ChatStarted };
  /** Choose an agent's option */
  'flightdeck.chat.option': { args: SetOption; result: Done };
  /** Read the output in a tool call */
  'flightdeck.chat.output': { args: ReadChatOutput; result: Transcript };
  /** Watch conversations */
  'flightdeck.chat.overview': { args: WatchChats; result: Done; event: ChatsEvent };
  /** Ask a person */
  'flightdeck.chat.permission': { args: AskPermission; result: PermissionGiven };
  /** Prompt an agent */
  'flightdeck.chat.prompt': { args: Prompt; result: Prompted };
  /** Read a conversation */
  'flightdeck.chat.read': { args: ReadChat; result: ChatRead };
  /** Remove a conversation */
  'flightdeck.chat.remove': { args: RemoveChat; result: Done };
  /** Start an agent again */
  'flightdeck.chat.restart': { args: RestartChat; result: Done };
  /** Delete an agent's session */
  'flightdeck.chat.session.delete': { args: DeleteSession; result: Done };
  /** List an agent's sessions */
  'flightdeck.chat.session.list': { args: ListSessions; result: AgentSessions };
  /** Stop an agent */
  'flightdeck.chat.stop': { args: StopChat; result: Done };
  /** Kill an agent's command */
  'flightdeck.chat.terminal.kill': { args: KillChatTerminal; result: Done };
  /** Run an agent's command */
  'flightdeck.chat.terminal.new': { args: NewChatTerminal; result: ChatTerminal };
  /** Read an agent's terminal */
  'flightdeck.chat.terminal.output': { args: ReadChatTerminal; result: Transcript };
  /** Release an agent's terminal */
  'flightdeck.chat.terminal.release': { args: ReleaseChatTerminal; result: Done };
  /** Wait for an agent's command */
  'flightdeck.chat.terminal.wait': { args: WaitForChatTerminal; result: ChatExit };
  /** Watch a conversation */
  'flightdeck.chat.watch': { args: WatchChat; result: Done; event: ChatEvent };
  /** Give or take consent */
  'flightdeck.consent.set': { args: SetConsent; result: Consent };
  /** Show the consent */
  'flightdeck.consent.show': { args: ShowConsent; result: Consent };
  /** Show a write */
  'flightdeck.file.write_texts': { args: ShowWrite; result: WriteTexts };
  /** List writes */
  'flightdeck.file.writes': { args: ListWrites; result: Writes };
  /** Acknowledge what happened to the database */
  'flightdeck.hub.acknowledge': { args: AcknowledgeDatabase; result: DatabaseAcknowledged };
  /** Audit log */
  'flightdeck.hub.audit': { args: AuditQuery; result: AuditPage };
  /** List the commands */
  'flightdeck.hub.commands': { args: Empty; result: CommandList };
  /** Instructions */
  'flightdeck.hub.instructions': { args: Empty; result: Instructions };
  /** Login link */
  'flightdeck.hub.link': { args: Empty; result: Link };
  /** Use a pairing code */
  'flightdeck.hub.pair': { args: Pair; result: Paired };
  /** Pair a program */
  'flightdeck.hub.pairing_code': { args: Empty; result: PairingCode };
  /** Show the last results */
  'flightdeck.hub.results': { args: Empty; result: CallResults };
  /** Hub status */
  'flightdeck.hub.status': { args: Empty; result: HubStatus };
  /** Stop the hub */
  'flightdeck.hub.stop': { args: StopHub; result: Stopping };
  /** Verify the audit log */
  'flightdeck.hub.verify': { args: Empty; result: AuditVerified };
  /** Watch the hub */
  'flightdeck.hub.watch': { args: WatchHub; result: Done; event: HubEvent };
  /** Accept what waits of the policy */
  'flightdeck.policy.accept': { args: AcceptPolicy; result: PolicyAccepted };
  /** Add a rule */
  'flightdeck.policy.add': { args: AddRule; result: RuleAdded };
  /** Show what waits of the policy */
  'flightdeck.policy.changes': { args: ListPolicyChanges; result: PolicyChanges };
  /** Rehearse a rule */
  'flightdeck.policy.rehearse': { args: Rehearse; result: Rehearsed };
  /** Put the policy back */
  'flightdeck.policy.reject': { args: RejectPolicy; result: PolicyRejected };
  /** Remove a rule */
  'flightdeck.policy.remove': { args: RemoveRule; result: RuleRemoved };
  /** Show the policy */
  'flightdeck.policy.show': { args: ShowPolicy; result: PolicyShown };
  /** Test the policy */
  'flightdeck.policy.test': { args: TestPolicy; result: PolicyAnswer };
  /** Attach to a terminal */
  'flightdeck.terminal.attach': { args: Attach; result: Followed; event: TerminalEvent };
  /** Run a program */
  'flightdeck.terminal.exec': { args: Exec; result: Ran; event: TerminalEvent };
  /** Follow output */
  'flightdeck.terminal.follow': { args: Follow; result: Followed; event: TerminalEvent };
  /** Command history */
  'flightdeck.terminal.history': { args: History; result: CommandRecords };
  /** Type into a terminal */
  'flightdeck.terminal.keys': { args: Send; result: Sent };
  /** End a terminal */
  'flightdeck.terminal.kill': { args: Kill; result: Killed };
  /** Hold the controls */
  'flightdeck.terminal.lease': { args: LeaseRequest; result: LeaseState };
  /** List terminals */
  'flightdeck.terminal.list': { args: List; result: Listed };
  /** New terminal */
  'flightdeck.terminal.new': { args: New; result: Created };
  /** Keep a terminal */
  'flightdeck.terminal.pin': { args: Pin; result: Done };
  /** Read output */
  'flightdeck.terminal.read': { args: Read; result: Output };
  /** Remove a terminal */
  'flightdeck.terminal.remove': { args: Remove; result: Done };
  /** Resize a terminal */
  'flightdeck.terminal.resize': { args: Resize; result: Done };
  /** Run a command */
  'flightdeck.terminal.run': { args: Run; result: Ran };
  /** Look at the screen */
  'flightdeck.terminal.screen': { args: LookAtScreen; result: ScreenShown; event: Picture };
  /** Search output */
  'flightdeck.terminal.search': { args: Search; result: Found };
  /** Send a signal */
  'flightdeck.terminal.signal': { args: SendSignal; result: Done };
  /** When output came */
  'flightdeck.terminal.times': { args: Times; result: OutputTimes };
  /** Wait for a condition */
  'flightdeck.terminal.wait': { args: Wait; result: Waited };
  /** Watch a terminal */
  'flightdeck.terminal.watch': { args: WatchTerminal; result: Done; event: Seen };
  /** Clear all highlights */
  'flightdeck.workbench.clear_highlights': { args: ClearHighlights; result: Done };
  /** Close a tab */
  'flightdeck.workbench.close_tab': { args: ClosePaneTab; result: Done };
  /** Get a document */
  'flightdeck.workbench.document': { args: GetDocument; result: Document };
  /** Edit a document */
  'flightdeck.workbench.edit': { args: EditDocument; result: DocumentEdited };
  /** Move a tab */
  'flightdeck.workbench.move_tab': { args: MovePaneTab; result: PaneMoved };
  /** Pin a pane */
  'flightdeck.workbench.pin': { args: PinPane; result: Done };
  /** Resolve a conflict */
  'flightdeck.workbench.resolve': { args: ResolveConflict; result: Done };
  /** Save a document */
  'flightdeck.workbench.save': { args: SaveDocument; result: FileWritten };
  /** Show the workbench */
  'flightdeck.workbench.snapshot': { args: Empty; result: Snapshot };
  /** Show the panes */
  'flightdeck.workbench.state': { args: Empty; result: PaneState };
  /** Tell the view */
  'flightdeck.workbench.view': { args: SetView; result: Done };
  /** Watch the workbench */
  'flightdeck.workbench.watch': { args: WatchWorkbench; result: Done; event: WorkbenchEvent };
  /** List tabs */
  'list_tabs': { args: ListTabs; result: TabList };
  /** Terminal (headless, older) */
  'memory_terminal': { args: Arguments; result: Response };
  /** Terminal */
  'memory_terminal_interactive': { args: Arguments; result: Response };
  /** Terminal (visible, older) */
  'memory_terminal_vscode': { args: Arguments; result: Response };
  /** Clear a highlight */
  'openspace.editor.clear_highlight': { args: ClearHighlight; result: Done };
  /** Close an editor */
  'openspace.editor.close': { args: CloseEditor; result: Done };
  /** Highlight code */
  'openspace.editor.highlight': { args: HighlightRanges; result: Highlighted };
  /** Open a file in the editor */
  'openspace.editor.open': { args: OpenEditor; result: EditorOpened };
  /** Read a file as the editor has it */
  'openspace.editor.read_file': { args: ReadFile; result: FileContent };
  /** Scroll to a line */
  'openspace.editor.scroll_to': { args: ScrollTo; result: Scrolled };
  /** List files */
  'openspace.file.list': { args: ListFiles; result: FileList };
  /** Read a file */
  'openspace.file.read': { args: ReadFile; result: FileContent };
  /** Search files */
  'openspace.file.search': { args: SearchFiles; result: SearchResult; event: SearchFound };
  /** Undo a write */
  'openspace.file.undo': { args: UndoWrite; result: WriteUndone };
  /** Write a file */
  'openspace.file.write': { args: WriteFile; result: FileWritten };
  /** Close a pane */
  'openspace.pane.close': { args: ClosePane; result: Done };
  /** Focus a pane */
  'openspace.pane.focus': { args: FocusPane; result: Shown };
  /** List panes */
  'openspace.pane.list': { args: ListPanes; result: Panes };
  /** Open a pane */
  'openspace.pane.open': { args: OpenPane; result: PaneOpened };
  /** Resize a pane */
  'openspace.pane.resize': { args: ResizePane; result: Shown };
  /** Close a terminal */
  'openspace.terminal.close': { args: CloseTerminal; result: Done };
  /** Create a terminal */
  'openspace.terminal.create': { args: CreateTerminal; result: TerminalCreated };
  /** List terminals */
  'openspace.terminal.list': { args: ListTerminals; result: Terminals };
  /** Read terminal output */
  'openspace.terminal.read_output': { args: ReadOutput; result: OutputLines };
  /** Send text to a terminal */
  'openspace.terminal.send': { args: SendText; result: Done };
  /** Read a tab's log */
  'read_logs_from_tab': { args: ReadLogs; result: TabLogs };
  /** Limit the history of tabs */
  'set_history_limit': { args: SetHistoryLimit; result: HistoryLimit };
  /** Start a process in a tab */
  'start_process': { args: StartProcess; result: ProcessStarted };
  /** Stop a process in a tab */
  'stop_process': { args: StopProcess; result: ProcessStopped };
  /** Stream a tab's log */
  'stream_logs_from_tab': { args: StreamLogs; result: LogChunk };
}

/** For a palette. */
export const commands = [
  { id: 'close_tab', title: 'Close a tab', effects: 'destructive', tool: true },
  { id: 'create_tab', title: 'Create a tab', effects: 'executes', tool: true },
  { id: 'execute_command', title: 'Execute a command in a tab', effects: 'executes', tool: true },
  { id: 'flightdeck.agent.list', title: 'List agents', effects: 'reads', tool: false },
  { id: 'flightdeck.approval.answer', title: 'Answer an approval', effects: 'writes', tool: false },
  { id: 'flightdeck.approval.list', title: 'List approvals', effects: 'reads', tool: false },
  { id: 'flightdeck.approval.watch', title: 'Watch approvals', effects: 'reads', tool: false },
  { id: 'flightdeck.bridge.register', title: 'Register an IDE', effects: 'writes', tool: false },
  { id: 'flightdeck.bridge.result', title: 'Give the IDE\'s result', effects: 'writes', tool: false },
  { id: 'flightdeck.bridge.serve', title: 'Serve as the IDE', effects: 'writes', tool: false },
  { id: 'flightdeck.bridge.state', title: 'Tell the IDE\'s state', effects: 'writes', tool: false },
  { id: 'flightdeck.chat.agents', title: 'List known agents', effects: 'reads', tool: false },
  { id: 'flightdeck.chat.answer', title: 'Answer an agent\'s question', effects: 'writes', tool: false },
  { id: 'flightdeck.chat.authenticate', title: 'Sign in to an agent', effects: 'executes', tool: false },
  { id: 'flightdeck.chat.budget', title: 'Set a budget', effects: 'writes', tool: false },
  { id: 'flightdeck.chat.cancel', title: 'Cancel a turn', effects: 'writes', tool: false },
  { id: 'flightdeck.chat.file.read', title: 'Read a file for an agent', effects: 'reads', tool: false },
  { id: 'flightdeck.chat.file.write', title: 'Write a file for an agent', effects: 'destructive', tool: false },
  { id: 'flightdeck.chat.list', title: 'List conversations', effects: 'reads', tool: false },
  { id: 'flightdeck.chat.logout', title: 'Sign out of an agent', effects: 'writes', tool: false },
  { id: 'flightdeck.chat.mode', title: 'Choose an agent\'s mode', effects: 'writes', tool: false },
  { id: 'flightdeck.chat.new', title: 'New conversation', effects: 'executes', tool: false },
  { id: 'flightdeck.chat.option', title: 'Choose an agent\'s option', effects: 'writes', tool: false },
  { id: 'flightdeck.chat.output', title: 'Read the output in a tool call', effects: 'reads', tool: false },
  { id: 'flightdeck.chat.overview', title: 'Watch conversations', effects: 'reads', tool: false },
  { id: 'flightdeck.chat.permission', title: 'Ask a person', effects: 'writes', tool: false },
  { id: 'flightdeck.chat.prompt', title: 'Prompt an agent', effects: 'writes', tool: false },
  { id: 'flightdeck.chat.read', title: 'Read a conversation', effects: 'reads', tool: false },
  { id: 'flightdeck.chat.remove', title: 'Remove a conversation', effects: 'destructive', tool: false },
  { id: 'flightdeck.chat.restart', title: 'Start an agent again', effects: 'executes', tool: false },
  { id: 'flightdeck.chat.session.delete', title: 'Delete an agent\'s session', effects: 'destructive', tool: false },
  { id: 'flightdeck.chat.session.list', title: 'List an agent\'s sessions', effects: 'reads', tool: false },
  { id: 'flightdeck.chat.stop', title: 'Stop an agent', effects: 'destructive', tool: false },
  { id: 'flightdeck.chat.terminal.kill', title: 'Kill an agent\'s command', effects: 'destructive', tool: false },
  { id: 'flightdeck.chat.terminal.new', title: 'Run an agent\'s command', effects: 'executes', tool: false },
  { id: 'flightdeck.chat.terminal.output', title: 'Read an agent\'s terminal', effects: 'reads', tool: false },
  { id: 'flightdeck.chat.terminal.release', title: 'Release an agent\'s terminal', effects: 'destructive', tool: false },
  { id: 'flightdeck.chat.terminal.wait', title: 'Wait for an agent\'s command', effects: 'reads', tool: false },
  { id: 'flightdeck.chat.watch', title: 'Watch a conversation', effects: 'reads', tool: false },
  { id: 'flightdeck.consent.set', title: 'Give or take consent', effects: 'writes', tool: false },
  { id: 'flightdeck.consent.show', title: 'Show the consent', effects: 'reads', tool: false },
  { id: 'flightdeck.file.write_texts', title: 'Show a write', effects: 'reads', tool: false },
  { id: 'flightdeck.file.writes', title: 'List writes', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.acknowledge', title: 'Acknowledge what happened to the database', effects: 'writes', tool: false },
  { id: 'flightdeck.hub.audit', title: 'Audit log', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.commands', title: 'List the commands', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.instructions', title: 'Instructions', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.link', title: 'Login link', effects: 'writes', tool: false },
  { id: 'flightdeck.hub.pair', title: 'Use a pairing code', effects: 'writes', tool: false },
  { id: 'flightdeck.hub.pairing_code', title: 'Pair a program', effects: 'writes', tool: false },
  { id: 'flightdeck.hub.results', title: 'Show the last results', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.status', title: 'Hub status', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.stop', title: 'Stop the hub', effects: 'destructive', tool: false },
  { id: 'flightdeck.hub.verify', title: 'Verify the audit log', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.watch', title: 'Watch the hub', effects: 'reads', tool: false },
  { id: 'flightdeck.policy.accept', title: 'Accept what waits of the policy', effects: 'writes', tool: false },
  { id: 'flightdeck.policy.add', title: 'Add a rule', effects: 'writes', tool: false },
  { id: 'flightdeck.policy.changes', title: 'Show what waits of the policy', effects: 'reads', tool: false },
  { id: 'flightdeck.policy.rehearse', title: 'Rehearse a rule', effects: 'reads', tool: false },
  { id: 'flightdeck.policy.reject', title: 'Put the policy back', effects: 'writes', tool: false },
  { id: 'flightdeck.policy.remove', title: 'Remove a rule', effects: 'writes', tool: false },
  { id: 'flightdeck.policy.show', title: 'Show the policy', effects: 'reads', tool: false },
  { id: 'flightdeck.policy.test', title: 'Test the policy', effects: 'reads', tool: true },
  { id: 'flightdeck.terminal.attach', title: 'Attach to a terminal', effects: 'executes', tool: false },
  { id: 'flightdeck.terminal.exec', title: 'Run a program', effects: 'executes', tool: false },
  { id: 'flightdeck.terminal.follow', title: 'Follow output', effects: 'reads', tool: false },
  { id: 'flightdeck.terminal.history', title: 'Command history', effects: 'reads', tool: true },
  { id: 'flightdeck.terminal.keys', title: 'Type into a terminal', effects: 'executes', tool: true },
  { id: 'flightdeck.terminal.kill', title: 'End a terminal', effects: 'destructive', tool: true },
  { id: 'flightdeck.terminal.lease', title: 'Hold the controls', effects: 'writes', tool: true },
  { id: 'flightdeck.terminal.list', title: 'List terminals', effects: 'reads', tool: true },
  { id: 'flightdeck.terminal.new', title: 'New terminal', effects: 'executes', tool: true },
  { id: 'flightdeck.terminal.pin', title: 'Keep a terminal', effects: 'writes', tool: true },
  { id: 'flightdeck.terminal.read', title: 'Read output', effects: 'reads', tool: true },
  { id: 'flightdeck.terminal.remove', title: 'Remove a terminal', effects: 'destructive', tool: false },
  { id: 'flightdeck.terminal.resize', title: 'Resize a terminal', effects: 'writes', tool: true },
  { id: 'flightdeck.terminal.run', title: 'Run a command', effects: 'executes', tool: true },
  { id: 'flightdeck.terminal.screen', title: 'Look at the screen', effects: 'reads', tool: true },
  { id: 'flightdeck.terminal.search', title: 'Search output', effects: 'reads', tool: true },
  { id: 'flightdeck.terminal.signal', title: 'Send a signal', effects: 'destructive', tool: true },
  { id: 'flightdeck.terminal.times', title: 'When output came', effects: 'reads', tool: false },
  { id: 'flightdeck.terminal.wait', title: 'Wait for a condition', effects: 'reads', tool: true },
  { id: 'flightdeck.terminal.watch', title: 'Watch a terminal', effects: 'reads', tool: false },
  { id: 'flightdeck.workbench.clear_highlights', title: 'Clear all highlights', effects: 'writes', tool: false },
  { id: 'flightdeck.workbench.close_tab', title: 'Close a tab', effects: 'writes', tool: false },
  { id: 'flightdeck.workbench.document', title: 'Get a document', effects: 'reads', tool: false },
  { id: 'flightdeck.workbench.edit', title: 'Edit a document', effects: 'writes', tool: false },
  { id: 'flightdeck.workbench.move_tab', title: 'Move a tab', effects: 'writes', tool: false },
  { id: 'flightdeck.workbench.pin', title: 'Pin a pane', effects: 'writes', tool: false },
  { id: 'flightdeck.workbench.resolve', title: 'Resolve a conflict', effects: 'destructive', tool: false },
  { id: 'flightdeck.workbench.save', title: 'Save a document', effects: 'writes', tool: false },
  { id: 'flightdeck.workbench.snapshot', title: 'Show the workbench', effects: 'reads', tool: false },
  { id: 'flightdeck.workbench.state', title: 'Show the panes', effects: 'reads', tool: false },
  { id: 'flightdeck.workbench.view', title: 'Tell the view', effects: 'writes', tool: false },
  { id: 'flightdeck.workbench.watch', title: 'Watch the workbench', effects: 'reads', tool: false },
  { id: 'list_tabs', title: 'List tabs', effects: 'reads', tool: true },
  { id: 'memory_terminal', title: 'Terminal (headless, older)', effects: 'executes', tool: true },
  { id: 'memory_terminal_interactive', title: 'Terminal', effects: 'executes', tool: true },
  { id: 'memory_terminal_vscode', title: 'Terminal (visible, older)', effects: 'executes', tool: true },
  { id: 'openspace.editor.clear_highlight', title: 'Clear a highlight', effects: 'writes', tool: true },
  { id: 'openspace.editor.close', title: 'Close an editor', effects: 'writes', tool: true },
  { id: 'openspace.editor.highlight', title: 'Highlight code', effects: 'writes', tool: true },
  { id: 'openspace.editor.open', title: 'Open a file in the editor', effects: 'writes', tool: true },
  { id: 'openspace.editor.read_file', title: 'Read a file as the editor has it', effects: 'reads', tool: true },
  { id: 'openspace.editor.scroll_to', title: 'Scroll to a line', effects: 'writes', tool: true },
  { id: 'openspace.file.list', title: 'List files', effects: 'reads', tool: true },
  { id: 'openspace.file.read', title: 'Read a file', effects: 'reads', tool: true },
  { id: 'openspace.file.search', title: 'Search files', effects: 'reads', tool: true },
  { id: 'openspace.file.undo', title: 'Undo a write', effects: 'writes', tool: true },
  { id: 'openspace.file.write', title: 'Write a file', effects: 'destructive', tool: true },
  { id: 'openspace.pane.close', title: 'Close a pane', effects: 'writes', tool: true },
  { id: 'openspace.pane.focus', title: 'Focus a pane', effects: 'writes', tool: true },
  { id: 'openspace.pane.list', title: 'List panes', effects: 'reads', tool: true },
  { id: 'openspace.pane.open', title: 'Open a pane', effects: 'writes', tool: true },
  { id: 'openspace.pane.resize', title: 'Resize a pane', effects: 'writes', tool: true },
  { id: 'openspace.terminal.close', title: 'Close a terminal', effects: 'destructive', tool: true },
  { id: 'openspace.terminal.create', title: 'Create a terminal', effects: 'executes', tool: true },
  { id: 'openspace.terminal.list', title: 'List terminals', effects: 'reads', tool: true },
  { id: 'openspace.terminal.read_output', title: 'Read terminal output', effects: 'reads', tool: true },
  { id: 'openspace.terminal.send', title: 'Send text to a terminal', effects: 'executes', tool: true },
  { id: 'read_logs_from_tab', title: 'Read a tab\'s log', effects: 'reads', tool: true },
  { id: 'set_history_limit', title: 'Limit the history of tabs', effects: 'writes', tool: true },
  { id: 'start_process', title: 'Start a process in a tab', effects: 'executes', tool: true },
  { id: 'stop_process', title: 'Stop a process in a tab', effects: 'destructive', tool: true },
  { id: 'stream_logs_from_tab', title: 'Stream a tab\'s log', effects: 'reads', tool: true },
] as const;
