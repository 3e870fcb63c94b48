//! Conversations with agents that the hub runs itself, as front ends see them: who the agent is, what was said, what it does,
//! and the changes that keep a copy right. No word of the protocol that the agent speaks is in here.

mod conversation;
mod entry;
mod event;
mod limits;
mod presets;
mod requests;
mod sessions;
mod terminal;

pub use conversation::{
    Abilities, Accepts, AgentInfo, AuthMethod, Budget, Chat, ChatMode, ChatModes, ChatOption, ChatState, Choosable,
    Cost, OptionValue, Resumable, SlashCommand, Usage,
};
pub use entry::{
    Asked, Block, Entry, EntryContent, Field, FieldKind, FieldLimits, FieldOption, Level, Location, PermissionOutcome,
    PlanStep, Priority, Question, QuestionOutcome, StepStatus, StopReason, ToolCall, ToolContent, ToolKind, ToolStatus,
};
pub use event::{ChatEvent, ChatsEvent};
pub use limits::FieldProblem;
pub use presets::{ListPresets, Preset, Presets};
pub use requests::*;
pub use sessions::*;
pub use terminal::*;
