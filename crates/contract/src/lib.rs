//! The words that Flightdeck and its callers share: ids, requests and results, errors with stable codes, the frames
//! of the hub's socket, and the names of environment variables.
//!
//! Data, but for [`workspace`], which says where a hub and its clients find each other. Nothing here knows how a terminal
//! works, and the engine knows nothing of what is here; the two meet in one conversion file of `core`.

// First, for what it defines is written next to each request.
#[macro_use]
mod stream;

pub mod agents;
pub mod approval;
pub mod canonical;
pub mod chat;
pub mod consent;
pub mod control;
mod environment;
mod error;
pub mod events;
pub mod hub;
mod id;
pub mod openspace;
pub mod policy;
pub mod tabs;
pub mod terminal;
pub mod tool_names;
pub mod workbench;
pub mod workspace;

pub use environment::{RUNTIME_SESSION_VARIABLE, TERMINAL_VARIABLE, TRACE_VARIABLE, WORKSPACE_VARIABLE, pm};
pub use error::{Error, ErrorCode};
pub use id::{
    ApprovalId, ConversationId, EditorId, InvalidApprovalId, InvalidConversationId, InvalidEditorId, InvalidPaneId,
    InvalidPaneTabId, InvalidTerminalId, PaneId, PaneTabId, TerminalId,
};
pub use stream::{Resumes, Streams};
