//! The process beside the keeper that starts its hubs, one at a time.
//!
//! The hub could be a child of the keeper itself, but the keeper is the parent of all orphans of what it starts, and its
//! descendants are the programs in terminals. A hub is none of them, and neither are the windows that it opens.
//!
//! It does what the keeper tells it and nothing else: it reads an order with the hub's end of a new channel, starts the
//! program, says so, waits for its end and tells that. It ends with the keeper, or with the hub that outlives the keeper.

use std::collections::VecDeque;
use std::fs::OpenOptions;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde::{Deserialize, Serialize};

use super::HubProgram;
use crate::wire::{self, FrameBuffer};
use crate::{Exit, descriptors, fd_passing};

/// From the keeper, with the channel for the hub.
#[derive(Serialize, Deserialize)]
pub struct Order {
    pub options: String,
}

/// To the keeper.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Report {
    /// It comes with a descriptor of the process.
    Started {
        pid: u32,
    },
    NotStarted {
        reason: String,
    },
    Ended(Exit),
}

/// Serves one keeper until that is gone.
pub fn run(hub: &HubProgram, keeper: &UnixStream) {
    let mut buffer = FrameBuffer::default();
    let mut fds = VecDeque::new();
    while let Ok(Some(order)) = next_order(keeper, &mut buffer, &mut fds) {
        let Some(channel) = fds.pop_front() else { return };
        let told = match start(hub, &order, channel) {
            Ok((mut child, process)) => {
                let started = tell(keeper, &Report::Started { pid: child.id() }, Some(process.as_fd()));
                drop(process);
                let ended = child.wait().ok().and_then(exit).unwrap_or(Exit::Code(1));
                started.and_then(|()| tell(keeper, &Report::Ended(ended), None))
            }
            Err(error) => {
                let reason = format!("{}: {error}", hub.program.display());
                tell(keeper, &Report::NotStarted { reason }, None)
            }
        };
        if told.is_err() {
            return;
        }
    }
}

fn start(hub: &HubProgram, order: &Order, channel: OwnedFd) -> io::Result<(Child, OwnedFd)> {
    // Without its log, a hub serves all the same.
    let log = OpenOptions::new().create(true).append(true).mode(0o600).open(&hub.log);
    let mut command = Command::new(&hub.program);
    command.args(&hub.args).arg(&order.options).stdin(channel).stdout(Stdio::null());
    command.stderr(log.map_or_else(|_| Stdio::null(), Stdio::from));
    descriptors::begin_session(&mut command);
    let child = command.spawn()?;
    // It was not reaped yet, so its number is its own.
    let pid = Pid::from_raw(child.id() as i32).ok_or(Errno::SRCH)?;
    Ok((child, pidfd_open(pid, PidfdFlags::empty())?))
}

fn exit(status: ExitStatus) -> Option<Exit> {
    status.code().map(Exit::Code).or_else(|| status.signal().map(Exit::Signal))
}

fn next_order(keeper: &UnixStream, buffer: &mut FrameBuffer, fds: &mut VecDeque<OwnedFd>) -> io::Result<Option<Order>> {
    loop {
        if let Some(frame) = buffer.next().map_err(io::Error::other)? {
            return Ok(Some(serde_json::from_slice(frame)?));
        }
        let mut bytes = [0; 4096];
        match fd_passing::receive(keeper, &mut bytes, fds, RecvFlags::empty()) {
            Ok(0) => return Ok(None),
            Ok(received) => buffer.push(&bytes[..received]),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// In one piece: it is far smaller than the socket's buffer.
fn tell(keeper: &UnixStream, report: &Report, fd: Option<BorrowedFd<'_>>) -> io::Result<()> {
    let frame = wire::frame(report);
    let sent = fd_passing::send(keeper, &frame, fd, SendFlags::empty())?;
    if sent == frame.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}
