//! Walking folders by descriptor: each is opened in the one above it, so a folder swapped for a link leads nowhere.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RawDir, fstat, openat, statat};
use rustix::io::Errno;

use crate::error::FileError;
use crate::kind::Kind;
use crate::path::RelPath;
use crate::read::all_bytes;
use crate::resolve::Links;
use crate::root::{Root, kind_of, reading, refuse_kernel};

/// Names read from one folder; more are left out.
const MAX_CHILDREN: usize = 1_000_000;
/// Deeper folders are left out: each level holds a descriptor.
pub(crate) const MAX_DEPTH: usize = 128;
const MAX_IGNORE_FILE: u64 = 1024 * 1024;
/// The later one wins, as in ripgrep.
const IGNORE_FILES: [&CStr; 2] = [c".gitignore", c".ignore"];

/// A folder held open.
#[derive(Debug)]
pub(crate) struct Folder {
    pub fd: OwnedFd,
    pub path: RelPath,
    pub depth: usize,
    device: u64,
}

/// A name in a folder.
#[derive(Debug)]
pub(crate) struct Child {
    /// As the kernel has it.
    pub raw: CString,
    pub name: String,
    /// The name is not UTF-8, and `name` only shows it.
    pub lossy: bool,
    pub kind: Kind,
}

/// All names in a folder, or as many as are taken.
#[derive(Debug)]
pub(crate) struct Children {
    pub children: Vec<Child>,
    /// Some were left out.
    pub more: bool,
}

/// The ignore files that hold in a folder, from its own up to the root's.
#[derive(Debug, Default)]
pub(crate) struct Ignores {
    own: Vec<Gitignore>,
    above: Option<Arc<Ignores>>,
}

impl Folder {
    /// Where a walk begins: a folder that was asked for.
    pub fn start(root: &Root, path: &RelPath) -> Result<Self, FileError> {
        let (fd, located) = root.folder(path, Links::Follow)?;
        Ok(Self { fd, path: located.real, depth: 0, device: located.stat.st_dev })
    }

    /// A folder further down, found again beneath the root; a link on the way is an error.
    pub fn again(root: &Root, path: &RelPath, depth: usize) -> Result<Self, FileError> {
        let (fd, located) = root.folder(path, Links::Refuse)?;
        Ok(Self { fd, path: located.real, depth, device: located.stat.st_dev })
    }

    /// Opens a folder in this one, if it is one and no link.
    pub fn enter(&self, child: &CStr, name: &str) -> Result<Self, Errno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = openat(&self.fd, child, flags, Mode::empty())?;
        let device = fstat(&fd)?.st_dev;
        if device != self.device && refuse_kernel(&fd, name).is_err() {
            return Err(Errno::XDEV);
        }
        Ok(Self { fd, path: self.path.join(name), depth: self.depth + 1, device })
    }

    /// Opens a regular file in this folder; nothing if it is something else.
    pub fn open(&self, child: &CStr) -> Result<Option<File>, Errno> {
        let file = openat(&self.fd, child, reading() | OFlags::NOFOLLOW, Mode::empty())?;
        let kind = FileType::from_raw_mode(fstat(&file)?.st_mode);
        Ok((kind == FileType::RegularFile).then(|| File::from(file)))
    }

    /// What is in this folder, in no order.
    pub fn children(&self) -> Result<Children, Errno> {
        let mut buffer = Vec::with_capacity(32 * 1024);
        let mut names = RawDir::new(&self.fd, buffer.spare_capacity_mut());
        let (mut children, mut more) = (Vec::new(), false);
        while let Some(entry) = names.next() {
            let entry = entry?;
            let raw = entry.file_name();
            if raw == c"." || raw == c".." {
                continue;
            }
            if children.len() >= MAX_CHILDREN {
                more = true;
                break;
            }
            let kind = match entry.file_type() {
                // Some file systems don't say.
                FileType::Unknown => match statat(&self.fd, raw, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) => kind_of(&stat),
                    Err(_) => continue,
                },
                known => Kind::of(known),
            };
            let (name, lossy) = match raw.to_str() {
                Ok(name) => (name.to_owned(), false),
                Err(_) => (raw.to_string_lossy().into_owned(), true),
            };
            children.push(Child { raw: raw.to_owned(), name, lossy, kind });
        }
        Ok(Children { children, more })
    }
}

impl Ignores {
    /// What holds above a folder: the ignore files from the root down to it, without its own.
    pub fn above(root: &Root, path: &RelPath) -> Arc<Self> {
        let exclude = root.folder(&RelPath::from_real(".git/info"), Links::Refuse).ok();
        let exclude = exclude.and_then(|(fd, _)| load(&fd, c"exclude", &RelPath::root()));
        let mut ignores = Arc::new(Self { own: exclude.into_iter().collect(), above: None });
        let mut at = RelPath::root();
        for name in path.names() {
            if let Ok((fd, _)) = root.folder(&at, Links::Refuse) {
                let own = IGNORE_FILES.iter().filter_map(|file| load(&fd, file, &at)).collect();
                ignores = Arc::new(Self { own, above: Some(ignores) });
            }
            at = at.join(name);
        }
        ignores
    }

    /// Whether a folder is ignored, or lies in one that is.
    pub fn hold(root: &Root, path: &RelPath) -> bool {
        let mut at = RelPath::root();
        path.names().any(|name| {
            at = at.join(name);
            Self::above(root, &at).ignores(&at, Kind::Folder)
        })
    }

    /// With the ignore files of one more folder, if it has any.
    pub fn within(self: &Arc<Self>, folder: &Folder, children: &[Child]) -> Arc<Self> {
        let has = |file: &CStr| children.iter().any(|child| child.raw.as_c_str() == file && child.kind == Kind::File);
        let own: Vec<_> = IGNORE_FILES
            .iter()
            .filter(|file| has(file))
            .filter_map(|file| load(&folder.fd, file, &folder.path))
            .collect();
        if own.is_empty() { Arc::clone(self) } else { Arc::new(Self { own, above: Some(Arc::clone(self)) }) }
    }

    /// Whether a path is ignored. The folders above it are known not to be.
    pub fn ignores(&self, path: &RelPath, kind: Kind) -> bool {
        let mut level = Some(self);
        while let Some(here) = level {
            for file in here.own.iter().rev() {
                match file.matched(path.as_str(), kind == Kind::Folder) {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
            level = here.above.as_deref();
        }
        false
    }
}

/// Reads an ignore file. A line that means nothing is passed over, as git does.
fn load(folder: impl AsFd, file: &CStr, at: &RelPath) -> Option<Gitignore> {
    let fd = openat(folder, file, reading() | OFlags::NOFOLLOW, Mode::empty()).ok()?;
    if FileType::from_raw_mode(fstat(&fd).ok()?.st_mode) != FileType::RegularFile {
        return None;
    }
    let bytes = all_bytes(File::from(fd), at.as_str(), MAX_IGNORE_FILE).ok()?;
    let mut builder = GitignoreBuilder::new(at.as_str());
    for line in String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().ok().filter(|rules| !rules.is_empty())
}
