//! What has to be known of the disk to prove more: where links lead, and which names a pattern stands for.
//!
//! The policy itself looks at nothing. Whoever asks gives it eyes; without them all that depends on the disk is unproven.

use std::fmt::Debug;
use std::path::{Path, PathBuf};

/// A look at the disk. Each answer is `None` when there is none: not readable, too much, no text.
pub trait Disk: Debug + Send + Sync {
    /// Where an absolute path leads, with links followed and `..` taken as the system takes it. Names behind the last one
    /// that exists are kept as they are.
    fn real(&self, path: &Path) -> Option<PathBuf>;

    /// The names in a folder.
    fn names(&self, folder: &Path) -> Option<Vec<String>>;

    /// Whether a folder is there, with links followed.
    fn is_folder(&self, path: &Path) -> bool;

    /// All files below a folder, relative to it, with links not followed.
    fn files_below(&self, folder: &Path) -> Option<Vec<PathBuf>>;

    /// A small text file; an empty text when there is no such file.
    fn text(&self, path: &Path) -> Option<String>;
}
