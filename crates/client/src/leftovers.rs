//! What a hub that is gone has left behind. One that was lost is brought back by whoever looks, because something runs on
//! there; one that was stopped on purpose stays away until somebody wants it, and whoever looks is told what runs on.
//!
//! The keeper goes on without a hub as long as it holds terminals, and some seconds after that, so a keeper alone says
//! nothing. Tabs in tmux go on with their server.

use std::fs::{self, DirEntry};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use flightdeck_contract::TerminalId;
use flightdeck_contract::workspace::Workspace;

/// Whether the last hub was lost, and has left something that holds terminals.
pub fn of_lost_hub(workspace: &Workspace) -> bool {
    // A hub that ends in order removes its lock.
    workspace.lock().exists() && !holders(workspace).is_empty()
}

/// How many terminals run on, held by what the last hub has left.
pub fn running(workspace: &Workspace) -> usize {
    let made = |socket: PathBuf| fs::metadata(socket).map(|meta| meta.mtime());
    // What is older than all that could hold it was lost with what has held it.
    let Some(since) = holders(workspace).into_iter().filter_map(|socket| made(socket).ok()).min() else { return 0 };
    let folders = fs::read_dir(workspace.terminals()).into_iter().flatten().flatten();
    folders.filter(|folder| is_open(folder) && folder.metadata().is_ok_and(|meta| meta.ctime() >= since)).count()
}

/// The sockets of what holds terminals without a hub.
fn holders(workspace: &Workspace) -> Vec<PathBuf> {
    [workspace.keeper_socket(), workspace.tmux_socket()].into_iter().filter(|socket| answers(socket)).collect()
}

fn answers(socket: &Path) -> bool {
    UnixStream::connect(socket).is_ok()
}

/// How a terminal ended is noted in its folder as soon as it has, in a file that may have been made ahead.
fn is_open(folder: &DirEntry) -> bool {
    let is_terminal = folder.file_name().to_str().is_some_and(|name| name.parse::<TerminalId>().is_ok());
    is_terminal && !fs::metadata(folder.path().join("exit")).is_ok_and(|exit| exit.len() > 0)
}
