//! What a hub that is gone has left behind: then it is brought back by whoever looks, because something runs on there.
//!
//! The keeper goes on without a hub as long as it holds terminals, and some seconds after that. So a keeper alone says
//! nothing: either programs run in it, or its hub was lost without being asked to end.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::Path;

use flightdeck_contract::workspace::Workspace;
use rustix::net::sockopt::socket_peercred;

/// Whether a hub would find something here that runs.
pub fn of(workspace: &Workspace) -> bool {
    // A hub that ends in order removes its lock.
    let lost = || workspace.lock().exists();
    let holds_programs = |keeper: &UnixStream| {
        socket_peercred(keeper).map_or(true, |peer| has_children(peer.pid.as_raw_nonzero().get()))
    };
    connects(&workspace.keeper_socket()).is_some_and(|keeper| lost() || holds_programs(&keeper))
        || connects(&workspace.tmux_socket()).is_some()
}

fn connects(socket: &Path) -> Option<UnixStream> {
    UnixStream::connect(socket).ok()
}

/// Where it can't be known, it may have some.
fn has_children(pid: i32) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return true };
    let children = |thread: fs::DirEntry| fs::read_to_string(thread.path().join("children"));
    threads.flatten().any(|thread| children(thread).map_or(true, |children| !children.trim().is_empty()))
}
