//! Files that only the user may read: tokens and sessions.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Makes a folder (0700), unless it is there.
pub(crate) fn folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Replaces a file (0600) as a whole: a reader sees the old or the new one.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("new");
    // A leftover of a crash may have any mode.
    let _ = fs::remove_file(&fresh);
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(&fresh)?.write_all(bytes)?;
    fs::rename(fresh, path)
}
