//! The one client that stays connected to the server: input and sizes reach it without a process for each.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use flightdeck_keeper::Size;
use parking_lot::MutexGuard;

use super::server::SESSION;
use super::ticket::{Answers, Ticket};
use super::window::Window;
use super::{Tmux, TmuxError};

/// How many commands may wait to be written. Beyond it the writer is told to try again.
const QUEUE: usize = 64;
/// How many bytes of input go into one command: tmux reads lines.
pub(super) const PIECE: usize = 500;

/// A client in tmux's control mode.
#[derive(Debug)]
pub(super) struct Control {
    queue: SyncSender<String>,
    answers: Arc<Answers>,
}

impl Tmux {
    /// Types up to `PIECE` bytes as they are into a pane, or `WouldBlock`.
    pub(super) fn type_into(&self, window: &Window, piece: &[u8]) -> io::Result<Ticket> {
        let pane = window.pane;
        // A person who scrolls has the pane in a mode that would swallow the input.
        let mut line = if self.found.has_flags {
            format!("copy-mode -q -t %{pane} ; send-keys -H -t %{pane}")
        } else {
            format!(
                "if-shell -F -t %{pane} '#{{pane_in_mode}}' 'send-keys -X -t %{pane} cancel' ; send-keys -H -t %{pane}"
            )
        };
        for byte in piece {
            // Writing to a string can't fail.
            let _ = write!(line, " {byte:02x}");
        }
        self.tell(&line)
    }

    /// Changes the size of a window.
    pub(super) fn size(&self, window: &Window, size: Size) -> io::Result<()> {
        if self.is_users() {
            return self.size_once(window, size);
        }
        self.tell(&format!("resize-window -t @{} -x {} -y {}", window.number, size.cols(), size.rows())).map(drop)
    }

    pub(super) fn control(&self) -> MutexGuard<'_, Option<Control>> {
        self.control.lock()
    }

    fn tell(&self, line: &str) -> io::Result<Ticket> {
        let mut control = self.control();
        let client = match control.take().filter(|client| !client.answers.ended()) {
            Some(client) => client,
            None => self.connect().map_err(io::Error::other)?,
        };
        let (lines, ticket) = client.answers.ticket(line);
        match client.queue.try_send(lines) {
            Ok(()) => {
                *control = Some(client);
                Ok(ticket)
            }
            Err(TrySendError::Full(_)) => {
                *control = Some(client);
                Err(io::ErrorKind::WouldBlock.into())
            }
            // The next try connects anew.
            Err(TrySendError::Disconnected(_)) => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn connect(&self) -> Result<Control, TmuxError> {
        let mut command = self.command();
        command.args(["-C", "attach-session", "-t", &format!("={SESSION}")]);
        // Output comes by the log; here it would only hold the server up.
        let quiet = if self.found.has_flags {
            command.args(["-f", "no-output,ignore-size"]);
            None
        } else {
            Some("refresh-client -F no-output".to_owned())
        };
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(TmuxError::io("tmux can't be started"))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(TmuxError::Io { doing: "tmux has no pipes", source: io::ErrorKind::BrokenPipe.into() });
        };
        let (queue, commands) = sync_channel(QUEUE);
        let answers = Arc::new(Answers::default());
        let told = Arc::clone(&answers);
        let start = |name: &str| thread::Builder::new().name(name.to_owned()).stack_size(256 << 10);
        start("tmux-in").spawn(move || write_commands(stdin, &commands)).map_err(TmuxError::io("no thread"))?;
        start("tmux-out").spawn(move || read_answers(child, stdout, &told)).map_err(TmuxError::io("no thread"))?;
        if let Some(line) = quiet {
            // The queue is empty, so there is room.
            let _taken = queue.try_send(answers.ticket(&line).0);
        }
        Ok(Control { queue, answers })
    }
}

/// Ends when the queue is dropped, and the client with it.
fn write_commands(mut stdin: impl Write, commands: &Receiver<String>) {
    while let Ok(line) = commands.recv() {
        if stdin.write_all(line.as_bytes()).is_err() {
            return;
        }
    }
}

/// Takes the answers until the client ends.
fn read_answers(mut child: Child, stdout: impl io::Read, answers: &Answers) {
    let mut lines = BufReader::new(stdout);
    let mut line = Vec::new();
    let mut refused = false;
    while matches!(lines.read_until(b'\n', &mut line), Ok(read) if read > 0) && answers.take(&line, &mut refused) {
        line.clear();
    }
    answers.end();
    let _reaped = child.wait();
}
