//! What can go wrong with a file, and what to do next.

use std::io;

use rustix::io::Errno;

use crate::kind::Kind;
use crate::path::RelPath;
use crate::version::Version;

/// A refused or failed operation on a file. The text says what happened; [`FileError::advice`] says what to do.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("file not found: {path}")]
    NotFound { path: String },
    #[error("file not found: {path}: there is no folder {folder}")]
    NoFolder { path: String, folder: String },
    #[error("outside the workspace: {path}: {why}")]
    OutsideWorkspace { path: String, why: Outside },
    #[error("sensitive file: {path} is kept from agents by the rule `{rule}`")]
    Sensitive { path: String, rule: String },
    #[error("protected: {path} may not be changed here, by the rule `{rule}`")]
    Protected { path: String, rule: String },
    #[error("{path} is a folder")]
    IsAFolder { path: String },
    #[error("{path} is not a folder")]
    NotAFolder { path: String },
    #[error("{path} is {}, not a file", kind.phrase())]
    NotAFile { path: String, kind: Kind },
    #[error("{path} is binary ({guess}, {size} bytes) and has no text")]
    Binary { path: String, size: u64, guess: &'static str },
    #[error("{path} is not {expected}: byte 0x{byte:02x} at offset {offset}")]
    Encoding { path: String, expected: &'static str, byte: u8, offset: u64 },
    #[error("{path} is too large: {size} bytes, and the limit is {limit}")]
    TooLarge { path: String, size: u64, limit: u64, advice: &'static str },
    #[error("{path} changed since you read it ({})", now(current.as_ref()))]
    Stale { path: String, current: Option<Version> },
    #[error("{path} exists already")]
    Exists { path: String, current: Option<Version> },
    #[error("bad path {path:?}: {why}")]
    BadPath { path: String, why: Oddity },
    #[error("{path} has {total_lines} lines, so there is no line {line}")]
    BadRange { path: String, line: u64, total_lines: u64 },
    #[error("no space left for {path}, and nothing was changed")]
    NoSpace { path: String },
    #[error("{path} is read-only: {why}")]
    ReadOnly { path: String, why: Hindrance },
    #[error("permission denied: {path}")]
    Permission { path: String },
    #[error("bad pattern {pattern:?}: {why}")]
    BadPattern { pattern: String, why: String },
    #[error("bad content for {path}: a NUL character at byte {offset}")]
    BadContent { path: String, offset: u64 },
    #[error("nothing to undo{}", for_what(what))]
    NothingToUndo { what: String },
    #[error("{path} is in use: {why}")]
    Busy { path: String, why: &'static str },
    #[error("cancelled")]
    Cancelled,
    #[error("{path}: {source}{}", beside(kept.as_ref()))]
    Io {
        path: String,
        source: io::Error,
        /// Where the work of somebody else is, who saved at that moment and whose file could not be put back.
        kept: Option<RelPath>,
    },
}

/// How a path leads out of the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Outside {
    #[error("`..` is not taken")]
    Parent,
    #[error("it is absolute and not below the root")]
    Absolute,
    #[error("a symbolic link leads out")]
    Link,
    #[error("it is on a file system of the kernel, not of files")]
    Kernel,
}

/// Why a path can't be used at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Oddity {
    #[error("it is empty")]
    Empty,
    #[error("it holds a NUL or control character")]
    Control,
    #[error("it is too long (4095 bytes, 255 for one name)")]
    Long,
    #[error("it goes through too many symbolic links")]
    Links,
    #[error("it names the workspace root itself")]
    Root,
    #[error("it ends with a slash")]
    Slash,
    #[error("a part of it is a symbolic link to nothing")]
    Dangling,
    #[error("its real name is not UTF-8")]
    NotUtf8,
    #[error("it is not a name on this file system")]
    Name,
}

impl Oddity {
    fn advice(self) -> &'static str {
        match self {
            Self::Empty => "name a file, from the workspace root",
            Self::Control => "remove that character",
            Self::Long => "use a shorter path, or shorter names",
            Self::Links => "name the file itself, or correct the links",
            Self::Root => "name something in it",
            Self::Slash => "name a file",
            Self::Dangling => "write to the target, or remove the link",
            Self::NotUtf8 => "rename it",
            Self::Name => "choose another name",
        }
    }
}

/// What keeps a file from being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Hindrance {
    #[error("its mode has no write bit")]
    Mode,
    #[error("the file system is mounted read-only")]
    Mount,
}

impl Hindrance {
    fn advice(self) -> &'static str {
        match self {
            Self::Mode => "`chmod u+w` it, if it should be changed",
            Self::Mount => "write to another place, or ask a person to mount it for writing",
        }
    }
}

fn beside(kept: Option<&RelPath>) -> String {
    let told = |kept| format!(", and what somebody else saved at the same moment is now in {kept}");
    kept.map_or_else(String::new, told)
}

fn now(current: Option<&Version>) -> String {
    current.map_or_else(|| "it is gone".to_owned(), |version| format!("now {version}"))
}

