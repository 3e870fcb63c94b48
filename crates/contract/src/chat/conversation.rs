//! A conversation but for what was said in it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ApprovalId, ConversationId, TerminalId};

/// A conversation as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Chat {
    /// Its name in all calls.
    pub id: ConversationId,
    /// What it is about: what the agent calls it, or the beginning of the first prompt.
    pub title: String,
    /// Who it is with.
    pub agent: AgentInfo,
    /// The folder that the agent works in.
    pub cwd: String,
    /// Other folders that it may work in, where it can do so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub additional_directories: Vec<String>,
    /// What the agent does or waits for.
    pub state: ChatState,
    /// Why it is said to, in words.
    pub reason: String,
    /// Since when, in milliseconds since 1970.
    pub since_ms: i64,
    /// When it was begun.
    pub created_at_ms: i64,
    /// When something was last said or done in it.
    pub updated_at_ms: i64,
    /// How many prompts there were; the last one's turn has this number.
    pub turn: u32,
    /// The number of the newest entry; 0 when there is none.
    pub last_entry: u64,
    /// When it waits for approval: which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalId>,
    /// When it waits for input: in which terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal: Option<TerminalId>,
    /// The agent's own name for its session, by which it can be taken up again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// How the agent can go on with this conversation when its process has ended.
    pub resumable: Resumable,
    /// What a prompt may hold beside text and mentions of files.
    pub accepts: Accepts,
    /// What else can be asked of the agent.
    #[serde(default)]
    pub abilities: Abilities,
    /// Ways to sign in that the agent offers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub auth: Vec<AuthMethod>,
    /// The modes that the agent can work in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modes: Option<ChatModes>,
    /// What else can be chosen, the model among it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<ChatOption>,
    /// Commands that the agent understands at the beginning of a prompt, as `/name`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<SlashCommand>,
    /// What it has used, where the agent tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// What it may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Budget>,
}

/// Who a conversation is with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentInfo {
    /// The preset, when it was started by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// What it calls itself; the program's name until it has said so.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Its version, once it has said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Its number among the agents that are here, while it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u32>,
}

/// What the agent of a conversation does or waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChatState {
    /// Its process was started, and it has not said yet that it can be prompted.
    Starting,
    /// It wants a person to sign in first: `auth` has the ways.
    WaitsForSignIn,
    /// It can be prompted, and was not yet.
    Ready,
    /// It works on the last prompt.
    Working,
    /// It waits for a person's yes.
    WaitsForApproval,
    /// It waits for a person's answer, or a program that it runs asks for input.
    WaitsForInput,
    /// It has ended its turn, and can be prompted again.
    Done,
    /// It has failed; the reason says how. Its process may still be there.
    Failed,
    /// Its process has ended. What was said is here, and it may be started again.
    Gone,
}

impl ChatState {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            ChatState::Starting => "starting",
            ChatState::WaitsForSignIn => "waits for sign-in",
            ChatState::Ready => "ready",
            ChatState::Working => "working",
            ChatState::WaitsForApproval => "waits for approval",
            ChatState::WaitsForInput => "waits for input",
            ChatState::Done => "done",
            ChatState::Failed => "failed",
            ChatState::Gone => "gone",
        }
    }

    /// Whether a prompt is being worked on.
    pub fn is_busy(self) -> bool {
        matches!(self, ChatState::Working | ChatState::WaitsForApproval | ChatState::WaitsForInput)
    }
}

/// How an agent can go on with a conversation when its process has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Resumable {
    /// It can't, or has not said so: a new session knows nothing of this one.
    #[default]
    No,
    /// It reads its session again, and tells all of it anew.
    Load,
    /// It takes its session up where it was.
    Resume,
}

/// What a prompt may hold beside text and mentions of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accepts {
    /// Pictures.
    pub images: bool,
    /// Sound.
    pub audio: bool,
    /// The text of files, beside their names.
    pub contents: bool,
}

/// What can be asked of an agent beside prompts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct Abilities {
    /// `flightdeck.chat.session.list`.
    pub list_sessions: bool,
    /// `flightdeck.chat.session.delete`.
    pub delete_sessions: bool,
    /// `flightdeck.chat.logout`.
    pub logout: bool,
    /// To work in other folders beside that of the conversation.
    pub additional_directories: bool,
}

/// A way to sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuthMethod {
    /// Its name in `flightdeck.chat.authenticate`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What is run in a terminal to do so, when the agent can't do it by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// Variables that are set for that.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
}

/// The modes that an agent can work in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatModes {
    /// The one that counts.
    pub current: String,
    /// All of them.
    pub available: Vec<ChatMode>,
}

/// A mode that an agent can work in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatMode {
    /// Its name in `flightdeck.chat.mode`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Something that can be chosen of an agent: its model, how long it thinks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatOption {
    /// Its name in `flightdeck.chat.option`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What kind of thing it is: `model`, `mode`, `thought_level`, or a word of the agent's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// What counts now, and what can be chosen.
    #[serde(flatten)]
    pub choosable: Choosable,
}

/// What can be chosen, and what counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Choosable {
    /// One of several values.
    Select {
        /// The one that counts.
        current: String,
        /// All of them.
        values: Vec<OptionValue>,
    },
    /// Yes or no: the values `true` and `false`.
    Switch {
        /// What counts.
        on: bool,
    },
}

/// A value that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OptionValue {
    /// Its name in `flightdeck.chat.option`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The group that it stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// A command that an agent understands at the beginning of a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SlashCommand {
    /// Its name, without the slash.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What is written behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// What a conversation has used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// How many tokens the agent's context holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<u64>,
    /// How many it can hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// How many tokens all turns took together, where the agent tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// What it cost so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// An amount of money.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// How much.
    pub amount: f64,
    /// Of which currency: `USD`.
    pub currency: String,
}

/// What a conversation may use. At four fifths of it a warning is shown; beyond it the turn is cancelled, and none is begun
/// before it is raised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// How many tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// How much money, in the currency that the agent tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}
