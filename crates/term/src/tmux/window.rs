//! One window of tmux: made in one turn of the server, found again after a restart of the hub.

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use flightdeck_keeper::{Requests, SessionId, Size, output_path};

use super::call::Words;
use super::{Tmux, TmuxError, escape};
use crate::facts::was_started_with;
use crate::shell::RunId;

/// The option that tells whose a window is.
const OWNER: &str = "@flightdeck";
const FORMAT: &str = "#{window_id}\t#{pane_id}\t#{pane_pid}\t#{pane_tty}";

/// Where a tab is. Kept in the terminal's folder, for the next hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// The number in `@7`.
    pub number: u32,
    /// The number in `%7`.
    pub pane: u32,
    /// The holder of the pane, which leads the terminal's session.
    pub holder: u32,
    /// `/dev/pts/7`.
    pub tty: PathBuf,
    /// The shell.
    pub leader: u32,
}

/// What a new window is for.
#[derive(Debug)]
pub(super) struct Wanted<'a> {
    pub id: &'a SessionId,
    pub dir: &'a Path,
    pub name: &'a str,
    pub size: Size,
    /// Its number must be above this one.
    pub above: u32,
}

impl Window {
    /// What is on file in a terminal's folder. `None` for terminals that are not in tmux.
    pub(super) fn load(dir: &Path) -> Option<Self> {
        Self::parse(fs::read_to_string(file(dir)).ok()?.strip_suffix('\n')?)
    }

    /// Whether its holder lives, which has the folder in its command line.
    pub(super) fn is_held(&self, dir: &Path) -> bool {
        ["tmux-pane".as_ref(), dir.as_os_str()].into_iter().all(|word| was_started_with(self.holder, word))
    }

    pub(super) fn save(&self, dir: &Path) -> std::io::Result<()> {
        let Window { number, pane, holder, tty, leader } = self;
        let line = format!("@{number}\t%{pane}\t{holder}\t{}\t{leader}\n", tty.display());
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(file(dir));
        file?.write_all(line.as_bytes())
    }

    /// What tmux prints of a new window, and on file the shell's process after it.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        Some(Window {
            number: fields.next()?.strip_prefix('@')?.parse().ok()?,
            pane: fields.next()?.strip_prefix('%')?.parse().ok()?,
            holder: fields.next()?.parse().ok()?,
            tty: fields.next().filter(|tty| tty.starts_with("/dev/"))?.into(),
            leader: fields.next().map_or(Some(0), |leader| leader.parse().ok())?,
        })
    }
}

/// Whether the terminal of this folder was started in tmux.
pub fn has_window(dir: &Path) -> bool {
    file(dir).exists()
}

fn file(dir: &Path) -> PathBuf {
    dir.join("window")
}

/// Leaves nothing to be taken up by the next hub.
pub(super) fn forget(dir: &Path) {
    for path in [file(dir), output_path(dir)] {
        // Gone already is what we want.
        let _ = fs::remove_file(path);
    }
}

impl Tmux {
    /// Makes a window with the holder in it, its output going into the FIFO from the first byte on.
    pub(super) fn open(&self, requests: &Requests, wanted: &Wanted<'_>) -> Result<Window, TmuxError> {
        if self.is_users() {
            self.check_socket()?;
            return self.try_open(wanted).map_err(|error| self.explain(error));
        }
        self.count_to(requests, wanted.above)?;
        let window = match self.try_open(wanted) {
            Err(error @ TmuxError::Failed { .. }) => {
                if !self.lacks_session() {
                    return Err(error);
                }
                self.start(requests)?;
                self.count_to(requests, wanted.above)?;
                self.try_open(wanted)?
            }
            other => other?,
        };
        if window.number <= wanted.above {
            // Somebody else has started a server here, which counts anew. The next try looks how far it is.
            self.counted.store(0, Ordering::Relaxed);
            let _ = self.close(wanted.id, &window);
            let said = format!("the number @{} was another tab's before", window.number);
            return Err(TmuxError::Failed { doing: "make a window", said });
        }
        self.counted.store(window.number, Ordering::Relaxed);
        Ok(window)
    }

