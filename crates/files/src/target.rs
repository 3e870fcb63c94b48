//! Where a change goes: the folder as a descriptor, the name in it, and what is there now.

use std::os::fd::OwnedFd;

use rustix::fs::{Access, AtFlags, Mode, OFlags, Stat, accessat, fstat, mkdirat, openat, unlinkat};
use rustix::io::Errno;

use crate::attributes::Attributes;
use crate::error::{FileError, Hindrance, Oddity};
use crate::files::Files;
use crate::kind::Kind;
use crate::path::RelPath;
use crate::read::{MAX_WHOLE, all_bytes};
use crate::resolve::{Links, os, step};
use crate::root::{Located, kind_of, same_file};
use crate::version::Digest;

/// How often a path that changes while it is looked up is tried.
const TRIES: usize = 8;

/// A place for a file, with all links followed. From here on nothing is looked up by path.
#[derive(Debug)]
pub(crate) struct Target {
    pub asked: RelPath,
    pub real: RelPath,
    pub name: String,
    folder: OwnedFd,
    /// Folders to make between `folder` and the file.
    pub missing: Vec<String>,
    pub existing: Option<Existing>,
}

/// The file that is there now.
#[derive(Debug)]
pub(crate) struct Existing {
    pub stat: Stat,
    pub attributes: Attributes,
    pub bytes: Vec<u8>,
    pub digest: Digest,
}

/// The folder of a change. Folders that were made for it go away again unless the change came about.
#[derive(Debug)]
pub(crate) struct Place {
    pub folder: OwnedFd,
    made: Vec<(OwnedFd, String)>,
}

impl Files {
    /// Finds where a change of `asked` goes, and whether it is allowed there.
    pub(crate) fn target(&self, asked: &RelPath) -> Result<Target, FileError> {
        if asked.is_root() {
            return Err(FileError::BadPath { path: asked.to_string(), why: Oddity::Root });
        }
        self.rules().check_write(asked, asked)?;
        for _ in 0..TRIES {
            let found = match self.root().locate(asked, Links::Follow) {
                Ok(located) => self.existing(asked, &located)?,
                Err(FileError::NotFound { .. }) => self.absent(asked)?,
                Err(error) => return Err(error),
            };
            if let Some(target) = found {
                return Ok(target);
            }
        }
        Err(FileError::Busy { path: asked.to_string(), why: "it keeps changing" })
    }

