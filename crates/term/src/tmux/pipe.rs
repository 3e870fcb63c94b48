//! Our pipe at a pane: made where none is, and taken away without touching anybody else's.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use flightdeck_keeper::output_path;

use super::call::Words;
use super::window::{Window, forget};
use super::{GuestWindow, Tmux, TmuxError, escape};
use crate::facts::all_pids;

/// Who has the output of a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piped {
    Ours,
    /// Somebody else's pipe is there, and stays.
    Taken,
}

/// What is printed when there is a pipe already.
const TAKEN: &str = "taken";

/// The files that processes write to as their output.
fn outputs() -> impl Iterator<Item = PathBuf> {
    all_pids().into_iter().filter_map(|pid| fs::read_link(format!("/proc/{pid}/fd/1")).ok())
}

/// Whether a process writes into the FIFO, which only the one does that tmux started for our pipe.
pub(super) fn is_written_to(fifo: &Path) -> bool {
    outputs().any(|target| target == fifo)
}

impl Tmux {
    /// Lets the pane's output go into its FIFO, unless it goes elsewhere. Both in one turn of the server: a pipe that the
    /// user opens meanwhile would be closed by ours.
    pub(super) fn pipe(&self, window: &Window, dir: &Path) -> Result<Piped, TmuxError> {
        let pane = format!("%{}", window.pane);
        let command = escape::pipe_command(&output_path(dir), self.writer());
        let open = [format!("pipe-pane -O -t {pane} ").as_bytes(), &escape::nested(&command)].concat();
        let told = format!("display-message -p {TAKEN}");
        let words: [OsString; 7] = [
            "if-shell".into(),
            "-F".into(),
            "-t".into(),
            pane.into(),
            "#{pane_pipe}".into(),
            told.into(),
            OsString::from_vec(open),
        ];
        let printed = self.call("pipe a pane", Words::default().then(words))?;
        Ok(if printed.trim_end() == TAKEN { Piped::Taken } else { Piped::Ours })
    }

    /// Takes our pipe away, whatever runs in the pane by now. tmux does not tell whose a pipe is, but ours writes into our
    /// FIFO.
    pub(super) fn unpipe(&self, window: &Window, dir: &Path) -> Result<(), TmuxError> {
        if !is_written_to(&output_path(dir)) {
            return Ok(());
        }
        let target = format!("%{}", window.pane);
        match self.call("close a pipe", Words::default().then(["pipe-pane", "-t", &target])) {
            Err(error) if error.is_not_found() || self.is_down() => Ok(()),
            other => other.map(drop),
        }
    }

    /// Takes away a pipe of ours that is left at a pane from a terminal that has ended, such as of a shell that was
    /// replaced by `respawn-pane`. Terminals have their folders in this one.
    pub fn take_off_old(&self, guest: &GuestWindow, folder: &Path) -> Result<(), TmuxError> {
        let dirs = outputs().filter(|target| guest.piped && target.starts_with(folder));
        let dirs: Vec<PathBuf> = dirs.filter_map(|target| Some(target.parent()?.to_owned())).collect();
        for dir in dirs {
            if let Some(old) = Window::load(&dir).filter(|old| old.pane == guest.window.pane) {
                self.unpipe(&old, &dir)?;
            }
        }
        Ok(())
    }

    /// Leaves a window of the user's that a terminal's folder tells of: nothing of it is taken up any more.
    pub fn part_from(&self, dir: &Path) -> Result<(), TmuxError> {
        let parted = Window::load(dir).map_or(Ok(()), |window| self.unpipe(&window, dir));
        forget(dir);
        parted
    }
}
