//! Putting a file in place in one step, and noticing when somebody else was faster.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;

use rustix::fs::{
    AtFlags, FileType, Gid, Mode, OFlags, RenameFlags, Uid, fchmod, fchown, fstat, linkat, openat, renameat,
    renameat_with, unlinkat,
};
use rustix::io::Errno;
use sha2::{Digest as _, Sha256};

use crate::attributes::AccessList;
use crate::root::reading;
use crate::target::Existing;
use crate::version::Digest;

const TEMP_START: &str = ".flightdeck-";
const TEMP_END: &str = ".tmp";

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// Somebody else changed the file in between; their content stands.
    Overtaken,
    /// The same, but their content could not be put back and is under the temporary name.
    Stuck(Errno),
}

/// A name for a temporary file that nobody else uses and that a walk knows to skip.
pub(crate) fn temp_name() -> Result<String, Errno> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| Errno::IO)?;
    Ok(format!("{TEMP_START}{:016x}{TEMP_END}", u64::from_ne_bytes(bytes)))
}

pub(crate) fn is_temp(name: &str) -> bool {
    let middle = name.strip_prefix(TEMP_START).and_then(|rest| rest.strip_suffix(TEMP_END));
    middle.is_some_and(|middle| middle.len() == 16 && middle.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The owner, mode and attributes that a file gets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rights<'a> {
    /// As of a file that it replaces, where that is allowed.
    Like(&'a Existing),
    /// As of a file that was there once.
    Mode(u32),
    /// As of any new file.
    New,
}

/// A temporary file in the folder of its destination. It goes away with this value, unless it was renamed.
#[derive(Debug)]
pub(crate) struct Temp<'a> {
    folder: &'a OwnedFd,
    name: &'a str,
}

impl<'a> Temp<'a> {
    /// Takes a name without making a file, for a removal.
    pub fn reserve(folder: &'a OwnedFd, name: &'a str) -> Self {
        Self { folder, name }
    }

    /// Writes the content durably.
    pub fn create(folder: &'a OwnedFd, name: &'a str, bytes: &[u8], rights: Rights<'_>) -> Result<Self, Errno> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        // A file that replaces another stays private until it has the right owner.
        let first = if matches!(rights, Rights::Like(_)) { 0o600 } else { 0o666 };
        let fd = openat(folder, name, flags, Mode::from_raw_mode(first))?;
        let temp = Self { folder, name };
        let mut file = File::from(fd);
        let failed = |error: std::io::Error| Errno::from_io_error(&error).unwrap_or(Errno::IO);
        file.write_all(bytes).map_err(failed)?;
        match rights {
            Rights::Like(existing) => liken(&file, existing)?,
            Rights::Mode(mode) => set_mode(&file, mode)?,
            Rights::New => {}
        }
        file.sync_all().map_err(failed)?;
        Ok(temp)
    }

    /// Gives the file its name, if nothing has that name yet.
    pub fn place(self, name: &str) -> Result<Outcome, Errno> {
        let placed = match renameat_with(self.folder, self.name, self.folder, name, RenameFlags::NOREPLACE) {
            // Not every file system knows the flag; a hard link does not replace either.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                linkat(self.folder, self.name, self.folder, name, AtFlags::empty())
            }
            other => other,
        };
        match placed {
            Ok(()) => Ok(Outcome::Done),
            Err(Errno::EXIST) => Ok(Outcome::Overtaken),
            Err(errno) => Err(errno),
        }
    }

    /// Exchanges the file with the one at `name`, which has to be `before`; if it is not, all is put back.
    pub fn exchange(self, name: &str, before: &Digest, ours: &Digest) -> Result<Outcome, Errno> {
        match self.swap(name) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Ok(Outcome::Overtaken),
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => return self.overwrite(name, before),
            Err(errno) => return Err(errno),
        }
        if digest_at(self.folder, self.name) == Some(*before) {
            return Ok(Outcome::Done);
        }
        // What came out is somebody's newer work: back with it. If a third one wrote meanwhile, theirs is the newest,
        // and goes back in turn.
        match self.swap(name) {
            Ok(()) => {}
            // They removed the file meanwhile, which is their latest word.
            Err(Errno::NOENT) => return Ok(Outcome::Overtaken),
            Err(errno) => return Ok(self.keep(errno)),
        }
        if digest_at(self.folder, self.name) != Some(*ours)
            && let Err(errno) = self.swap(name)
        {
            return Ok(self.keep(errno));
        }
        Ok(Outcome::Overtaken)
    }

    /// Takes the file at `name` away, if it still is `before`.
    pub fn remove(self, name: &str, before: &Digest) -> Result<Outcome, Errno> {
        let moved = |from, to| match renameat_with(self.folder, from, self.folder, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => renameat(self.folder, from, self.folder, to),
            other => other,
        };
        match moved(name, self.name) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Ok(Outcome::Overtaken),
            Err(errno) => return Err(errno),
        }
        if digest_at(self.folder, self.name) == Some(*before) {
            return Ok(Outcome::Done);
        }
        match moved(self.name, name) {
            // Somebody made it anew, which is newer than what was taken out.
            Ok(()) | Err(Errno::EXIST) => Ok(Outcome::Overtaken),
            Err(errno) => Ok(self.keep(errno)),
        }
    }

    /// Leaves the file under its temporary name: it is the only copy of somebody's work.
    fn keep(self, errno: Errno) -> Outcome {
        tracing::error!(file = self.name, %errno, "a file could not be put back and is kept under this name");
        std::mem::forget(self);
        Outcome::Stuck(errno)
    }

    fn swap(&self, name: &str) -> Result<(), Errno> {
        renameat_with(self.folder, self.name, self.folder, name, RenameFlags::EXCHANGE)
    }

    /// For file systems without an exchange: a last look, then the rename.
    fn overwrite(&self, name: &str, before: &Digest) -> Result<Outcome, Errno> {
        if digest_at(self.folder, name) != Some(*before) {
            return Ok(Outcome::Overtaken);
        }
        renameat(self.folder, self.name, self.folder, name).map(|()| Outcome::Done)
    }
}

