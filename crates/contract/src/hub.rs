//! Requests and results about the hub itself, and its audit log.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How the hub stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HubStatus")]
pub struct Status {
    /// The hub's process.
    pub pid: u32,
    /// The keeper's process.
    pub keeper_pid: u32,
    /// The root folder.
    pub workspace: String,
    /// The branch of git that it is on, where it is a repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The hub's socket.
    pub socket: String,
    /// Where HTTP is served, when it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpStatus>,
    /// The file with the token that HTTP asks for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_file: Option<String>,
    /// Where hubs of containers are served, when they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bridge: Option<BridgeStatus>,
    /// How this program is started: by its name where that finds it, else by its path.
    pub program: String,
    /// The hub's version.
    pub version: String,
    /// The keeper's version.
    pub keeper_version: String,
    /// How many terminals run.
    pub running: usize,
    /// How many are known in all.
    pub terminals: usize,
    /// The agents that are connected.
    pub agents: Vec<String>,
    /// Where logs and records are kept.
    pub state: String,
    /// What new tabs run in.
    pub tabs: TabsStatus,
    /// What is wrong with the settings file, where, and what counts instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings_problem: Option<String>,
    /// The policy files that say something else than what is in force.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy: Vec<crate::policy::PolicyNotice>,
    /// What has happened to the database outside of the hub, until a person has acknowledged it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub database: Vec<DatabaseProblem>,
}

/// Something that has happened to the database outside of the hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseProblem {
    /// What happened, for programs.
    pub kind: DatabaseProblemKind,
    /// What happened and what follows from it, for people.
    pub text: String,
    /// What to do.
    pub hint: String,
    /// When the hub noticed it, in milliseconds since 1970.
    pub noticed_at_ms: i64,
    /// Where the old database is, if it could be kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<String>,
}

/// What has happened to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DatabaseProblemKind {
    /// It was gone, and a new one was begun.
    Lost,
    /// It, or a part of it, can't be read.
    Damaged,
    /// Another one was in its place.
    Replaced,
    /// It is an older copy, or the end of its audit log was cut.
    RolledBack,
    /// Its audit log is not the one that was written.
    Rewritten,
    /// The file that would tell was removed, so that none of these can be ruled out.
    Unwitnessed,
    /// It was removed or replaced while the hub runs, which goes on writing into what nobody can find any more.
    Removed,
}

impl DatabaseProblemKind {
    /// Its name, as it is on the wire.
    pub fn name(self) -> &'static str {
        match self {
            DatabaseProblemKind::Lost => "lost",
            DatabaseProblemKind::Damaged => "damaged",
            DatabaseProblemKind::Replaced => "replaced",
            DatabaseProblemKind::RolledBack => "rolled_back",
            DatabaseProblemKind::Rewritten => "rewritten",
            DatabaseProblemKind::Unwitnessed => "unwitnessed",
            DatabaseProblemKind::Removed => "removed",
        }
    }
}

/// Ends the warnings about the database: a person knows of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcknowledgeDatabase {}

/// Warnings about the database that have ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DatabaseAcknowledged {
    /// What they were.
    pub database: Vec<DatabaseProblem>,
}

/// Where hubs of containers are served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BridgeStatus {
    /// The address and the port.
    pub address: String,
    /// The file with the token that a container needs.
    pub token_file: String,
}

/// What new tabs run in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TabsStatus {
    /// `tmux`, `pty`, or `none` when tmux is asked for and can't be used.
    pub backend: String,
    /// Why, in words.
    pub why: String,
}

/// Where HTTP is served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HttpStatus {
    /// `http://127.0.0.1:21034`; MCP is at `/mcp` below it.
    pub url: String,
}

/// A link into the workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    /// It works once, for two minutes.
    pub url: String,
}

/// A code by which a person vouches for a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PairingCode {
    /// `K7QM-2RXD`. It works once.
    pub code: String,
    /// For how long.
    pub expires_in_seconds: u64,
}

/// Makes the caller one of the front ends of the person who has given it a code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The code that a trusted front end shows.
    pub code: String,
}

/// What counts as a person's from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Paired {
    /// This process and all that it starts, until it ends. Without it, the connection alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// The name of its program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
}

/// Nothing to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Empty {}

/// Ends the hub.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StopHub {
    /// Its terminals too.
    pub all: bool,
}

/// A hub that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stopping {
    /// Its process.
    pub pid: u32,
    /// How many terminals were ended.
    pub ended: usize,
}

/// Reads the audit log. What is given narrows the choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AuditQuery {
    /// Calls from this time on, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since_ms: Option<i64>,
    /// Calls before this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<i64>,
    /// A part of the name of who called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// How the command begins, or a pattern with `*`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The terminal that it was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminal: Option<String>,
    /// `ok`, `failed`, or an error code. A command that ended with another exit code than 0 has failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// A part of any of its texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How many at most; 100 when absent, 10000 at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// What came after this entry, oldest first, instead of the newest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// With `after`: wait for something new when there is nothing yet, for at most so many milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
}

