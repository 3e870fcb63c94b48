//! The text of a document: a rope, edits that can be rebased, and the difference between two texts.

mod anchor;
mod buffer;
mod delta;
mod diff;
mod placed;

pub(crate) use anchor::{Moved, Span, cursor, region};
pub(crate) use buffer::Buffer;
pub use delta::{Delta, InvalidDelta};
pub(crate) use diff::difference;
pub(crate) use placed::Placed;
