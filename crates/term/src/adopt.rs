//! Taking up terminals that an earlier hub left, each for itself: what fails for one is told with that one.

use std::path::PathBuf;
use std::sync::Arc;

use flightdeck_keeper::{self as keeper, LogLimits, SessionId, SessionInfo, Size};

use crate::backend::{Finder, Left};
use crate::session::{Kind, Lost, PendingRun, Progress, Record, Session, SessionParts, Source};
use crate::terminals::{Tag, Terminals};

/// How much of the log is replayed in one step.
const STEP: usize = 1 << 20;

/// A terminal to be taken up again after a restart of the hub.
#[derive(Debug)]
pub struct Adopt {
    /// Its name.
    pub id: SessionId,
    /// What runs in it.
    pub kind: Kind,
    /// The size it began with.
    pub size: Size,
    /// Its own folder.
    pub dir: PathBuf,
    /// The environment entry by which its processes are known.
    pub tag: Tag,
    /// Its commands as far as they were stored.
    pub records: Vec<Record>,
    /// The command that was handed to the shell last.
    pub pending: Option<PendingRun>,
    /// How much output is kept.
    pub limits: LogLimits,
    /// What knows where it is.
    pub finder: Box<dyn Finder>,
}

impl Terminals {
    /// Takes up a session that the keeper holds, or shows one that is over from its log. One that can't be taken up is
    /// shown as lost, and says why.
    pub fn adopt(&self, adopt: Adopt, held: Option<&SessionInfo>) -> Arc<Session> {
        let exit = held.map_or_else(|| keeper::read_exit(&adopt.dir), |info| info.exit);
        let left = Left { id: &adopt.id, dir: &adopt.dir, limits: adopt.limits, held, exit };
        let (backend, trouble) = match adopt.finder.find(&self.requests, &left) {
            Ok(backend) => (backend, None),
            Err(error) => (None, Some(error)),
        };
        let progress = Progress {
            exit,
            eof: backend.is_none() || held.is_some_and(|info| info.eof),
            lost: match held.is_some_and(|info| info.lost) {
                _ if exit.is_some() => None,
                true => Some(Lost::Window),
                false => backend.is_none().then_some(Lost::Keeper),
            },
            stalled: held.is_some_and(|info| info.stalled.is_some()),
            ..Progress::default()
        };
        let lives = backend.is_some();
        let session = Session::new(SessionParts {
            id: adopt.id,
            kind: adopt.kind,
            dir: adopt.dir,
            size: adopt.size,
            environment: adopt.tag.entry(),
            backend,
            records: adopt.records,
            pending: adopt.pending,
            log_bytes: adopt.limits.total_bytes,
            progress,
            source: if lives { Source::TakenUp } else { Source::Archive },
        });
        if let Some(error) = trouble {
            session.set_trouble(&error);
        } else if lives && let Err(error) = session.catch_up(&mut vec![0; STEP]) {
            // Whoever asks this hub would see everything that happened while there was none; but its programs live.
            session.set_trouble(&error);
        }
        session.settle_taken_up();
        self.table.insert(&session);
        session
    }
}
