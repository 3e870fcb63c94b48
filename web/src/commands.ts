// The commands of the hub: arguments and results. Made from their definitions by `make generate`.

export interface CloseTabArgs {
  /** The tab. */
  window_id: string;
}

export interface CloseTabResult {
  /** Nothing of it runs any more. */
  closed: boolean;
}

export interface CreateTabArgs {
  /** A name for people; the shell's when absent. */
  name?: string;
  /** The folder to start in, absolute or relative to the workspace; the workspace when absent. */
  cwd?: string;
  /** Environment variables to set. */
  env?: Record<string, string>;
  /** Use a login shell (as `zsh -l` is), which loads the user's profile. */
  login?: boolean;
}

export interface CreateTabResult {
  /** Its id in all other calls, such as `@3`. */
  window_id: string;
  /** Its name. */
  name: string;
}

export interface ExecuteCommandArgs {
  /** The tab. */
  window_id: string;
  /** The command, as it would be typed. Any length, any number of lines. */
  command: string;
  /** How long to wait for its end; 10000 when absent, 300000 at most. The command goes on after that. */
  timeout_ms?: number;
  /** Remove ANSI sequences; false when absent. */
  strip_ansi?: boolean;
}

export interface ExecuteCommandResult {
  /** Exactly what the command printed. */
  output: string;
  /** Its exit code; absent while it runs. */
  exit_code?: number;
  /** The time was up before its end. It goes on, and stop_process ends it. */
  timed_out: boolean;
  /** So many bytes in the middle of a long output were left out; a line in `output` says how to read them. */
  omitted_bytes?: number;
}

export interface FlightdeckApprovalAnswerArgs {
  /** Which one. */
  id: string;
  /** Yes or no. `approve`: It may run. `decline`: It may not. */
  choice: 'approve' | 'decline';
  /** How far a yes reaches; `once` when absent. `once`: This one time. `terminal`: The same command in this terminal. `session`: The same command of this agent, until it disconnects. `always`: From now on, by a rule in the policy file. */
  scope?: 'once' | 'terminal' | 'session' | 'always';
  /** With a yes: run this instead. It reaches no further than once. */
  command?: string;
  /** With a no: why, for the agent. */
  reason?: string;
}

export interface FlightdeckApprovalAnswerResult {
  /** What was answered. */
  id: string;
  /** How it ended. `approved`: A person said yes. `declined`: A person said no. `expired`: Nobody answered in time. `withdrawn`: The agent gave up or left. */
  outcome: 'approved' | 'declined' | 'expired' | 'withdrawn';
  /** The name of the rule that was added. */
  rule?: string;
}

export interface FlightdeckApprovalListArgs {
}

export interface FlightdeckApprovalListResult {
  /** Oldest first. */
  approvals: ({
    id: string;
    agent: string;
    call: string;
    command: string;
    cwd: string;
    env?: string[];
    editable: boolean;
    terminal?: string;
    pieces: {
      text: string;
      start: number;
      end: number;
      depth: number;
      danger?: string;
    }[];
    rule: string;
    reason: string;
    dangerous: boolean;
    scopes: ('once' | 'terminal' | 'session' | 'always')[];
    offer?: {
      words: string;
      toml: string;
    };
    askedAtMs: number;
    expiresAtMs: number;
    trace?: string;
  })[];
  /** How many front ends with a person are attached. With none, nothing waits: it is refused at once. */
  attended: number;
}

export interface FlightdeckApprovalWatchArgs {
  /** A person is here and will answer: as long as this call lasts, agents' requests wait instead of being refused. */
  attend?: boolean;
}

export interface FlightdeckApprovalWatchResult {
}

export interface FlightdeckBridgeRegisterArgs {
  /** What the IDE calls itself. */
  name: string;
  /** The id of an earlier registration, to take that one up again after a break. */
  bridgeId?: string;
}

export interface FlightdeckBridgeRegisterResult {
  /** Its id, a secret between the hub and the IDE. */
  bridgeId: string;
  /** The path of the WebSocket over which it gets commands. */
  socket: string;
  /** The commands that it will get. */
  commands: string[];
  /** How long it has for each. */
  timeoutMs: number;
}

