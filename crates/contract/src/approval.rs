//! Requests for a person's yes: what a person sees of them, how they are answered, and what is told about them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::policy::PolicyNotice;
use crate::terminal::Done;
use crate::{ApprovalId, Resumes, TerminalId};

/// Something that waits for a person's yes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// Its name in answers.
    pub id: ApprovalId,
    /// Who asks: `claude-code#3`.
    pub agent: String,
    /// What it called: `flightdeck.terminal.run`.
    pub call: String,
    /// Where it comes from, when that is not this machine. It would run here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// What it is about.
    pub subject: Subject,
    /// In which terminal, when it is an existing one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<TerminalId>,
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

/// A container that something comes from, by what it says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// Its name.
    pub container: String,
    /// The folder that its hub serves.
    pub workspace: String,
    /// The address that it came from, as this machine sees it.
    pub address: String,
}

/// What an approval is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Subject {
    /// A command that would run.
    Command(CommandSubject),
    /// What an agent asks by itself, with answers of its own.
    Permission(PermissionSubject),
    /// A file that would be written.
    FileWrite(FileWriteSubject),
}

impl Subject {
    /// The command that would run, when it is one.
    pub fn command(&self) -> Option<&CommandSubject> {
        match self {
            Subject::Command(command) => Some(command),
            Subject::Permission(_) | Subject::FileWrite(_) => None,
        }
    }

    /// The answers that can be chosen from; none when it is a yes or a no.
    pub fn options(&self) -> &[PermissionOption] {
        match self {
            Subject::Permission(permission) => &permission.options,
            Subject::Command(_) | Subject::FileWrite(_) => &[],
        }
    }
}

/// A command that would run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandSubject {
    /// The command as it would run.
    pub text: String,
    /// Where it would run.
    pub cwd: String,
    /// Variables that the agent sets for it, as `NAME=value`; secrets are hidden.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// Whether another command can be put in its place.
    #[serde(default)]
    pub editable: bool,
    /// The simple commands in it, in order, with what is dangerous about each.
    pub pieces: Vec<ApprovalPiece>,
}

/// What an agent asks by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PermissionSubject {
    /// What it wants to do, in its own words.
    pub title: String,
    /// What kind of deed it says that is: `edit`, `execute`, `fetch`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deed: Option<String>,
    /// The answers it understands.
    pub options: Vec<PermissionOption>,
    /// What would change, as a unified diff.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    /// The files that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<String>,
}

/// An answer to an agent's own question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PermissionOption {
    /// Its name in answers.
    pub id: String,
    /// What a person reads.
    pub name: String,
    /// What it means.
    pub kind: OptionKind,
}

/// What an answer to an agent's own question means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OptionKind {
    /// Yes, this time.
    AllowOnce,
    /// Yes, and the agent does not ask again.
    AllowAlways,
    /// No, this time.
    RejectOnce,
    /// No, and the agent does not ask again.
    RejectAlways,
}

impl OptionKind {
    /// Whether it is a yes or a no.
    pub fn choice(self) -> Choice {
        match self {
            OptionKind::AllowOnce | OptionKind::AllowAlways => Choice::Approve,
            OptionKind::RejectOnce | OptionKind::RejectAlways => Choice::Decline,
        }
    }
}

/// A file that would be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileWriteSubject {
    /// Which file.
    pub path: String,
    /// What would change, as a unified diff.
    pub diff: String,
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
    /// To an agent's own question: the id of the option. The first that says yes, or no, for once when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
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
    /// The question was put away, and nobody said yes or no.
    Dismissed,
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
            Outcome::Dismissed => "dismissed",
            Outcome::Expired => "expired",
            Outcome::Withdrawn => "withdrawn",
        }
    }
}

/// Tells what waits and how it ended, as [`ApprovalEvent`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WatchApprovals {
    /// A person is here and will answer: as long as this call lasts, agents' requests wait instead of being refused.
    pub attend: bool,
}

streams!(WatchApprovals: "flightdeck.approval.watch", ApprovalEvent, Done);

/// Everything that waits comes first, so there is nothing to go on from.
impl Resumes for WatchApprovals {
    fn seen(&mut self, _: &ApprovalEvent) {}
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
        /// The command that they have put in the place of the one that was asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        edited: Option<String>,
    },
    /// A policy file says something else than what is in force, which is for a person to look at. Told when there is such
    /// a file, and whenever that changes.
    Policy {
        /// The files; none when all is in force.
        policy: Vec<PolicyNotice>,
    },
}
