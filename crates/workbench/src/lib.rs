//! The workbench as state in the hub: panes and their tabs, editors, the texts of open documents, and highlights. A
//! pure library: no disk, no clock, no threads. The hub reads and watches files, keeps what is stored, and carries the
//! changes to front ends.
//!
//! ```text
//!   actor + operation ──► Workbench ──► Done { value, changes }        or WorkbenchError, and nothing has changed
//!                                         │
//!   front end:  snapshot ── apply(change) ┴─► the same snapshot        numbers without gaps; `since` after a break
//!   disk:       stored ──► restore ──► the same workbench              what is invalid is repaired or dropped, and told
//! ```
//!
//! Each operation is atomic. What front ends are told is made by comparing the state with what they were told before
//! (`publish.rs`) wherever an operation has been. How texts are edited together is in `text/delta.rs`.

mod actor;
mod apply;
mod document;
mod error;
mod layout;
pub mod limits;
mod ops;
mod pane;
mod publish;
mod stored;
mod text;
mod viewers;
mod weight;
mod workbench;

#[cfg(test)]
mod tests;

pub use actor::Actor;
pub use apply::apply;
pub use error::{Risk, WorkbenchError};
pub use ops::{
    BackgroundTab, Destination, Edit, Edited, Expected, MoveTab, Open, OpenEditor, Opened, OpenedEditor, Pin, Resize,
    Resolution, SetHighlight, Side, Unsaved, WriteTo, Written,
};
pub use pane::Content;
pub use publish::{Done, Since};
pub use stored::{Keepable, Restored, Stored};
pub use text::{Delta, InvalidDelta};
pub use workbench::{DocumentText, Workbench};

/// An operation that was carried out, or why not.
pub type Outcome<T> = Result<Done<T>, WorkbenchError>;
