//! What is kept of a terminal beside its log, so that another hub can take it up.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use flightdeck_contract::canonical::Mode;
use flightdeck_contract::tabs::TabNumber;
use flightdeck_contract::terminal::WindowSize;
use flightdeck_contract::{ConversationId, TerminalId};
use flightdeck_keeper::LogLimits;
use flightdeck_term::Program;
use flightdeck_term::session::{Kind, ShellSetup};
use flightdeck_term::shell::{Nonce, ShellKind};
use serde::{Deserialize, Serialize};

use crate::audit::mask;
use crate::store::{Change, Store, StoreError, Terminal, TerminalNumber};

/// A terminal's description.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Meta {
    pub id: TerminalId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub command: Vec<String>,
    pub cwd: PathBuf,
    pub size: WindowSize,
    pub created_by: String,
    pub created_at: f64,
    pub tag: String,
    pub what: What,
    /// How much output is kept.
    pub log_bytes: u64,
    /// A command that was started and awaited by one call: it goes first when old terminals are removed.
    #[serde(default)]
    pub transient: bool,
    /// The name of the agent whose terminal it is, unless it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// What the canonical contract says of it, when it was made by that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical: Option<Canonical>,
    /// The number by which the tab tools know it, when it is a tab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<TabNumber>,
    /// The session of the user's tmux that it is in, when it is in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attached: Option<Attached>,
    /// Its part in a conversation with an agent, when it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<Part>,
}

/// A terminal's part in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Part {
    /// Which conversation.
    pub id: ConversationId,
    /// What it does there.
    pub role: Role,
}

/// What a terminal does in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "role")]
pub(crate) enum Role {
    /// The agent itself runs in it, and its pipes carry what the hub and the agent say to each other. It is nobody's
    /// terminal: whoever could type into it could answer the agent's questions in a person's name.
    Agent,
    /// It runs a command of the agent's.
    Command {
        /// The agent's own name for its request.
        request: String,
        /// How many bytes of output the agent wants at most.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u64>,
    },
    /// It ran a command of the agent's, who has released it. A tool call may still show it.
    Released,
}

/// A tab in a session of the user's tmux.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Attached {
    /// The server.
    pub socket: PathBuf,
    /// The session.
    pub session: String,
    /// Whether the window was made by the user, and not for a caller.
    pub theirs: bool,
    /// Whether the user has let agents use a window of theirs.
    #[serde(default)]
    pub handed_over: bool,
}

/// A session of the canonical contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Canonical {
    /// The name of the agent that made it, or the person.
    pub owner: String,
    /// In whose sight it runs.
    pub mode: Mode,
    /// Whether other agents may see it.
    #[serde(default)]
    pub shared: bool,
    /// Whether it was opened for one command, and not to stay.
    #[serde(default)]
    pub spare: bool,
}

/// What runs in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(crate) enum What {
    Shell { shell: ShellName, nonce: String },
    Command,
    Pipes,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ShellName {
    Bash,
    Zsh,
    Fish,
    Posix,
    Other,
}

impl Meta {
    /// The name for people: the one that it was given, what the program calls it, or the command.
    pub(crate) fn shown_title(&self, by_program: Option<String>) -> String {
        let given = self.title.clone().or(by_program.filter(|title| !title.trim().is_empty()));
        given.map_or_else(|| self.shown_command(), |title| mask::text(&title).into_owned())
    }

    /// What was started, without secrets: everybody may see it.
    pub(crate) fn shown_command(&self) -> String {
        mask::text(&self.command.join(" ")).into_owned()
    }

    /// All terminals that the store knows. One that can't be read was written by another version, and is left alone.
    pub(crate) fn load_all(store: &Store) -> Result<Vec<Self>, StoreError> {
        Ok(store.terminals()?.iter().filter_map(|terminal| serde_json::from_str(&terminal.meta).ok()).collect())
    }

    /// Stores it, in place of what was there. Blocks until that is done.
    pub(crate) fn save(&self, store: &Store) -> Result<(), StoreError> {
        // Our own type holds nothing that JSON can't say.
        let meta = serde_json::to_string(self).unwrap_or_default();
        store.write(Change::PutTerminal(Terminal { number: TerminalNumber(self.id.number()), meta }))
    }

