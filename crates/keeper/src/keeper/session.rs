//! What the control thread and a reader thread share of one session.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rustix::process::Pid;

use super::lock;
use super::outbox::Outbox;
use super::spawn::Child;
use crate::wire;
use crate::{Event, Exit, SessionId};

pub struct Session {
    pub id: SessionId,
    /// `None` when it is followed: its processes belong to somebody else.
    pub pid: Option<Pid>,
    /// `None` for a session on pipes, and for one that is followed.
    pub master: Option<Arc<OwnedFd>>,
    /// The held end of the child's standard input, until it is closed or the child has ended.
    stdin: Mutex<Option<Arc<OwnedFd>>>,
    pub log_dir: Arc<Path>,
    log_end: AtomicU64,
    eof: AtomicBool,
    drained: AtomicBool,
    /// What was found out about the end of a followed session.
    outcome: Mutex<Outcome>,
    stalled: Mutex<Option<String>>,
    watches: Mutex<Vec<Watch>>,
}

/// How a followed session ended.
#[derive(Clone, Copy, Default)]
pub enum Outcome {
    #[default]
    Open,
    Exited(Exit),
    /// Its process is gone and left no word.
    Lost,
}

/// One client waits for the log to end after `from`.
struct Watch {
    outbox: Arc<Outbox>,
    from: u64,
}

impl Session {
    /// One that somebody else runs.
    pub fn followed(id: SessionId, log_dir: Arc<Path>, log_end: u64) -> Self {
        Self {
            id,
            pid: None,
            master: None,
            stdin: Mutex::default(),
            log_dir,
            log_end: AtomicU64::new(log_end),
            eof: AtomicBool::new(false),
            drained: AtomicBool::new(false),
            outcome: Mutex::default(),
            stalled: Mutex::default(),
            watches: Mutex::default(),
        }
    }

    /// One on a child of ours.
    pub fn of_child(id: SessionId, child: Child, log_dir: Arc<Path>, log_end: u64) -> Self {
        Self {
            pid: Some(child.pid),
            master: child.master.map(Arc::new),
            stdin: Mutex::new(child.stdin.map(Arc::new)),
            ..Self::followed(id, log_dir, log_end)
        }
    }

    pub fn stdin(&self) -> Option<Arc<OwnedFd>> {
        lock(&self.stdin).clone()
    }

    pub fn close_stdin(&self) {
        *lock(&self.stdin) = None;
    }

    pub fn log_end(&self) -> u64 {
        self.log_end.load(Ordering::Acquire)
    }

    pub fn eof(&self) -> bool {
        self.eof.load(Ordering::Acquire)
    }

    pub fn set_eof(&self) {
        self.eof.store(true, Ordering::Release);
    }

    /// The child has ended and everything that it printed is in the log.
    pub fn drained(&self) -> bool {
        self.drained.load(Ordering::Acquire)
    }

    pub fn set_drained(&self) {
        self.drained.store(true, Ordering::Release);
    }

    pub fn outcome(&self) -> Outcome {
        *lock(&self.outcome)
    }

    pub fn set_outcome(&self, outcome: Outcome) {
        *lock(&self.outcome) = outcome;
    }

    pub fn stalled(&self) -> Option<String> {
        lock(&self.stalled).clone()
    }

    pub fn set_stalled(&self, reason: Option<String>) {
        *lock(&self.stalled) = reason;
    }

    /// The log ends at `end` now: tells those who waited for that, once.
    pub fn grew(&self, end: u64) {
        // Stored before the lock: who arms later sees it, who armed earlier is found.
        self.log_end.store(end, Ordering::Release);
        lock(&self.watches).retain(|watch| {
            let fires = end > watch.from;
            if fires {
                self.tell(&watch.outbox, end);
            }
            !fires
        });
    }

    /// Arms the one watch that this connection has on this session.
    pub fn watch(&self, outbox: &Arc<Outbox>, from: u64) {
        let mut watches = lock(&self.watches);
        watches.retain(|watch| watch.outbox.token != outbox.token);
        let end = self.log_end();
        if end > from {
            self.tell(outbox, end);
        } else {
            watches.push(Watch { outbox: Arc::clone(outbox), from });
        }
    }

    /// Forgets the watch of a connection that is gone.
    pub fn unwatch(&self, token: u64) {
        lock(&self.watches).retain(|watch| watch.outbox.token != token);
    }

    fn tell(&self, outbox: &Outbox, end: u64) {
        outbox.send(wire::event_frame(&Event::Grew { id: self.id.clone(), end }));
    }
}
