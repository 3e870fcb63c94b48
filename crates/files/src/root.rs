//! The workspace root as an open descriptor, and what is found below it.

use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat};
use rustix::io::Errno;

use crate::error::{FileError, Oddity, Outside};
use crate::kind::Kind;
use crate::path::RelPath;
use crate::resolve::{Links, Resolver, by_fd, is_kernel};
use crate::swap::is_temp;

/// How often a file that is replaced while it is looked up is tried.
const TRIES: usize = 8;
/// What the kernel adds to the name of something that was removed.
const DELETED: &str = " (deleted)";

/// The folder that everything stays below. Held open, so a renamed or replaced root changes nothing.
#[derive(Debug)]
pub struct Root {
    fd: OwnedFd,
    spelled: String,
    resolver: Resolver,
}

/// Something below the root, held by an `O_PATH` descriptor: it can't be swapped any more.
#[derive(Debug)]
pub(crate) struct Located {
    pub fd: OwnedFd,
    pub stat: Stat,
    /// Where it really is, with all links followed.
    pub real: RelPath,
}

impl Root {
    /// Opens a folder as the root, with the best resolver of this system.
    pub fn open(dir: &Path) -> Result<Self, FileError> {
        let mut root = Self::open_with(dir, Resolver::Walk)?;
        root.resolver = Resolver::detect(root.fd.as_fd());
        Ok(root)
    }

    /// Opens a folder as the root with the resolver named.
    pub fn open_with(dir: &Path, resolver: Resolver) -> Result<Self, FileError> {
        let shown = dir.display().to_string();
        let absolute = std::path::absolute(dir).map_err(|error| FileError::from_io(&shown, error))?;
        let spelled = absolute
            .to_str()
            .ok_or_else(|| FileError::BadPath { path: shown.clone(), why: Oddity::NotUtf8 })?
            .to_owned();
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = openat(CWD, dir, flags, Mode::empty()).map_err(|errno| FileError::from_errno(&shown, errno))?;
        let root = Self { fd, spelled, resolver };
        // Without /proc no descriptor could be opened again; better said now than at the first read.
        root.real_root()?;
        Ok(root)
    }

    /// The root as it was named, made absolute.
    pub fn path(&self) -> &Path {
        Path::new(&self.spelled)
    }

    /// Reads a requested path: relative to the root, or absolute below it.
    pub fn parse(&self, text: &str) -> Result<RelPath, FileError> {
        if !text.starts_with('/') {
            return RelPath::parse(text, &[]);
        }
        let real = self.real_root()?;
        RelPath::parse(text, &[&self.spelled, &real])
    }

