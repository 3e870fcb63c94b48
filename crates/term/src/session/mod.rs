//! A terminal session: a log that somebody else writes, the screen and the command records derived from it, and a
//! backend that takes input.
//!
//! Nothing here is pushed through queues. The pump moves the session's position in the log forward and publishes a
//! small [`Progress`]; whoever waits looks at that and reads the log from its own cursor, at its own pace. A slow
//! reader therefore costs nothing and loses nothing.

mod answers;
mod ends;
mod guest;
mod input;
mod pacing;
mod question;
mod record;
mod replay;
mod resizes;
mod settled;
mod transcript;
mod view;

#[cfg(test)]
pub(crate) mod tests;

use std::io;
use std::os::fd::BorrowedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};

use flightdeck_keeper::{Exit, SessionId, Size, Target};
use parking_lot::{Mutex, MutexGuard};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionread;
use rustix::termios::{OutputModes, tcgetattr};
use tokio::sync::watch;

use crate::backend::{Answers, Backend, Whose};
use crate::facts::{Facts, Look};
use crate::kill::Tree;
use crate::log::{Log, Offset};
use crate::shell::{Nonce, ShellKind};

pub(crate) use ends::Settled;
pub use input::InputError;
pub use pacing::Mended;
pub use record::{PendingRun, Prompt, Record, RecordNumber};
pub use replay::{ReplayNotes, SizeChange};
pub use resizes::{ScreenSnapshot, SizeAt};
pub use settled::Settling;
pub use transcript::TranscriptTail;
pub use view::Advance;

use pacing::{Forgetting, Pacing};
use transcript::TranscriptIndex;
use view::{View, ViewParts};

/// What runs in a session.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A shell in which commands are run one after the other.
    Shell(ShellSetup),
    /// One command on a PTY.
    Command,
    /// One command on pipes, stdout and stderr apart; it has no screen.
    Piped,
}

/// How the marks of a shell are recognised and commands delivered to it.
#[derive(Clone, Debug)]
pub struct ShellSetup {
    /// Which shell.
    pub kind: ShellKind,
    /// The secret in its marks.
    pub nonce: Nonce,
    /// The private folder of its start-up and run files.
    pub dir: PathBuf,
}

/// How far a session has come. Small, and the only thing that waiters are woken by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Output up to here is in the screen and the records.
    pub seen: Offset,
    /// How the first process ended, once it has.
    pub exit: Option<Exit>,
    /// No more output can come.
    pub eof: bool,
    /// Grows with each prompt, command start and command end.
    pub marks: u64,
    /// The disk takes no more output; the programs wait.
    pub stalled: bool,
    /// What held its programs is gone, and nobody knows how they ended.
    pub lost: Option<Lost>,
}

/// What is gone that held the programs of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The keeper, and everything with it.
    Keeper,
    /// The window elsewhere that it was in.
    Window,
}

impl Progress {
    /// Whether the first process still runs.
    pub fn running(&self) -> bool {
        self.exit.is_none() && self.lost.is_none()
    }
}

/// A terminal, or a command on pipes.
#[derive(Debug)]
pub struct Session {
    id: SessionId,
    kind: Kind,
    log: Log,
    transcript: TranscriptIndex,
    notes: ReplayNotes,
    environment: Vec<u8>,
    backend: Option<Box<dyn Backend>>,
    view: Mutex<View>,
    progress: watch::Sender<Progress>,
    /// The same, sent only when more than the output has got further. See [`Session::follow_milestones`].
    milestones: watch::Sender<Progress>,
    /// When something was printed last.
    printed_at: Mutex<Instant>,
    /// Input is written whole: two clients' bytes are never mixed.
    input: tokio::sync::Mutex<()>,
    /// One bounded run at a time in a shell.
    pub(crate) runs: tokio::sync::Mutex<()>,
    /// It has ended and nothing is held for it any more.
    over: AtomicBool,
    /// The tries to let go of what the backend holds; `None` when that is done.
    forgetting: Mutex<Forgetting>,
    /// The tries to take up output that was cut off.
    mending: Mutex<Pacing>,
    /// Why its log could not be read, or it could not be taken up.
    trouble: Mutex<Option<String>>,
}