    /// A terminal of which nothing is known but that the keeper holds it, and its folder.
    pub(crate) fn of_a_stranger(id: TerminalId, root: &Path, dir: &Path) -> Self {
        Meta {
            id,
            title: Some("recovered".to_owned()),
            command: vec!["?".to_owned()],
            cwd: root.to_owned(),
            size: WindowSize { rows: 24, cols: 80 },
            created_by: "unknown".to_owned(),
            created_at: made_at(dir),
            tag: String::new(),
            what: What::Command,
            log_bytes: LogLimits::default().total_bytes,
            transient: false,
            owner: None,
            canonical: None,
            tab: None,
            attached: None,
            conversation: None,
        }
    }

    /// The number of the agent that started it. No name of an agent or of a person's front end holds a `#`.
    pub(crate) fn agent_number(&self) -> Option<u32> {
        self.created_by.split_once('#')?.1.parse().ok()
    }

    /// Whether an agent itself runs in it.
    pub(crate) fn holds_agent(&self) -> bool {
        self.conversation.as_ref().is_some_and(|part| part.role == Role::Agent)
    }

    /// Whether nothing else is known of it.
    pub(crate) fn is_stranger(&self) -> bool {
        self.tag.is_empty()
    }

    /// Whether it is a window that the user has made.
    pub(crate) fn is_users_own(&self) -> bool {
        self.attached.as_ref().is_some_and(|attached| attached.theirs)
    }

    /// Whether others than its owner find it by this title.
    pub(crate) fn is_called(&self, title: &str) -> bool {
        self.title.as_deref() == Some(title) && self.canonical.as_ref().is_none_or(|own| own.shared)
    }

    /// The engine's view of what runs in it.
    pub(crate) fn kind(&self, dir: &Path) -> Result<Kind, String> {
        Ok(match &self.what {
            What::Shell { shell, nonce } => Kind::Shell(ShellSetup {
                kind: (*shell).into(),
                nonce: Nonce::parse(nonce).map_err(|error| error.to_string())?,
                dir: dir.join("shell"),
            }),
            What::Command => Kind::Command,
            What::Pipes => Kind::Piped,
        })
    }
}

/// When the oldest of a terminal's files was made. The folder itself may be older: it is one that was made ahead.
fn made_at(dir: &Path) -> f64 {
    let made = |meta: fs::Metadata| meta.created().or_else(|_| meta.modified()).ok();
    let files = dir.read_dir().into_iter().flatten().flatten();
    let oldest = files.filter_map(|file| made(file.metadata().ok()?)).min();
    let time = oldest.or_else(|| made(dir.metadata().ok()?)).unwrap_or_else(SystemTime::now);
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

impl What {
    /// What is known before it is started. A shell counts as a command until its marks are known.
    pub(crate) fn of(program: &Program) -> Self {
        if matches!(program, Program::Piped(..)) { What::Pipes } else { What::Command }
    }
}

impl From<&Kind> for What {
    fn from(kind: &Kind) -> Self {
        match kind {
            Kind::Shell(setup) => What::Shell { shell: setup.kind.into(), nonce: setup.nonce.as_str().to_owned() },
            Kind::Command => What::Command,
            Kind::Piped => What::Pipes,
        }
    }
}

impl From<ShellKind> for ShellName {
    fn from(kind: ShellKind) -> Self {
        match kind {
            ShellKind::Bash => ShellName::Bash,
            ShellKind::Zsh => ShellName::Zsh,
            ShellKind::Fish => ShellName::Fish,
            ShellKind::Posix => ShellName::Posix,
            ShellKind::Other => ShellName::Other,
        }
    }
}

impl From<ShellName> for ShellKind {
    fn from(name: ShellName) -> Self {
        match name {
            ShellName::Bash => ShellKind::Bash,
            ShellName::Zsh => ShellKind::Zsh,
            ShellName::Fish => ShellKind::Fish,
            ShellName::Posix => ShellKind::Posix,
            ShellName::Other => ShellKind::Other,
        }
    }
}