    fn try_open(&self, wanted: &Wanted<'_>) -> Result<Window, TmuxError> {
        // Found by a name that nobody else has until its number is known: `-d` leaves alone what a person looks at.
        let passing_name = RunId::random().map_err(TmuxError::io("no random number"))?;
        let session = self.target()?;
        let target = OsString::from(format!("{session}:={passing_name}"));
        let session = OsString::from(format!("{session}:"));
        let target = target.as_os_str();
        let (cols, rows) = (wanted.size.cols().to_string(), wanted.size.rows().to_string());
        let (name, pipe) =
            (escape::window_name(wanted.name), escape::pipe_command(&output_path(wanted.dir), self.writer()));
        let (holder, dir) = (escape::argument(self.setup.holder.as_os_str()), escape::argument(wanted.dir.as_os_str()));
        let word = OsStr::new;
        let words = Words::default()
            .then([
                word("new-window"),
                word("-d"),
                word("-P"),
                word("-F"),
                word(FORMAT),
                word("-t"),
                &session,
                word("-n"),
                word(passing_name.as_str()),
                word("--"),
                &holder,
                word("tmux-pane"),
                &dir,
            ])
            .then([word("pipe-pane"), word("-O"), word("-t"), target, &pipe])
            .then([word("resize-window"), word("-t"), target, word("-x"), word(&cols), word("-y"), word(&rows)])
            .then([word("set-option"), word("-w"), word("-t"), target, word("@flightdeck"), word(wanted.id.as_str())]);
        // For this window alone: what the server or the session has set may be the user's.
        let words = self.window_options().iter().fold(words, |words, (option, value)| {
            words.then([word("set-option"), word("-w"), word("-t"), target, word(option), word(value)])
        });
        let words = words.then([word("rename-window"), word("-t"), target, word("--"), &name]);
        let opened = self.call("make a window", words).and_then(|printed| {
            Window::parse(printed.trim_end_matches('\n'))
                .ok_or_else(|| TmuxError::Failed { doing: "make a window", said: format!("it printed {printed:?}") })
        });
        if opened.is_err() {
            // It may be there all the same, and nobody would ever close it. The first error is the one to tell.
            let _ = self.close_unowned(wanted.id, &passing_name);
        }
        opened
    }

    /// Closes what is left of a window that could not be made in full.
    fn close_unowned(&self, id: &SessionId, passing_name: &RunId) -> Result<(), TmuxError> {
        let format = "#{window_id}\t#{@flightdeck}\t#{window_name}";
        let listed = self.call("list windows", Words::default().then(["list-windows", "-a", "-F", format]))?;
        for line in listed.lines() {
            let mut fields = line.splitn(3, '\t');
            let (Some(window), Some(owner), Some(name)) = (fields.next(), fields.next(), fields.next()) else {
                continue;
            };
            if owner == id.as_str() || name == passing_name.as_str() {
                self.call("close a window", Words::default().then(["kill-window", "-t", window]))?;
            }
        }
        Ok(())
    }

    /// Closes the windows of tabs below this folder that nobody knows: a hub died before it could note them.
    pub fn close_strays(&self, folder: &Path, is_known: impl Fn(u32) -> bool) -> Result<usize, TmuxError> {
        if self.is_down() {
            return Ok(0);
        }
        let format = "#{window_id}\t#{pane_id}\t#{pane_pid}\t#{@flightdeck}";
        let listing = self.target().and_then(|target| {
            let words = Words::default().then(["list-panes", "-s", "-t", &format!("{target}:"), "-F", format]);
            self.call("list windows", words)
        });
        let listed = match listing {
            Err(TmuxError::NoSession { .. } | TmuxError::NoServer { .. }) => return Ok(0),
            Err(error) if error.is_not_found() => return Ok(0),
            other => other?,
        };
        let mut closed = 0;
        for line in listed.lines() {
            let fields: Vec<&str> = line.splitn(4, '\t').collect();
            let &[window, pane, pid, owner] = fields.as_slice() else { continue };
            let Ok(pid) = pid.parse() else { continue };
            let words = ["tmux-pane".as_ref(), folder.as_os_str()];
            if !owner.is_empty() && !is_known(pid) && words.into_iter().all(|word| was_started_with(pid, word)) {
                self.kill(owner, window, pane)?;
                closed += 1;
            }
        }
        Ok(closed)
    }

