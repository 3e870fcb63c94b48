//! Requests for a person's yes: what a person sees of them, how they are answered, and what is told about them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ApprovalId, TerminalId};

/// A command that waits for a person's yes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// Its name in answers.
    pub id: ApprovalId,
    /// Who asks: `claude-code#3`.
    pub agent: String,
    /// What it called: `flightdeck.terminal.run`.
    pub call: String,
    /// The command as it would run.
    pub command: String,
    /// Where it would run.
    pub cwd: String,
    /// Variables that the agent sets for it, as `NAME=value`; secrets are hidden.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// Whether another command can be put in its place.
    #[serde(default)]
    pub editable: bool,
    /// In which terminal, when it is an existing one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<TerminalId>,
    /// The simple commands in it, in order, with what is dangerous about each.
    pub pieces: Vec<ApprovalPiece>,
    /// The rule that asks.
    pub rule: String,
    /// Why it asks.
    pub reason: String,
    /// Whether it is dangerous, or only not known to be safe.
    pub dangerous: bool,
    /// How far a yes can reach.
    pub scopes: Vec<Scope>,
    /// The rule that `always` would add.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<OfferedRule>,
    /// When it was asked, in milliseconds since 1970.
    pub asked_at_ms: i64,
    /// When it lapses.
    pub expires_at_ms: i64,
    /// The id that the agent follows its call by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// One simple command of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalPiece {
    /// Its text.
    pub text: String,
    /// Where it begins in the command, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// How deep it is nested.
    pub depth: usize,
    /// What is dangerous about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub danger: Option<String>,
}

/// A rule as it would be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OfferedRule {
    /// In words: `git push with any further words`.
    pub words: String,
    /// As it would stand in the policy file.
    pub toml: String,
}

/// How far a yes reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// This one time.
    #[default]
    Once,
    /// The same command in this terminal.
    Terminal,
    /// The same command of this agent, until it disconnects.
    Session,
    /// From now on, by a rule in the policy file.
    Always,
}

impl Scope {
    /// All of them, the narrowest first.
    pub const ALL: [Scope; 4] = [Scope::Once, Scope::Terminal, Scope::Session, Scope::Always];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Once => "once",
            Scope::Terminal => "terminal",
            Scope::Session => "session",
            Scope::Always => "always",
        }
    }
}

/// Lists what waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListApprovals {}

/// What waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Approvals {
    /// Oldest first.
    pub approvals: Vec<Approval>,
    /// How many front ends with a person are attached. With none, nothing waits: it is refused at once.
    pub attended: usize,
}

/// A yes or a no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// It may run.
    Approve,
    /// It may not.
    Decline,
}

/// Answers a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnswerApproval {
    /// Which one.
    pub id: ApprovalId,
    /// Yes or no.
    pub choice: Choice,
    /// How far a yes reaches; `once` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// With a yes: run this instead. It reaches no further than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// With a no: why, for the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// An answer that counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answered {
    /// What was answered.
    pub id: ApprovalId,
    /// How it ended.
    pub outcome: Outcome,
    /// The name of the rule that was added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A person said yes.
    Approved,
    /// A person said no.
    Declined,
    /// Nobody answered in time.
    Expired,
    /// The agent gave up or left.
    Withdrawn,
}

impl Outcome {
    /// Its name in the audit log and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Approved => "approved",
            Outcome::Declined => "declined",
            Outcome::Expired => "expired",
            Outcome::Withdrawn => "withdrawn",
        }
    }
}

/// Tells, in data frames, what waits and how it ended: one [`ApprovalEvent`] a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WatchApprovals {
    /// A person is here and will answer: as long as this call lasts, agents' requests wait instead of being refused.
    pub attend: bool,
}

/// What a watcher is told. The first frame is a snapshot; another one follows whenever a watcher fell behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ApprovalEvent {
    /// Everything that waits now.
    Snapshot {
        /// Oldest first.
        approvals: Vec<Approval>,
    },
    /// Something new waits.
    Pending {
        /// What.
        approval: Box<Approval>,
    },
    /// Something waits no more.
    Settled {
        /// What.
        id: ApprovalId,
        /// How it ended.
        outcome: Outcome,
        /// Who answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// What they said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}
