//! The relay's connection to the hub, without a runtime: a client waits for it when it starts.

use std::io::{self, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use flightdeck_contract::Error;
use flightdeck_contract::control::{Frame, Reply, Request, VERSION, decode, encode_message, frame_length};
use flightdeck_core::Workspace;

use crate::find;

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
pub struct Hub<'a> {
    pub workspace: &'a Workspace,
    /// The frame that makes the connection one of MCP.
    pub request: Request,
}

impl Hub<'_> {
    /// Connects, and starts the hub if there is none.
    pub fn connect(&self) -> anyhow::Result<Connection> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.attempt() {
                Ok(connection) => return Ok(connection),
                Err(error) if refused(&error) || Instant::now() > deadline => return Err(error),
                // Either none is there, or one that is about to end took the connection and dropped it.
                Err(_) if !find::is_served(self.workspace) => find::start(self.workspace)?,
                Err(_) => thread::sleep(LOOK),
            }
        }
    }

    /// Connects to the one that comes after a hub that is gone, if one comes by itself.
    pub fn successor(&self) -> anyhow::Result<Option<Connection>> {
        let deadline = Instant::now() + SUCCESSION;
        loop {
            match self.attempt() {
                Ok(connection) => return Ok(Some(connection)),
                Err(error) if refused(&error) => return Err(error),
                Err(_) if Instant::now() > deadline => return Ok(None),
                Err(_) => thread::sleep(LOOK),
            }
        }
    }

    fn attempt(&self) -> anyhow::Result<Connection> {
        let mut stream = UnixStream::connect(self.workspace.socket())?;
        let actor = format!("mcp:{}", std::process::id());
        let mut frames = encode_message(&Request::Hello { version: VERSION, actor });
        frames.extend(encode_message(&self.request));
        stream.write_all(&frames)?;
        let mut read = BufReader::new(stream.try_clone()?);
        loop {
            match reply(&mut read)? {
                Reply::Welcome { .. } => {}
                Reply::Mcp {} => return Ok(Connection { read, write: Arc::new(stream) }),
                Reply::Failed { error, .. } => return Err(error.into()),
                Reply::Done { .. } => bail!("the hub answered before it was asked"),
            }
        }
    }
}

/// The hub understood, and said no.
fn refused(error: &anyhow::Error) -> bool {
    error.is::<Error>()
}

fn reply(read: &mut impl Read) -> anyhow::Result<Reply> {
    let mut header = [0; 4];
    read.read_exact(&mut header)?;
    let mut body = vec![0; frame_length(header)?];
    read.read_exact(&mut body)?;
    match decode(body)? {
        Frame::Message(json) => Ok(serde_json::from_slice(&json)?),
        Frame::Data { .. } => Err(io::Error::from(io::ErrorKind::InvalidData).into()),
    }
}
