//! Starting a tab in tmux, and taking one up again.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_keeper::{
    FollowSpec, OsBytes, Output, PaneWord, Refusal, Requests, Size, SpawnSpec, output_path, pane_ready_path,
    write_pane_spec,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};

use super::pipe::is_written_to;
use super::tab::Tab;
use super::window::{Wanted, Window};
use super::{Tmux, TmuxError};
use crate::backend::{Backend, Finder, Left, Starter, Whose};
use crate::terminals::SpawnError;

/// How long the shell may take to start, which is not its first prompt.
const READY: Duration = Duration::from_secs(15);

/// A tab to be started, for a shell.
#[derive(Clone, Debug)]
pub struct NewTab {
    /// Which server.
    pub tmux: Arc<Tmux>,
    /// What people see as its name.
    pub name: String,
    /// The number of its window must be above this one.
    pub above: u32,
    /// Numbers of tabs that are open. Only a server of our own can be made to count on.
    pub taken: Vec<u32>,
}

/// A tab that an earlier hub has left, by what its folder says.
#[derive(Clone, Debug)]
pub struct OldTab {
    /// Which server, when there can be one.
    pub tmux: Option<Arc<Tmux>>,
}

impl Starter for NewTab {
    fn term(&self) -> &'static str {
        "screen-256color"
    }

    fn start(&self, keeper: &Requests, spec: &SpawnSpec) -> Result<Box<dyn Backend>, SpawnError> {
        if spec.sandbox.is_some() {
            // The holder of a pane confines nothing, and to run without limits what should have some is worse.
            let reason = "a tab in tmux can't be confined".to_owned();
            return Err(TmuxError::from(Refusal::Invalid { reason }).into());
        }
        Ok(start(self, keeper, spec)?)
    }
}

impl Finder for OldTab {
    fn find(&self, keeper: &Requests, left: &Left<'_>) -> Result<Option<Box<dyn Backend>>, SpawnError> {
        match Window::load(left.dir) {
            Some(window) if left.exit.is_none() => Ok(resume(self.tmux.as_ref(), keeper, left, window)?),
            _ => {
                if left.held.is_some() {
                    // A hub died before it did. What is still on its way goes nowhere, and holds nobody up.
                    keeper.forget(left.id)?;
                }
                Ok(None)
            }
        }
    }
}

/// Starts a shell in a new window, followed by the keeper.
fn start(new: &NewTab, requests: &Requests, spec: &SpawnSpec) -> Result<Box<dyn Backend>, TmuxError> {
    let dir = spec.log_dir.as_path();
    let follow = FollowSpec { id: spec.id.clone(), log_dir: spec.log_dir.clone(), limits: spec.limits };
    write_pane_spec(dir, spec).map_err(TmuxError::io("what to start can't be written"))?;
    for fifo in [output_path(dir), pane_ready_path(dir)] {
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
            .map_err(TmuxError::io("a FIFO can't be made"))?;
    }
    // Read by the keeper before anybody writes: not even a shell that ends at once loses a byte.
    requests.follow(&follow)?;
    match open(new, requests, spec, dir) {
        Ok(window) => {
            let tmux = Some(Arc::clone(&new.tmux));
            Ok(Box::new(Tab::new(tmux, requests.clone(), follow, dir.to_owned(), window)))
        }
        Err(error) => {
            // Whatever is left goes with the terminal's folder.
            let _ = requests.forget(&follow.id);
            Err(error)
        }
    }
}

fn open(new: &NewTab, requests: &Requests, spec: &SpawnSpec, dir: &Path) -> Result<Window, TmuxError> {
    let NewTab { tmux, name, above, taken } = new;
    let size = match spec.output {
        Output::Pty(size) => size,
        Output::Pipes | Output::PipesHeld => Size::default(),
    };
    let ready = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
        .open(pane_ready_path(dir))
        .map_err(TmuxError::io("the FIFO of a new tab can't be opened"))?;
    let wanted = Wanted { id: &spec.id, dir, name, size, above: *above };
    let mut window = tmux.open(requests, &wanted)?;
    if taken.contains(&window.number) {
        // The first error is the one to tell.
        let _ = tmux.close(&spec.id, &window);
        return Err(TmuxError::NumberTaken(window.number));
    }
    let started = answer(ready).and_then(|word| match word {
        PaneWord::Started(pid) => Ok(pid),
        PaneWord::Refused(refusal) => Err(refusal.into()),
    });
    let noted = started.and_then(|leader| {
        window.leader = leader;
        window.save(dir).map_err(TmuxError::io("where the new tab is can't be noted"))?;
        Ok(requests.mind(&spec.id, window.holder, window.when_stalled())?)
    });
    if let Err(error) = noted {
        // The first error is the one to tell.
        let _ = tmux.close(&spec.id, &window);
        return Err(error);
    }
    Ok(window)
}

/// Takes up a tab that is on file in its folder. `None` when its window is gone, which is not what it means when tmux
/// can't be asked: a tab whose holder lives is there.
fn resume(
    tmux: Option<&Arc<Tmux>>,
    requests: &Requests,
    left: &Left<'_>,
    window: Window,
) -> Result<Option<Box<dyn Backend>>, TmuxError> {
    let dir = left.dir.to_owned();
    let follow = FollowSpec { id: left.id.clone(), log_dir: OsBytes::from(dir.as_os_str()), limits: left.limits };
    // The keeper may have followed it all the time, or has to begin anew.
    if left.held.is_none() {
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
