//! What is said and done in a conversation: one entry after the other, each with a number of its own.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::approval::PermissionOption;
use crate::{ApprovalId, TerminalId};

/// Something that was said or done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Its number: they begin at 1, grow without gaps, and stand for the order.
    pub number: u64,
    /// The turn that it belongs to; 0 before the first prompt.
    pub turn: u32,
    /// When it began, in milliseconds since 1970.
    pub at_ms: i64,
    /// What it is.
    #[serde(flatten)]
    pub content: EntryContent,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum EntryContent {
    /// A prompt.
    User {
        /// What a person has said.
        blocks: Vec<Block>,
        /// Who: `cli:anna`. Absent for what an agent told again of an earlier session.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// What the agent says, in Markdown. It grows while it speaks.
    Agent {
        /// The text so far.
        text: String,
    },
    /// What the agent thinks, in Markdown. It grows while it thinks.
    Thought {
        /// The text so far.
        text: String,
    },
    /// Something that the agent shows and that is no text.
    Shown {
        /// What.
        block: Block,
    },
    /// What the agent means to do. There is one in a turn; it changes in place.
    Plan {
        /// In order.
        steps: Vec<PlanStep>,
    },
    /// Something that the agent does.
    Tool(Box<ToolCall>),
    /// A question of the agent's whether it may.
    Permission(Box<Asked>),
    /// A question of the agent's with a form.
    Question(Box<Question>),
    /// The end of a turn.
    Ended {
        /// Why the agent stopped.
        reason: StopReason,
        /// How many tokens the turn took, where the agent tells.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tokens: Option<u64>,
    },
    /// Something that Flightdeck has to say.
    Note {
        /// How much it matters.
        level: Level,
        /// In words.
        text: String,
        /// What belongs to it, such as the last lines of the agent's error output.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        details: Option<String>,
    },
}

/// A part of a prompt, or of what an agent shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// Text.
    Text {
        /// In Markdown.
        text: String,
    },
    /// A file of the workspace.
    File {
        /// From the workspace on, or an absolute path in it.
        path: String,
        /// The first line that is meant, from 1 on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
        /// The last line that is meant.
        #[serde(default, skip_serializing_if = "Option::is_none", rename = "endLine")]
        end_line: Option<u32>,
    },
    /// A picture.
    Image {
        /// `image/png`.
        mime: String,
        /// Base64.
        data: String,
    },
    /// Sound.
    Audio {
        /// `audio/wav`.
        mime: String,
        /// Base64.
        data: String,
    },
    /// Something elsewhere.
    Link {
        /// Where.
        uri: String,
        /// Its name for people.
        name: String,
    },
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanStep {
    /// What is to be done.
    pub text: String,
    /// How much it matters.
    pub priority: Priority,
    /// How far it is.
    pub status: StepStatus,
}

/// How much a step matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// Much.
    High,
    /// As most.
    Medium,
    /// Little.
    Low,
}

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// It was not begun.
    Pending,
    /// It is under way.
    InProgress,
    /// It is done.
    Completed,
}

/// Something that an agent does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// The agent's own name for it.
    pub id: String,
    /// What it does, in the agent's words.
    pub title: String,
    /// What kind of deed it is.
    pub tool: ToolKind,
    /// How far it is.
    pub status: ToolStatus,
    /// What there is to see of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub content: Vec<ToolContent>,
    /// The files that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
    /// What the tool was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// What the tool gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
}

impl ToolCall {
    /// One of which nothing is known but its name.
    pub fn new(id: impl Into<String>) -> Self {
        ToolCall {
            id: id.into(),
            title: String::new(),
            tool: ToolKind::default(),
            status: ToolStatus::default(),
            content: Vec::new(),
            locations: Vec::new(),
            input: None,
            output: None,
        }
    }
}

/// What kind of deed a tool call is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// Reads files.
    Read,
    /// Changes files.
    Edit,
    /// Deletes files.
    Delete,
    /// Moves files.
    Move,
    /// Looks for something.
    Search,
    /// Runs a command.
    Execute,
    /// Thinks.
    Think,
    /// Fetches something from elsewhere.
    Fetch,
    /// Changes the agent's mode.
    SwitchMode,
    /// Something else.
    #[default]
    Other,
}

/// How far a tool call is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolStatus {
    /// It was not begun: the agent still writes it, or it waits for a yes.
    #[default]
    Pending,
    /// It is under way.
    InProgress,
    /// It is done.
    Completed,
    /// It has failed.
    Failed,
    /// The turn was cancelled, or the agent is gone, before it came to an end.
    Cancelled,
}

