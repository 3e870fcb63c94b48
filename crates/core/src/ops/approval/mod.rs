//! `flightdeck.approval.*`: what waits for a person's yes, for front ends.

mod answer;
mod list;
mod watch;

use crate::registry::Command;

pub(super) fn commands() -> Vec<Command> {
    vec![answer::command(), list::command(), watch::command()]
}