/// All that is needed to make a session or to take one up again.
#[derive(Debug)]
pub struct SessionParts {
    /// Its name.
    pub id: SessionId,
    /// What runs in it.
    pub kind: Kind,
    /// Its folder, with the log and the notes beside it.
    pub dir: PathBuf,
    /// The size it began with.
    pub size: Size,
    /// The environment entry by which its processes are known.
    pub environment: Vec<u8>,
    /// What takes its input; `None` once it is over.
    pub backend: Option<Box<dyn Backend>>,
    /// The records that are known already, oldest first.
    pub records: Vec<Record>,
    /// A command that was handed to the shell before, and may not have begun in the log that was seen.
    pub pending: Option<PendingRun>,
    /// How much output is kept.
    pub log_bytes: u64,
    /// How it stands.
    pub progress: Progress,
    /// Where its output comes from.
    pub source: Source,
}

/// Where a session's output comes from, which decides how its view is begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A program that has just been started: all its queries are answered.
    Started,
    /// A program that an earlier hub started: what is in the log is replayed first.
    TakenUp,
    /// Nothing runs any more. The screen is made from the log when somebody looks.
    Archive,
}

impl Session {
    /// Makes a session from its parts; its view is brought up by the pump.
    pub fn new(parts: SessionParts) -> Arc<Self> {
        let log = Log::new(&parts.dir);
        let notes = ReplayNotes::new(&parts.dir);
        let mut view = View::new(ViewParts {
            kind: &parts.kind,
            size: parts.size,
            log: log.clone(),
            notes: &notes,
            records: parts.records,
            pending: parts.pending,
            source: parts.source,
            log_bytes: parts.log_bytes,
        });
        if parts.backend.as_ref().is_some_and(|backend| backend.answers() == Answers::Theirs) {
            view.lets_others_type();
        }
        Arc::new(Session {
            id: parts.id,
            kind: parts.kind,
            log,
            transcript: TranscriptIndex::default(),
            notes,
            environment: parts.environment,
            backend: parts.backend,
            view: Mutex::new(view),
            progress: watch::Sender::new(parts.progress),
            milestones: watch::Sender::new(parts.progress),
            printed_at: Mutex::new(Instant::now()),
            input: tokio::sync::Mutex::new(()),
            runs: tokio::sync::Mutex::new(()),
            over: AtomicBool::new(false),
            forgetting: Mutex::default(),
            mending: Mutex::default(),
            trouble: Mutex::default(),
        })
    }

    /// Its name.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// What runs in it.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Its output.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The last `max_bytes` of what was printed as text, and how it ended if nothing more can come. It reads the disk: each
    /// byte of the output once, and as much again as it gives.
    pub fn transcript_tail(&self, max_bytes: u64) -> io::Result<(TranscriptTail, Progress)> {
        // Looked at before the log is read: an exit is told when all that was printed before is in the log.
        let progress = self.progress();
        let tail = self.transcript.tail(&self.log, max_bytes, !progress.running())?;
        Ok((tail, progress))
    }

    /// What was written to the standard input of a command on pipes, where that is held.
    pub fn input_log(&self) -> Log {
        Log::new(flightdeck_keeper::input_path(self.log.dir()))
    }

    /// How it stands now.
    pub fn progress(&self) -> Progress {
        *self.progress.borrow()
    }

