//! The thread of a watch: it gathers events until there is a pause, then looks at the files themselves.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::inotify::{ReadFlags, Reader};
use rustix::io::Errno;

use super::{Notice, Shared, Trace};
use crate::path::RelPath;

/// A change is told when nothing more happened for so long,
const QUIET: Duration = Duration::from_millis(30);
/// or at the latest after this.
const LATEST: Duration = Duration::from_millis(200);
/// After a failure of the system, which may well come again at once.
const PAUSE: Duration = Duration::from_secs(1);

enum Woken {
    Events,
    Quiet,
    Ending,
}

#[derive(Debug, Default)]
struct Seen {
    /// Folders that are no longer where they were.
    lost: HashSet<i32>,
    overflow: bool,
}

impl Shared {
    /// Tells of changes until the watch is dropped.
    pub(super) fn run(&self, on: &dyn Fn(Notice)) {
        let mut buffer = Vec::with_capacity(64 * 1024);
        loop {
            let mut seen = Seen::default();
            match self.gather(&mut buffer, &mut seen) {
                Ok(Woken::Events) => {}
                Ok(Woken::Quiet) => continue,
                Ok(Woken::Ending) => return,
                Err(errno) => {
                    tracing::warn!(%errno, "watching files failed; it goes on after a pause");
                    seen.overflow = true;
                    std::thread::park_timeout(PAUSE);
                    if self.is_ending() {
                        return;
                    }
                }
            }
            // The callback may drop guards, so no lock is held.
            for notice in self.look(&seen) {
                on(notice);
            }
        }
    }

    /// Waits for events, and on until there is a pause in them.
    fn gather(&self, buffer: &mut Vec<u8>, seen: &mut Seen) -> Result<Woken, Errno> {
        match self.wait(None)? {
            Woken::Events => {}
            other => return Ok(other),
        }
        let latest = Instant::now() + LATEST;
        loop {
            self.drain(buffer, seen)?;
            let left = latest.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Woken::Events);
            }
            match self.wait(Some(QUIET.min(left)))? {
                Woken::Events => {}
                Woken::Quiet => return Ok(Woken::Events),
                Woken::Ending => return Ok(Woken::Ending),
            }
        }
    }

    fn wait(&self, limit: Option<Duration>) -> Result<Woken, Errno> {
        let limit = limit.map(|limit| Timespec { tv_sec: 0, tv_nsec: i64::from(limit.subsec_nanos()) });
        let mut fds = [PollFd::new(&self.inotify, PollFlags::IN), PollFd::new(&self.ending, PollFlags::IN)];
        match poll(&mut fds, limit.as_ref()) {
            Ok(0) | Err(Errno::INTR) => Ok(Woken::Quiet),
            Ok(_) if !fds[1].revents().is_empty() => Ok(Woken::Ending),
            Ok(_) if fds[0].revents().contains(PollFlags::IN) => Ok(Woken::Events),
            Ok(_) => Err(Errno::IO),
            Err(errno) => Err(errno),
        }
    }

    /// Whether the watch is being dropped, asked without `poll`.
    fn is_ending(&self) -> bool {
        rustix::io::read(&self.ending, &mut [0; 8]).is_ok()
    }

    fn drain(&self, buffer: &mut Vec<u8>, seen: &mut Seen) -> Result<(), Errno> {
        let mut reader = Reader::new(&self.inotify, buffer.spare_capacity_mut());
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::AGAIN | Errno::INTR) => return Ok(()),
                Err(errno) => return Err(errno),
            };
            let what = event.events();
            seen.overflow |= what.contains(ReadFlags::QUEUE_OVERFLOW);
            if what.intersects(ReadFlags::IGNORED | ReadFlags::MOVE_SELF | ReadFlags::DELETE_SELF | ReadFlags::UNMOUNT)
            {
                seen.lost.insert(event.wd());
            }
        }
    }

    /// What the events mean: the files are looked at, whatever the kernel said. All of them, because nothing tells that
    /// a folder further up was renamed or that a link leads elsewhere now.
    fn look(&self, seen: &Seen) -> Vec<Notice> {
        let paths: Vec<RelPath> = self.state().files.keys().cloned().collect();
        let mut notices: Vec<Notice> = seen.overflow.then_some(Notice::Overflow).into_iter().collect();
        let mut changes: Vec<Notice> = paths.iter().filter_map(|path| self.look_at(path, seen)).collect();
        changes.sort_by(|a, b| a.path().cmp(&b.path()));
        notices.append(&mut changes);
        notices
    }

    fn look_at(&self, path: &RelPath, seen: &Seen) -> Option<Notice> {
        // The disk may be slow, so nobody waits for it meanwhile.
        let mut now = self.trace(path);
        let mut state = self.state();
        let watched = state.files.get(path)?;
        let (last, armed) = (watched.last, watched.armed);
        // A file that is another one now may be in another folder: it is watched where it is.
        let moved = now.map(Trace::file) != last.map(Trace::file);
        if moved || armed.above || seen.overflow || seen.lost.contains(&armed.watch) {
            match self.arm(&mut state, path) {
                Ok(again) => {
                    if again.watch != armed.watch {
                        self.disarm(&mut state, armed.watch, path);
                    }
                    if let Some(watched) = state.files.get_mut(path) {
                        watched.armed = again;
                    }
                }
                Err(error) => {
                    if !armed.above {
                        tracing::warn!(%error, %path, "a file is no longer watched");
                    }
                    // Tried again at the next event.
                    if let Some(watched) = state.files.get_mut(path) {
                        watched.armed.above = true;
                    }
                }
            }
            // What happened before it was watched there.
            now = self.trace(path);
        }
        state.files.get_mut(path)?.last = now;
        match now {
            _ if now == last => None,
            Some(_) => Some(Notice::Changed(path.clone())),
            None => Some(Notice::Gone(path.clone())),
        }
    }
}

impl Notice {
    fn path(&self) -> Option<&RelPath> {
        match self {
            Self::Changed(path) | Self::Gone(path) => Some(path),
            Self::Overflow => None,
        }
    }
}

impl Trace {
    /// Which file it is.
    fn file(self) -> (u64, u64) {
        (self.device, self.inode)
    }
}
