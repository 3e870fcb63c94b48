//! What the agent of a conversation asks of the hub: terminals with one command each and an append-only transcript, files, and
//! a person's leave.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::approval::PermissionSubject;
use crate::{ConversationId, TerminalId};

/// Starts a command in a terminal of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewChatTerminal {
    /// The conversation.
    pub id: ConversationId,
    /// The agent's own name for this request. A request that was carried out already is answered with the same terminal.
    pub request: String,
    /// The program, or a whole line for a shell when there are no arguments.
    pub command: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Variables to set.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The folder, absolute; that of the conversation when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// How many bytes of output are given at most; older ones are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_limit: Option<u64>,
}

/// A terminal that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatTerminal {
    /// Its name.
    pub terminal: TerminalId,
}

/// Names a terminal of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OfChatTerminal {
    /// The conversation.
    pub id: ConversationId,
    /// The terminal.
    pub terminal: TerminalId,
}

/// Reads the transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ReadChatTerminal(pub OfChatTerminal);

/// Waits for the end of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct WaitForChatTerminal(pub OfChatTerminal);

/// Ends the command; the terminal stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct KillChatTerminal(pub OfChatTerminal);

/// Ends the command if it runs, and gives the terminal up. People can still look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ReleaseChatTerminal(pub OfChatTerminal);

/// Reads what a terminal in a tool call printed, of one that is gone the last that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ReadChatOutput(pub OfChatTerminal);

/// What a command has printed so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Transcript {
    /// Plain text; what was in it once stays in it, but for what the limit takes away at the beginning.
    pub output: String,
    /// Whether something was left out at the beginning.
    pub truncated: bool,
    /// How it ended, when it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<ChatExit>,
}

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatExit {
    /// Its exit code; absent when a signal ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u32>,
    /// The signal that ended it: `SIGTERM`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<String>,
}

/// Asks a person for a conversation's agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskPermission {
    /// The conversation.
    pub id: ConversationId,
    /// The number of the entry that shows it.
    pub entry: u64,
    /// What it is about.
    pub permission: PermissionSubject,
}

/// A person's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PermissionGiven {
    /// The id of the option that was chosen; absent when nobody answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// Who chose it, or why nobody did.
    pub by: String,
}

/// Reads a file, as the person has it in the editor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadChatFile {
    /// The conversation.
    pub id: ConversationId,
    /// The file, absolute or from the workspace on.
    pub path: String,
    /// The first line, from 1 on; the beginning when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// How many lines; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
}

/// The text of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatFile {
    /// The lines that were asked for.
    pub content: String,
}

/// Writes a file, new or old.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriteChatFile {
    /// The conversation.
    pub id: ConversationId,
    /// The file, absolute or from the workspace on.
    pub path: String,
    /// All of its new content.
    pub content: String,
}
