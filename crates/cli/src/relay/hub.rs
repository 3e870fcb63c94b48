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

/// Connects to the workspace's hub, starting it if there is none.
pub fn connect(workspace: &Workspace, request: &Request) -> anyhow::Result<Connection> {
    wait_for(workspace, request, Instant::now())
}

/// The same when the hub was there a moment ago.
pub fn reconnect(workspace: &Workspace, request: &Request) -> anyhow::Result<Connection> {
    wait_for(workspace, request, Instant::now() + SUCCESSION)
}

/// Tries until a hub answers, starting one from a certain time on.
fn wait_for(workspace: &Workspace, request: &Request, start_at: Instant) -> anyhow::Result<Connection> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match attempt(workspace, request) {
            Ok(connection) => return Ok(connection),
            // The hub understood, and refused.
            Err(error) if error.is::<Error>() => return Err(error),
            Err(error) if Instant::now() > deadline => return Err(error),
            // Either none is there, or one that is about to end took the connection and dropped it.
            Err(_) if Instant::now() >= start_at && !find::is_served(workspace) => find::start(workspace)?,
            Err(_) => thread::sleep(LOOK),
        }
    }
}

fn attempt(workspace: &Workspace, request: &Request) -> anyhow::Result<Connection> {
    let mut stream = UnixStream::connect(workspace.socket())?;
    let actor = format!("mcp:{}", std::process::id());
    let mut frames = encode_message(&Request::Hello { version: VERSION, actor });
    frames.extend(encode_message(request));
    stream.write_all(&frames)?;
    let mut read = BufReader::new(stream.try_clone()?);
    match reply(&mut read)? {
        Reply::Welcome { .. } => Ok(Connection { read, write: Arc::new(stream) }),
        Reply::Failed { error, .. } => Err(error.into()),
        Reply::Done { .. } => bail!("the hub answered before it was asked"),
    }
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