/// Makes a file that replaces another like it in all but the content.
fn liken(file: &File, existing: &Existing) -> Result<(), Errno> {
    let (now, like) = (fstat(file)?, &existing.stat);
    if (now.st_uid, now.st_gid) != (like.st_uid, like.st_gid) {
        // Only the superuser may give files away; the content matters more than the owner.
        let (uid, gid) = (Uid::from_raw(like.st_uid), Gid::from_raw(like.st_gid));
        let _ = fchown(file, Some(uid), Some(gid)).or_else(|_| fchown(file, None, Some(gid)));
    }
    set_mode(file, like.st_mode)?;
    match existing.attributes.give(file) {
        AccessList::Same => Ok(()),
        AccessList::Lost => set_mode(file, like.st_mode & !0o070),
    }
}

/// Who writes a program does not get to run it as its owner.
fn set_mode(file: &File, mode: u32) -> Result<(), Errno> {
    fchmod(file, Mode::from_raw_mode(mode & 0o1777))
}

impl Drop for Temp<'_> {
    fn drop(&mut self) {
        // A folder put there by somebody is not ours to remove, and after a rename there is nothing.
        let _ = unlinkat(self.folder, self.name, AtFlags::empty());
    }
}

/// The hash of a regular file in a folder; nothing if there is none.
pub(crate) fn digest_at(folder: &OwnedFd, name: &str) -> Option<Digest> {
    let mut file = File::from(openat(folder, name, reading() | OFlags::NOFOLLOW, Mode::empty()).ok()?);
    if FileType::from_raw_mode(fstat(&file).ok()?.st_mode) != FileType::RegularFile {
        return None;
    }
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Some(Digest::finish(hasher)),
            Ok(read) => hasher.update(&buffer[..read]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}
