//! Where the files of a folder's hub are, noted so that every caller of the same user finds the one hub.
//!
//! Callers come with different environments: an agent may be started without `XDG_STATE_HOME` and `XDG_RUNTIME_DIR`. So
//! the state is noted by a link in a place that depends on the user and the folder alone, and the runtime folder by a
//! link in the state. Links are made at once or not at all, and of two that come at the same moment the first one counts.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::check_private;

/// Where the state of this key is, if that was noted and is still true.
pub(super) fn state_of(key: &str) -> Option<PathBuf> {
    let folder = folder()?;
    check_private(&folder).ok()?;
    noted(&folder.join(key))
}

/// Notes a state. Gives the other one that is noted already, if there is one.
pub(super) fn claim_state(key: &str, state: &Path) -> Option<PathBuf> {
    let folder = folder()?;
    DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
    check_private(&folder).ok()?;
    let link = folder.join(key);
    if symlink(state, &link).is_ok() {
        // The first hub of a folder: now and then enough to take out what folders before it have left.
        forget_gone(&folder, FORGOTTEN);
        return None;
    }
    match noted(&link) {
        Some(other) if other != state => Some(other),
        Some(_) => None,
        // What it names is gone.
        None => {
            let _ = replace(&link, state);
            None
        }
    }
}

/// A note of a state that is gone is kept for so long: it may be one that is about to be made.
const FORGOTTEN: Duration = Duration::from_hours(1);

/// Takes out the notes of states that are gone. Somebody else may do the same.
fn forget_gone(folder: &Path, kept: Duration) {
    let is_gone = |link: &Path| {
        let gone = fs::metadata(link).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        let made =
            fs::symlink_metadata(link).ok().filter(fs::Metadata::is_symlink).and_then(|link| link.modified().ok());
        gone && made.and_then(|made| made.elapsed().ok()).is_some_and(|age| age >= kept)
    };
    for link in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if is_gone(&link) {
            let _ = fs::remove_file(link);
        }
    }
}

/// Takes a note back, if it is of this state.
pub(super) fn forget_state(key: &str, state: &Path) {
    let Some(link) = folder().map(|folder| folder.join(key)) else { return };
    if fs::read_link(&link).is_ok_and(|noted| noted == state) {
        let _ = fs::remove_file(link);
    }
}

/// Where the hub of this state has its sockets, if one was there.
pub(super) fn runtime_of(state: &Path) -> Option<PathBuf> {
    noted(&state.join("runtime"))
}

/// Notes where the hub of this state has its sockets.
pub(super) fn note_runtime(state: &Path, runtime: &Path) -> io::Result<()> {
    let link = state.join("runtime");
    if fs::read_link(&link).is_ok_and(|noted| noted == runtime) {
        return Ok(());
    }
    replace(&link, runtime)
}

/// The state folders of all workspaces of the user, wherever they are, as far as they are still there.
pub fn known_states() -> Vec<PathBuf> {
    let Some(folder) = folder().filter(|folder| check_private(folder).is_ok()) else { return Vec::new() };
    fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|link| noted(&link.path())).collect()
}

/// A private folder that a link names.
fn noted(link: &Path) -> Option<PathBuf> {
    let target = fs::read_link(link).ok()?;
    (target.is_absolute() && check_private(&target).is_ok()).then_some(target)
}

fn replace(link: &Path, target: &Path) -> io::Result<()> {
    let fresh = link.with_extension("new");
    // A leftover of a crash.
    let _ = fs::remove_file(&fresh);
    symlink(target, &fresh)?;
    fs::rename(fresh, link)
}

/// Not in a temporary folder: commands in the sandbox may write there, and would name a hub of their own.
fn folder() -> Option<PathBuf> {
    Some(home()?.join(".local/state/flightdeck/hubs"))
}

/// The user's home as the system knows it. `HOME` may differ between callers; it counts for users that the system does not
/// know by a file.
fn home() -> Option<PathBuf> {
    let uid = rustix::process::getuid().as_raw();
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    home_in(&users, uid).filter(|home| home.is_dir()).or_else(std::env::home_dir)
}

fn home_in(users: &str, uid: u32) -> Option<PathBuf> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let same = fields.nth(2)?.parse() == Ok(uid);
        same.then(|| fields.nth(2).map(PathBuf::from))?.filter(|home| home.is_absolute())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_notes_of_states_that_are_gone_are_taken_out() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let (there, gone) = (dir.path().join("there"), dir.path().join("gone"));
        fs::create_dir(&there)?;
        for (name, state) in [("a", &there), ("b", &gone)] {
            symlink(state, dir.path().join(name))?;
        }
        fs::write(dir.path().join("c"), "a file of somebody's")?;
        let left = || -> io::Result<Vec<_>> {
            let mut names: Vec<_> =
                fs::read_dir(dir.path())?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
            names.sort();
            Ok(names)
        };
        forget_gone(dir.path(), FORGOTTEN);
        assert_eq!(left()?, ["a", "b", "c", "there"], "one that was made just now may be of a hub that starts");
        forget_gone(dir.path(), Duration::ZERO);
        assert_eq!(left()?, ["a", "c", "there"]);
        Ok(())
    }

    #[test]
    fn a_home_is_found_by_the_number_of_its_user() {
        let users =
            "root:x:0:0:root:/root:/bin/bash\nhalf:x\nme:x:1000:1000:Me,,,:/home/me:/bin/zsh\nno:x:7:7:::/bin/sh\n";
        assert_eq!(home_in(users, 0), Some("/root".into()));
        assert_eq!(home_in(users, 1000), Some("/home/me".into()));
        assert_eq!(home_in(users, 7), None);
        assert_eq!(home_in(users, 1), None);
    }
}