/// Something to see of a tool call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToolContent {
    /// A text, a picture, a file.
    Block {
        /// What.
        block: Block,
    },
    /// What changes in a file.
    Diff {
        /// Which file.
        path: String,
        /// As a unified diff, without a head.
        diff: String,
        /// How many lines are new.
        added: u32,
        /// How many lines are gone.
        removed: u32,
        /// There is more of it than is here.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        truncated: bool,
    },
    /// A terminal of Flightdeck's, live; `flightdeck.terminal.attach` shows it. It can be looked at after the agent has
    /// released it.
    Terminal {
        /// Which.
        terminal: TerminalId,
    },
    /// What a command printed that the agent runs by itself. It grows while it runs.
    Output {
        /// The agent's own name for it.
        id: String,
        /// As it was printed, with control sequences; the last part of it, when it is long.
        text: String,
        /// There was more at the beginning.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        truncated: bool,
        /// How it ended, when it has.
        #[serde(default, skip_serializing_if = "Option::is_none", rename = "exitCode")]
        exit_code: Option<i64>,
        /// The signal that ended it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signal: Option<String>,
    },
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Location {
    /// The file, as the agent names it.
    pub path: String,
    /// The line, from 1 on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// A question of an agent's whether it may.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    /// Its name in `flightdeck.approval.answer`, which settles it, while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalId>,
    /// The tool call that it is about.
    pub tool: String,
    /// What it wants to do, in its own words.
    pub title: String,
    /// The answers it understands.
    pub options: Vec<PermissionOption>,
    /// How it was answered; absent while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<PermissionOutcome>,
}

/// How a question of an agent's was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum PermissionOutcome {
    /// A person chose.
    Chosen {
        /// The id of the option.
        option: String,
        /// Who.
        by: String,
    },
    /// Nobody answered in time, or nobody was there to be asked: the agent was told that it is cancelled.
    Unanswered {
        /// How that came, in words.
        why: String,
    },
    /// The turn was cancelled, or the agent took it back.
    Cancelled,
}

/// A question of an agent's with a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// What is asked.
    pub message: String,
    /// What can be filled in, in order.
    pub fields: Vec<Field>,
    /// A page to open instead of a form. It is opened when a person wants it, and never before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whose page that is: the host of its address, which is shown apart. One that begins with `xn--` in a part of it looks
    /// like another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// What is done on that page is done, as the agent tells.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub completed: bool,
    /// How it was answered; absent while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<QuestionOutcome>,
}

/// A field of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Field {
    /// Its name in answers.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it has to be filled in.
    pub required: bool,
    /// What can be filled in.
    #[serde(flatten)]
    pub kind: FieldKind,
    /// How much of it.
    #[serde(flatten)]
    pub limits: FieldLimits,
    /// What stands in it at first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
}

/// How large, long or many the content of a field may be; both ends count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct FieldLimits {
    /// The smallest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    /// The largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    /// How many characters a text has at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u32>,
    /// How many characters a text has at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// How many values are chosen at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    /// How many values are chosen at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
}

/// What can be filled into a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum FieldKind {
    /// A text.
    Text,
    /// A number.
    Number {
        /// Without a fraction.
        integer: bool,
    },
    /// Yes or no.
    Switch,
    /// One of several values.
    Select {
        /// All of them.
        options: Vec<FieldOption>,
    },
    /// Some of several values.
    Many {
        /// All of them.
        options: Vec<FieldOption>,
    },
}

/// A value that can be chosen in a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldOption {
    /// As it is answered.
    pub value: String,
    /// For people.
    pub title: String,
}

/// How a form was answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum QuestionOutcome {
    /// It was filled in.
    Accepted {
        /// By field.
        values: BTreeMap<String, Value>,
        /// Who.
        by: String,
    },
    /// A person does not want to answer.
    Declined {
        /// Who.
        by: String,
    },
    /// The turn was cancelled, or the agent took it back.
    Cancelled,
}

/// Why an agent stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It has done what it was asked.
    EndTurn,
    /// Its model's answer became too long.
    MaxTokens,
    /// It has asked its model as often as it may in one turn.
    MaxRequests,
    /// It does not want to.
    Refusal,
    /// It was told to.
    Cancelled,
    /// It was told to, because the conversation's budget is used up.
    Budget,
    /// It has failed.
    Failed,
}

/// How much a note matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// To know.
    Info,
    /// To look out for.
    Warning,
    /// Something went wrong.
    Error,
}
