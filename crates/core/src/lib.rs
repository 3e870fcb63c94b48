//! The hub: one workspace's terminals behind one door.
//!
//! Every surface decodes a call, hands it to [`Hub::call`] and encodes what comes back. Nothing else is public of
//! what a caller could do, so no surface can go around it.

mod aside;
mod call;
mod convert;
mod hub;
mod meta;
mod ops;
mod output;
mod records;
mod running;
mod workspace;

pub use call::{Call, CancelSource, Cancelled, Data, call};
pub use hub::{Hub, OpenError, Status, Stop};
pub use workspace::{Workspace, WorkspaceError};