/// A part of the audit log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditPage {
    /// Oldest first.
    pub calls: Vec<AuditCall>,
    /// What to give as `after` to go on.
    pub next: u64,
}

/// A call as the audit log has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditCall {
    /// The number of its first entry.
    pub seq: u64,
    /// When it began, in milliseconds since 1970.
    pub at_ms: i64,
    /// Who called.
    pub actor: String,
    /// Through which door: `control`, `mcp-stdio`, `mcp-http`.
    pub surface: String,
    /// What was called.
    pub command: String,
    /// With which arguments, as JSON text; secrets are hidden.
    pub args: String,
    /// What the policy said.
    pub decision: String,
    /// The rule that decided.
    pub rule: String,
    /// Why.
    pub reason: String,
    /// `ok`, an error code, `running`, or `interrupted` when the hub ended in the middle of it.
    pub result: String,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How long it took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<f64>,
    /// The id that the caller follows it by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// The terminal that it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<String>,
    /// What it ran, when it ran a command and waited for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<AuditRun>,
    /// The call as a sentence for people, without its subject.
    #[serde(default)]
    pub summary: Vec<SummaryPart>,
    /// Whether the call took effect, as far as its result tells; one that was cut off may have.
    #[serde(default)]
    pub took_effect: bool,
}

/// A part of the sentence about a call: `ran `, `npm test`, ` in `, `t3`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SummaryPart {
    /// Plain words.
    Text {
        /// The words, with the spaces around them.
        text: String,
    },
    /// Something literal: a pattern, a command that runs in no terminal, an id.
    Code {
        /// What it says.
        text: String,
    },
    /// A command that ran in the terminal of the call.
    Command {
        /// Its text.
        text: String,
    },
    /// A terminal.
    Terminal {
        /// Its id.
        id: String,
    },
    /// A file of the workspace.
    File {
        /// Its path, as it was given.
        path: String,
        /// The line in it, from 1 on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u64>,
    },
}

impl std::fmt::Display for SummaryPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SummaryPart::Text { text } | SummaryPart::Code { text } | SummaryPart::Command { text } => {
                f.write_str(text)
            }
            SummaryPart::Terminal { id } => f.write_str(id),
            SummaryPart::File { path, line: None } => f.write_str(path),
            SummaryPart::File { path, line: Some(line) } => write!(f, "{path}:{line}"),
        }
    }
}

/// What a call ran or decided about. How a command ended that went on is told as it is known when the log is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AuditRun {
    /// The command that a person has put in the place of the one that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited: Option<String>,
    /// The exit code; absent when the command went on, or nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The command goes on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub running: bool,
    /// Its number among the commands of its terminal, where a shell ran it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<u64>,
    /// What an answer was about: the command that an agent wanted to run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
}

/// Whether the audit log is as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditVerified {
    /// Nothing was changed, removed or added.
    pub intact: bool,
    /// How many entries there are.
    pub entries: u64,
    /// The number of the oldest that is kept.
    pub first_seq: u64,
    /// The number of the newest.
    pub last_seq: u64,
    /// The hash of the newest: whoever notes it elsewhere can tell later that nothing before it was written anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// What is wrong, and where first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What has happened to the database outside of the hub, until a person has acknowledged it. The log is not intact then,
    /// even if its own entries fit together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub database: Vec<DatabaseProblem>,
}

/// How the last `openspace.*` calls of agents ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallResults {
    /// The last 20 of each agent, oldest first.
    pub results: Vec<CallResult>,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CallResult {
    /// Whose call it was.
    pub agent: String,
    /// Which command.
    pub command: String,
    /// The file, pane or terminal that it was about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Whether it did what was asked.
    pub success: bool,
    /// What went wrong, for programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<crate::ErrorCode>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// When, in milliseconds since 1970.
    pub at_ms: i64,
}

/// The commands that there are now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandList {
    /// By id.
    pub commands: Vec<CommandInfo>,
}

/// A command, for a palette or a client that is not built with the hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandInfo {
    /// Its name in calls.
    pub id: String,
    /// A few words for people.
    pub title: String,
    /// What it does.
    pub description: String,
    /// `reads`, `writes`, `destructive` or `executes`.
    pub effects: String,
    /// Whether agents get it as a tool.
    pub tool: bool,
    /// Whether it is refused to everybody but people.
    #[serde(default)]
    pub people_only: bool,
    /// The JSON schema of its arguments.
    pub input: Map<String, Value>,
    /// The JSON schema of what agents get as its result.
    pub output: Map<String, Value>,
}
