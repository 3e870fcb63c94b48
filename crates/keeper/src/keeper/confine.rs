//! Confining a child: what it needs is opened before the fork, what limits it is done after.
//!
//! The keeper itself stays free, because a limit can't be taken off again and holds for all later children.
#![allow(unsafe_code)]

use std::fs;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, open, openat2};
use rustix::io::Errno;

use crate::landlock::{Abi, Files, Ruleset};
use crate::{Refusal, Sandbox, capabilities, sandbox_support, seccomp};

/// Devices that everybody writes to and that keep nothing. The terminals of others are not among them, nor are new
/// ones: whoever may write to a terminal may type into it, if he is root.
const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty"];
/// Where terminals are. Whoever reads there takes what a person types.
const DEVICES_FOLDER: &str = "/dev";
const TERMINALS_FOLDER: &str = "/dev/pts";

/// Only a number comes back from a child that could not start. Numbers above this are errors of the limits, and not
/// of the program.
const IN_SANDBOX: i32 = 1 << 16;

/// Limits that are ready to be put on.
pub struct Confined {
    ruleset: Ruleset,
    network: bool,
}

impl Confined {
    /// `terminal` is the child's own, which it may open again.
    pub fn new(sandbox: &Sandbox, terminal: Option<&OwnedFd>) -> Result<Self, Refusal> {
        let support = sandbox_support().map_err(|error| no_sandbox(error.to_string()))?;
        let abi = Abi(support.abi);
        let failed = |error: io::Error| no_sandbox(format!("the kernel does not take the limits: {error}"));
        let ruleset = Ruleset::new(abi, sandbox.network).map_err(failed)?;
        allow_reading(&ruleset, Path::new("/"), |path| path != Path::new(DEVICES_FOLDER)).map_err(failed)?;
        allow_reading(&ruleset, Path::new(DEVICES_FOLDER), |path| !is_terminal(path)).map_err(failed)?;
        if let Some(terminal) = terminal {
            ruleset.allow(terminal.as_fd(), Files::of_file(abi)).map_err(failed)?;
        }
        for device in DEVICES {
            // A container may have few devices; one that is missing can't be written.
            if let Ok(device) = open(device, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()) {
                ruleset.allow(device.as_fd(), Files::of_file(abi)).map_err(failed)?;
            }
        }
        for path in &sandbox.write {
            if let Some(place) = place(path.as_path())? {
                let rights = if place.is_folder { Files::below_folder(abi) } else { Files::of_file(abi) };
                ruleset.allow(place.fd.as_fd(), rights).map_err(failed)?;
            }
        }
        Ok(Self { ruleset, network: sandbox.network })
    }

    /// For the child between fork and exec. Makes system calls and nothing else.
    pub fn apply(&self) -> io::Result<()> {
        let limit = || {
            capabilities::limit_in_child();
            no_new_privs()?;
            self.ruleset.restrict_self()?;
            seccomp::close_sockets(self.network)
        };
        limit().map_err(|error: io::Error| {
            io::Error::from_raw_os_error(IN_SANDBOX + error.raw_os_error().unwrap_or_default())
        })
    }
}

/// Allows reading all that lies in a folder now, but for some. Links lead to what is allowed by itself.
fn allow_reading(ruleset: &Ruleset, folder: &Path, is_meant: impl Fn(&Path) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !is_meant(&entry.path()) || entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
            continue;
        }
        let flags = OFlags::PATH | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        match open(entry.path(), flags, Mode::empty()) {
            Ok(place) => ruleset.allow(place.as_fd(), Files::READ)?,
            // It went away meanwhile, or this user may not reach it.
            Err(Errno::NOENT | Errno::ACCESS | Errno::PERM) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Whether this is a terminal, or the folder of them: pseudoterminals, the consoles and their contents, serial lines. The
/// name that stands for a process's own terminal is none.
fn is_terminal(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    path == Path::new(TERMINALS_FOLDER)
        || name.starts_with("tty") && name != "tty"
        || name.starts_with("vcs")
        || name == "console"
}

struct Place {
    fd: OwnedFd,
    is_folder: bool,
}

/// Opens what may be written, if it is there. A link on the way is refused: a confined program could have put it where
/// a folder was, and so have opened another one to the next program.
fn place(path: &Path) -> Result<Option<Place>, Refusal> {
    let shown = path.display();
    if !path.is_absolute() {
        return Err(no_sandbox(format!("the writable folder {shown} is not an absolute path")));
    }
    let open = || {
        let fd = openat2(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), ResolveFlags::NO_SYMLINKS)?;
        let is_folder = FileType::from_raw_mode(fstat(&fd)?.st_mode) == FileType::Directory;
        Ok(Place { fd, is_folder })
    };
    match open() {
        Ok(place) => Ok(Some(place)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(Errno::LOOP) => {
            Err(no_sandbox(format!("the writable folder {shown} is or has a symbolic link: name the folder itself")))
        }
        Err(Errno::MFILE | Errno::NFILE) => Err(Refusal::TooManyFiles),
        Err(error) => Err(no_sandbox(format!("the writable folder {shown} can't be opened: {error}"))),
    }
}

fn no_new_privs() -> io::Result<()> {
    // SAFETY: takes numbers only.
    let failed = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
    if failed == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// What `apply` said, if it was `apply` that failed.
pub fn refusal(error: &io::Error) -> Option<Refusal> {
    let number = error.raw_os_error().filter(|number| *number >= IN_SANDBOX)?;
    let error = io::Error::from_raw_os_error(number - IN_SANDBOX);
    Some(no_sandbox(format!("the kernel does not put the limits on: {error}")))
}

fn no_sandbox(reason: String) -> Refusal {
    Refusal::NoSandbox { reason }
}
