//! The workbench as front ends and agents see it: panes, editors, documents, highlights, and the numbered changes that
//! keep a front end's copy right.

mod change;
mod document;
mod highlight;
mod layout;
mod percent;
mod requests;
mod viewer;

pub use change::{Change, Numbered, Snapshot};
pub use document::{
    AppliedEdit, BufferVersion, DocumentInfo, EditorInfo, InvalidBufferVersion, Position, Selection, TextChange,
};
pub use highlight::{Color, Highlight, HighlightId, InvalidColor, InvalidHighlightId, Range};
pub use layout::{
    Area, AreaLayout, Child, ContentKind, Direction, Geometry, LayoutNode, PaneInfo, PaneStateSnapshot, SplitDirection,
    TabInfo,
};
pub use percent::{InvalidPercent, Percent};
pub use requests::*;
pub use viewer::{EditorView, Leader, Viewer, Window};
