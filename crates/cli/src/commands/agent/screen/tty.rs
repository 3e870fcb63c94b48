//! The terminal that this runs in: every key as it is pressed, and everything as it was when it is left.

use std::io::{self, PipeReader, PipeWriter};
use std::thread::{self, JoinHandle};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, getpgrp, kill_process_group};
use rustix::termios::{InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use tokio::sync::mpsc;

use crate::out::write_now;

/// Pieces of input that may wait to be taken.
const PIECES: usize = 16;
/// Pastes come with marks around them.
const ENTER: &[u8] = b"\x1b[?2004h";
const LEAVE: &[u8] = b"\x1b[?2004l\x1b[?25h";

/// The terminal, for as long as this lives.
#[derive(Debug)]
pub struct Tty {
    before: Termios,
    input: mpsc::Receiver<io::Result<Vec<u8>>>,
    /// The thread that reads, and what ends it.
    reader: Option<(JoinHandle<()>, PipeWriter)>,
}

impl Tty {
    pub fn enter() -> io::Result<Self> {
        let (stop, stopper) = io::pipe()?;
        let (sender, input) = mpsc::channel(PIECES);
        // From here on the terminal is restored, whatever fails.
        let mut tty = Tty { before: tcgetattr(io::stdin())?, input, reader: None };
        tty.take()?;
        let thread = thread::Builder::new().name("keyboard".to_owned()).spawn(move || {
            while let Some(read) = read(&stop).transpose() {
                let is_over = read.is_err();
                if sender.blocking_send(read).is_err() || is_over {
                    return;
                }
            }
        })?;
        tty.reader = Some((thread, stopper));
        Ok(tty)
    }

    /// What was typed; `None` when the terminal is gone. Safe to drop while it waits.
    pub async fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.input.recv().await.transpose()
    }

    /// Every key comes here, also those that would send a signal: a paste may hold them.
    pub fn take(&self) -> io::Result<()> {
        let mut keys = self.before.clone();
        keys.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN);
        keys.input_modes.remove(InputModes::ICRNL | InputModes::INLCR | InputModes::IGNCR | InputModes::IXON);
        keys.special_codes[SpecialCodeIndex::VMIN] = 1;
        keys.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(io::stdin(), OptionalActions::Drain, &keys)?;
        write_now(&mut io::stdout().lock(), ENTER)
    }

    /// Leaves the terminal as it was found.
    pub fn give_back(&self) {
        // It may be gone, and then there is nothing to undo.
        let _ = write_now(&mut io::stdout().lock(), LEAVE);
        let _ = tcsetattr(io::stdin(), OptionalActions::Drain, &self.before);
    }

    /// Ctrl-Z: the shell gets its terminal until it lets this go on.
    pub fn suspend(&self) -> io::Result<()> {
        self.give_back();
        let group: Pid = getpgrp();
        // Where no shell could let it go on, the kernel does not stop it.
        let _ = kill_process_group(group, Signal::TSTP);
        self.take()
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        self.input.close();
        if let Some((thread, stopper)) = self.reader.take() {
            drop(stopper);
            // It does not panic, and if it did it would read no more.
            let _ = thread.join();
        }
        self.give_back();
    }
}

/// Waits for input; `None` when the terminal is gone or nobody wants it any more.
fn read(stop: &PipeReader) -> io::Result<Option<Vec<u8>>> {
    let stdin = io::stdin();
    let mut fds = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(stop, PollFlags::IN)];
    rustix::io::retry_on_intr(|| poll(&mut fds, None))?;
    if !fds[1].revents().is_empty() {
        return Ok(None);
    }
    let mut buf = vec![0; 4096];
    let read = match rustix::io::read(&stdin, &mut buf) {
        // How a terminal says that nobody has its other end any more.
        Err(rustix::io::Errno::IO) => 0,
        read => read?,
    };
    buf.truncate(read);
    Ok((read > 0).then_some(buf))
}
