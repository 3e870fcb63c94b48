//! What happens at a hub, as front ends are told: one stream for terminals, agents and approvals, and by
//! subscription for the audit log and the folders of the workspace.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agents::AgentState;
use crate::approval::Approval;
use crate::hub::AuditCall;
use crate::hub::DatabaseProblem;
use crate::policy::PolicyNotice;
use crate::terminal::{Done, Holder, InputKind, TerminalKind, WindowSize};
use crate::{Resumes, TerminalId};

/// `flightdeck.hub.watch`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WatchHub {
    /// The epoch of the snapshot that the watcher has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u32>,
    /// The last change that it has seen. With both, only what it missed is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// Tell the entries of the audit log too, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<WatchAudit>,
    /// Tell when something comes into one of these folders or goes; relative to the workspace, which is the empty one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub folders: Vec<String>,
    /// Tell nothing but which terminals there are, whenever that changes. It costs next to nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub list: bool,
}

streams!(WatchHub: "flightdeck.hub.watch", HubEvent, Done);

impl Resumes for WatchHub {
    fn seen(&mut self, event: &HubEvent) {
        match event {
            HubEvent::Snapshot { snapshot } => (self.epoch, self.seq) = (Some(snapshot.epoch), Some(snapshot.seq)),
            HubEvent::Changes { changes } => self.seq = changes.last().map(|change| change.seq).or(self.seq),
            HubEvent::Audit { next, .. } => {
                if let Some(audit) = &mut self.audit {
                    audit.after = Some(*next);
                }
            }
            HubEvent::Folders { .. } | HubEvent::List { .. } => {}
        }
    }
}

/// From where on the audit log is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WatchAudit {
    /// After this entry, the `next` of the last event; from now on when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

/// What a watcher is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HubEvent {
    /// Everything; what the watcher has is to be replaced. It comes first, and again for one that fell behind.
    Snapshot {
        /// The state.
        snapshot: HubSnapshot,
    },
    /// Changes, in order.
    Changes {
        /// One after the other.
        changes: Vec<NumberedHubChange>,
    },
    /// With `audit`: what the log has that is new. A call that was running is told again when it has ended.
    Audit {
        /// Oldest first.
        calls: Vec<AuditCall>,
        /// What to give as `after` to go on.
        next: u64,
    },
    /// With `folders`: something came into these or went, or they did. List them again.
    Folders {
        /// As they were given.
        changed: Vec<String>,
    },
    /// With `list`: the terminals that there are.
    List {
        /// Their ids.
        terminals: Vec<TerminalId>,
    },
}

/// A hub as it stands, as far as the watcher may know.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HubSnapshot {
    /// Tells this life of the hub from others.
    pub epoch: u32,
    /// The last change that is in it.
    pub seq: u64,
    /// The terminals, those that have ended as well.
    pub terminals: Vec<TerminalState>,
    /// The agents, for people.
    pub agents: Vec<AgentState>,
    /// What waits for a yes, for people.
    pub approvals: Vec<Approval>,
    /// The policy files that say something else than what is in force, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policy: Vec<PolicyNotice>,
    /// What has happened to the database outside of the hub, for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub database: Vec<DatabaseProblem>,
}

/// A change with its number. Numbers grow; those of changes that the watcher may not know of are left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NumberedHubChange {
    /// Its number.
    pub seq: u64,
    /// What changed.
    pub change: HubChange,
}

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum HubChange {
    /// A terminal was started, or taken up.
    TerminalCreated {
        /// As it is now.
        terminal: TerminalState,
    },
    /// Something about a terminal is different.
    TerminalChanged {
        /// As it is now.
        terminal: TerminalState,
        /// What is different.
        aspects: Vec<Aspect>,
    },
    /// A terminal's program has ended.
    TerminalEnded {
        /// As it is now.
        terminal: TerminalState,
    },
    /// A terminal was removed.
    TerminalGone {
        /// Which.
        id: TerminalId,
    },
    /// An agent came, or does or waits for something else.
    Agent {
        /// As it stands.
        agent: AgentState,
    },
    /// An agent is no longer known.
    AgentForgotten {
        /// What it called itself.
        name: String,
        /// Its number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        number: Option<u32>,
    },
    /// What waits for a person's yes is different.
    Approvals {
        /// All that waits now, oldest first.
        approvals: Vec<Approval>,
    },
    /// A policy file was changed from outside, or what it says is in force again.
    Policy {
        /// The files that say something else than what is in force.
        policy: Vec<PolicyNotice>,
    },
    /// Something has happened to the database outside of the hub, or a person has acknowledged that.
    Database {
        /// What nobody has acknowledged.
        database: Vec<DatabaseProblem>,
    },
}

/// What of a terminal can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// The title.
    Title,
    /// The size, or whose window it follows.
    Size,
    /// The folder.
    Folder,
    /// Whether the shell waits at its prompt.
    Prompt,
    /// The command that runs.
    Command,
    /// It rang.
    Bell,
    /// Who holds the controls.
    Lease,
    /// Whether its output can be written.
    Stall,
    /// What its program asks somebody to type.
    Asks,
}

/// A terminal as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TerminalState {
    /// Its id.
    pub id: TerminalId,
    /// A name for people.
    pub title: String,
    /// What runs in it.
    pub kind: TerminalKind,
    /// The folder that its shell or program is in.
    pub cwd: String,
    /// Its size.
    pub size: WindowSize,
    /// Whose window the size follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_by: Option<String>,
    /// Whether its shell waits at the prompt.
    pub at_prompt: bool,
    /// The command that its shell runs, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running_command: Option<String>,
    /// How often it rang.
    pub bells: u64,
    /// Who holds the controls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<Holder>,
    /// Whether its first process runs.
    pub running: bool,
    /// How that ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The disk takes no more output, and the programs wait.
    pub stalled: bool,
    /// Who started it.
    pub created_by: String,
    /// What the program that an agent runs in it asks somebody to type, until it is answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks: Option<InputRequest>,
}

/// A program waits for somebody to type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InputRequest {
    /// What it waits for.
    pub kind: InputKind,
    /// The agent that runs it: `claude-code#3`.
    pub agent: String,
    /// Since when that is known, in milliseconds since 1970.
    pub since_ms: i64,
}
