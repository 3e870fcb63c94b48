//! Input for a session: written whole, in order, and never waiting for ever on a program that does not read.

use std::io;
use std::time::Duration;

use tokio::time::Instant;

use super::{Kind, Session, Settling};
use crate::backend::Backend;
use crate::keys::{KeyModes, UnknownKey, key, paste};
use crate::shell::{CLEAR_LINE_KEY, ShellKind};

/// How long a program may leave its input unread before a write gives up.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait before input that was not taken is offered again.
const RETRY: Duration = Duration::from_millis(2);

/// How long the end of a program may take to be told after it has closed its input.
const CLOSING: Duration = Duration::from_millis(200);

/// Why input was not taken.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The session is over.
    #[error("the terminal has ended: nothing reads its input")]
    Ended,
    /// The command has no terminal.
    #[error(
        "the command runs on pipes and takes no input: start it on a terminal instead, or with its standard input held"
    )]
    NoTerminal,
    /// The program, or somebody here, has closed the pipe.
    #[error("the standard input of the command is closed: nothing reads it any more")]
    Closed,
    /// The program in the foreground does not read.
    #[error("the program read only {written} of {total} bytes, and nothing more for {} s: it may be stopped or busy", PATIENCE.as_secs())]
    NotRead {
        /// How much was taken.
        written: usize,
        /// How much there was.
        total: usize,
    },
    /// A key name is not known.
    #[error(transparent)]
    UnknownKey(#[from] UnknownKey),
    /// The kernel refused.
    #[error("the terminal did not take the input: {0}")]
    Io(io::Error),
}

impl Session {
    /// Writes bytes as they are.
    pub async fn write(&self, bytes: &[u8]) -> Result<(), InputError> {
        let Some(backend) = self.backend() else { return Err(InputError::Ended) };
        if !self.progress().running() {
            return Err(InputError::Ended);
        }
        let _whole = self.input.lock().await;
        self.lock().note_input(bytes);
        let mut deadline = Instant::now() + PATIENCE;
        let mut written = 0;
        while written < bytes.len() {
            match backend.write(&bytes[written..]) {
                Ok(count) => {
                    written += count;
                    // Whoever reads on is only slow, as a line editor is with a long text.
                    deadline = Instant::now() + PATIENCE;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    // Rare, and over within moments: not worth a registered descriptor for each session.
                    if self.ends_within(RETRY).await {
                        return taken_late(backend, &bytes[written..]).await;
                    }
                    if Instant::now() >= deadline {
                        return Err(InputError::NotRead { written, total: bytes.len() });
                    }
                }
                Err(error) if error.raw_os_error() == Some(EIO) => return Err(InputError::Ended),
                // A program closes its pipes before its end is known.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.ends_within(CLOSING).await => {
                    return Err(InputError::Ended);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    async fn ends_within(&self, time: Duration) -> bool {
        let mut progress = self.follow_milestones();
        tokio::time::timeout(time, progress.wait_for(|progress| !progress.running())).await.is_ok()
    }

    /// Ends the input of a command on pipes: it reads what was written, and then the end. What two callers write is not
    /// cut by it.
    pub async fn close_input(&self) -> Result<(), InputError> {
        let Some(backend) = self.backend() else { return Err(InputError::Ended) };
        let _whole = self.input.lock().await;
        Ok(backend.close_input()?)
    }

    /// Discards what stands in the line at the prompt of a shell with our start-up files.
    pub async fn clear_line(&self) -> Result<(), InputError> {
        match self.kind() {
            Kind::Shell(setup) if matches!(setup.kind, ShellKind::Bash | ShellKind::Zsh | ShellKind::Fish) => {
                self.write(CLEAR_LINE_KEY).await
            }
            _ => Ok(()),
        }
    }

    /// Presses named keys, one after the other.
    pub async fn press<S: AsRef<str>>(&self, names: &[S]) -> Result<(), InputError> {
        let modes = self.key_modes();
        let mut bytes = Vec::new();
        for name in names {
            bytes.extend(key(name.as_ref(), modes)?);
        }
        if !matches!(self.kind(), Kind::Piped) {
            return self.write_after_signals(&bytes).await;
        }
        // No terminal is there to turn Enter into the end of a line, and Ctrl-D into the end of the input.
        let ends = bytes.iter().position(|byte| *byte == END_OF_INPUT);
        let line: Vec<u8> = bytes.iter().map(|byte| if *byte == b'\r' { b'\n' } else { *byte }).collect();
        self.write(&line[..ends.unwrap_or(line.len())]).await?;
        if ends.is_some() { self.close_input().await } else { Ok(()) }
    }

    /// Writes keys, but what comes after a key that is a signal only when that was answered: the kernel drops what was typed
    /// before it, and a line editor that is interrupted loses what comes right behind.
    async fn write_after_signals(&self, bytes: &[u8]) -> Result<(), InputError> {
        let mut rest = bytes;
        while let Some(at) = rest.iter().position(|byte| SIGNALS.contains(byte)).filter(|at| at + 1 < rest.len()) {
            let (signal, after) = rest.split_at(at + 1);
            let typed_at = self.progress().seen;
            self.write(signal).await?;
            self.settled(typed_at, Settling::SIGNAL).await;
            rest = after;
        }
        self.write(rest).await
    }

    /// Pastes text, framed where the program asked for that.
    pub async fn paste(&self, text: &str) -> Result<(), InputError> {
        let bytes = paste(text, self.key_modes());
        self.write(&bytes).await
    }

    fn key_modes(&self) -> KeyModes {
        self.screen(|screen| {
            let modes = screen.modes();
            KeyModes { application_cursor: modes.application_cursor, bracketed_paste: modes.bracketed_paste }
        })
        .unwrap_or_default()
    }
}

/// What was typed may have ended the program, and only the word of that is still on its way.
async fn taken_late(backend: &dyn Backend, rest: &[u8]) -> Result<(), InputError> {
    let until = Instant::now() + CLOSING;
    loop {
        match backend.write(rest) {
            Ok(count) if count == rest.len() => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && Instant::now() < until => {
                tokio::time::sleep(RETRY).await;
            }
            _ => return Err(InputError::Ended),
        }
    }
}

impl From<io::Error> for InputError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::Unsupported => InputError::NoTerminal,
            io::ErrorKind::BrokenPipe => InputError::Closed,
            _ => InputError::Io(error),
        }
    }
}

/// The slave side of the PTY is closed.
const EIO: i32 = 5;
/// Ctrl-C, Ctrl-Z and Ctrl-\, which the kernel makes signals of.
const SIGNALS: &[u8] = b"\x03\x1a\x1c";
/// Ctrl-D.
const END_OF_INPUT: u8 = 4;
