//! One call of the tmux program, with a deadline: a server that hangs must not hang the hub.

use std::ffi::OsString;
use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

use super::{Tmux, TmuxError};

pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// What tells a tmux client that it runs inside of a tmux.
pub(super) const THEIRS: [&str; 2] = ["TMUX", "TMUX_PANE"];

/// The words of one call: commands with their arguments, separated by `;`.
#[derive(Debug, Default)]
pub(super) struct Words(pub(super) Vec<OsString>);

impl Words {
    /// Adds a command.
    pub(super) fn then<I: IntoIterator<Item: Into<OsString>>>(mut self, words: I) -> Self {
        if !self.0.is_empty() {
            self.0.push(";".into());
        }
        self.0.extend(words.into_iter().map(Into::into));
        self
    }
}

impl Tmux {
    /// Runs commands in one turn of the server and gives what they printed.
    pub(super) fn call(&self, doing: &'static str, words: Words) -> Result<String, TmuxError> {
        // A server that hangs must not hold up whoever else shares the thread.
        match Handle::try_current().map(|handle| handle.runtime_flavor()) {
            Ok(RuntimeFlavor::MultiThread) => block_in_place(|| self.call_and_wait(doing, words)),
            _ => self.call_and_wait(doing, words),
        }
    }

    fn call_and_wait(&self, doing: &'static str, words: Words) -> Result<String, TmuxError> {
        let mut child = self
            .command()
            .args(words.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(TmuxError::io("tmux can't be started"))?;
        let printed = read_until(&mut child, Instant::now() + PATIENCE);
        let Some(printed) = printed.map_err(TmuxError::io("tmux can't be read"))? else {
            let _gone = child.kill();
            let _reaped = child.wait();
            return Err(TmuxError::NoAnswer(PATIENCE));
        };
        let mut said = String::new();
        if let Some(mut errors) = child.stderr.take() {
            // It has ended, so this is short; what is no text is no message.
            let _garbled = errors.read_to_string(&mut said);
        }
        let status = child.wait().map_err(TmuxError::io("tmux can't be awaited"))?;
        if status.success() {
            return Ok(printed);
        }
        let said = said.trim();
        let said = if said.is_empty() { status.to_string() } else { said.to_owned() };
        Err(TmuxError::Failed { doing, said })
    }

    /// The program with what all calls have in common.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.found.program);
        command.arg("-u").arg("-S").arg(&self.setup.socket).args(["-f", "/dev/null"]);
        // The hub may itself run in a tmux of the user, which is none of our business.
        command.env_remove(THEIRS[0]).env_remove(THEIRS[1]).current_dir("/");
        command
    }
}

/// All that it prints until it closes its output; `None` when that takes too long.
pub(super) fn read_until(child: &mut Child, deadline: Instant) -> io::Result<Option<String>> {
    let Some(mut output) = child.stdout.take() else { return Ok(Some(String::new())) };
    let mut printed = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut [PollFd::new(&output, PollFlags::IN)], Some(&left)) {
            Ok(0) => return Ok(None),
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
        }
        match output.read(&mut piece)? {
            0 => return Ok(Some(String::from_utf8_lossy(&printed).into_owned())),
            read => printed.extend_from_slice(&piece[..read]),
        }
    }
}
