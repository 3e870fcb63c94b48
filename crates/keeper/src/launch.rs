//! Starting a keeper from the hub, and saying why if it does not come up.

use std::ffi::OsStr;
use std::io::Read as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::ClientError;
use crate::descriptors;

/// Enough for any message; what a runaway program says beyond it is not kept.
const MAX_STDERR: usize = 64 << 10;
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Runs `program args...`, which calls [`crate::run`], and returns when `socket` accepts connections. It is no error
/// if another keeper won the race for the socket.
pub fn launch(program: &Path, args: &[&OsStr], socket: &Path, timeout: Duration) -> Result<(), ClientError> {
    let deadline = Instant::now() + timeout;
    let failed = |reason: String| ClientError::Launch { program: program.to_owned(), reason };
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    descriptors::inherit_only_streams(&mut command);
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;

    let said = child.stderr.take().map(|stderr| read_until_closed(stderr, deadline)).unwrap_or_default();
    let ended = wait_until(&mut child, deadline);
    while Instant::now() < deadline {
        if UnixStream::connect(socket).is_ok() {
            return Ok(());
        }
        if ended.is_some_and(|status| !status.success()) {
            break;
        }
        thread::sleep(LOOK_EVERY);
    }
    let said = said.trim();
    Err(failed(match ended {
        None => format!("it did not get ready in {timeout:?} {said}"),
        Some(status) if said.is_empty() => format!("{status}, and {} does not accept connections", socket.display()),
        Some(status) => format!("{said} ({status})"),
    }))
}

/// The daemon closes its copy of stderr once it serves, so this returns as soon as it is up or has failed.
fn read_until_closed(mut stderr: ChildStderr, deadline: Instant) -> String {
    let mut said = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        let mut ready = [PollFd::new(&stderr, PollFlags::IN)];
        match poll(&mut ready, Some(&left)) {
            Err(Errno::INTR) => continue,
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        match stderr.read(&mut piece) {
            Ok(0) | Err(_) => break,
            Ok(read) => {
                let room = MAX_STDERR - said.len();
                said.extend_from_slice(&piece[..read.min(room)]);
            }
        }
    }
    String::from_utf8_lossy(&said).into_owned()
}

/// The status of the process that was started (the keeper itself is its grandchild by then). One that takes too long
/// is ended, so that it can't come up later behind the caller's back.
fn wait_until(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => thread::sleep(LOOK_EVERY),
            Ok(None) | Err(_) => {
                let _gone = child.kill();
                let _reaped = child.wait();
                return None;
            }
        }
    }
}
