//! Requests and results of the `openspace.*` commands, in the words of their document.

mod bridge;
mod editor;
mod file;
mod pane;
mod shown;
mod terminal;

pub use bridge::*;
pub use editor::*;
pub use file::*;
pub use pane::*;
pub use shown::Shown;
pub use terminal::*;
