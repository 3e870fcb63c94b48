//! From a plain path to a descriptor, never past the root: by `openat2` where the kernel has it, else step by step.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, fstat, fstatfs, openat, openat2, readlinkat};
use rustix::io::Errno;

/// As many symbolic links as the kernel follows.
const MAX_LINKS: usize = 40;
/// A rename somewhere on the way makes `openat2` give up; the walk takes over after so many.
const MAX_RETRIES: usize = 16;

/// File systems that are views into the kernel: reading there can leak or act. Their numbers are in `linux/magic.h`.
const KERNEL: [u64; 13] = [
    0x9fa0,      // proc
    0x6265_6572, // sysfs
    0x6462_6720, // debugfs
    0x7472_6163, // tracefs
    0x0027_e0eb, // cgroup
    0x6367_7270, // cgroup2
    0x6265_6570, // configfs
    0xcafe_4a11, // bpf
    0x1cd1,      // devpts
    0x7363_6673, // securityfs
    0xf97c_ff8c, // selinuxfs
    0x6165_676c, // pstore
    0xde5e_81e4, // efivarfs
];

/// Which way paths are resolved. Both refuse the same things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolver {
    /// One system call that the kernel keeps beneath the root.
    Openat2,
    /// One step a name, for kernels and sandboxes without that call.
    Walk,
}

/// What is done with symbolic links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Follow,
    /// The last name is taken as it is, even if it is a link.
    KeepLast,
    /// A link anywhere is an error (`ELOOP`).
    Refuse,
}

impl Resolver {
    /// The best one that works here.
    pub(crate) fn detect(root: BorrowedFd<'_>) -> Self {
        match beneath(root, ".", Links::Follow) {
            Ok(_) => Self::Openat2,
            Err(_) => Self::Walk,
        }
    }

    /// An `O_PATH` descriptor of `path`. `roots` are the spellings that an absolute link below the root begins with.
    pub(crate) fn resolve(
        self,
        root: BorrowedFd<'_>,
        path: &str,
        links: Links,
        roots: &[&str],
    ) -> Result<OwnedFd, Errno> {
        if self == Self::Openat2 {
            for _ in 0..MAX_RETRIES {
                match beneath(root, path, links) {
                    // Renames race with the kernel's own check.
                    Err(Errno::AGAIN | Errno::INTR) => {}
                    // An absolute link may still lead inside, which only the walk can tell.
                    Err(Errno::XDEV) => break,
                    other => return other,
                }
            }
        }
        Walk { root, links, roots, folders: Vec::new(), ahead: VecDeque::new(), followed: 0 }.run(path)
    }
}

fn beneath(root: BorrowedFd<'_>, path: &str, links: Links) -> Result<OwnedFd, Errno> {
    let mut flags = OFlags::PATH | OFlags::CLOEXEC;
    let mut resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    match links {
        Links::Follow => {}
        Links::KeepLast => flags |= OFlags::NOFOLLOW,
        Links::Refuse => resolve |= ResolveFlags::NO_SYMLINKS,
    }
    openat2(root, path, flags, Mode::empty(), resolve)
}

/// Opens one name in a folder, whatever it is, without following it.
pub(crate) fn step(folder: impl AsFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    openat(folder, name, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())
}

/// The walk keeps each folder that it went through open: `..` in a link goes back to the one it came from, so a folder
/// that is moved meanwhile can't lead out.
struct Walk<'a> {
    root: BorrowedFd<'a>,
    links: Links,
    roots: &'a [&'a str],
    folders: Vec<OwnedFd>,
    ahead: VecDeque<OsString>,
    followed: usize,
}

impl Walk<'_> {
    fn run(mut self, path: &str) -> Result<OwnedFd, Errno> {
        self.ahead.extend(parts(path.as_bytes()));
        while let Some(name) = self.ahead.pop_front() {
            if name == ".." {
                // The text of a request has none; this comes from a link.
                self.folders.pop().map(drop).ok_or(Errno::XDEV)?;
                continue;
            }
            let next = step(self.here(), &name)?;
            let kind = FileType::from_raw_mode(fstat(&next)?.st_mode);
            let last = self.ahead.is_empty();
            match kind {
                FileType::Symlink if last && self.links == Links::KeepLast => return Ok(next),
                FileType::Symlink => self.follow(&next)?,
                FileType::Directory => self.folders.push(next),
                _ if last => return Ok(next),
                _ => return Err(Errno::NOTDIR),
            }
        }
        match self.folders.pop() {
            Some(folder) => Ok(folder),
            None => step(self.root, OsStr::new(".")),
        }
    }

    fn here(&self) -> BorrowedFd<'_> {
        self.folders.last().map_or(self.root, AsFd::as_fd)
    }

    fn follow(&mut self, link: &OwnedFd) -> Result<(), Errno> {
        self.followed += 1;
        if self.links == Links::Refuse || self.followed > MAX_LINKS {
            return Err(Errno::LOOP);
        }
        // Links in /proc jump where no text says; `openat2` refuses them, too.
        if is_kernel(link)? {
            return Err(Errno::LOOP);
        }
        let target = readlinkat(link, "", Vec::new())?.into_bytes();
        let mut names: Vec<OsString> = parts(&target).collect();
        if target.first() == Some(&b'/') {
            names = self.inside(&names).ok_or(Errno::XDEV)?;
            self.folders.clear();
        }
        for name in names.into_iter().rev() {
            self.ahead.push_front(name);
        }
        Ok(())
    }

    /// The part of an absolute link behind the root's own name.
    fn inside(&self, names: &[OsString]) -> Option<Vec<OsString>> {
        self.roots
            .iter()
            .filter_map(|root| {
                let root: Vec<OsString> = parts(root.as_bytes()).collect();
                names.strip_prefix(root.as_slice())
            })
            .min_by_key(|rest| rest.len())
            .map(<[OsString]>::to_vec)
    }
}

fn parts(path: &[u8]) -> impl Iterator<Item = OsString> {
    path.split(|byte| *byte == b'/')
        .filter(|name| !name.is_empty() && *name != b".")
        .map(|name| OsString::from_vec(name.to_vec()))
}

/// Whether a descriptor is on a file system of the kernel.
pub(crate) fn is_kernel(fd: impl AsFd) -> Result<bool, Errno> {
    let magic = fstatfs(fd)?.f_type as u64 & 0xffff_ffff;
    Ok(KERNEL.contains(&magic))
}

/// The path that stands for a descriptor, for calls that take only paths.
pub(crate) fn by_fd(fd: impl AsFd) -> String {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", fd.as_fd().as_raw_fd())
}

/// Bytes of a name as the system has them.
pub(crate) fn os(name: &str) -> &OsStr {
    OsStr::from_bytes(name.as_bytes())
}
