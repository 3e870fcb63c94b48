//! The `openspace.pane.*` commands: what is shown where.

mod close;
mod focus;
mod list;
mod open;
mod resize;

use flightdeck_contract::{Error, ErrorCode, PaneId};

use crate::registry::Command;

pub(super) fn commands() -> Vec<Command> {
    vec![close::command(), focus::command(), list::command(), open::command(), resize::command()]
}

/// The pane that is meant.
fn pane(id: &str) -> Result<PaneId, Error> {
    id.parse().map_err(|_| {
        let shown: String = id.chars().take(40).collect();
        Error::new(ErrorCode::PaneNotFound, format!("there is no pane {shown:?}"))
            .hint("openspace.pane.list lists what is there")
    })
}
