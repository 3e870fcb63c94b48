//! Noting the processes that are clients of MCP over HTTP, so that what they start does not pass for a person's.
//!
//! The kernel tells no process of a TCP connection. It is looked for once for each connection, by who has the socket open;
//! of a client on another machine, or one that nobody may look into, nothing is known.

use std::collections::VecDeque;
use std::sync::Arc;

use flightdeck_core::Hub;
use parking_lot::Mutex;

use crate::origin::{Connection, Guest, Pass, clients_of};

/// How many connections are remembered as looked at.
const MAX_CONNECTIONS: usize = 256;

/// The connections that were looked at, the latest last.
#[derive(Debug)]
pub(super) struct Clients {
    hub: Arc<Hub>,
    known: Mutex<VecDeque<Connection>>,
}

impl Clients {
    pub(super) fn new(hub: Arc<Hub>) -> Self {
        Clients { hub, known: Mutex::default() }
    }

    /// Notes the client, before its request is answered.
    pub(super) async fn note(&self, guest: Guest) {
        // A browser that a person has let in is no agent's client.
        let (Pass::Token, Some(connection)) = (guest.pass, guest.connection) else { return };
        if self.known.lock().contains(&connection) {
            return;
        }
        let hub = Arc::clone(&self.hub);
        let noted = tokio::task::spawn_blocking(move || hub.note_http_clients(&clients_of(connection))).await;
        let mut known = self.known.lock();
        if noted.is_ok() && !known.contains(&connection) {
            if known.len() == MAX_CONNECTIONS {
                known.pop_front();
            }
            known.push_back(connection);
        }
    }
}
