//! The Agent Client Protocol, with Flightdeck as the client: agents that the hub runs speak it over their pipes.
//!
//! ```text
//!   lines of the agent ─► rpc ─► connection ─┬─ session/update ──► updates ──► the conversation
//!                                            ├─ a request ───────► requests ─► Hub::begin, as the agent ─► its answer
//!                                            └─ an answer ───────► handshake, or the end of a turn
//!   orders of people ──────────► connection ──► prompts …  ──► lines to the agent
//! ```
//!
//! Types of the protocol stay in here. The SDK's own connection is not used: it forgets what it has asked with the process,
//! and ours has to go on after the hub was killed. What is open is in [`memory`], kept with the conversation.

mod blocks;
mod budget;
mod command;
mod connection;
mod diff;
mod forms;
mod handshake;
mod mcp_servers;
mod memory;
mod orders;
mod permission;
mod requests;
mod rpc;
mod sessions;
mod settings;
mod updates;

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;

use flightdeck_core::{Driver, Seat};

use connection::Connection;

/// Speaks with agents by the Agent Client Protocol.
#[derive(Debug)]
pub struct Acp {
    program: PathBuf,
}

impl Acp {
    /// `program` is Flightdeck's own, which agents start to reach the hub's tools.
    pub fn new(program: PathBuf) -> Self {
        Acp { program }
    }
}

impl Driver for Acp {
    fn drive(&self, seat: Seat) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(Connection::new(seat, self.program.clone()).run())
    }
}