fn for_what(what: &str) -> String {
    if what.is_empty() { String::new() } else { format!(" for {what}") }
}

impl FileError {
    /// The stable name of this error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } | Self::NoFolder { .. } => "not_found",
            Self::OutsideWorkspace { .. } => "outside_workspace",
            Self::Sensitive { .. } => "sensitive",
            Self::Protected { .. } => "protected",
            Self::IsAFolder { .. } => "is_a_folder",
            Self::NotAFolder { .. } => "not_a_folder",
            Self::NotAFile { .. } => "not_a_file",
            Self::Binary { .. } => "binary",
            Self::Encoding { .. } => "encoding",
            Self::TooLarge { .. } => "too_large",
            Self::Stale { .. } => "stale",
            Self::Exists { .. } => "exists",
            Self::BadPath { .. } => "bad_path",
            Self::BadRange { .. } => "bad_range",
            Self::NoSpace { .. } => "no_space",
            Self::ReadOnly { .. } => "read_only",
            Self::Permission { .. } => "permission",
            Self::BadPattern { .. } => "bad_pattern",
            Self::BadContent { .. } => "bad_content",
            Self::NothingToUndo { .. } => "nothing_to_undo",
            Self::Busy { .. } => "busy",
            Self::Cancelled => "cancelled",
            Self::Io { .. } => "io",
        }
    }

    /// What to do next.
    pub fn advice(&self) -> &str {
        match self {
            Self::NotFound { .. } => "list its folder to see what is there",
            Self::NoFolder { .. } => "create it, or ask for missing folders to be created",
            Self::OutsideWorkspace { .. } => "name a path below the workspace root",
            Self::Sensitive { .. } => "work without it, or ask a person for the part you need",
            Self::Protected { .. } => {
                "use the tool that owns it (git, the package manager), or have the rule changed in the settings"
            }
            Self::IsAFolder { .. } => "list it, or name a file in it",
            Self::NotAFolder { .. } => "name a folder, or read the file that a part of the path is",
            Self::NotAFile { .. } => "only regular files can be read and written",
            Self::Binary { .. } => "use a terminal command made for that type",
            Self::Encoding { .. } => "convert it first, for example with `iconv -f LATIN1 -t UTF-8`",
            Self::TooLarge { advice, .. } => advice,
            Self::Stale { current: None, .. } => "write with the expected version `absent` to make it anew",
            Self::Stale { .. } => "read it again and write with its version",
            Self::Exists { .. } => "read it, then write with its version, or choose another name",
            Self::BadPath { why, .. } => why.advice(),
            Self::BadRange { .. } => "ask for a range within them",
            Self::NoSpace { .. } => "free some space, then try again",
            Self::ReadOnly { why, .. } => why.advice(),
            Self::Permission { .. } => "ask a person to change its permissions",
            Self::BadPattern { .. } => "correct it, or search for plain text",
            Self::BadContent { .. } => "leave it out, since files are written as text",
            Self::NothingToUndo { .. } => "write the content that you want instead",
            Self::Busy { .. } => "try again",
            Self::Cancelled => "ask again if it is still needed",
            Self::Io { kept: Some(_), .. } => "compare the two files and put them together",
            Self::Io { .. } => "look at what is there now, then try again",
        }
    }

    /// The version that the file has now, where the error is about one.
    pub fn current_version(&self) -> Option<&Version> {
        match self {
            Self::Stale { current, .. } | Self::Exists { current, .. } => current.as_ref(),
            _ => None,
        }
    }

    /// What the kernel said about `path`, in our words.
    pub(crate) fn from_errno(path: &str, errno: Errno) -> Self {
        let path = path.to_owned();
        match errno {
            Errno::NOENT => Self::NotFound { path },
            Errno::XDEV => Self::OutsideWorkspace { path, why: Outside::Link },
            Errno::NOTDIR => Self::NotAFolder { path },
            Errno::ISDIR => Self::IsAFolder { path },
            Errno::LOOP => Self::BadPath { path, why: Oddity::Links },
            Errno::NAMETOOLONG => Self::BadPath { path, why: Oddity::Long },
            Errno::INVAL | Errno::ILSEQ => Self::BadPath { path, why: Oddity::Name },
            Errno::ACCESS | Errno::PERM => Self::Permission { path },
            Errno::NOSPC | Errno::DQUOT => Self::NoSpace { path },
            Errno::ROFS => Self::ReadOnly { path, why: Hindrance::Mount },
            Errno::AGAIN | Errno::TXTBSY | Errno::BUSY => Self::Busy { path, why: "it keeps changing" },
            other => Self::Io { path, source: other.into(), kept: None },
        }
    }

    /// The same for an error of the standard library.
    pub(crate) fn from_io(path: &str, error: io::Error) -> Self {
        match Errno::from_io_error(&error) {
            Some(errno) => Self::from_errno(path, errno),
            None => Self::Io { path: path.to_owned(), source: error, kept: None },
        }
    }
}
