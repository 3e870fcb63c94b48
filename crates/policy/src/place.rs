//! What is to be done, and where.

use std::path::PathBuf;
use std::sync::Arc;

use crate::Disk;

/// What would be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Text for a shell.
    Line(String),
    /// A part of a text for a shell: what else the shell gets is not known.
    Part(String),
    /// A program and its arguments, with no shell in between.
    Argv(Vec<String>),
}

/// Where it would run. All paths are absolute and hold no `.` or `..`.
#[derive(Clone, Debug)]
pub struct Place {
    /// The root folder of the workspace.
    pub workspace: PathBuf,
    /// The folder that the command starts in, when it is known.
    pub cwd: Option<PathBuf>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// Folders for what is temporary: `/tmp`, `$TMPDIR`.
    pub temp: Vec<PathBuf>,
    /// Variables that the caller sets for it, by name and value.
    pub env: Vec<(String, String)>,
    /// A look at the disk. Without one, what depends on it is not proven.
    pub disk: Option<Arc<dyn Disk>>,
}
