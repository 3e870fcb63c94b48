//! Which tmux there is, and whether it is new enough.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use rustix::fs::{Access, access};

use super::TmuxError;
use super::call::{PATIENCE, read_until};

/// The oldest that knows `send-keys -H`: 3.0a, which 3.0 itself does not.
const OLDEST: Version = (3, 0, 1);
/// From here on clients have flags, and modes can be left with `copy-mode -q`.
const FLAGS: Version = (3, 2, 0);

/// Two numbers, and one for the letter after them.
type Version = (u32, u32, u32);

/// A tmux that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its program.
    pub program: PathBuf,
    /// As it calls itself: `tmux 3.3a`.
    pub name: String,
    pub(super) has_flags: bool,
}

/// Looks for `tmux` on the `PATH`.
pub fn look() -> Result<Found, TmuxError> {
    look_in(std::env::var_os("PATH").as_deref())
}

fn look_in(path: Option<&OsStr>) -> Result<Found, TmuxError> {
    let folders = path.map(std::env::split_paths).into_iter().flatten();
    // Relative to what? Calls are made from another folder than the hub's.
    let mut files = folders.filter(|folder| folder.is_absolute()).map(|folder| folder.join("tmux"));
    let program = files.find(|file| is_program(file)).ok_or(TmuxError::Missing)?;
    let name = name_of(&program)?;
    let version = parse(&name).ok_or_else(|| TmuxError::TooOld { found: name.clone() })?;
    if version < OLDEST {
        return Err(TmuxError::TooOld { found: name });
    }
    Ok(Found { program, name, has_flags: version >= FLAGS })
}

fn name_of(program: &Path) -> Result<String, TmuxError> {
    let mut child = Command::new(program)
        .arg("-V")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(TmuxError::io("tmux can't be started"))?;
    let printed = read_until(&mut child, Instant::now() + PATIENCE);
    // It has said all that it is asked for, or hangs.
    let _gone = child.kill();
    let _reaped = child.wait();
    let printed = printed.map_err(TmuxError::io("tmux can't be read"))?.ok_or(TmuxError::NoAnswer(PATIENCE))?;
    Ok(printed.lines().next().unwrap_or_default().trim().to_owned())
}

fn is_program(file: &Path) -> bool {
    file.is_file() && access(file, Access::EXEC_OK).is_ok()
}

/// The version behind `tmux 3.3a`, `tmux next-3.4`, `tmux master`, `tmux openbsd-7.4`.
fn parse(name: &str) -> Option<Version> {
    let version = name.strip_prefix("tmux ")?.trim();
    // What is built from the sources of the day, or comes with OpenBSD, is newer than any number asked for here.
    if version == "master" || version.starts_with("openbsd-") {
        return Some((u32::MAX, 0, 0));
    }
    let version = version.strip_prefix("next-").unwrap_or(version);
    let (major, minor) = version.split_once('.')?;
    let digits = minor.find(|c: char| !c.is_ascii_digit()).unwrap_or(minor.len());
    let letter =
        minor[digits..].chars().next().filter(char::is_ascii_lowercase).map_or(0, |c| c as u32 - 'a' as u32 + 1);
    Some((major.parse().ok()?, minor[..digits].parse().ok()?, letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn versions_are_told_by_name() {
        for (name, version) in [
            ("tmux 3.3a", Some((3, 3, 1))),
            ("tmux 3.0", Some((3, 0, 0))),
            ("tmux 2.9a", Some((2, 9, 1))),
            ("tmux 3.10", Some((3, 10, 0))),
            ("tmux next-3.4", Some((3, 4, 0))),
            ("tmux 3.2-rc", Some((3, 2, 0))),
            ("tmux master", Some((u32::MAX, 0, 0))),
            ("tmux openbsd-7.4", Some((u32::MAX, 0, 0))),
            ("tmux", None),
            ("screen 4.9", None),
            ("tmux x.y", None),
            ("", None),
        ] {
            assert_eq!(parse(name), version, "{name}");
        }
    }

    #[test]
    fn what_is_missing_or_old_is_told() {
        let dir = tempfile::tempdir().expect("a folder");
        assert!(matches!(look_in(Some(dir.path().as_os_str())), Err(TmuxError::Missing)));
        assert!(matches!(look_in(None), Err(TmuxError::Missing)));
        std::fs::write(dir.path().join("tmux"), "no program").expect("writes");
        assert!(matches!(look_in(Some(dir.path().as_os_str())), Err(TmuxError::Missing)));
        assert!(matches!(look_in(Some(OsStr::new(":.:bin"))), Err(TmuxError::Missing)));
        for (name, usable) in [("tmux 1.8", false), ("tmux 3.0", false), ("tmux 3.0a", true), ("tmux 3.1c", true)] {
            let program = dir.path().join("tmux");
            std::fs::write(&program, format!("#!/bin/sh\necho {name}\n")).expect("writes");
            std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("mode");
            let found = look_in(Some(dir.path().as_os_str()));
            assert_eq!(found.is_ok(), usable, "{found:?}");
            assert!(found.is_ok() || found.is_err_and(|error| error.to_string().contains(name)));
        }
    }
}
