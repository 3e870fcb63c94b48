//! Errors as callers see them: a stable code for programs, words for people and agents, and what to do next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What went wrong, for programs. A code never changes its meaning and is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// An argument is missing, unknown, or out of range.
    InvalidArgument,
    /// There is no command of that name.
    UnknownCommand,
    /// There is no terminal of that name.
    TerminalNotFound,
    /// The terminal has ended.
    TerminalEnded,
    /// Another command runs in the terminal.
    TerminalBusy,
    /// The terminal holds no shell.
    NotAShell,
    /// The command has no terminal to type into.
    NoTerminal,
    /// The shell did not show a prompt.
    NoPrompt,
    /// The program does not read its input.
    InputNotRead,
    /// The folder to start in does not exist or is no folder.
    CwdMissing,
    /// There is no such program.
    ProgramNotFound,
    /// The program is there but can't be executed.
    ProgramNotExecutable,
    /// Some processes could not be ended.
    StillRunning,
    /// The port that was waited for is held by a process of another program; whose it is stands in the details.
    PortTaken,
    /// The machine's limit of open files or processes is reached.
    ResourceLimit,
    /// The disk is full or can't be written.
    Storage,
    /// The keeper is gone.
    KeeperLost,
    /// Tabs are to run in tmux, and it is not installed.
    TmuxMissing,
    /// Tabs are to run in tmux, and it is too old.
    TmuxTooOld,
    /// tmux did not do what was asked, or does not answer.
    TmuxFailed,
    /// The hub and the caller, or the hub and the keeper, are of versions that don't understand each other.
    VersionMismatch,
    /// Somebody else holds the controls of the terminal.
    LeaseHeld,
    /// Several terminals have that title.
    Ambiguous,
    /// Too many calls of one agent are waiting already.
    TooManyCalls,
    /// An agent calls faster than it may.
    RateLimited,
    /// An agent made as many calls in one turn as it may.
    TurnLimit,
    /// This caller may not do that.
    NotAllowed,
    /// HTTP is not served.
    NotServed,
    /// The call was given up by its caller.
    Cancelled,
    /// The hub is about to end; what runs in terminals goes on.
    HubStopping,
    /// There is no action of that name in the terminal contract, or its old name is not taken any more.
    InvalidAction,
    /// The mode is unknown or can't be had here.
    InvalidMode,
    /// The command is no whole text for its shell; where, and what is missing or misplaced, is in the details.
    SyntaxError,
    /// The policy does not let the command run.
    Blocked,
    /// A person was asked and said no.
    Declined,
    /// A person was asked and did not answer in time.
    ApprovalExpired,
    /// A person would have to be asked, and nobody can be.
    ApprovalUnavailable,
    /// It did not come to its end in the time that the caller gave it.
    TimedOut,
    /// The connection was lost before the answer came.
    Disconnected,
    /// There is no question of that name.
    ApprovalNotFound,
    /// Somebody else has answered the question already.
    ApprovalSettled,
    /// The user does not want agents to do this kind of thing.
    ConsentDeclined,
    /// The policy file can't be read, so nothing can be decided by it.
    PolicyInvalid,
    /// There is no such file or folder.
    FileNotFound,
    /// The path can't be one of a file in the workspace.
    BadPath,
    /// The path leads out of the workspace.
    OutsideWorkspace,
    /// The file holds secrets, so it is not read.
    SensitiveFile,
    /// The file may not be written.
    ProtectedFile,
    /// It is a folder, a device, a pipe or a socket.
    NotAFile,
    /// It is not a folder.
    NotAFolder,
    /// The file is not text.
    BinaryFile,
    /// The file is text in an encoding that is not known.
    UnknownEncoding,
    /// There is more of it than can be taken.
    TooLarge,
    /// The file is not what the caller takes it for; the current version is in the details.
    StaleVersion,
    /// The system does not permit it.
    PermissionDenied,
    /// There is no write that could be taken back.
    NothingToUndo,
    /// A person has changed the file in the editor and not saved it.
    UnsavedChanges,
    /// There is no such pane.
    PaneNotFound,
    /// The file is not open in an editor.
    EditorNotOpen,
    /// There is no such highlight.
    HighlightNotFound,
    /// The layout has no room for it.
    LayoutImpossible,
    /// The text has changed so much that an edit of it can't be placed any more.
    EditTooOld,
    /// It is documented, and not there yet.
    NotSupported,
    /// Another IDE carries out the commands.
    BridgeTaken,
    /// The IDE that carries out the commands is gone.
    BridgeGone,
    /// The IDE that carries out the commands could not do it.
    BridgeFailed,
    /// There is no conversation of that name.
    ChatNotFound,
    /// The agent can't do that now: it works on a prompt, waits for a sign-in, or is gone.
    ChatNotReady,
    /// The agent has answered with an error; its words are in the message.
    AgentFailed,
    /// The conversation has used what it may.
    BudgetExhausted,
    /// Something that should not happen.
    Internal,
}

impl ErrorCode {
    /// The code as programs see it.
    pub fn name(self) -> String {
        match serde_json::to_value(self) {
            Ok(Value::String(name)) => name,
            _ => "internal".to_owned(),
        }
    }
}

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
#[serde(rename_all = "camelCase")]
pub struct Error {
    /// For programs.
    pub code: ErrorCode,
    /// What happened, in a sentence.
    pub message: String,
    /// What to do next, where there is something to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The same for programs: who holds the lease, when to try again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<Value>>,
}

impl Error {
    /// An error without a hint.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Error { code, message: message.into(), hint: None, details: None }
    }

    /// The same error with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same error with facts that a program can use.
    #[must_use]
    pub fn details(mut self, details: Value) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    /// An argument that can't be taken; names the field.
    pub fn invalid(field: &str, problem: impl std::fmt::Display) -> Self {
        Error::new(ErrorCode::InvalidArgument, format!("{field}: {problem}"))
    }
}
