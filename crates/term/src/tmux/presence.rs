//! Who listens on the socket of a server, and who is attached to one. Nothing here waits for tmux: a server that is
//! stopped takes no connection, and must not hold up whoever only wants to know it.

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::str::FromStr;

use rustix::io::Errno;
use rustix::net::sockopt::socket_peercred;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, UCred, connect, socket_with};

use crate::facts::{Lineage, all_pids, start_time};

/// A process by its number and the time at which it began, which no other has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Life {
    /// Its number.
    pub pid: u32,
    began: u64,
}

impl Life {
    /// The process that has this number now.
    pub fn of(pid: u32) -> Option<Self> {
        Lineage::of(pid)?;
        Some(Life { pid, began: start_time(pid)? })
    }

    /// Whether it has not ended. It may run another program by now.
    pub fn lasts(self) -> bool {
        Self::of(self.pid) == Some(self)
    }
}

impl fmt::Display for Life {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.pid, self.began)
    }
}

impl FromStr for Life {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (pid, began) = text.split_once(':').ok_or(())?;
        Ok(Life { pid: pid.parse().map_err(|_| ())?, began: began.parse().map_err(|_| ())? })
    }
}

/// What can be told of a socket at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listener {
    /// This process listens.
    Process(Life),
    /// None does.
    Nobody,
    /// One does, but takes no more connections for now.
    Busy,
}

impl Listener {
    /// Who listens on a socket, by the word of the kernel.
    pub fn on(socket: &Path) -> Self {
        match peer_of(socket) {
            Ok(peer) => Life::of(pid_of(peer)).map_or(Listener::Nobody, Listener::Process),
            Err(Errno::AGAIN) => Listener::Busy,
            Err(_) => Listener::Nobody,
        }
    }
}

/// Which file a socket is. Who listens on it stays the same while it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocketFile {
    device: u64,
    inode: u64,
    changed: (i64, i64),
}

impl SocketFile {
    /// The file that is there now.
    pub fn at(path: &Path) -> Option<Self> {
        let found = fs::metadata(path).ok()?;
        Some(SocketFile { device: found.dev(), inode: found.ino(), changed: (found.ctime(), found.ctime_nsec()) })
    }
}

/// The process that listens on a socket, if one does. No program is needed to find it.
pub(super) fn server_pid(socket: &Path) -> Option<u32> {
    peer_of(socket).ok().map(pid_of)
}

fn pid_of(peer: UCred) -> u32 {
    peer.pid.as_raw_nonzero().get().cast_unsigned()
}

/// Who listens on a socket. `AGAIN` when it is there and does not take connections.
pub(super) fn peer_of(socket: &Path) -> Result<UCred, Errno> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let stream = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    connect(&stream, &SocketAddrUnix::new(socket)?)?;
    socket_peercred(&stream)
}

/// The clients on terminals of this machine that are attached to any tmux. A server can make them run a command in
/// place of themselves (`detach-client -E`) or below (`lock-command`). They are told by the name that tmux gives its
/// processes, or by the program of one of these servers.
pub fn clients(servers: &[Life]) -> Vec<Life> {
    let program = |pid: u32| fs::metadata(format!("/proc/{pid}/exe")).ok().map(|file| (file.dev(), file.ino()));
    let programs: Vec<_> = servers.iter().filter_map(|server| program(server.pid)).collect();
    let is_client = |pid: u32| {
        let name = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
        name.trim_end().ends_with(": client") || program(pid).is_some_and(|program| programs.contains(&program))
    };
    // Servers have no terminal.
    let has_terminal = |pid: u32| Lineage::of(pid).is_some_and(|lineage| lineage.tty != 0);
    all_pids().into_iter().filter(|pid| is_client(*pid) && has_terminal(*pid)).filter_map(Life::of).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_listener_that_takes_no_connection_is_told_at_once() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("s");
        assert_eq!(Listener::on(&path), Listener::Nobody);
        let listener = UnixListener::bind(&path).expect("binds");
        let own = Life::of(std::process::id()).expect("we run");
        assert_eq!(Listener::on(&path), Listener::Process(own));
        // As a server that is stopped: nobody accepts.
        assert!((0..10_000).any(|_| Listener::on(&path) == Listener::Busy), "it never has enough");
        drop(listener);
        assert_eq!(Listener::on(&path), Listener::Nobody);
    }

    #[test]
    fn a_life_is_read_as_it_was_written_and_is_nobody_elses() {
        let own = Life::of(std::process::id()).expect("we run");
        assert_eq!(own.to_string().parse(), Ok(own));
        assert!(own.lasts());
        assert!(!Life { began: own.began + 1, ..own }.lasts());
        for text in ["", "1", "1:", ":1", "x:1", "1:2:3"] {
            assert_eq!(text.parse::<Life>(), Err(()), "{text:?}");
        }
    }
}
