//! What is kept of a terminal beside its log, so that another hub can take it up.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::WindowSize;
use flightdeck_term::session::{Kind, ShellSetup};
use flightdeck_term::shell::{Nonce, ShellKind};
use serde::{Deserialize, Serialize};

/// A terminal's file `meta.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Meta {
    pub id: TerminalId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub command: Vec<String>,
    pub cwd: PathBuf,
    pub size: WindowSize,
    pub created_by: String,
    pub created_at: f64,
    pub tag: String,
    pub what: What,
    /// How much output is kept.
    pub log_bytes: u64,
    /// A command that was started and awaited by one call: it goes first when old terminals are removed.
    #[serde(default)]
    pub transient: bool,
}

/// What runs in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub(crate) enum What {
    Shell { shell: ShellName, nonce: String },
    Command,
    Pipes,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ShellName {
    Bash,
    Zsh,
    Fish,
    Posix,
    Other,
}

impl Meta {
    pub(crate) fn path(dir: &Path) -> PathBuf {
        dir.join("meta.json")
    }

    pub(crate) fn load(dir: &Path) -> io::Result<Self> {
        let bytes = fs::read(Self::path(dir))?;
        serde_json::from_slice(&bytes).map_err(io::Error::other)
    }

    /// Written once, into a fresh folder; half a file after a crash is no description, and the terminal never was.
    pub(crate) fn save(&self, dir: &Path) -> io::Result<()> {
        let bytes = serde_json::to_vec(self).map_err(io::Error::other)?;
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(Self::path(dir))?.write_all(&bytes)
    }

    /// The engine's view of what runs in it.
    pub(crate) fn kind(&self, dir: &Path) -> Result<Kind, String> {
        Ok(match &self.what {
            What::Shell { shell, nonce } => Kind::Shell(ShellSetup {
                kind: (*shell).into(),
                nonce: Nonce::parse(nonce).map_err(|error| error.to_string())?,
                dir: dir.join("shell"),
            }),
            What::Command => Kind::Command,
            What::Pipes => Kind::Piped,
        })
    }
}

impl From<&Kind> for What {
    fn from(kind: &Kind) -> Self {
        match kind {
            Kind::Shell(setup) => What::Shell { shell: setup.kind.into(), nonce: setup.nonce.as_str().to_owned() },
            Kind::Command => What::Command,
            Kind::Piped => What::Pipes,
        }
    }
}

impl From<ShellKind> for ShellName {
    fn from(kind: ShellKind) -> Self {
        match kind {
            ShellKind::Bash => ShellName::Bash,
            ShellKind::Zsh => ShellName::Zsh,
            ShellKind::Fish => ShellName::Fish,
            ShellKind::Posix => ShellName::Posix,
            ShellKind::Other => ShellName::Other,
        }
    }
}

impl From<ShellName> for ShellKind {
    fn from(name: ShellName) -> Self {
        match name {
            ShellName::Bash => ShellKind::Bash,
            ShellName::Zsh => ShellKind::Zsh,
            ShellName::Fish => ShellKind::Fish,
            ShellName::Posix => ShellKind::Posix,
            ShellName::Other => ShellKind::Other,
        }
    }
}

/// Replaces a private file as a whole: a reader, or the next hub after a crash, sees the old or the new one.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("new");
    fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?.write_all(bytes)?;
    fs::rename(fresh, path)
}