    /// The real path of a folder, if that is at or below the root. A folder that does not exist yet counts, too.
    pub fn below(&self, absolute: &Path) -> Option<RelPath> {
        let real = real_folder(absolute)?;
        let rest = real.strip_prefix(self.real_root().ok()?).ok()?;
        Some(RelPath::from_real(rest.to_str()?))
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Finds what `path` names now.
    pub(crate) fn locate(&self, path: &RelPath, links: Links) -> Result<Located, FileError> {
        for _ in 0..TRIES {
            let fd = self.resolve(path, links)?;
            let stat = fstat(&fd).map_err(|errno| FileError::from_errno(path.as_str(), errno))?;
            if let Some(real) = self.real(&fd, &stat, path)? {
                return Ok(Located { fd, stat, real });
            }
        }
        Err(FileError::NotFound { path: path.to_string() })
    }

    pub(crate) fn resolve(&self, path: &RelPath, links: Links) -> Result<OwnedFd, FileError> {
        let failed = |errno| FileError::from_errno(path.as_str(), errno);
        let real = self.real_root()?;
        let roots = [self.spelled.as_str(), &real];
        self.resolver.resolve(self.fd(), path.for_kernel(), links, &roots).map_err(failed)
    }

    /// A folder, open for listing and for making files in it.
    pub(crate) fn folder(&self, path: &RelPath, links: Links) -> Result<(OwnedFd, Located), FileError> {
        let located = self.locate(path, links)?;
        let shown = path.to_string();
        located.expect_folder(&shown)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd =
            openat(&located.fd, ".", flags, Mode::empty()).map_err(|errno| FileError::from_errno(&shown, errno))?;
        Ok((fd, located))
    }

    /// The real path of the root now: it may have been moved since it was opened.
    fn real_root(&self) -> Result<String, FileError> {
        let failed = |errno| FileError::from_errno(&self.spelled, errno);
        let path = readlinkat(CWD, by_fd(&self.fd), Vec::new()).map_err(failed)?;
        path.into_string().map_err(|_| FileError::BadPath { path: self.spelled.clone(), why: Oddity::NotUtf8 })
    }

    /// Where a descriptor really is, relative to the root; nothing if the file was replaced since it was opened.
    fn real(&self, fd: &OwnedFd, stat: &Stat, asked: &RelPath) -> Result<Option<RelPath>, FileError> {
        let path = || asked.to_string();
        let text = readlinkat(CWD, by_fd(fd), Vec::new())
            .map_err(|errno| FileError::from_errno(asked.as_str(), errno))?
            .into_string()
            .map_err(|_| FileError::BadPath { path: path(), why: Oddity::NotUtf8 })?;
        let root = self.real_root()?;
        let rest =
            text.strip_prefix(root.trim_end_matches('/')).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let Some(rest) = rest else {
            // It was moved out between the two looks, or is hidden below another mount.
            return Err(FileError::OutsideWorkspace { path: path(), why: Outside::Link });
        };
        let real = RelPath::from_real(rest);
        // A write exchanges the old file with the new one, and removes the old one by its temporary name.
        let passing = |path: &RelPath| path.split().is_some_and(|(_, name)| is_temp(name));
        let replaced = text.ends_with(DELETED) && !self.is_at(&real, stat) || passing(&real) && !passing(asked);
        Ok((!replaced).then_some(real))
    }

    /// Whether a real path still names the file of `stat`.
    fn is_at(&self, real: &RelPath, stat: &Stat) -> bool {
        self.resolver
            .resolve(self.fd(), real.for_kernel(), Links::Refuse, &[])
            .and_then(|fd| fstat(&fd))
            .is_ok_and(|now| same_file(&now, stat))
    }
}

impl Located {
    pub fn kind(&self) -> Kind {
        kind_of(&self.stat)
    }

    pub fn expect_folder(&self, shown: &str) -> Result<(), FileError> {
        refuse_kernel(&self.fd, shown)?;
        match self.kind() {
            Kind::Folder => Ok(()),
            _ => Err(FileError::NotAFolder { path: shown.to_owned() }),
        }
    }

    /// Opens a regular file for reading. Only what is known to be one is opened, so nothing can hang or act.
    pub fn open_file(&self, shown: &str) -> Result<File, FileError> {
        let path = || shown.to_owned();
        match self.kind() {
            Kind::File => {}
            Kind::Folder => return Err(FileError::IsAFolder { path: path() }),
            kind => return Err(FileError::NotAFile { path: path(), kind }),
        }
        refuse_kernel(&self.fd, shown)?;
        reopen(&self.fd).map_err(|errno| FileError::from_errno(shown, errno))
    }
}

/// Links are followed as far as there is something; the rest is taken as it is.
fn real_folder(absolute: &Path) -> Option<PathBuf> {
    absolute.ancestors().find_map(|above| {
        let rest = absolute.strip_prefix(above).ok()?;
        // Joining nothing would add a slash.
        let real = above.canonicalize().ok()?;
        Some(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
    })
}

/// The flags with which a file is opened for reading: no waiting for a writer, no terminal taken.
pub(crate) fn reading() -> OFlags {
    OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC
}

/// The same file again, this time with the right to read.
pub(crate) fn reopen(fd: &OwnedFd) -> Result<File, Errno> {
    openat(CWD, by_fd(fd), reading(), Mode::empty()).map(File::from)
}

pub(crate) fn kind_of(stat: &Stat) -> Kind {
    Kind::of(FileType::from_raw_mode(stat.st_mode))
}

pub(crate) fn same_file(a: &Stat, b: &Stat) -> bool {
    a.st_dev == b.st_dev && a.st_ino == b.st_ino
}

pub(crate) fn refuse_kernel(fd: impl AsFd, shown: &str) -> Result<(), FileError> {
    if is_kernel(fd).map_err(|errno| FileError::from_errno(shown, errno))? {
        return Err(FileError::OutsideWorkspace { path: shown.to_owned(), why: Outside::Kernel });
    }
    Ok(())
}
