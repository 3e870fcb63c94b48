//! The relay's connection to the hub, without a runtime: a client waits for it when it starts.

use std::io::BufReader;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use flightdeck_client::blocking::{Connection as Control, Message};
use flightdeck_client::{Error, Hub as Found};
use flightdeck_contract::ErrorCode;
use flightdeck_contract::control::{Request, VERSION};

/// How long a hub may take to come.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long the next hub may take to come by itself. `flightdeck restart` is about to start it, and a second one that
/// is quicker, and maybe of the old version, would be in its way.
const SUCCESSION: Duration = Duration::from_millis(500);
const LOOK: Duration = Duration::from_millis(2);

/// A connection on which both directions carry lines.
pub struct Connection {
    pub read: BufReader<UnixStream>,
    pub write: Arc<UnixStream>,
}

/// A hub, and what is wanted of it.
pub struct Hub {
    pub found: Found,
    /// The frame that makes the connection one of MCP.
    pub request: Request,
}

impl Hub {
    /// Connects, and starts the hub if there is none.
    pub fn connect(&self) -> Result<Connection, Error> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.attempt() {
                Ok(connection) => return Ok(connection),
                Err(error) if error.hub().is_some() || Instant::now() > deadline => return Err(error),
                // Either none is there, or one that is about to end took the connection and dropped it.
                Err(_) if !self.found.is_there() => self.found.start()?,
                Err(_) => thread::sleep(LOOK),
            }
        }
    }

    /// Connects to the one that comes after a hub that is gone, if one comes by itself.
    pub fn successor(&self) -> Result<Option<Connection>, Error> {
        let deadline = Instant::now() + SUCCESSION;
        loop {
            match self.attempt() {
                Ok(connection) => return Ok(Some(connection)),
                Err(error) if error.hub().is_some() => return Err(error),
                Err(_) if Instant::now() > deadline => return Ok(None),
                Err(_) => thread::sleep(LOOK),
            }
        }
    }

    fn attempt(&self) -> Result<Connection, Error> {
        match self.attempt_with(&self.request) {
            // An older hub does not know what a relay's id is, and refuses the frame.
            Err(error) if error.hub().is_some_and(|error| error.code == ErrorCode::InvalidArgument) => {
                let Request::Mcp { tools, tool_names, compat_tools, relay: Some(_) } = self.request.clone() else {
                    return Err(error);
                };
                self.attempt_with(&Request::Mcp { tools, tool_names, compat_tools, relay: None })
            }
            outcome => outcome,
        }
    }

    fn attempt_with(&self, request: &Request) -> Result<Connection, Error> {
        let mut control = Control::silent(&self.found.socket())?;
        // Both at once: a client waits for this.
        control.send(&Request::Hello { version: VERSION, actor: format!("mcp:{}", std::process::id()) })?;
        control.send(request)?;
        loop {
            match control.next()? {
                Message::Welcome => {}
                Message::Mcp => break,
                Message::Failed(_, error) => return Err(error.into()),
                other => return Err(Error::Protocol(format!("{other:?} came before it was asked for"))),
            }
        }
        let read = control.into_stream();
        let write = Arc::new(read.get_ref().try_clone()?);
        Ok(Connection { read, write })
    }
}
