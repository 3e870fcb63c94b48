//! The tables of older names: actions, fields and tools. Nothing else knows them.

use serde_json::{Value, json};

use super::words::{Action, Intent, LegacyAction, Mode, ToolName};

/// What an older action means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) action: Action,
    /// The mode it runs in when it does not say; the tool's own when absent.
    pub(super) mode: Option<Mode>,
    pub(super) intent: Option<Intent>,
    /// The canonical form in words.
    pub(super) instead: &'static str,
}

impl LegacyAction {
    /// What it means.
    pub(super) const fn meaning(self) -> Meaning {
        let (action, mode, intent, instead) = match self {
            LegacyAction::Run => (
                Action::Execute,
                None,
                Some(Intent::ExecuteCommand),
                "execute with invocation.intent execute_command and execution.command",
            ),
            LegacyAction::Kill => (Action::Terminate, None, None, "terminate with target.session_id"),
            LegacyAction::Send => (
                Action::Execute,
                Some(Mode::Interactive),
                Some(Intent::ExecuteCommand),
                "execute with invocation.intent execute_command, execution.command and target.terminal_id",
            ),
            LegacyAction::Close => (Action::Terminate, None, None, "terminate with target.terminal_id"),
            LegacyAction::Create => (
                Action::Execute,
                Some(Mode::Interactive),
                Some(Intent::OpenOnly),
                "execute with invocation.intent open_only",
            ),
            LegacyAction::List => (Action::List, None, None, "list"),
        };
        Meaning { action, mode, intent, instead }
    }
}

/// Where the flat fields of older payloads belong: section and field.
pub(super) const FLAT: &[(&str, &str, &str)] = &[
    ("command", "execution", "command"),
    ("text", "execution", "command"),
    ("args", "execution", "args"),
    ("env", "execution", "env"),
    ("cwd", "runtime", "cwd"),
    ("timeout_ms", "runtime", "timeout_ms"),
    ("timeout", "runtime", "timeout_ms"),
    ("workspace_id", "runtime", "workspace_id"),
    ("name", "runtime", "name"),
    ("session_id", "target", "session_id"),
    ("terminal_id", "target", "terminal_id"),
];

impl ToolName {
    /// The actions that it takes.
    pub(super) const fn actions(self) -> &'static [&'static str] {
        match self {
            ToolName::Interactive => {
                &["execute", "read_output", "terminate", "list", "run", "kill", "send", "close", "create"]
            }
            ToolName::Headless => &["execute", "read_output", "terminate", "list", "run", "kill"],
            ToolName::Vscode => &["create", "send", "close", "list"],
        }
    }

    /// The actions to name to somebody who sent none of them: the canonical ones, where it has them.
    pub(super) const fn offered(self) -> &'static [&'static str] {
        match self {
            ToolName::Interactive | ToolName::Headless => Action::NAMES,
            ToolName::Vscode => self.actions(),
        }
    }

    /// The modes that it can have.
    pub(super) const fn modes(self) -> &'static [&'static str] {
        match self {
            ToolName::Interactive => Mode::NAMES,
            ToolName::Headless => &["headless"],
            ToolName::Vscode => &["interactive"],
        }
    }

    /// The mode of what does not say one.
    pub const fn default_mode(self) -> Mode {
        match self {
            ToolName::Headless => Mode::Headless,
            ToolName::Interactive | ToolName::Vscode => Mode::Interactive,
        }
    }
}

/// Each older action with what to send instead.
pub(super) fn migration() -> Value {
    let each = LegacyAction::ALL.iter().map(|alias| (alias.name().to_owned(), json!(alias.meaning().instead)));
    Value::Object(each.collect())
}