    /// Whether the window of a terminal's folder is on this server.
    pub fn has_window_of(&self, dir: &Path) -> bool {
        Window::load(dir).is_some_and(|window| self.has_pane(&window).unwrap_or(false))
    }

    /// Whether the pane is there with the same process in it, whoever opened it.
    pub(super) fn has_pane(&self, window: &Window) -> Result<bool, TmuxError> {
        Ok(self.look_at(window)?.is_some_and(|(_, holder, _)| holder == window.holder))
    }

    /// Whether the window is there and still ours: a new server may have another one of that number.
    pub(super) fn holds(&self, id: &SessionId, window: &Window) -> Result<bool, TmuxError> {
        Ok(self.look_at(window)?.is_some_and(|(owner, holder, _)| owner == id.as_str() && holder == window.holder))
    }

    /// Whether the pane's output goes anywhere.
    pub(super) fn is_piped(&self, window: &Window) -> Result<bool, TmuxError> {
        Ok(self.look_at(window)?.is_some_and(|(_, _, piped)| piped))
    }

    fn look_at(&self, window: &Window) -> Result<Option<(String, u32, bool)>, TmuxError> {
        let target = format!("%{}", window.pane);
        let format = "#{pane_pid}\t#{pane_pipe}\t#{@flightdeck}";
        let words = Words::default().then(["display-message", "-p", "-t", &target, format]);
        match self.call("look at a window", words) {
            Ok(printed) => {
                let mut fields = printed.trim_end_matches('\n').splitn(3, '\t');
                let holder = fields.next().and_then(|pid| pid.parse().ok());
                let piped = fields.next() == Some("1");
                let owner = fields.next().unwrap_or_default().to_owned();
                Ok(holder.map(|holder| (owner, holder, piped)))
            }
            Err(error) if error.is_not_found() || self.is_down() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Closes a window if it is still there and ours.
    pub(super) fn close(&self, id: &SessionId, window: &Window) -> Result<(), TmuxError> {
        let (number, pane) = (format!("@{}", window.number), format!("%{}", window.pane));
        if self.holds(id, window)? {
            return self.kill(id.as_str(), &number, &pane);
        }
        if self.is_users() && !self.is_down() { self.give_up(id.as_str(), &number) } else { Ok(()) }
    }

    /// Ends what is ours of a window: in the user's session they may have split it.
    fn kill(&self, owner: &str, window: &str, pane: &str) -> Result<(), TmuxError> {
        let words = if self.is_users() { ["kill-pane", "-t", pane] } else { ["kill-window", "-t", window] };
        match self.call("close a window", Words::default().then(words)) {
            Err(error) if error.is_not_found() || self.is_down() => Ok(()),
            Ok(_) if self.is_users() => self.give_up(owner, window),
            other => other.map(drop),
        }
    }

    /// Leaves to the user what they have put into a window of ours, as if the window were their own.
    fn give_up(&self, owner: &str, window: &str) -> Result<(), TmuxError> {
        let options = self.window_options().iter().map(|(option, _)| *option).chain(["window-size", OWNER]);
        let unset: Vec<_> = options.map(|option| format!("set-option -w -u -t {window} {option}")).collect();
        let is_ours = format!("#{{==:#{{{OWNER}}},{owner}}}");
        let words = Words::default().then(["if-shell", "-F", "-t", window, &is_ours, &unset.join(" ; ")]);
        match self.call("leave a window", words) {
            Err(error) if error.is_not_found() || self.is_down() => Ok(()),
            other => other.map(drop),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_as_they_were_written() {
        let dir = tempfile::tempdir().expect("a folder");
        assert_eq!(Window::load(dir.path()), None);
        let window = Window { number: 7, pane: 9, holder: 100, tty: "/dev/pts/3".into(), leader: 101 };
        window.save(dir.path()).expect("writes");
        assert_eq!(Window::load(dir.path()), Some(window));
        for line in ["", "@1", "@x\t%1\t1\t/dev/pts/1", "@1\t%1\t1\tpts/1", "1\t%1\t1\t/dev/pts/1"] {
            assert_eq!(Window::parse(line), None, "{line}");
        }
    }
}