    /// Nothing if it changed under our eyes.
    fn existing(&self, asked: &RelPath, located: &Located) -> Result<Option<Target>, FileError> {
        let shown = asked.to_string();
        self.rules().check_write(&located.real, asked)?;
        let Some((folder, name)) = located.real.split() else {
            return Err(FileError::IsAFolder { path: shown });
        };
        let file = located.open_file(&shown)?;
        let folder = match self.root().folder(&folder, Links::Refuse) {
            Ok((folder, _)) => folder,
            Err(FileError::NotFound { .. } | FileError::NotAFolder { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let here = step(&folder, os(name)).and_then(|fd| fstat(&fd));
        if !here.is_ok_and(|here| same_file(&here, &located.stat)) {
            return Ok(None);
        }
        writable(&folder, name, &located.stat, &shown)?;
        if located.stat.st_size as u64 > MAX_WHOLE {
            let advice = "change it with a terminal command";
            return Err(FileError::TooLarge {
                path: shown,
                size: located.stat.st_size as u64,
                limit: MAX_WHOLE,
                advice,
            });
        }
        let attributes = Attributes::of(&file);
        let bytes = all_bytes(file, &shown, MAX_WHOLE)?;
        let existing = Existing { stat: located.stat, attributes, digest: Digest::of(&bytes), bytes };
        let (name, real) = (name.to_owned(), located.real.clone());
        let target = Target { asked: asked.clone(), real, name, folder, missing: Vec::new(), existing: Some(existing) };
        Ok(Some(target))
    }

    fn absent(&self, asked: &RelPath) -> Result<Option<Target>, FileError> {
        let mut missing: Vec<String> = Vec::new();
        let mut at = asked.clone();
        while let Some((folder, name)) = at.split() {
            missing.push(name.to_owned());
            match self.root().folder(&folder, Links::Follow) {
                Ok((fd, located)) => {
                    missing.reverse();
                    return self.below(asked, fd, &located.real, missing);
                }
                Err(FileError::NotFound { .. }) => at = folder,
                Err(error) => return Err(error),
            }
        }
        Err(FileError::NotFound { path: asked.to_string() })
    }

    fn below(
        &self,
        asked: &RelPath,
        folder: OwnedFd,
        real: &RelPath,
        mut missing: Vec<String>,
    ) -> Result<Option<Target>, FileError> {
        let real = missing.iter().fold(real.clone(), |path, name| path.join(name));
        self.rules().check_write(&real, asked)?;
        match step(&folder, os(&missing[0])) {
            Err(Errno::NOENT) => {}
            Ok(fd) => {
                let kind = fstat(&fd).map(|stat| kind_of(&stat));
                if kind == Ok(Kind::Symlink) {
                    return Err(FileError::BadPath { path: asked.to_string(), why: Oddity::Dangling });
                }
                // It came into being meanwhile.
                return Ok(None);
            }
            Err(errno) => return Err(FileError::from_errno(asked.as_str(), errno)),
        }
        let Some(name) = missing.pop() else { return Ok(None) };
        Ok(Some(Target { asked: asked.clone(), real, name, folder, missing, existing: None }))
    }
}

impl Target {
    pub fn current(&self) -> Option<Digest> {
        self.existing.as_ref().map(|existing| existing.digest)
    }

    /// The missing folder, if there is one.
    pub fn needs_folder(&self) -> Option<String> {
        let (folder, _) = self.real.split()?;
        (!self.missing.is_empty()).then(|| folder.to_string())
    }

    /// Makes the missing folders, each in the one before it.
    pub fn place(&self) -> Result<Place, FileError> {
        let failed = |errno| FileError::from_errno(self.asked.as_str(), errno);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = openat(&self.folder, ".", flags, Mode::empty()).map_err(failed)?;
        let mut place = Place { folder, made: Vec::new() };
        for name in &self.missing {
            let made = match mkdirat(&place.folder, name, Mode::from_raw_mode(0o777)) {
                Ok(()) => true,
                Err(Errno::EXIST) => false,
                Err(errno) => return Err(failed(errno)),
            };
            let next = openat(&place.folder, name, flags, Mode::empty());
            let above = match next {
                Ok(next) => std::mem::replace(&mut place.folder, next),
                Err(errno) => return Err(failed(errno)),
            };
            if made {
                place.made.push((above, name.clone()));
            }
        }
        Ok(place)
    }
}

impl Place {
    /// The change came about: the folders stay, durably.
    pub fn settle(mut self) {
        if let Err(errno) = rustix::fs::fsync(&self.folder) {
            tracing::warn!(%errno, "a folder could not be synced");
        }
        for (above, _) in std::mem::take(&mut self.made) {
            let _ = rustix::fs::fsync(above);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        while let Some((above, name)) = self.made.pop() {
            // Only an empty folder goes, so nothing of anybody else is lost.
            let _ = unlinkat(&above, name, AtFlags::REMOVEDIR);
        }
    }
}

/// A rename would replace a read-only file without a word, so its own mode is asked first.
fn writable(folder: &OwnedFd, name: &str, stat: &Stat, shown: &str) -> Result<(), FileError> {
    let path = || shown.to_owned();
    if stat.st_mode & 0o222 == 0 {
        return Err(FileError::ReadOnly { path: path(), why: Hindrance::Mode });
    }
    match accessat(folder, name, Access::WRITE_OK, AtFlags::EACCESS) {
        Err(Errno::ACCESS | Errno::PERM) => Err(FileError::Permission { path: path() }),
        Err(Errno::ROFS) => Err(FileError::ReadOnly { path: path(), why: Hindrance::Mount }),
        // Kernels without the call find out at the rename.
        _ => Ok(()),
    }
}
