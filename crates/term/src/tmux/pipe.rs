//! Our pipe at a pane of the user's: whether it is there, and taking it away without touching anybody else's.

use std::fs;
use std::path::Path;

use flightdeck_keeper::output_path;

use super::call::Words;
use super::window::Window;
use super::{Tmux, TmuxError};
use crate::facts::all_pids;

/// Whether a process writes into the FIFO, which only the one does that tmux started for our pipe.
pub(super) fn is_written_to(fifo: &Path) -> bool {
    all_pids().into_iter().any(|pid| fs::read_link(format!("/proc/{pid}/fd/1")).is_ok_and(|target| target == fifo))
}

impl Tmux {
    /// Takes our pipe away. tmux does not tell whose a pipe is, but ours writes into our FIFO.
    pub(super) fn unpipe(&self, window: &Window, dir: &Path) -> Result<(), TmuxError> {
        if !is_written_to(&output_path(dir)) || !self.has_pane(window)? {
            return Ok(());
        }
        let target = format!("%{}", window.pane);
        self.call("close a pipe", Words::default().then(["pipe-pane", "-t", &target])).map(drop)
    }
}
