//! One thread, one connection, no runtime in between: what a measurement needs of the hub's client.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use flightdeck_client::blocking::{Connection, Message};
use flightdeck_contract::control::CallId;
use flightdeck_contract::terminal::TerminalEvent;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Longer than any measurement should take; a hub that hangs must not hang the benchmark.
const PATIENCE: Duration = Duration::from_mins(5);

#[derive(Debug)]
pub struct Client(Connection);

impl Client {
    pub fn connect(socket: &Path) -> anyhow::Result<Self> {
        let connection =
            Connection::open(socket, "bench").with_context(|| format!("no hub at {}", socket.display()))?;
        connection.set_patience(Some(PATIENCE))?;
        Ok(Client(connection))
    }

    /// Calls a command and waits for its result.
    pub fn call<T: DeserializeOwned>(&mut self, command: &str, args: &impl Serialize) -> anyhow::Result<T> {
        self.0.call(command, args).with_context(|| command.to_owned())
    }

    /// Begins a call that streams.
    pub fn begin(&mut self, command: &str, args: &impl Serialize) -> anyhow::Result<CallId> {
        Ok(self.0.begin(command, args)?)
    }

    /// The next event of the only call that is under way.
    pub fn next(&mut self) -> anyhow::Result<(TerminalEvent, Vec<u8>)> {
        loop {
            match self.0.next()? {
                Message::Event(_, event, bytes) => return Ok((serde_json::from_value(event)?, bytes)),
                Message::Credit(..) => {}
                other => bail!("no event came: {other:?}"),
            }
        }
    }

    /// Sends input to a call.
    pub fn input(&mut self, id: CallId, bytes: &[u8]) -> anyhow::Result<()> {
        Ok(self.0.input(id, bytes)?)
    }
}
