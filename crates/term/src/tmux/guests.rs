//! Windows that the user made in the session that tabs are opened in: found, and listened to.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flightdeck_keeper::{FollowSpec, Requests, Size, WhenStalled, output_path};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::call::Words;
use super::pipe::Piped;
use super::tab::Tab;
use super::window::Window;
use super::{Tmux, TmuxError};
use crate::backend::{Backend, Whose};

/// What is asked of each pane. The name comes last, because anything may be in it.
const FORMAT: &str = "#{window_id}\t#{pane_id}\t#{pane_pid}\t#{pane_tty}\t#{pane_active}\t#{pane_pipe}\t\
                      #{pane_dead}\t#{pane_height}\t#{pane_width}\t#{@flightdeck}\t#{window_name}";
const FIELDS: usize = 11;

/// A window of the user's with the pane that is active in it.
#[derive(Clone, Debug)]
pub struct GuestWindow {
    pub(super) window: Window,
    /// As the user sees it.
    pub name: String,
    /// How large the pane is.
    pub size: Size,
    /// Whether its output goes somewhere already.
    pub piped: bool,
}

/// What there is in the session.
#[derive(Clone, Debug)]
pub struct Guests {
    /// The windows that no hub has opened.
    pub windows: Vec<GuestWindow>,
    /// All panes, whosever they are.
    panes: Vec<u32>,
}

impl Guests {
    /// Whether the pane of a terminal's folder is in the session.
    pub fn hold(&self, dir: &Path) -> bool {
        Window::load(dir).is_some_and(|window| self.panes.contains(&window.pane))
    }
}

impl GuestWindow {
    /// The number in `@7`.
    pub fn number(&self) -> u32 {
        self.window.number
    }

    /// Where the shell in it is.
    pub fn cwd(&self) -> Option<PathBuf> {
        fs::read_link(format!("/proc/{}/cwd", self.window.leader)).ok()
    }

    /// `None` for panes that are not active or dead, and for windows that a hub has opened.
    fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.splitn(FIELDS, '\t').collect();
        let &[number, pane, pid, tty, active, piped, dead, rows, cols, owner, name] = fields.as_slice() else {
            return None;
        };
        if active != "1" || dead == "1" || !owner.is_empty() {
            return None;
        }
        Some(GuestWindow {
            // The shell leads the session of its terminal itself.
            window: Window::parse(&[number, pane, pid, tty, pid].join("\t"))?,
            name: name.to_owned(),
            size: Size::new(rows.parse().ok()?, cols.parse().ok()?).ok()?,
            piped: piped == "1",
        })
    }
}

impl Window {
    /// In a window of ours a holder is between tmux and the shell.
    pub(crate) fn whose(&self) -> Whose {
        if self.leader == self.holder { Whose::Theirs } else { Whose::Ours }
    }

    /// The user's own terminals are not halted.
    pub(super) fn when_stalled(&self) -> WhenStalled {
        match self.whose() {
            Whose::Ours => WhenStalled::Halt,
            Whose::Theirs => WhenStalled::Leave,
        }
    }
}

impl Tmux {
    /// The windows of the session that no hub has opened.
    pub fn guest_windows(&self) -> Result<Guests, TmuxError> {
        self.check_socket()?;
        let target = format!("{}:", self.target()?);
        let words = Words::default().then(["list-panes", "-s", "-t", &target, "-F", FORMAT]);
        let printed = self.call("list windows", words).map_err(|error| self.explain(error))?;
        let panes = printed.lines().filter_map(|line| line.split('\t').nth(1)?.strip_prefix('%')?.parse().ok());
        Ok(Guests { windows: printed.lines().filter_map(GuestWindow::parse).collect(), panes: panes.collect() })
    }
}

/// Lets the keeper follow a window of the user's. Where a pipe is already, that one stays, and ours is not opened.
pub(super) fn follow(
    tmux: &Arc<Tmux>,
    requests: &Requests,
    spec: FollowSpec,
    guest: &GuestWindow,
) -> Result<Box<dyn Backend>, TmuxError> {
    let dir = spec.log_dir.as_path().to_owned();
    let window = guest.window.clone();
    mknodat(CWD, output_path(&dir), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)
        .map_err(TmuxError::io("a FIFO can't be made"))?;
    requests.follow(&spec)?;
    let join = || -> Result<Piped, TmuxError> {
        window.save(&dir).map_err(TmuxError::io("where the window is can't be noted"))?;
        requests.mind(&spec.id, window.holder, window.when_stalled())?;
        tmux.pipe(&window, &dir)
    };
    let piped = match join() {
        Ok(piped) => piped,
        Err(error) => {
            // Whatever is left goes with the terminal's folder.
            let _ = requests.forget(&spec.id);
            return Err(error);
        }
    };
    let tab = Tab::new(Some(Arc::clone(tmux)), requests.clone(), spec, dir, window);
    Ok(Box::new(if piped == Piped::Taken { tab.unheard() } else { tab }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_active_panes_of_the_user_are_taken() {
        let line = |active: &str, dead: &str, owner: &str| {
            format!("@1\t%2\t30\t/dev/pts/4\t{active}\t0\t{dead}\t24\t80\t{owner}\ta\tname")
        };
        let found = GuestWindow::parse(&line("1", "0", "")).expect("a window");
        assert_eq!((found.number(), found.name.as_str(), found.piped), (1, "a\tname", false));
        assert_eq!(found.window.whose(), Whose::Theirs);
        for other in [line("0", "0", ""), line("1", "1", ""), line("1", "0", "t4"), String::new(), "@1\t%2".to_owned()]
        {
            assert!(GuestWindow::parse(&other).is_none(), "{other:?}");
        }
    }
}
