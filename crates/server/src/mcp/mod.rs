//! MCP for agents: the hub's commands as tools, its terminals as resources, over lines (stdio) and over HTTP.
//!
//! ```text
//!   the relay's lines   lines.rs      ┐
//!   HTTP sessions       sessions.rs   ├→  endpoint.rs  →  Hub::call
//!   HTTP, no session    (the SDK)     ┘
//! ```
//!
//! A command that needs a person's yes is put to the client's user where no front end is attached: [`elicitation`] has
//! the question and the answers, [`rounds`] the way of the protocol without sessions.
//!
//! An [`Endpoint`] is one client's view of the hub. The files beside it hold one part of the protocol each. Types of
//! the SDK stay in here, except for the diagnostics of the conformance server ([`extras`]).

mod calls;
mod elicitation;
mod endpoint;
pub mod extras;
mod identity;
mod instructions;
mod lines;
mod long_line;
pub(crate) mod memory;
mod prompts;
mod resources;
mod results;
mod rounds;
pub(crate) mod sessions;
mod spelling;
mod subscriptions;
mod tools;
mod watched;

use std::sync::Arc;

use flightdeck_contract::control::RelayId;
use flightdeck_core::{Entry, Hub, Surface};
use tokio::io::BufReader;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::Mutex;

pub(crate) use endpoint::{Endpoint, Lifetime};
pub use tools::Selection;

use extras::Extras;
use rounds::Rounds;
use spelling::Spelling;

/// What all connections of one surface have in common.
#[derive(Clone, Debug)]
pub(crate) struct Service {
    pub(crate) hub: Arc<Hub>,
    pub(crate) surface: Surface,
    pub(crate) selection: Selection,
    /// How its clients come in, unless a request of theirs says more.
    pub(crate) entry: Entry,
    /// The relay of its one client, when it is on lines.
    pub(crate) relay: Relay,
    /// Calls that wait between two requests of their client.
    pub(crate) rounds: Arc<Rounds>,
    pub(crate) extras: Option<Arc<dyn Extras>>,
}

/// What is known of a relay.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Relay {
    /// What it calls itself to every hub. Older ones have no name.
    pub(crate) id: Option<RelayId>,
    /// Its process, where the kernel has told it.
    pub(crate) pid: Option<u32>,
}

impl Service {
    /// How its clients' tools are spelled.
    fn spelling(&self) -> Spelling<'_> {
        self.selection.spelling(self.hub.registry())
    }
}

/// Serves one client behind the relay: newline-delimited JSON until it hangs up.
pub(crate) async fn serve_lines(
    hub: Arc<Hub>,
    selection: Selection,
    entry: Entry,
    relay: Relay,
    read: BufReader<OwnedReadHalf>,
    write: Arc<Mutex<OwnedWriteHalf>>,
) {
    let (surface, rounds) = (Surface::McpStdio, Arc::default());
    let service = Service { hub, surface, selection, entry, relay, rounds, extras: None };
    let endpoint = Endpoint::new(service, Lifetime::Connection);
    let transport = watched::Watched::new(lines::Lines::new(read, write));
    // An error here is a client that hung up before it said who it is. The state of the SDK's handshake is large, and
    // most connections of the socket never come here.
    if let Ok(running) = Box::pin(rmcp::serve_server(endpoint, transport)).await {
        let _ = running.waiting().await;
    }
}