    /// Why its log could not be read, or it could not be taken up after a restart, if that was so.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().clone()
    }

    pub(crate) fn set_trouble(&self, why: &impl ToString) {
        *self.trouble.lock() = Some(why.to_string());
    }

    /// Wakes whenever it gets further.
    pub fn follow(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Wakes at each mark of its shell, at its end, and when the disk takes no more of its output; not at output alone. Whoever
    /// waits for a command is woken twice by it, and not with each line that it prints.
    pub fn follow_milestones(&self) -> watch::Receiver<Progress> {
        self.milestones.subscribe()
    }

    /// When something was printed last, or the hub took it up.
    pub(crate) fn printed_at(&self) -> Instant {
        *self.printed_at.lock()
    }

    /// What the kernel says of it.
    pub fn facts(&self) -> Facts {
        self.facts_in(&Look::new())
    }

    /// The same, for whoever asks about many terminals at once.
    pub fn facts_in(&self, look: &Look) -> Facts {
        match self.tty() {
            Some(tty) if self.progress().running() => {
                let facts = Facts::of(tty, self.backend().and_then(Backend::foreground), look);
                Facts { input: self.question(&facts).unwrap_or(facts.input), ..facts }
            }
            _ => Facts::NONE,
        }
    }

    /// The first process, while it runs.
    pub fn leader(&self) -> Option<u32> {
        self.progress().running().then(|| self.backend.as_ref().map(|b| b.leader())).flatten()
    }

    /// Whether its terminal writes a return before each newline now; nobody knows once it is gone.
    pub fn adds_returns(&self) -> Option<bool> {
        let modes = tcgetattr(self.tty()?).ok()?.output_modes;
        Some(modes.contains(OutputModes::OPOST | OutputModes::ONLCR))
    }

    /// The working directory of the first process, or of the shell that a command would be typed to, as the kernel has
    /// it.
    pub fn cwd(&self) -> Option<PathBuf> {
        self.cwd_in(&Look::new())
    }

    /// The same, for whoever asks about many terminals at once.
    pub fn cwd_in(&self, look: &Look) -> Option<PathBuf> {
        // Only a shell can have another one inside, which is in the foreground then.
        let may_be_inside = matches!(self.kind, Kind::Shell(_))
            && self.leader().is_none_or(|leader| self.backend().and_then(Backend::foreground) != Some(leader));
        let facts = if may_be_inside { self.facts_in(look) } else { Facts::NONE };
        self.cwd_by(&facts)
    }

    /// The same, for whoever has just asked the kernel about it.
    pub fn cwd_by(&self, facts: &Facts) -> Option<PathBuf> {
        let pid = self.inner_shell_by(facts).or_else(|| self.leader())?;
        std::fs::read_link(format!("/proc/{pid}/cwd")).ok()
    }

    /// Everything that was started in it.
    pub fn tree(&self) -> Tree {
        // Of a terminal that is the user's nothing is ours to end.
        let backend = self.backend().filter(|backend| backend.whose() == Whose::Ours);
        Tree {
            leader: self.leader().filter(|_| backend.is_some()),
            tty: backend.and_then(Backend::device),
            environment: self.environment.clone(),
            holder: backend.and_then(Backend::holder),
        }
    }

    /// The number of its window, where windows have numbers.
    pub fn window(&self) -> Option<u32> {
        self.backend().and_then(Backend::window)
    }

    /// Whom it belongs to.
    pub fn whose(&self) -> Whose {
        self.backend().map_or(Whose::Ours, Backend::whose)
    }

    /// Whether its output reaches the log.
    pub fn is_heard(&self) -> bool {
        self.backend().is_none_or(Backend::is_heard)
    }

    /// Leaves what is not ours as it was found. Blocks for some milliseconds.
    pub fn leave(&self) -> io::Result<()> {
        self.backend().map_or(Ok(()), Backend::leave)
    }

    /// Whether its output was cut off although its programs go on.
    pub fn is_cut_off(&self) -> bool {
        let progress = self.progress();
        progress.running() && progress.eof
    }

    /// Sends a signal by number.
    pub fn signal(&self, signal: i32, target: Target) -> io::Result<()> {
        match &self.backend {
            Some(backend) if self.progress().running() => backend.signal(signal, target),
            _ => Err(io::Error::new(io::ErrorKind::NotFound, "the terminal has ended")),
        }
    }

    /// Changes the size of the window, and notes where in the output that was.
    pub fn resize(&self, size: Size) -> io::Result<()> {
        let Some(backend) = self.backend.as_ref().filter(|_| self.progress().running()) else {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the terminal has ended"));
        };
        let mut view = self.lock();
        // The user's own terminals have the size that the user gives them.
        if view.size() == size || backend.whose() == Whose::Theirs {
            return Ok(());
        }
        backend.resize(size)?;
        let at = view.resize(size);
        self.notes.note_size(SizeChange { at, size })
    }

    /// The changes of its size, oldest first.
    pub fn sizes(&self) -> io::Result<Vec<SizeChange>> {
        self.notes.sizes()
    }

    /// Whether people may type there in a way that is not seen here: a window elsewhere has its own keyboard.
    pub fn is_typed_into_by_others(&self) -> bool {
        self.backend.as_ref().is_some_and(|backend| backend.answers() == Answers::Theirs)
    }

    /// Whether this process is the first one of the terminal, or holds the first one in a window elsewhere.
    pub fn leads(&self, pid: u32) -> bool {
        let holder = self.backend.as_ref().and_then(|backend| backend.holder());
        self.leader() == Some(pid) || holder == Some(pid) && self.progress().running()
    }

    /// Starts asking for notifications; called once the session can be found by the pump.
    pub(crate) fn arm(&self) -> io::Result<()> {
        let from = self.lock().position();
        self.backend.as_ref().map_or(Ok(()), |b| b.watch(from.0))
    }

    /// Lets the backend let go of a session that has ended.
    pub(crate) fn backend(&self) -> Option<&dyn Backend> {
        self.backend.as_deref()
    }

    pub(crate) fn tty(&self) -> Option<BorrowedFd<'_>> {
        self.backend.as_ref().and_then(|b| b.tty())
    }

    /// Whether the terminal holds output that nobody has read yet. Of a window elsewhere that is not known.
    pub(crate) fn has_unread_output(&self) -> bool {
        self.unread_output() > 0
    }

    fn unread_output(&self) -> u64 {
        // The kernel brings what was printed to where it is counted when it is asked this.
        let ours = self.backend().filter(|backend| backend.answers() == Answers::Ours);
        let Some(tty) = ours.and_then(Backend::tty) else { return 0 };
        let _ready = poll(&mut [PollFd::new(&tty, PollFlags::IN)], Some(&Timespec::default()));
        ioctl_fionread(tty).unwrap_or(0)
    }

    pub(crate) fn publish(&self, change: impl FnOnce(&mut Progress)) {
        let mut is_milestone = false;
        self.progress.send_if_modified(|progress| {
            let before = *progress;
            change(progress);
            if progress.seen != before.seen {
                *self.printed_at.lock() = Instant::now();
            }
            is_milestone = Progress { seen: before.seen, eof: before.eof, ..*progress } != before;
            *progress != before
        });
        if is_milestone {
            // As it is by now, so that of two at once the later one never stands behind the earlier.
            self.milestones.send_modify(|milestone| *milestone = self.progress());
        }
    }

    fn lock(&self) -> MutexGuard<'_, View> {
        // A panic while the view was held leaves it behind the log at worst; the log is the truth.
        self.view.lock()
    }
}

/// The major number of the terminal side of every PTY on Linux.
const SLAVE_MAJOR: u64 = 136;

/// The device number of `/dev/pts/NUMBER`, as `/proc/PID/stat` has it.
pub(crate) fn pts_device(number: u64) -> u64 {
    (number & 0xff) | (SLAVE_MAJOR << 8) | ((number & !0xff) << 12)
}

/// Seconds since 1970, as the marks and records have them.
pub(crate) fn unix_time(time: SystemTime) -> f64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
}
