//! Starting a tab in tmux, and taking one up again.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_keeper::{
    FollowSpec, OsBytes, PaneWord, Requests, SpawnSpec, output_path, pane_ready_path, write_pane_spec,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};

use super::pipe::is_written_to;
use super::tab::Tab;
use super::window::{Wanted, Window};
use super::{Tmux, TmuxError};
use crate::backend::{Backend, Whose};

/// How long the shell may take to start, which is not its first prompt.
const READY: Duration = Duration::from_secs(15);

/// A tab to be started.
#[derive(Debug)]
pub(crate) struct NewTab<'a> {
    pub spec: &'a SpawnSpec,
    pub name: &'a str,
    pub size: flightdeck_keeper::Size,
    /// The number of its window must be above this one.
    pub above: u32,
    /// Numbers of tabs that are open. Only a server of our own can be made to count on.
    pub taken: &'a [u32],
}

/// Starts a shell in a new window, followed by the keeper.
pub(crate) fn start(tmux: &Arc<Tmux>, requests: &Requests, new: &NewTab<'_>) -> Result<Box<dyn Backend>, TmuxError> {
    let dir = new.spec.log_dir.as_path();
    let follow =
        FollowSpec { id: new.spec.id.clone(), log_dir: OsBytes::from(dir.as_os_str()), limits: new.spec.limits };
    write_pane_spec(dir, new.spec).map_err(TmuxError::io("what to start can't be written"))?;
    for fifo in [output_path(dir), pane_ready_path(dir)] {
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
            .map_err(TmuxError::io("a FIFO can't be made"))?;
    }
    // Read by the keeper before anybody writes: not even a shell that ends at once loses a byte.
    requests.follow(&follow)?;
    match open(tmux, requests, new, dir) {
        Ok(window) => Ok(Box::new(Tab::new(Some(Arc::clone(tmux)), requests.clone(), follow, dir.to_owned(), window))),
        Err(error) => {
            // Whatever is left goes with the terminal's folder.
            let _ = requests.forget(&follow.id);
            Err(error)
        }
    }
}

fn open(tmux: &Tmux, requests: &Requests, new: &NewTab<'_>, dir: &Path) -> Result<Window, TmuxError> {
    let ready = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(pane_ready_path(dir))
        .map_err(TmuxError::io("the FIFO of a new tab can't be opened"))?;
    let wanted = Wanted { id: &new.spec.id, dir, name: new.name, size: new.size, above: new.above };
    let mut window = tmux.open(requests, &wanted)?;
    if new.taken.contains(&window.number) {
        // The first error is the one to tell.
        let _ = tmux.close(&new.spec.id, &window);
        return Err(TmuxError::NumberTaken(window.number));
    }
    let started = answer(ready).and_then(|word| match word {
        PaneWord::Started(pid) => Ok(pid),
        PaneWord::Refused(refusal) => Err(refusal.into()),
    });
    let noted = started.and_then(|leader| {
        window.leader = leader;
        window.save(dir).map_err(TmuxError::io("where the new tab is can't be noted"))?;
        Ok(requests.mind(&new.spec.id, window.holder, window.when_stalled())?)
    });
    if let Err(error) = noted {
        // The first error is the one to tell.
        let _ = tmux.close(&new.spec.id, &window);
        return Err(error);
    }
    Ok(window)
}

/// Takes up a tab that is on file in its folder. `None` when its window is gone, which is not what it means when tmux
/// can't be asked: a tab whose holder lives is there.
pub(crate) fn resume(
    tmux: Option<&Arc<Tmux>>,
    requests: &Requests,
    follow: FollowSpec,
    window: Window,
    held: Held,
) -> Result<Option<Box<dyn Backend>>, TmuxError> {
    let dir = follow.log_dir.as_path().to_owned();
    if held == Held::No {
        let is_there = tmux.ok_or(TmuxError::Missing).and_then(|tmux| match window.whose() {
            Whose::Ours => tmux.holds(&follow.id, &window),
            Whose::Theirs => tmux.has_pane(&window),
        });
        match is_there {
            Ok(false) => return Ok(None),
            Err(error) if !window.is_held(&dir) => return Err(error),
            Ok(true) | Err(_) => {}
        }
        requests.follow(&follow)?;
        requests.mind(&follow.id, window.holder, window.when_stalled())?;
        if let Some(tmux) = tmux.filter(|tmux| matches!(tmux.is_piped(&window), Ok(false))) {
            // The tab is there all the same. Its output may come by the pipe that it had.
            let _ = tmux.pipe(&window, &dir);
        }
    }
    let heard = window.whose() == Whose::Ours || is_written_to(&output_path(&dir));
    let tab = Tab::new(tmux.cloned(), requests.clone(), follow, dir, window);
    Ok(Some(Box::new(if heard { tab } else { tab.unheard() })))
}

/// Whether the keeper follows a tab already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Yes,
    No,
}

/// The word of the pane's holder.
fn answer(mut ready: File) -> Result<PaneWord, TmuxError> {
    let deadline = Instant::now() + READY;
    let mut line = Vec::new();
    let mut piece = [0; 4096];
    while !line.ends_with(b"\n") {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut [PollFd::new(&ready, PollFlags::IN)], Some(&left)) {
            Ok(0) => return Err(TmuxError::NotReady(READY)),
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => continue,
            Err(error) => return Err(TmuxError::Io { doing: "a new tab can't be awaited", source: error.into() }),
        }
        match ready.read(&mut piece) {
            Ok(read) => line.extend_from_slice(&piece[..read]),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(source) => return Err(TmuxError::Io { doing: "a new tab can't be awaited", source }),
        }
    }
    PaneWord::parse(&line).map_err(TmuxError::io("a new tab said nonsense"))
}
