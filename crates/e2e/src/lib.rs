//! Drives the real `flightdeck` binary as people and programs do: over its command line, its socket, and a terminal.
//!
//! A [`Deck`] is a workspace of its own with everything that belongs to it in one temporary folder. When it goes, it
//! ends its hub and checks that nothing is left: no process, no socket.

mod binary;
mod command;
mod deck;
pub mod processes;
mod pty;
mod socket;
mod terminals;
mod wait;

pub use command::{Invocation, Outcome};
pub use deck::Deck;
pub use pty::Pty;
pub use socket::{Event, Socket};
pub use wait::wait_until;

/// The shells that have an integration, and the plain one that has markers only.
pub const SHELLS: [&str; 4] = ["bash", "zsh", "fish", "dash"];
/// How long anything may take that should take a moment: the machine may be busy.
pub const SOON: std::time::Duration = std::time::Duration::from_secs(20);
