//! A policy file as bytes on the disk: what it was like when it was read, and how it is replaced.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A policy that is longer was not written by a person.
const LONGEST: u64 = 1 << 20;

/// What a file was like when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Missing,
    /// When it was changed, its size, and which file it is: editors write a new one and rename it.
    There {
        changed: (i64, i64),
        size: u64,
        inode: u64,
    },
    Unreadable(String),
}

pub(super) fn see(path: &Path) -> Seen {
    match fs::metadata(path) {
        Ok(meta) => Seen::There {
            // The time of change as well as that of writing: a copy can bring an old one along.
            changed: (
                meta.mtime() * 1_000_000_000 + meta.mtime_nsec(),
                meta.ctime() * 1_000_000_000 + meta.ctime_nsec(),
            ),
            size: meta.len(),
            inode: meta.ino(),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Seen::Missing,
        Err(error) => Seen::Unreadable(error.to_string()),
    }
}

/// The text of a file; `None` when there is none.
pub(super) fn read(path: &Path) -> io::Result<Option<String>> {
    let meta = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        meta => meta?,
    };
    if !meta.is_file() || meta.len() > LONGEST {
        return Err(io::Error::other(format!("it is no file of at most {LONGEST} bytes")));
    }
    fs::read_to_string(path).map(Some)
}

/// Puts a text in the place of the file: whole, or not at all.
pub(super) fn replace(path: &Path, text: &str) -> io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let path = &followed(path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let new = path.with_extension(format!("new{}", std::process::id()));
    let mode = fs::metadata(path).map_or(0o600, |meta| meta.mode() & 0o777);
    let written = (|| {
        let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    })();
    if written.is_err() {
        // The old file is untouched; what was begun goes.
        let _ = fs::remove_file(&new);
    }
    written
}

/// Puts a text in the place of the file, which is kept under another name. Gives that name; `None` when there was no file. No
/// text means no file.
pub(super) fn put_back(path: &Path, text: &str, now_ms: i64) -> io::Result<Option<PathBuf>> {
    let path = &followed(path);
    let aside = path.with_extension(format!("rejected-{now_ms}.toml"));
    let kept = match fs::rename(path, &aside) {
        Ok(()) => Some(aside),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if !text.is_empty() {
        replace(path, text)?;
    }
    Ok(kept)
}

/// A link is followed: people keep their settings elsewhere and link to them.
fn followed(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
