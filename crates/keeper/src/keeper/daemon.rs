//! Going into the background, with errors still reaching the foreground.
#![allow(unsafe_code)]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{WaitOptions, chdir, setsid, wait};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use crate::KeeperError;

const READY: &[u8] = b"ready";

/// The daemon's end of the pipe to the process that was started: it waits there for a word.
#[derive(Debug)]
pub struct Ready(File);

/// `fork` copies only the calling thread, so any other would be missing in the daemon, with the locks it held.
pub fn require_one_thread() -> Result<(), KeeperError> {
    let threads = fs::read_dir("/proc/self/task").map_or(1, Iterator::count);
    if threads > 1 { Err(KeeperError::Threads(threads)) } else { Ok(()) }
}

/// Returns in the daemon: a session of its own that can never get a controlling terminal. The calling process
/// exits when the daemon is ready, or returns what the daemon said instead. The process between them ends at once, or
/// when `beside` returns, which is given one end of a socket; the daemon gets the other.
pub fn detach(beside: Option<impl FnOnce(UnixStream)>) -> Result<(Ready, Option<UnixStream>), KeeperError> {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC).map_err(KeeperError::system("make a pipe"))?;
    if fork().map_err(KeeperError::system("fork"))? == Side::Parent {
        drop(writer);
        return Err(wait_for_word(File::from(reader)));
    }
    drop(reader);
    let ready = Ready(File::from(writer));
    match leave(beside.is_some()) {
        Ok((Side::Child, socket)) => Ok((ready, socket)),
        Ok((Side::Parent, socket)) => {
            // Whoever waits for the word must not wait for this process.
            drop(ready);
            if let Some((beside, socket)) = beside.zip(socket) {
                beside(socket);
            }
            exit_now()
        }
        Err(error) => {
            ready.tell_failed(&error.to_string());
            exit_now()
        }
    }
}

/// The same for a hub, which keeps its standard streams. Returns in a child, in a session of its own; the calling process exits
/// when that is ready, or as it does. Whoever then ends what they have started, with all of its children, does not find it.
pub fn leave_parent() -> Result<Ready, KeeperError> {
    require_one_thread()?;
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC).map_err(KeeperError::system("make a pipe"))?;
    if fork().map_err(KeeperError::system("fork"))? == Side::Parent {
        drop(writer);
        // What comes instead of the word is how it ended.
        let _not_ready = wait_for_word(File::from(reader));
        let ended = wait(WaitOptions::empty()).ok().flatten();
        std::process::exit(ended.and_then(|(_, status)| status.exit_status()).unwrap_or(1));
    }
    drop(reader);
    setsid().map_err(KeeperError::system("begin a session"))?;
    Ok(Ready(File::from(writer)))
}

impl Ready {
    pub fn tell_ready(mut self) {
        let _launcher_gone = self.0.write_all(READY);
    }

    pub fn tell_failed(mut self, reason: &str) {
        let _launcher_gone = self.0.write_all(reason.as_bytes());
    }
}

fn wait_for_word(mut pipe: File) -> KeeperError {
    let mut word = Vec::new();
    match pipe.read_to_end(&mut word) {
        Ok(_) if word == READY => exit_now(),
        Ok(_) => KeeperError::NotReady(String::from_utf8_lossy(&word).into_owned()),
        Err(source) => KeeperError::System { doing: "wait for the daemon", source },
    }
}

fn leave(linked: bool) -> io::Result<(Side, Option<UnixStream>)> {
    setsid()?;
    chdir("/")?;
    let null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    let (parent, child) = linked.then(UnixStream::pair).transpose()?.unzip();
    // Not being the leader of that session, the second child can't get a controlling terminal by opening one.
    let side = fork()?;
    // Last: whoever started this reads it until it closes.
    dup2_stderr(&null)?;
    Ok(match side {
        Side::Parent => (side, parent),
        Side::Child => (side, child),
    })
}

#[derive(PartialEq)]
enum Side {
    Parent,
    Child,
}

fn fork() -> io::Result<Side> {
    // SAFETY: `require_one_thread` ran before, so the child has every thread the parent had and no lock is held by
    // one that is missing.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Side::Child),
        _ => Ok(Side::Parent),
    }
}

/// Ends a process whose role is over without running its destructors: the socket belongs to the daemon now.
fn exit_now() -> ! {
    // SAFETY: `_exit` takes any number and does not return; nothing in this process needs to be flushed.
    unsafe { libc::_exit(0) }
}
