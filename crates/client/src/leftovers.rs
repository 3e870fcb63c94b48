//! What a hub that is gone has left behind: then it is brought back by whoever looks, because something runs on there.
//!
//! The keeper goes on without a hub as long as it holds terminals, and some seconds after that. So a keeper alone says
//! nothing: either a terminal has not ended, or its hub was lost without being asked to end.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::Path;

use flightdeck_contract::workspace::Workspace;

/// Whether a hub would find something here that runs.
pub fn of(workspace: &Workspace) -> bool {
    // A hub that ends in order removes its lock.
    let lost = || workspace.lock().exists();
    (answers(&workspace.keeper_socket()) && (lost() || has_open_terminal(workspace)))
        || answers(&workspace.tmux_socket())
}

fn answers(socket: &Path) -> bool {
    UnixStream::connect(socket).is_ok()
}

/// How a terminal ended is noted in its folder as soon as it has.
fn has_open_terminal(workspace: &Workspace) -> bool {
    let folders = fs::read_dir(workspace.terminals());
    folders.is_ok_and(|folders| folders.flatten().any(|folder| !folder.path().join("exit").exists()))
}
