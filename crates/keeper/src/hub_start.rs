//! Asking a keeper for a hub, and being the hub that it has started.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::net::AddressFamily;
use rustix::net::sockopt::socket_domain;
use rustix::stdio::{dup2_stdin, stdin};

use crate::client::{await_answer, dial};
use crate::wire::{self, FrameBuffer, HubEnded, HubStarted, Nothing, Outgoing, Request, StartHub};
use crate::{ClientError, Exit, OsBytes};

/// A hub may have much to take up again.
const SERVES_WITHIN: Duration = Duration::from_mins(1);

const START: u64 = 1;
const AWAIT: u64 = 2;
const STOP: u64 = 3;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct HubStart {
    /// Who asks. A keeper starts only the program that it was started from.
    pub program: PathBuf,
    /// For the hub.
    pub options: String,
    /// It ends in order when the [`StartedHub`] goes.
    pub foreground: bool,
}

/// A hub that serves.
pub struct StartedHub {
    stream: UnixStream,
    buffer: FrameBuffer,
    hub: HubStarted,
}

/// Asks the keeper at `socket` for a hub, and waits until one serves.
pub fn start_hub(socket: &Path, start: &HubStart) -> Result<StartedHub, ClientError> {
    let stream = dial(socket)?;
    let request = Request::StartHub(StartHub {
        program: OsBytes::from(start.program.as_os_str()),
        options: start.options.clone(),
        foreground: start.foreground,
    });
    send(&stream, START, &request)?;
    let mut buffer = FrameBuffer::default();
    let hub = await_answer(&stream, START, &mut buffer, &mut VecDeque::new(), Some(SERVES_WITHIN))?;
    Ok(StartedHub { stream, buffer, hub })
}

impl std::fmt::Debug for StartedHub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StartedHub").field("hub", &self.hub).finish_non_exhaustive()
    }
}

impl StartedHub {
    pub fn pid(&self) -> u32 {
        self.hub.pid
    }

    /// Whether it was started by this request, and was not there before.
    pub fn is_new(&self) -> bool {
        self.hub.started
    }

    /// What ends one that was started in the foreground while another thread waits for its end.
    pub fn stop(&self) -> io::Result<HubStop> {
        self.stream.try_clone().map(HubStop)
    }

    /// Waits until one that was started in the foreground has ended. It may have been lost and started again meanwhile.
    pub fn wait(mut self) -> Result<Exit, ClientError> {
        send(&self.stream, AWAIT, &Request::AwaitHub(Nothing {}))?;
        let ended: HubEnded = await_answer(&self.stream, AWAIT, &mut self.buffer, &mut VecDeque::new(), None)?;
        Ok(ended.exit)
    }
}

/// Ends a hub that was started in the foreground.
#[derive(Debug)]
pub struct HubStop(UnixStream);

impl HubStop {
    /// Asks it to end in order.
    pub fn stop(&self) -> Result<(), ClientError> {
        send(&self.0, STOP, &Request::StopHub(Nothing {}))
    }
}

/// The channel to the keeper that has started this process as its hub. It comes as standard input, which is empty from
/// now on; call it before anything is started that would inherit it.
pub fn inherited_channel() -> io::Result<UnixStream> {
    let channel = stdin().try_clone_to_owned()?;
    dup2_stdin(&File::open("/dev/null")?)?;
    if socket_domain(&channel)? != AddressFamily::UNIX {
        return Err(io::Error::other("standard input is no channel to a keeper"));
    }
    Ok(channel.into())
}

fn send(mut stream: &UnixStream, seq: u64, request: &Request) -> Result<(), ClientError> {
    Ok(stream.write_all(&wire::frame(&Outgoing { seq, until: None, request }))?)
}