export interface FlightdeckBridgeResultArgs {
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

export interface FlightdeckBridgeResultResult {
}

export interface FlightdeckBridgeServeArgs {
  /** The registration. */
  bridgeId: string;
}

export interface FlightdeckBridgeServeResult {
}

export interface FlightdeckBridgeStateArgs {
  /** The registration. */
  bridgeId: string;
  /** Its panes. */
  panes: ({
    id: string;
    area: 'main' | 'right' | 'bottom';
    title: string;
    tabs: {
      id: string;
      contentId: string;
      type: string;
      title: string;
      isDirty?: boolean;
      isActive?: boolean;
    }[];
    activeTab?: string;
    geometry: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    pinned?: boolean;
    createdBy?: string;
  })[];
  /** The one with the keyboard. */
  activePane?: string;
  /** When that was, as RFC 3339. */
  timestamp?: string;
}

export interface FlightdeckBridgeStateResult {
}

export interface FlightdeckConsentSetArgs {
  /** Whether agents may. */
  allow: boolean;
  /** Which version of the text was shown. */
  version: number;
  /** Do not ask again; otherwise the answer counts until the hub ends. */
  remember?: boolean;
}

export interface FlightdeckConsentSetResult {
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

export interface FlightdeckConsentShowArgs {
}

export interface FlightdeckConsentShowResult {
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

export interface FlightdeckFileWritesArgs {
  /** Only those of this file. */
  path?: string;
  /** How many at most; 20 when absent. */
  limit?: number;
}

export interface FlightdeckFileWritesResult {
  /** The latest first. */
  writes: {
    undoId: number;
    path: string;
    actor: string;
    writtenAtMs: number;
    before?: string;
    after?: string;
    undo?: boolean;
  }[];
}

export interface FlightdeckHubAuditArgs {
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
  /** `ok`, `failed`, or an error code. */
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

export interface FlightdeckHubAuditResult {
  /** Oldest first. */
  calls: {
    seq: number;
    atMs: number;
    actor: string;
    surface: string;
    command: string;
    args: string;
    decision: string;
    rule: string;
    reason: string;
    result: string;
    error?: string;
    durationMs?: number;
    trace?: string;
    terminal?: string;
  }[];
  /** What to give as `after` to go on. */
  next: number;
}

export interface FlightdeckHubInstructionsArgs {
}

export interface FlightdeckHubInstructionsResult {
  /** Markdown. */
  text: string;
}

export interface FlightdeckHubLinkArgs {
}

export interface FlightdeckHubLinkResult {
  /** It works once, for two minutes. */
  url: string;
}

export interface FlightdeckHubResultsArgs {
}

export interface FlightdeckHubResultsResult {
  /** The last 20 of each agent, oldest first. */
  results: ({
    agent: string;
    command: string;
    subject?: string;
    success: boolean;
    code?: 'invalid_argument' | 'unknown_command' | 'terminal_not_found' | 'terminal_ended' | 'terminal_busy' | 'not_a_shell' | 'no_terminal' | 'no_prompt' | 'input_not_read' | 'cwd_missing' | 'program_not_found' | 'program_not_executable' | 'still_running' | 'resource_limit' | 'storage' | 'keeper_lost' | 'tmux_missing' | 'tmux_too_old' | 'tmux_failed' | 'version_mismatch' | 'lease_held' | 'ambiguous' | 'too_many_calls' | 'rate_limited' | 'turn_limit' | 'not_allowed' | 'not_served' | 'cancelled' | 'hub_stopping' | 'invalid_action' | 'invalid_mode' | 'blocked' | 'declined' | 'approval_expired' | 'approval_unavailable' | 'timed_out' | 'disconnected' | 'approval_not_found' | 'approval_settled' | 'consent_declined' | 'policy_invalid' | 'file_not_found' | 'bad_path' | 'outside_workspace' | 'sensitive_file' | 'protected_file' | 'not_a_file' | 'not_a_folder' | 'binary_file' | 'unknown_encoding' | 'too_large' | 'stale_version' | 'permission_denied' | 'nothing_to_undo' | 'unsaved_changes' | 'pane_not_found' | 'editor_not_open' | 'highlight_not_found' | 'layout_impossible' | 'edit_too_old' | 'not_supported' | 'bridge_taken' | 'bridge_gone' | 'bridge_failed' | 'internal';
    error?: string;
    atMs: number;
  })[];
}

export interface FlightdeckHubStatusArgs {
}

export interface FlightdeckHubStatusResult {
  /** The hub's process. */
  pid: number;
  /** The keeper's process. */
  keeperPid: number;
  /** The root folder. */
  workspace: string;
  /** The hub's socket. */
  socket: string;
  /** Where HTTP is served, when it is. */
  http?: {
    url: string;
  };
  /** The file with the token that HTTP asks for. */
  tokenFile?: string;
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
  tabs: {
    backend: string;
    why: string;
  };
}

export interface FlightdeckHubStopArgs {
  /** Its terminals too. */
  all?: boolean;
}

export interface FlightdeckHubStopResult {
  /** Its process. */
  pid: number;
  /** How many terminals were ended. */
  ended: number;
}

export interface FlightdeckHubVerifyArgs {
}

export interface FlightdeckHubVerifyResult {
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
}

export interface FlightdeckHubWatchArgs {
}

export interface FlightdeckHubWatchResult {
}

export interface FlightdeckPolicyAddArgs {
  /** Patterns of commands: `cargo test *`. */
  patterns?: string[];
  /** What becomes of them; `allow` when absent. `allow`: They run. `ask`: A person is asked. `block`: They don't run. */
  action?: 'allow' | 'ask' | 'block';
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
}

export interface FlightdeckPolicyAddResult {
  /** Its name. */
  name: string;
  /** As it stands in the file. */
  toml: string;
  /** The file. */
  file: string;
  /** It was there already. */
  known: boolean;
}

export interface FlightdeckPolicyRehearseArgs {
  /** The rule. */
  rule?: {
    patterns?: string[];
    action?: 'allow' | 'ask' | 'block';
    name?: string;
    reason?: string;
    interactiveOnly?: boolean;
    network?: boolean;
    everywhere?: boolean;
  };
  /** Calls from this time on, in milliseconds since 1970; everything when absent. */
  sinceMs?: number;
}

export interface FlightdeckPolicyRehearseResult {
  /** How many commands of the log were looked at. */
  looked_at: number;
  /** Those that would have been decided otherwise, newest last. */
  changed: {
    at_ms: number;
    actor: string;
    command: string;
    times: number;
    before: string;
    after: string;
  }[];
}

export interface FlightdeckPolicyShowArgs {
}

export interface FlightdeckPolicyShowResult {
  /** The files, the user's own first. */
  files: {
    path: string;
    present: boolean;
    problem?: string;
  }[];
  /** The user's rules in force. */
  rules: ({
    name: string;
    action: 'allow' | 'ask' | 'block';
    patterns: string[];
  })[];
  /** How careful each surface is. */
  defaults: {
    surface: string;
    stance: string;
  }[];
}

export interface FlightdeckPolicyTestArgs {
  /** The command. */
  command: string;
  /** Where it would be run; `interactive` when absent. `headless`: Unseen: only what is proven safe. `interactive`: In sight of a person, by the canonical contract. `terminal`: `flightdeck.terminal.*`. `openspace`: `openspace.*`. `tabs`: Tabs. `acp`: Terminals of ACP agents. */
  mode?: 'headless' | 'interactive' | 'terminal' | 'openspace' | 'tabs' | 'acp';
  /** The folder; the workspace when absent. */
  cwd?: string;
}

export interface FlightdeckPolicyTestResult {
  /** `allowed`, `allowed_with_warning`, `needs_approval` or `blocked`. */
  decision: string;
  /** The rule that decided. */
  rule: string;
  /** Why. */
  reason: string;
  /** The simple commands, in order, with what is dangerous about each. */
  pieces: {
    text: string;
    start: number;
    end: number;
    depth: number;
    danger?: string;
  }[];
  /** Why nothing can be proven of it. */
  unproven?: string;
  /** The rule that `always` would add. */
  offer?: {
    words: string;
    toml: string;
  };
}

export interface FlightdeckTerminalAttachArgs {
  /** Which one. */
  id: string;
  /** The caller's window, which the terminal takes over. */
  size?: {
    rows: number;
    cols: number;
  };
}

export interface FlightdeckTerminalAttachResult {
  /** Where it began. */
  from: number;
  /** Where it ended. */
  next: number;
  /** Older output was asked for that is no longer there. */
  truncated: boolean;
  /** The exit code, when the terminal has ended. */
  exitCode?: number;
}

export interface FlightdeckTerminalExecArgs {
  /** What to start and how; `command` is required. */
  terminal?: {
    command?: string[];
    pipes?: boolean;
    stdin?: boolean;
    shell?: string;
    login?: boolean;
    cwd?: string;
    env?: Record<string, string>;
    clearEnv?: boolean;
    title?: string;
    size?: {
      rows: number;
      cols: number;
    };
    logBytes?: number;
    keep?: boolean;
  };
  /** How long to wait for its end; 30 s when absent. It goes on after that. */
  timeoutMs?: number;
  /** End the command, and everything it started, when the time is up. */
  killOnTimeout?: boolean;
  /** How much output to return at most. */
  maxBytes?: number;
  /** Return the bytes as they came. */
  raw?: boolean;
  /** Send the output in data frames while it comes instead of in the result. */
  stream?: boolean;
}

export interface FlightdeckTerminalExecResult {
  /** Where it ran. */
  id: string;
  /** Its output, exactly what it printed; plain text unless `raw` was asked. */
  output?: string;
  /** What it printed on stderr, when it ran on pipes. */
  stderr?: string;
  /** The exit code; absent while it runs. 128 + N when signal N ended it. */
  exitCode?: number;
  /** The signal that ended the process. */
  signal?: string;
  /** The exit code of each stage, when the last pipeline had several. */
  stages?: number[];
  /** The time was up before the command ended. */
  timedOut: boolean;
  /** Whether it still runs. */
  running: boolean;
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
}

export interface FlightdeckTerminalFollowArgs {
  /** Of which terminal. */
  id: string;
  /** From this cursor on; the whole log when neither this nor `lines` is given. */
  from?: number;
  /** From the last so many lines on. */
  lines?: number;
  /** Go on until the terminal ends; otherwise stop at the present end. */
  follow?: boolean;
  /** Plain text instead of the bytes as they came. */
  plain?: boolean;
}

export interface FlightdeckTerminalFollowResult {
  /** Where it began. */
  from: number;
  /** Where it ended. */
  next: number;
  /** Older output was asked for that is no longer there. */
  truncated: boolean;
  /** The exit code, when the terminal has ended. */
  exitCode?: number;
}

export interface FlightdeckTerminalHistoryArgs {
  /** In which one. */
  id: string;
  /** The newest so many; 50 when absent. */
  limit?: number;
  /** Only commands before this number. */
  before?: number;
  /** One command, with its output. */
  number?: number;
  /** With `number`: what changed since the run before of the same command line, as a unified diff. */
  diff?: boolean;
  /** With `number`: how much output to return at most; 64 KiB when absent. */
  maxBytes?: number;
}

export interface FlightdeckTerminalHistoryResult {
  /** The last one may still run. */
  commands: {
    number: number;
    text?: string;
    actor?: string;
    cwd?: string;
    start: number;
    end?: number;
    exitCode?: number;
    stages?: number[];
    startedAt?: number;
    durationMs?: number;
  }[];
  /** Whether there are older ones. */
  more?: boolean;
  /** What the one that was asked for printed, or how that differs from the run before. */
  output?: string;
  /** How many bytes of output were left out in the middle. */
  omittedBytes?: number;
  /** The number of the run before that `output` compares with. */
  comparedWith?: number;
}

export interface FlightdeckTerminalKeysArgs {
  /** Into which terminal. */
  id: string;
  /** Text as it is. */
  text?: string;
  /** Text as a paste, which the program may tell from typing. */
  paste?: string;
  /** Named keys: `Enter`, `C-c`, `Up`, `F5`. */
  keys?: string[];
}

export interface FlightdeckTerminalKeysResult {
  /** The end of the log before the input: what the program answers comes after it. */
  cursor: number;
}

export interface FlightdeckTerminalKillArgs {
  /** Which terminal. */
  id: string;
  /** The first signal: `HUP` when absent. What is left after a grace period gets `KILL`. */
  signal?: string;
  /** How long programs may take to end by themselves; 1500 ms when absent. */
  graceMs?: number;
}

export interface FlightdeckTerminalKillResult {
  /** How many processes were there. */
  processes: number;
  /** How it ended; 128 + N for signal N. */
  exitCode?: number;
}

export interface FlightdeckTerminalLeaseArgs {
  /** Of which terminal. */
  id: string;
  /** What to do; `show` when absent. `show`: Say who holds the controls. `take`: Take them. A person can always do so; an agent only when nobody else holds them. `release`: Hand them back. `wait`: Wait until they are free, and take them. */
  action?: 'show' | 'take' | 'release' | 'wait';
  /** Why, for whoever is refused meanwhile. */
  reason?: string;
  /** With `wait`: how long at most; 30 s when absent. */
  timeoutMs?: number;
}

export interface FlightdeckTerminalLeaseResult {
  /** Who holds it; absent when nobody does. */
  holder?: {
    actor: string;
    human: boolean;
    since: number;
    reason?: string;
  };
  /** Whether the caller may type now. */
  yours: boolean;
  /** With `wait`: the time was up. */
  timedOut?: boolean;
}

export interface FlightdeckTerminalListArgs {
  /** Those that have ended as well. */
  all?: boolean;
}

export interface FlightdeckTerminalListResult {
  /** Oldest first. */
  terminals: ({
    id: string;
    title: string;
    kind: 'shell' | 'command' | 'pipes';
    command: string;
    cwd: string;
    running: boolean;
    exitCode?: number;
    signal?: string;
    lost?: boolean;
    trouble?: string;
    stalled?: boolean;
    foreground?: string;
    input: 'password' | 'line' | 'raw' | 'busy' | 'none';
    altScreen: boolean;
    pid?: number;
    size: {
      rows: number;
      cols: number;
    };
    createdBy: string;
    createdAt: number;
    logStart: number;
    logEnd: number;
    lease?: {
      actor: string;
      human: boolean;
      since: number;
      reason?: string;
    };
    kept?: boolean;
  })[];
}

export interface FlightdeckTerminalNewArgs {
  /** One command with its arguments instead of a shell. */
  command?: string[];
  /** Run the command on pipes, with stdout and stderr apart, instead of a terminal. */
  pipes?: boolean;
  /** With `pipes`: hold stdin open. Text is written to it with flightdeck.terminal.keys; the key C-d ends it. */
  stdin?: boolean;
  /** The shell; `$SHELL` when absent. */
  shell?: string;
  /** Start the shell as a login shell. */
  login?: boolean;
  /** The folder to start in, absolute or relative to the workspace; the workspace when absent. */
  cwd?: string;
  /** Environment variables to set. */
  env?: Record<string, string>;
  /** Start from an empty environment instead of the hub's. */
  clearEnv?: boolean;
  /** A name for people. */
  title?: string;
  /** The size of the window. */
  size?: {
    rows: number;
    cols: number;
  };
  /** How many bytes of output are kept on disk; 256 MiB when absent. */
  logBytes?: number;
  /** Keep it when the agent that started it leaves; otherwise it is ended some minutes later. */
  keep?: boolean;
}

export interface FlightdeckTerminalNewResult {
  /** Its name in all other calls. */
  id: string;
}

export interface FlightdeckTerminalPinArgs {
  /** Which one. */
  id: string;
  /** `false` lets it go with its agent again. */
  keep?: boolean;
}

export interface FlightdeckTerminalPinResult {
}

export interface FlightdeckTerminalReadArgs {
  /** Of which terminal. */
  id: string;
  /** The last so many lines; 100 when neither this nor `from` is given. */
  lines?: number;
  /** Bytes from this cursor on. */
  from?: number;
  /** Bytes up to this cursor. */
  to?: number;
  /** How much at most; 64 KiB when absent. */
  maxBytes?: number;
  /** The bytes as they came, with escape sequences. */
  raw?: boolean;
}

export interface FlightdeckTerminalReadResult {
  /** The text. Bytes that are no UTF-8 are shown as U+FFFD. */
  text: string;
  /** Where it begins. */
  from: number;
  /** Where to go on. */
  next: number;
  /** The end of the log when it was read. */
  end: number;
  /** Older output exists, or existed, that is not in `text`. */
  truncated: boolean;
  /** Whether the first process still runs. */
  running: boolean;
}

export interface FlightdeckTerminalRemoveArgs {
  /** Which one. */
  id: string;
}

export interface FlightdeckTerminalRemoveResult {
}

export interface FlightdeckTerminalResizeArgs {
  /** Of which terminal. */
  id: string;
  /** To this size. */
  size: {
    rows: number;
    cols: number;
  };
}

export interface FlightdeckTerminalResizeResult {
}

export interface FlightdeckTerminalRunArgs {
  /** In the shell of this terminal; in a fresh terminal of its own when absent. */
  id?: string;
  /** The command, as it would be typed. Any length, any number of lines. */
  command: string;
  /** The folder to start in, without `id`; the workspace when absent. */
  cwd?: string;
  /** Environment variables to set, without `id`. */
  env?: Record<string, string>;
  /** How long to wait for its end; 30 s when absent, 300 s at most. The command goes on after that. */
  timeoutMs?: number;
  /** How much output to return at most, head and tail; 64 KiB when absent. */
  maxBytes?: number;
  /** Return the bytes as they came, with escape sequences, instead of plain text. */
  raw?: boolean;
}

export interface FlightdeckTerminalRunResult {
  /** Where it ran. */
  id: string;
  /** Its output, exactly what it printed; plain text unless `raw` was asked. */
  output?: string;
  /** What it printed on stderr, when it ran on pipes. */
  stderr?: string;
  /** The exit code; absent while it runs. 128 + N when signal N ended it. */
  exitCode?: number;
  /** The signal that ended the process. */
  signal?: string;
  /** The exit code of each stage, when the last pipeline had several. */
  stages?: number[];
  /** The time was up before the command ended. */
  timedOut: boolean;
  /** Whether it still runs. */
  running: boolean;
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
}

export interface FlightdeckTerminalScreenArgs {
  /** Of which terminal. */
  id: string;
  /** As ANSI, with colours and cursor, instead of text. */
  ansi?: boolean;
  /** A picture (PNG) as well, for colours and layouts that text can't show. */
  image?: boolean;
}

export interface FlightdeckTerminalScreenResult {
  /** Its text, or ANSI. */
  text: string;
  /** The row of the cursor, from 0. */
  cursorRow: number;
  /** The column of the cursor, from 0. */
  cursorCol: number;
  /** Whether the cursor is shown. */
  cursorVisible: boolean;
  /** The window. */
  size: {
    rows: number;
    cols: number;
  };
  /** Whether a full-screen program is shown. */
  altScreen: boolean;
  /** The title that the program set. */
  title?: string;
  /** What the program waits for. `password`: A line with echo off. `line`: A line. `raw`: Keys. `busy`: Nothing: it is at work. `none`: There is nothing to type into. */
  input: 'password' | 'line' | 'raw' | 'busy' | 'none';
  /** The output that the screen stands for. */
  cursor: number;
  /** The picture that comes beside this, when one was asked for. */
  image?: {
    mimeType: string;
    bytes: number;
  };
}

export interface FlightdeckTerminalSearchArgs {
  /** A regular expression. */
  pattern: string;
  /** One terminal; all of them, those that ended as well, when absent. */
  id?: string;
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

export interface FlightdeckTerminalSearchResult {
  /** Oldest first in each terminal. */
  matches: {
    id: string;
    cursor: number;
    line: string;
    before?: string[];
    after?: string[];
  }[];
  /** There is more: the limit of matches, bytes or time was reached. */
  truncated: boolean;
  /** With `id` and `truncated`: search on from here. */
  next?: number;
  /** How much was searched. */
  searchedBytes: number;
}

export interface FlightdeckTerminalSignalArgs {
  /** To which terminal. */
  id: string;
  /** `INT`, `TERM`, `SIGHUP`, `9`. */
  signal: string;
}

export interface FlightdeckTerminalSignalResult {
}

export interface FlightdeckTerminalWaitArgs {
  /** On which terminal. */
  id: string;
  /** Its process ends. */
  exit?: boolean;
  /** A line of output matches this regular expression. */
  pattern?: string;
  /** A program asks for a line or a password. */
  input?: boolean;
  /** The shell is back at its prompt. */
  prompt?: boolean;
  /** No output for so many milliseconds. */
  quietMs?: number;
  /** Something listens on this local port. */
  port?: number;
  /** Look at output from this cursor on; from now on when absent. */
  from?: number;
  /** How long at most; 30 s when absent. */
  timeoutMs?: number;
}

export interface FlightdeckTerminalWaitResult {
  /** What ended it. `exit`: The process ended. `pattern`: A line matched. `input`: A program asks for input. `prompt`: The shell is at its prompt. `quiet`: Nothing was printed. `port`: The port is open. `timeout`: The time was up. `lost`: The keeper is gone. */
  reason: 'exit' | 'pattern' | 'input' | 'prompt' | 'quiet' | 'port' | 'timeout' | 'lost';
  /** Where to go on. */
  cursor: number;
  /** The line that matched. */
  line?: string;
  /** The exit code, when the process ended. */
  exitCode?: number;
  /** What kind of input is asked for. `password`: A line with echo off. `line`: A line. `raw`: Keys. `busy`: Nothing: it is at work. `none`: There is nothing to type into. */
  input?: 'password' | 'line' | 'raw' | 'busy' | 'none';
}

export interface FlightdeckTerminalWatchArgs {
  /** Which one. */
  id: string;
}

export interface FlightdeckTerminalWatchResult {
}

export interface FlightdeckWorkbenchClearHighlightsArgs {
  /** Of this file: what a person wants when they press Escape. */
  path: string;
}

export interface FlightdeckWorkbenchClearHighlightsResult {
}

export interface FlightdeckWorkbenchCloseTabArgs {
  /** Which tab. */
  tabId: string;
  /** Also when it holds unsaved changes, which are lost then. */
  discard?: boolean;
}

export interface FlightdeckWorkbenchCloseTabResult {
}

export interface FlightdeckWorkbenchDocumentArgs {
  /** A file that is open. */
  path: string;
}

export interface FlightdeckWorkbenchDocumentResult {
  /** Which. */
  path: string;
  /** The state that the text is of: the base of edits. */
  version: number;
  /** The text. */
  text: string;
  /** It holds changes that are not on disk. */
  dirty: boolean;
  /** What is on disk, when that has changed below unsaved changes. */
  theirs?: string;
}

export interface FlightdeckWorkbenchEditArgs {
  /** A file that is open. */
  path: string;
  /** The version that the positions belong to. */
  base: number;
  /** Sorted and not overlapping. */
  changes: {
    from: number;
    to: number;
    insert?: string;
  }[];
  /** A name that the client keeps over reconnects and that nobody else has. */
  client: string;
  /** The client's number of the edit; one that is sent again is not applied again. */
  clientSeq: number;
}

export interface FlightdeckWorkbenchEditResult {
  /** The version that it made. */
  version: number;
  /** As it was applied, in positions of the version before. */
  changes: {
    from: number;
    to: number;
    insert: string;
  }[];
  /** It had been applied before. */
  repeated: boolean;
}

export interface FlightdeckWorkbenchFocusTabArgs {
  /** Which tab. */
  tabId: string;
}

export interface FlightdeckWorkbenchFocusTabResult {
}

export interface FlightdeckWorkbenchMoveTabArgs {
  /** Which tab. */
  tabId: string;
  /** Into this pane, or beside it when `splitDirection` is given. */
  paneId: string;
  /** Before the tab with this index; at the end when absent. */
  index?: number;
  /** Into a new pane beside the given one. `horizontal`: Below the active pane. `vertical`: To the right of the active pane. */
  splitDirection?: 'horizontal' | 'vertical';
}

export interface FlightdeckWorkbenchMoveTabResult {
  /** The pane. An external IDE has names of its own. */
  paneId: string;
}

export interface FlightdeckWorkbenchPinArgs {
  /** Which pane. */
  paneId: string;
  /** Whether it stays when the agent that opened it leaves. */
  pinned: boolean;
}

export interface FlightdeckWorkbenchPinResult {
}

export interface FlightdeckWorkbenchResolveArgs {
  /** A file with unsaved changes that has changed on disk. */
  path: string;
  /** Which text stays. `mine`: The one in the editor. `theirs`: The one on disk. */
  keep: 'mine' | 'theirs';
}

export interface FlightdeckWorkbenchResolveResult {
}

export interface FlightdeckWorkbenchSaveArgs {
  /** A file that is open. */
  path: string;
  /** Also over what somebody else has written meanwhile. */
  overwrite?: boolean;
}

export interface FlightdeckWorkbenchSaveResult {
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

export interface FlightdeckWorkbenchSnapshotArgs {
}

export interface FlightdeckWorkbenchSnapshotResult {
  /** Which life of the hub; numbers of changes count from 0 in each. */
  epoch: number;
  /** The number of the last change that is in it. */
  seq: number;
  /** The areas that hold something. */
  areas: ({
    area: 'main' | 'right' | 'bottom';
    geometry: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    root: unknown;
  })[];
  /** All panes, by id. */
  panes: ({
    id: string;
    area: 'main' | 'right' | 'bottom';
    title: string;
    tabs: ({
      id: string;
      contentId: string;
      type: 'editor' | 'terminal';
      title: string;
      isDirty: boolean;
      isActive: boolean;
      editor?: string;
      createdBy: string;
    })[];
    activeTab: string;
    geometry: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    pinned: boolean;
    active: boolean;
    createdBy: string;
  })[];
  /** The one that has the focus. */
  activePane?: string;
  /** All editors, by id. */
  editors: {
    id: string;
    tab: string;
    path: string;
    cursor: {
      line: number;
      column: number;
    };
    selection?: {
      anchor: {
        line: number;
        column: number;
      };
      head: {
        line: number;
        column: number;
      };
    };
    firstLine: number;
    reveal?: number;
    reveals: number;
  }[];
  /** All documents, by path. Their texts are asked for one by one. */
  documents: {
    path: string;
    version: number;
    loaded: boolean;
    diskVersion?: string;
    dirty: boolean;
    conflict?: string;
    deleted: boolean;
  }[];
  /** All highlights, by document and then by id. */
  highlights: {
    id: string;
    path: string;
    ranges: {
      startLine: number;
      endLine: number;
      startColumn?: number;
      endColumn?: number;
    }[];
    color: string;
    createdBy: string;
  }[];
}

export interface FlightdeckWorkbenchStateArgs {
}

export interface FlightdeckWorkbenchStateResult {
  /** All panes. */
  panes: ({
    id: string;
    area: 'main' | 'right' | 'bottom';
    title: string;
    tabs: {
      id: string;
      contentId: string;
      type: string;
      title: string;
      isDirty: boolean;
      isActive: boolean;
    }[];
    activeTab?: string;
    geometry: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    pinned?: boolean;
    createdBy?: string;
  })[];
  /** The one with the keyboard. */
  activePane?: string;
  /** When, as RFC 3339. An external IDE that has told nothing yet has none. */
  timestamp?: string;
  /** The external IDE whose panes they are. */
  ide?: string;
}

export interface FlightdeckWorkbenchViewArgs {
  /** Which editor. */
  editorId: string;
  /** The cursor. */
  cursor: {
    line: number;
    column: number;
  };
  /** What is selected. */
  selection?: {
    anchor: {
      line: number;
      column: number;
    };
    head: {
      line: number;
      column: number;
    };
  };
  /** The first line that is seen. */
  firstLine: number;
}

export interface FlightdeckWorkbenchViewResult {
}

export interface FlightdeckWorkbenchWatchArgs {
  /** The epoch of the snapshot that the front end has. */
  epoch?: number;
  /** The last change that it has seen. With both, only what it missed is sent. */
  seq?: number;
}

export interface FlightdeckWorkbenchWatchResult {
}

export interface ListTabsArgs {
}

export interface ListTabsResult {
  /** Oldest first. */
  tabs: {
    window_id: string;
    name: string;
    active: boolean;
  }[];
}

export interface MemoryTerminalArgs {
  /** What is to be done: execute, read_output, terminate or list. The others are deprecated. */
  action: 'execute' | 'read_output' | 'terminate' | 'list' | 'run' | 'kill' | 'send' | 'close' | 'create';
  /** How it runs, and what for. Required by `execute`. */
  invocation?: {
    mode?: 'interactive' | 'headless';
    intent?: 'open_only' | 'execute_command';
  };
  /** Names of the call; made up when absent. */
  correlation?: {
    request_id?: string;
    trace_id?: string;
    client_request_id?: string;
  };
  /** Where it runs and how long it is waited for. */
  runtime?: {
    workspace_id?: string;
    cwd?: string;
    timeout_ms?: number;
    adapter_override?: 'local' | 'bundled' | 'container_bridge' | 'auto';
    allow_headless_fallback?: boolean;
    shared?: boolean;
    name?: string;
  };
  /** What to run, for `execute`. */
  execution?: {
    command?: string;
    args?: string[];
    env?: Record<string, string>;
  };
  /** What an earlier call made: for `read_output` and `terminate`, and to run in an open terminal. */
  target?: {
    session_id?: string;
    terminal_id?: string;
  };
  /** Where the call comes from; leave it out. */
  compat?: {
    legacy_action?: 'run' | 'kill' | 'send' | 'close' | 'create' | 'list';
    caller_surface?: 'server' | 'extension' | 'dashboard' | 'chat_button';
  };
  /** Deprecated: `execution.command`. */
  command?: string;
  /** Deprecated: `execution.command`, of the action send. */
  text?: string;
  /** Deprecated: `execution.args`. */
  args?: string[];
  /** Deprecated: `execution.env`. */
  env?: Record<string, string>;
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

export interface MemoryTerminalResult {
  /** Whether the call did what was asked. */
  success: boolean;
  /** The canonical action; null when the request had none. */
  action: 'execute' | 'read_output' | 'terminate' | 'list' | '';
  /** How far it is. `accepted`: It was started and goes on. `completed`: It is done. `failed`: It went wrong. */
  status: 'accepted' | 'completed' | 'failed';
  /** Names of the call. */
  correlation: {
    request_id?: string;
    trace_id?: string;
    client_request_id?: string;
  };
  /** What the request was taken to mean. */
  resolved: {
    canonical_action: 'execute' | 'read_output' | 'terminate' | 'list' | '';
    alias_applied: boolean;
    legacy_action: 'run' | 'kill' | 'send' | 'close' | 'create' | 'list' | '';
    mode: 'interactive' | 'headless' | '';
    tool?: 'memory_terminal_interactive' | 'memory_terminal' | 'memory_terminal_vscode';
  };
  /** The older forms that the request used; absent when there were none. */
  compat?: {
    alias_applied: boolean;
    moved?: {
      from: string;
      to: string;
    }[];
    warning?: string;
  };
  /** What the call made or went to: the target of later calls. */
  identity?: {
    session_id?: string;
    terminal_id?: string;
  };
  /** What came of it. */
  result?: {
    authorization?: 'allowed' | 'allowed_with_warning' | 'blocked';
    warning?: string;
    stdout?: string;
    stderr?: string;
    exit_code?: number;
    running?: boolean;
    items?: ({
      session_id: string;
      terminal_id?: string;
      mode: 'interactive' | 'headless';
      command?: string;
      cwd: string;
      running: boolean;
      exit_code?: number;
      created_by: string;
      shared: boolean;
    })[];
    timed_out?: boolean;
    truncated?: boolean;
    omitted_bytes?: number;
  };
  /** What went wrong; null when nothing did. */
  error: unknown;
  /** What to do now; only there when something went wrong. */
  fallback?: {
    strategy: 'reject_no_retry' | 'report_decline' | 'suggest_retry_headless_or_interactive' | 'suggest_reconnect_retry' | 'fallback_to_headless_if_allowed' | 'reject_with_safety_hint' | 'refresh_list_then_retry' | 'deterministic_internal_fallback';
    next_action: 'execute' | 'read_output' | 'terminate' | 'list' | 'none';
    recommended_mode: 'interactive' | 'headless';
    user_message: string;
    can_auto_retry: boolean;
  };
}

export interface MemoryTerminalInteractiveArgs {
  /** What is to be done: execute, read_output, terminate or list. The others are deprecated. */
  action: 'execute' | 'read_output' | 'terminate' | 'list' | 'run' | 'kill' | 'send' | 'close' | 'create';
  /** How it runs, and what for. Required by `execute`. */
  invocation?: {
    mode?: 'interactive' | 'headless';
    intent?: 'open_only' | 'execute_command';
  };
  /** Names of the call; made up when absent. */
  correlation?: {
    request_id?: string;
    trace_id?: string;
    client_request_id?: string;
  };
  /** Where it runs and how long it is waited for. */
  runtime?: {
    workspace_id?: string;
    cwd?: string;
    timeout_ms?: number;
    adapter_override?: 'local' | 'bundled' | 'container_bridge' | 'auto';
    allow_headless_fallback?: boolean;
    shared?: boolean;
    name?: string;
  };
  /** What to run, for `execute`. */
  execution?: {
    command?: string;
    args?: string[];
    env?: Record<string, string>;
  };
  /** What an earlier call made: for `read_output` and `terminate`, and to run in an open terminal. */
  target?: {
    session_id?: string;
    terminal_id?: string;
  };
  /** Where the call comes from; leave it out. */
  compat?: {
    legacy_action?: 'run' | 'kill' | 'send' | 'close' | 'create' | 'list';
    caller_surface?: 'server' | 'extension' | 'dashboard' | 'chat_button';
  };
  /** Deprecated: `execution.command`. */
  command?: string;
  /** Deprecated: `execution.command`, of the action send. */
  text?: string;
  /** Deprecated: `execution.args`. */
  args?: string[];
  /** Deprecated: `execution.env`. */
  env?: Record<string, string>;
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

export interface MemoryTerminalInteractiveResult {
  /** Whether the call did what was asked. */
  success: boolean;
  /** The canonical action; null when the request had none. */
  action: 'execute' | 'read_output' | 'terminate' | 'list' | '';
  /** How far it is. `accepted`: It was started and goes on. `completed`: It is done. `failed`: It went wrong. */
  status: 'accepted' | 'completed' | 'failed';
  /** Names of the call. */
  correlation: {
    request_id?: string;
    trace_id?: string;
    client_request_id?: string;
  };
  /** What the request was taken to mean. */
  resolved: {
    canonical_action: 'execute' | 'read_output' | 'terminate' | 'list' | '';
    alias_applied: boolean;
    legacy_action: 'run' | 'kill' | 'send' | 'close' | 'create' | 'list' | '';
    mode: 'interactive' | 'headless' | '';
    tool?: 'memory_terminal_interactive' | 'memory_terminal' | 'memory_terminal_vscode';
  };
  /** The older forms that the request used; absent when there were none. */
  compat?: {
    alias_applied: boolean;
    moved?: {
      from: string;
      to: string;
    }[];
    warning?: string;
  };
  /** What the call made or went to: the target of later calls. */
  identity?: {
    session_id?: string;
    terminal_id?: string;
  };
  /** What came of it. */
  result?: {
    authorization?: 'allowed' | 'allowed_with_warning' | 'blocked';
    warning?: string;
    stdout?: string;
    stderr?: string;
    exit_code?: number;
    running?: boolean;
    items?: ({
      session_id: string;
      terminal_id?: string;
      mode: 'interactive' | 'headless';
      command?: string;
      cwd: string;
      running: boolean;
      exit_code?: number;
      created_by: string;
      shared: boolean;
    })[];
    timed_out?: boolean;
    truncated?: boolean;
    omitted_bytes?: number;
  };
  /** What went wrong; null when nothing did. */
  error: unknown;
  /** What to do now; only there when something went wrong. */
  fallback?: {
    strategy: 'reject_no_retry' | 'report_decline' | 'suggest_retry_headless_or_interactive' | 'suggest_reconnect_retry' | 'fallback_to_headless_if_allowed' | 'reject_with_safety_hint' | 'refresh_list_then_retry' | 'deterministic_internal_fallback';
    next_action: 'execute' | 'read_output' | 'terminate' | 'list' | 'none';
    recommended_mode: 'interactive' | 'headless';
    user_message: string;
    can_auto_retry: boolean;
  };
}

export interface MemoryTerminalVscodeArgs {
  /** What is to be done: execute, read_output, terminate or list. The others are deprecated. */
  action: 'execute' | 'read_output' | 'terminate' | 'list' | 'run' | 'kill' | 'send' | 'close' | 'create';
  /** How it runs, and what for. Required by `execute`. */
  invocation?: {
    mode?: 'interactive' | 'headless';
    intent?: 'open_only' | 'execute_command';
  };
  /** Names of the call; made up when absent. */
  correlation?: {
    request_id?: string;
    trace_id?: string;
    client_request_id?: string;
  };
  /** Where it runs and how long it is waited for. */
  runtime?: {
    workspace_id?: string;
    cwd?: string;
    timeout_ms?: number;
    adapter_override?: 'local' | 'bundled' | 'container_bridge' | 'auto';
    allow_headless_fallback?: boolean;
    shared?: boolean;
    name?: string;
  };
  /** What to run, for `execute`. */
  execution?: {
    command?: string;
    args?: string[];
    env?: Record<string, string>;
  };
  /** What an earlier call made: for `read_output` and `terminate`, and to run in an open terminal. */
  target?: {
    session_id?: string;
    terminal_id?: string;
  };
  /** Where the call comes from; leave it out. */
  compat?: {
    legacy_action?: 'run' | 'kill' | 'send' | 'close' | 'create' | 'list';
    caller_surface?: 'server' | 'extension' | 'dashboard' | 'chat_button';
  };
  /** Deprecated: `execution.command`. */
  command?: string;
  /** Deprecated: `execution.command`, of the action send. */
  text?: string;
  /** Deprecated: `execution.args`. */
  args?: string[];
  /** Deprecated: `execution.env`. */
  env?: Record<string, string>;
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

export interface MemoryTerminalVscodeResult {
  /** Whether the call did what was asked. */
  success: boolean;
  /** The canonical action; null when the request had none. */
  action: 'execute' | 'read_output' | 'terminate' | 'list' | '';
  /** How far it is. `accepted`: It was started and goes on. `completed`: It is done. `failed`: It went wrong. */
  status: 'accepted' | 'completed' | 'failed';
  /** Names of the call. */
  correlation: {
    request_id?: string;
    trace_id?: string;
    client_request_id?: string;
  };
  /** What the request was taken to mean. */
  resolved: {
    canonical_action: 'execute' | 'read_output' | 'terminate' | 'list' | '';
    alias_applied: boolean;
    legacy_action: 'run' | 'kill' | 'send' | 'close' | 'create' | 'list' | '';
    mode: 'interactive' | 'headless' | '';
    tool?: 'memory_terminal_interactive' | 'memory_terminal' | 'memory_terminal_vscode';
  };
  /** The older forms that the request used; absent when there were none. */
  compat?: {
    alias_applied: boolean;
    moved?: {
      from: string;
      to: string;
    }[];
    warning?: string;
  };
  /** What the call made or went to: the target of later calls. */
  identity?: {
    session_id?: string;
    terminal_id?: string;
  };
  /** What came of it. */
  result?: {
    authorization?: 'allowed' | 'allowed_with_warning' | 'blocked';
    warning?: string;
    stdout?: string;
    stderr?: string;
    exit_code?: number;
    running?: boolean;
    items?: ({
      session_id: string;
      terminal_id?: string;
      mode: 'interactive' | 'headless';
      command?: string;
      cwd: string;
      running: boolean;
      exit_code?: number;
      created_by: string;
      shared: boolean;
    })[];
    timed_out?: boolean;
    truncated?: boolean;
    omitted_bytes?: number;
  };
  /** What went wrong; null when nothing did. */
  error: unknown;
  /** What to do now; only there when something went wrong. */
  fallback?: {
    strategy: 'reject_no_retry' | 'report_decline' | 'suggest_retry_headless_or_interactive' | 'suggest_reconnect_retry' | 'fallback_to_headless_if_allowed' | 'reject_with_safety_hint' | 'refresh_list_then_retry' | 'deterministic_internal_fallback';
    next_action: 'execute' | 'read_output' | 'terminate' | 'list' | 'none';
    recommended_mode: 'interactive' | 'headless';
    user_message: string;
    can_auto_retry: boolean;
  };
}

export interface OpenspaceEditorClearHighlightArgs {
  /** Its name. */
  highlightId: string;
}

export interface OpenspaceEditorClearHighlightResult {
}

export interface OpenspaceEditorCloseArgs {
  /** The file. */
  path: string;
}

export interface OpenspaceEditorCloseResult {
}

export interface OpenspaceEditorHighlightArgs {
  /** The file. It is opened when it is not open yet. */
  path: string;
  /** What to highlight. */
  ranges: {
    startLine: number;
    endLine: number;
    startColumn?: number;
    endColumn?: number;
  }[];
  /** A name for it; the same name again replaces it. One is made when absent. */
  highlightId?: string;
  /** `yellow`, `green`, `red`, `blue`, `purple`, `orange` or `#rrggbb`; yellow when absent. */
  color?: string;
}

export interface OpenspaceEditorHighlightResult {
  /** Its name, for `openspace.editor.clear_highlight`. */
  highlightId: string;
}

export interface OpenspaceEditorOpenArgs {
  /** The file. */
  path: string;
  /** Go to this line, from 1 on. */
  line?: number;
  /** And to this column, from 1 on. */
  column?: number;
  /** Highlight the line. */
  highlight?: boolean;
}

export interface OpenspaceEditorOpenResult {
  /** The editor. An external IDE has names of its own, or none. */
  editorId?: string;
  /** The pane that it is in. */
  paneId?: string;
  /** The highlight of the line, when one was asked for. */
  highlightId?: string;
}

export interface OpenspaceEditorReadFileArgs {
  /** The file, from the workspace on or as an absolute path in it. */
  path: string;
  /** The first line, from 1 on; the beginning when absent. */
  startLine?: number;
  /** Bytes of the first line to leave out, to go on inside of a long line: `nextOffset` of the answer before. */
  startOffset?: number;
  /** The last line, included; the end when absent. */
  endLine?: number;
  /** How many bytes of text at most; 262144 when absent, 4 at least, 1048576 at most. */
  maxBytes?: number;
}

export interface OpenspaceEditorReadFileResult {
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

export interface OpenspaceEditorScrollToArgs {
  /** A file that is open. */
  path: string;
  /** The line that comes to the middle, from 1 on. */
  line: number;
}

export interface OpenspaceEditorScrollToResult {
}

export interface OpenspaceFileListArgs {
  /** The folder; the workspace when absent. */
  path?: string;
  /** Also what is in its folders, but for what `.gitignore` leaves out. */
  recursive?: boolean;
  /** How many entries at most; 1000 when absent, 10000 at most. */
  maxEntries?: number;
}

export interface OpenspaceFileListResult {
  /** Folders first, then by name. */
  files: ({
    name: string;
    path: string;
    type: 'file' | 'directory' | 'symlink' | 'other';
    size: number;
    modified: number;
    sensitive?: boolean;
  })[];
  /** There are more entries than are here. */
  truncated: boolean;
  /** So many folders could not be looked into. */
  unreadable?: number;
}

export interface OpenspaceFileReadArgs {
  /** The file, from the workspace on or as an absolute path in it. */
  path: string;
  /** The first line, from 1 on; the beginning when absent. */
  startLine?: number;
  /** Bytes of the first line to leave out, to go on inside of a long line: `nextOffset` of the answer before. */
  startOffset?: number;
  /** The last line, included; the end when absent. */
  endLine?: number;
  /** How many bytes of text at most; 262144 when absent, 4 at least, 1048576 at most. */
  maxBytes?: number;
}

export interface OpenspaceFileReadResult {
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

export interface OpenspaceFileSearchArgs {
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

export interface OpenspaceFileSearchResult {
  /** By path and line. */
  matches: {
    path: string;
    line: number;
    column: number;
    text: string;
  }[];
  /** There may be more. */
  truncated: boolean;
  /** Why it ended early. */
  reason?: string;
  /** How many files were looked at. */
  searchedFiles: number;
  /** How many were left out: not text, with secrets, or not readable. */
  skippedFiles: number;
}

export interface OpenspaceFileUndoArgs {
  /** Take back the last write to this file; the last write of all when neither this nor `undoId` is there. */
  path?: string;
  /** Take back just this write. */
  undoId?: number;
}

export interface OpenspaceFileUndoResult {
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

export interface OpenspaceFileWriteArgs {
  /** The file, from the workspace on or as an absolute path in it. Folders that are missing are made. */
  path: string;
  /** All of its new content. Line endings and encoding stay those of the file. */
  content: string;
  /** Write only if the file still has this version, or only if there is none when it is `absent`. */
  expectedVersion?: string;
}

export interface OpenspaceFileWriteResult {
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

export interface OpenspacePaneCloseArgs {
  /** The pane, with all its tabs. Terminals in it go on. */
  paneId: string;
}

export interface OpenspacePaneCloseResult {
}

export interface OpenspacePaneFocusArgs {
  /** The pane. */
  paneId: string;
}

export interface OpenspacePaneFocusResult {
}

export interface OpenspacePaneListArgs {
}

export interface OpenspacePaneListResult {
  /** All panes. */
  panes: ({
    id: string;
    area: 'main' | 'right' | 'bottom';
    title: string;
    tabs: {
      id: string;
      contentId: string;
      type: string;
      title: string;
      isDirty: boolean;
      isActive: boolean;
    }[];
    activeTab?: string;
    geometry: {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    pinned?: boolean;
    createdBy?: string;
  })[];
  /** The one with the keyboard. */
  activePane?: string;
}

export interface OpenspacePaneOpenArgs {
  /** What to show. `editor`: A file. `terminal`: A terminal. `presentation`: Not there yet. `whiteboard`: Not there yet. */
  type: 'editor' | 'terminal' | 'presentation' | 'whiteboard';
  /** The path of a file, or the id or title of a terminal. */
  contentId: string;
  /** A name for people; the file's or terminal's own when absent. */
  title?: string;
  /** A new pane beside the active one, to the right (`vertical`) or below (`horizontal`); a tab of it when absent. `horizontal`: Below the active pane. `vertical`: To the right of the active pane. */
  splitDirection?: 'horizontal' | 'vertical';
}

export interface OpenspacePaneOpenResult {
  /** The pane. An external IDE has names of its own. */
  paneId: string;
}

export interface OpenspacePaneResizeArgs {
  /** The pane. */
  paneId: string;
  /** Its width in percent of the whole. */
  width?: number;
  /** Its height in percent of the whole. */
  height?: number;
}

export interface OpenspacePaneResizeResult {
}

export interface OpenspaceTerminalCloseArgs {
  /** A terminal's id, or its title. */
  terminalId: string;
}

export interface OpenspaceTerminalCloseResult {
}

export interface OpenspaceTerminalCreateArgs {
  /** A name for people, which other calls may use as the terminal's id while it is unique. */
  title?: string;
  /** The folder to start in; the workspace when absent. */
  cwd?: string;
  /** The shell; the user's own when absent. */
  shellPath?: string;
}

export interface OpenspaceTerminalCreateResult {
  /** Its id in all other calls. */
  terminalId: string;
}

export interface OpenspaceTerminalListArgs {
}

export interface OpenspaceTerminalListResult {
  /** Oldest first. */
  terminals: {
    id: string;
    title: string;
    cwd: string;
    running: boolean;
    exitCode?: number;
    lease?: string;
    createdBy: string;
  }[];
}

export interface OpenspaceTerminalReadOutputArgs {
  /** A terminal's id, or its title. */
  terminalId: string;
  /** The last so many lines; 100 when absent, 10000 at most. */
  lines?: number;
}

export interface OpenspaceTerminalReadOutputResult {
  /** What the terminal printed, as plain text. */
  output: string[];
  /** There was more output than fits. */
  truncated: boolean;
}

export interface OpenspaceTerminalSendArgs {
  /** A terminal's id, or its title. */
  terminalId: string;
  /** Text as it is; end it with a newline to run it as a command. */
  text: string;
}

export interface OpenspaceTerminalSendResult {
}

export interface ReadLogsFromTabArgs {
  /** The tab. */
  window_id: string;
  /** So many lines from the end; 500 when absent, 100000 at most. */
  lines?: number;
  /** Remove ANSI sequences; false when absent. */
  strip_ansi?: boolean;
}

export interface ReadLogsFromTabResult {
  /** The lines. The last one may be unfinished, as a prompt is. */
  content: string;
  /** How many lines these are. */
  returned_lines: number;
  /** More lines existed than are returned. */
  truncated: boolean;
}

export interface SetHistoryLimitArgs {
  /** How many lines of output a new tab keeps at least, at 256 bytes a line. */
  lines?: number;
  /** The same in bytes. Give one of the two. */
  bytes?: number;
}

export interface SetHistoryLimitResult {
  /** In lines of 256 bytes. */
  lines: number;
  /** In bytes. */
  bytes: number;
}

export interface StartProcessArgs {
  /** The tab. */
  window_id: string;
  /** The command, which is typed into the tab. */
  command: string;
  /** Press Enter after it; true when absent. With false it is only typed. */
  append_newline?: boolean;
}

export interface StartProcessResult {
  /** Enter was pressed after the command. False when it was only typed. */
  started: boolean;
}

export interface StopProcessArgs {
  /** The tab. */
  window_id: string;
  /** How to stop it; SIGINT when absent. `SIGINT`: As Ctrl-C does it. `SIGTERM`: The signal to the process group in the foreground. */
  signal?: 'SIGINT' | 'SIGTERM';
}

export interface StopProcessResult {
  /** Nothing runs in the foreground of the tab any more. */
  success: boolean;
  /** What still runs. */
  error?: string;
  /** The same for programs. */
  code?: string;
  /** What to do next. */
  hint?: string;
}

export interface StreamLogsFromTabArgs {
  /** The tab. */
  window_id: string;
  /** Where to begin, in bytes since the tab began; 0 when absent. */
  from_byte?: number;
  /** How many bytes to read at most; 65536 when absent, 1048576 at most. */
  max_bytes?: number;
  /** Remove ANSI sequences; false when absent. */
  strip_ansi?: boolean;
}

export interface StreamLogsFromTabResult {
  /** The text. */
  chunk: string;
  /** Where to go on: the next `from_byte`. */
  next_byte: number;
  /** There is no more for now. A tab that is open may print on. */
  eof: boolean;
  /** So many bytes after `from_byte` are gone: only the newest output is kept, and this begins at the oldest of it. */
  gap_bytes?: number;
}

/** Arguments and result of each command. */
export interface Commands {
  /** Close a tab */
  'close_tab': { args: CloseTabArgs; result: CloseTabResult };
  /** Create a tab */
  'create_tab': { args: CreateTabArgs; result: CreateTabResult };
  /** Execute a command in a tab */
  'execute_command': { args: ExecuteCommandArgs; result: ExecuteCommandResult };
  /** Answer an approval */
  'flightdeck.approval.answer': { args: FlightdeckApprovalAnswerArgs; result: FlightdeckApprovalAnswerResult };
  /** List approvals */
  'flightdeck.approval.list': { args: FlightdeckApprovalListArgs; result: FlightdeckApprovalListResult };
  /** Watch approvals */
  'flightdeck.approval.watch': { args: FlightdeckApprovalWatchArgs; result: FlightdeckApprovalWatchResult };
  /** Register an IDE */
  'flightdeck.bridge.register': { args: FlightdeckBridgeRegisterArgs; result: FlightdeckBridgeRegisterResult };
  /** Give the IDE's result */
  'flightdeck.bridge.result': { args: FlightdeckBridgeResultArgs; result: FlightdeckBridgeResultResult };
  /** Serve as the IDE */
  'flightdeck.bridge.serve': { args: FlightdeckBridgeServeArgs; result: FlightdeckBridgeServeResult };
  /** Tell the IDE's state */
  'flightdeck.bridge.state': { args: FlightdeckBridgeStateArgs; result: FlightdeckBridgeStateResult };
  /** Give or take consent */
  'flightdeck.consent.set': { args: FlightdeckConsentSetArgs; result: FlightdeckConsentSetResult };
  /** Show the consent */
  'flightdeck.consent.show': { args: FlightdeckConsentShowArgs; result: FlightdeckConsentShowResult };
  /** List writes */
  'flightdeck.file.writes': { args: FlightdeckFileWritesArgs; result: FlightdeckFileWritesResult };
  /** Audit log */
  'flightdeck.hub.audit': { args: FlightdeckHubAuditArgs; result: FlightdeckHubAuditResult };
  /** Instructions */
  'flightdeck.hub.instructions': { args: FlightdeckHubInstructionsArgs; result: FlightdeckHubInstructionsResult };
  /** Login link */
  'flightdeck.hub.link': { args: FlightdeckHubLinkArgs; result: FlightdeckHubLinkResult };
  /** Show the last results */
  'flightdeck.hub.results': { args: FlightdeckHubResultsArgs; result: FlightdeckHubResultsResult };
  /** Hub status */
  'flightdeck.hub.status': { args: FlightdeckHubStatusArgs; result: FlightdeckHubStatusResult };
  /** Stop the hub */
  'flightdeck.hub.stop': { args: FlightdeckHubStopArgs; result: FlightdeckHubStopResult };
  /** Verify the audit log */
  'flightdeck.hub.verify': { args: FlightdeckHubVerifyArgs; result: FlightdeckHubVerifyResult };
  /** Watch the hub */
  'flightdeck.hub.watch': { args: FlightdeckHubWatchArgs; result: FlightdeckHubWatchResult };
  /** Add a rule */
  'flightdeck.policy.add': { args: FlightdeckPolicyAddArgs; result: FlightdeckPolicyAddResult };
  /** Rehearse a rule */
  'flightdeck.policy.rehearse': { args: FlightdeckPolicyRehearseArgs; result: FlightdeckPolicyRehearseResult };
  /** Show the policy */
  'flightdeck.policy.show': { args: FlightdeckPolicyShowArgs; result: FlightdeckPolicyShowResult };
  /** Test the policy */
  'flightdeck.policy.test': { args: FlightdeckPolicyTestArgs; result: FlightdeckPolicyTestResult };
  /** Attach to a terminal */
  'flightdeck.terminal.attach': { args: FlightdeckTerminalAttachArgs; result: FlightdeckTerminalAttachResult };
  /** Run a program */
  'flightdeck.terminal.exec': { args: FlightdeckTerminalExecArgs; result: FlightdeckTerminalExecResult };
  /** Follow output */
  'flightdeck.terminal.follow': { args: FlightdeckTerminalFollowArgs; result: FlightdeckTerminalFollowResult };
  /** Command history */
  'flightdeck.terminal.history': { args: FlightdeckTerminalHistoryArgs; result: FlightdeckTerminalHistoryResult };
  /** Type into a terminal */
  'flightdeck.terminal.keys': { args: FlightdeckTerminalKeysArgs; result: FlightdeckTerminalKeysResult };
  /** End a terminal */
  'flightdeck.terminal.kill': { args: FlightdeckTerminalKillArgs; result: FlightdeckTerminalKillResult };
  /** Hold the controls */
  'flightdeck.terminal.lease': { args: FlightdeckTerminalLeaseArgs; result: FlightdeckTerminalLeaseResult };
  /** List terminals */
  'flightdeck.terminal.list': { args: FlightdeckTerminalListArgs; result: FlightdeckTerminalListResult };
  /** New terminal */
  'flightdeck.terminal.new': { args: FlightdeckTerminalNewArgs; result: FlightdeckTerminalNewResult };
  /** Keep a terminal */
  'flightdeck.terminal.pin': { args: FlightdeckTerminalPinArgs; result: FlightdeckTerminalPinResult };
  /** Read output */
  'flightdeck.terminal.read': { args: FlightdeckTerminalReadArgs; result: FlightdeckTerminalReadResult };
  /** Remove a terminal */
  'flightdeck.terminal.remove': { args: FlightdeckTerminalRemoveArgs; result: FlightdeckTerminalRemoveResult };
  /** Resize a terminal */
  'flightdeck.terminal.resize': { args: FlightdeckTerminalResizeArgs; result: FlightdeckTerminalResizeResult };
  /** Run a command */
  'flightdeck.terminal.run': { args: FlightdeckTerminalRunArgs; result: FlightdeckTerminalRunResult };
  /** Look at the screen */
  'flightdeck.terminal.screen': { args: FlightdeckTerminalScreenArgs; result: FlightdeckTerminalScreenResult };
  /** Search output */
  'flightdeck.terminal.search': { args: FlightdeckTerminalSearchArgs; result: FlightdeckTerminalSearchResult };
  /** Send a signal */
  'flightdeck.terminal.signal': { args: FlightdeckTerminalSignalArgs; result: FlightdeckTerminalSignalResult };
  /** Wait for a condition */
  'flightdeck.terminal.wait': { args: FlightdeckTerminalWaitArgs; result: FlightdeckTerminalWaitResult };
  /** Watch a terminal */
  'flightdeck.terminal.watch': { args: FlightdeckTerminalWatchArgs; result: FlightdeckTerminalWatchResult };
  /** Clear all highlights */
  'flightdeck.workbench.clear_highlights': { args: FlightdeckWorkbenchClearHighlightsArgs; result: FlightdeckWorkbenchClearHighlightsResult };
  /** Close a tab */
  'flightdeck.workbench.close_tab': { args: FlightdeckWorkbenchCloseTabArgs; result: FlightdeckWorkbenchCloseTabResult };
  /** Get a document */
  'flightdeck.workbench.document': { args: FlightdeckWorkbenchDocumentArgs; result: FlightdeckWorkbenchDocumentResult };
  /** Edit a document */
  'flightdeck.workbench.edit': { args: FlightdeckWorkbenchEditArgs; result: FlightdeckWorkbenchEditResult };
  /** Show a tab */
  'flightdeck.workbench.focus_tab': { args: FlightdeckWorkbenchFocusTabArgs; result: FlightdeckWorkbenchFocusTabResult };
  /** Move a tab */
  'flightdeck.workbench.move_tab': { args: FlightdeckWorkbenchMoveTabArgs; result: FlightdeckWorkbenchMoveTabResult };
  /** Pin a pane */
  'flightdeck.workbench.pin': { args: FlightdeckWorkbenchPinArgs; result: FlightdeckWorkbenchPinResult };
  /** Resolve a conflict */
  'flightdeck.workbench.resolve': { args: FlightdeckWorkbenchResolveArgs; result: FlightdeckWorkbenchResolveResult };
  /** Save a document */
  'flightdeck.workbench.save': { args: FlightdeckWorkbenchSaveArgs; result: FlightdeckWorkbenchSaveResult };
  /** Show the workbench */
  'flightdeck.workbench.snapshot': { args: FlightdeckWorkbenchSnapshotArgs; result: FlightdeckWorkbenchSnapshotResult };
  /** Show the panes */
  'flightdeck.workbench.state': { args: FlightdeckWorkbenchStateArgs; result: FlightdeckWorkbenchStateResult };
  /** Tell the view */
  'flightdeck.workbench.view': { args: FlightdeckWorkbenchViewArgs; result: FlightdeckWorkbenchViewResult };
  /** Watch the workbench */
  'flightdeck.workbench.watch': { args: FlightdeckWorkbenchWatchArgs; result: FlightdeckWorkbenchWatchResult };
  /** List tabs */
  'list_tabs': { args: ListTabsArgs; result: ListTabsResult };
  /** Terminal (headless, older) */
  'memory_terminal': { args: MemoryTerminalArgs; result: MemoryTerminalResult };
  /** Terminal */
  'memory_terminal_interactive': { args: MemoryTerminalInteractiveArgs; result: MemoryTerminalInteractiveResult };
  /** Terminal (visible, older) */
  'memory_terminal_vscode': { args: MemoryTerminalVscodeArgs; result: MemoryTerminalVscodeResult };
  /** Clear a highlight */
  'openspace.editor.clear_highlight': { args: OpenspaceEditorClearHighlightArgs; result: OpenspaceEditorClearHighlightResult };
  /** Close an editor */
  'openspace.editor.close': { args: OpenspaceEditorCloseArgs; result: OpenspaceEditorCloseResult };
  /** Highlight code */
  'openspace.editor.highlight': { args: OpenspaceEditorHighlightArgs; result: OpenspaceEditorHighlightResult };
  /** Open a file in the editor */
  'openspace.editor.open': { args: OpenspaceEditorOpenArgs; result: OpenspaceEditorOpenResult };
  /** Read a file as the editor has it */
  'openspace.editor.read_file': { args: OpenspaceEditorReadFileArgs; result: OpenspaceEditorReadFileResult };
  /** Scroll to a line */
  'openspace.editor.scroll_to': { args: OpenspaceEditorScrollToArgs; result: OpenspaceEditorScrollToResult };
  /** List files */
  'openspace.file.list': { args: OpenspaceFileListArgs; result: OpenspaceFileListResult };
  /** Read a file */
  'openspace.file.read': { args: OpenspaceFileReadArgs; result: OpenspaceFileReadResult };
  /** Search files */
  'openspace.file.search': { args: OpenspaceFileSearchArgs; result: OpenspaceFileSearchResult };
  /** Undo a write */
  'openspace.file.undo': { args: OpenspaceFileUndoArgs; result: OpenspaceFileUndoResult };
  /** Write a file */
  'openspace.file.write': { args: OpenspaceFileWriteArgs; result: OpenspaceFileWriteResult };
  /** Close a pane */
  'openspace.pane.close': { args: OpenspacePaneCloseArgs; result: OpenspacePaneCloseResult };
  /** Focus a pane */
  'openspace.pane.focus': { args: OpenspacePaneFocusArgs; result: OpenspacePaneFocusResult };
  /** List panes */
  'openspace.pane.list': { args: OpenspacePaneListArgs; result: OpenspacePaneListResult };
  /** Open a pane */
  'openspace.pane.open': { args: OpenspacePaneOpenArgs; result: OpenspacePaneOpenResult };
  /** Resize a pane */
  'openspace.pane.resize': { args: OpenspacePaneResizeArgs; result: OpenspacePaneResizeResult };
  /** Close a terminal */
  'openspace.terminal.close': { args: OpenspaceTerminalCloseArgs; result: OpenspaceTerminalCloseResult };
  /** Create a terminal */
  'openspace.terminal.create': { args: OpenspaceTerminalCreateArgs; result: OpenspaceTerminalCreateResult };
  /** List terminals */
  'openspace.terminal.list': { args: OpenspaceTerminalListArgs; result: OpenspaceTerminalListResult };
  /** Read terminal output */
  'openspace.terminal.read_output': { args: OpenspaceTerminalReadOutputArgs; result: OpenspaceTerminalReadOutputResult };
  /** Send text to a terminal */
  'openspace.terminal.send': { args: OpenspaceTerminalSendArgs; result: OpenspaceTerminalSendResult };
  /** Read a tab's log */
  'read_logs_from_tab': { args: ReadLogsFromTabArgs; result: ReadLogsFromTabResult };
  /** Limit the history of tabs */
  'set_history_limit': { args: SetHistoryLimitArgs; result: SetHistoryLimitResult };
  /** Start a process in a tab */
  'start_process': { args: StartProcessArgs; result: StartProcessResult };
  /** Stop a process in a tab */
  'stop_process': { args: StopProcessArgs; result: StopProcessResult };
  /** Stream a tab's log */
  'stream_logs_from_tab': { args: StreamLogsFromTabArgs; result: StreamLogsFromTabResult };
}

/** For a palette. */
export const commands = [
  { id: 'close_tab', title: 'Close a tab', effects: 'destructive', tool: true },
  { id: 'create_tab', title: 'Create a tab', effects: 'executes', tool: true },
  { id: 'execute_command', title: 'Execute a command in a tab', effects: 'executes', tool: true },
  { id: 'flightdeck.approval.answer', title: 'Answer an approval', effects: 'writes', tool: false },
  { id: 'flightdeck.approval.list', title: 'List approvals', effects: 'reads', tool: false },
  { id: 'flightdeck.approval.watch', title: 'Watch approvals', effects: 'reads', tool: false },
  { id: 'flightdeck.bridge.register', title: 'Register an IDE', effects: 'writes', tool: false },
  { id: 'flightdeck.bridge.result', title: 'Give the IDE's result', effects: 'writes', tool: false },
  { id: 'flightdeck.bridge.serve', title: 'Serve as the IDE', effects: 'writes', tool: false },
  { id: 'flightdeck.bridge.state', title: 'Tell the IDE's state', effects: 'writes', tool: false },
  { id: 'flightdeck.consent.set', title: 'Give or take consent', effects: 'writes', tool: false },
  { id: 'flightdeck.consent.show', title: 'Show the consent', effects: 'reads', tool: false },
  { id: 'flightdeck.file.writes', title: 'List writes', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.audit', title: 'Audit log', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.instructions', title: 'Instructions', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.link', title: 'Login link', effects: 'writes', tool: false },
  { id: 'flightdeck.hub.results', title: 'Show the last results', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.status', title: 'Hub status', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.stop', title: 'Stop the hub', effects: 'destructive', tool: false },
  { id: 'flightdeck.hub.verify', title: 'Verify the audit log', effects: 'reads', tool: false },
  { id: 'flightdeck.hub.watch', title: 'Watch the hub', effects: 'reads', tool: false },
  { id: 'flightdeck.policy.add', title: 'Add a rule', effects: 'writes', tool: false },
  { id: 'flightdeck.policy.rehearse', title: 'Rehearse a rule', effects: 'reads', tool: false },
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
  { id: 'flightdeck.terminal.wait', title: 'Wait for a condition', effects: 'reads', tool: true },
  { id: 'flightdeck.terminal.watch', title: 'Watch a terminal', effects: 'reads', tool: false },
  { id: 'flightdeck.workbench.clear_highlights', title: 'Clear all highlights', effects: 'writes', tool: false },
  { id: 'flightdeck.workbench.close_tab', title: 'Close a tab', effects: 'writes', tool: false },
  { id: 'flightdeck.workbench.document', title: 'Get a document', effects: 'reads', tool: false },
  { id: 'flightdeck.workbench.edit', title: 'Edit a document', effects: 'writes', tool: false },
  { id: 'flightdeck.workbench.focus_tab', title: 'Show a tab', effects: 'writes', tool: false },
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
  { id: 'read_logs_from_tab', title: 'Read a tab's log', effects: 'reads', tool: true },
  { id: 'set_history_limit', title: 'Limit the history of tabs', effects: 'writes', tool: true },
  { id: 'start_process', title: 'Start a process in a tab', effects: 'executes', tool: true },
  { id: 'stop_process', title: 'Stop a process in a tab', effects: 'destructive', tool: true },
  { id: 'stream_logs_from_tab', title: 'Stream a tab's log', effects: 'reads', tool: true },
] as const;
