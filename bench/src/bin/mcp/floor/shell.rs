//! A live bash on a terminal, whose prompt is a mark with the exit code.

use std::fs::File;
use std::io::Write;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::ensure;
use flightdeck_bench::bare::{Bare, Pty};
use memchr::memmem;
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
use serde_json::Value;

use super::{Bounded, Ended};

const END: u8 = b'\x07';

#[derive(Debug)]
pub struct Shell {
    bare: Bare,
    mark: Vec<u8>,
    /// The beginning of what may be a mark.
    held: Vec<u8>,
    /// Whether the first prompt is still to come.
    starting: bool,
    running: Option<(Value, Bounded)>,
}

impl Shell {
    pub fn start() -> anyhow::Result<Self> {
        let pty = Pty::open()?;
        // Without echo, all that comes before the mark is output.
        let mut modes = tcgetattr(&pty.slave)?;
        modes.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&pty.slave, OptionalActions::Now, &modes)?;
        // No program prints it by chance.
        let nonce = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
        let mut command = Command::new("setsid");
        command
            .args(["--ctty", "bash", "--norc", "--noprofile", "--noediting", "-i"])
            .env("TERM", "xterm-256color")
            .env("HISTFILE", "/dev/null")
            .env("PS1", "")
            .env("PROMPT_COMMAND", format!(r#"printf '\e]133;D;{nonce};%s\a' "$?""#));
        let mark = format!("\x1b]133;D;{nonce};").into_bytes();
        Ok(Shell { bare: pty.spawn(&mut command)?, mark, held: Vec::new(), starting: true, running: None })
    }

    pub fn descriptor(&self) -> &File {
        &self.bare.master
    }

    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Types a command. A shell that is still starting reads it when it is ready.
    pub fn begin(&mut self, id: Value, command: &str) -> anyhow::Result<()> {
        ensure!(!self.is_busy(), "this shell is busy");
        self.bare.master.write_all(format!("{command}\n").as_bytes())?;
        self.running = Some((id, Bounded::default()));
        Ok(())
    }

    /// Reads what there is. Gives the command when it has ended.
    pub fn advance(&mut self, chunk: &mut [u8]) -> anyhow::Result<Option<Ended>> {
        let read = self.bare.read(chunk)?;
        ensure!(read > 0, "the shell ended");
        let mut data = std::mem::take(&mut self.held);
        data.extend_from_slice(&chunk[..read]);
        let mut data = &data[..];
        let mut ended = None;
        loop {
            let at = memmem::find(data, &self.mark);
            let from = at.unwrap_or_else(|| beginning(data, &self.mark));
            if let Some((_, output)) = &mut self.running {
                output.push(&data[..from]);
            }
            let code = at.and_then(|at| Some((at, memchr::memchr(END, &data[at..])?)));
            let Some((at, length)) = code else {
                self.held = data[from..].to_vec();
                return Ok(ended);
            };
            let code = std::str::from_utf8(&data[at + self.mark.len()..at + length])?.parse()?;
            data = &data[at + length + 1..];
            if std::mem::take(&mut self.starting) {
                // What came before the first prompt belongs to no command.
                self.running = self.running.take().map(|(id, _)| (id, Bounded::default()));
            } else if let Some((id, output)) = self.running.take() {
                ended = Some(Ended { id, output, code });
            }
        }
    }
}

/// Where the mark may begin whose rest is still to come; the end of the data if nowhere.
fn beginning(data: &[u8], mark: &[u8]) -> usize {
    let last = data.len().saturating_sub(mark.len() - 1);
    (last..data.len()).find(|at| mark.starts_with(&data[*at..])).unwrap_or(data.len())
}
