//! The command that was handed to a shell last, noted beside its log.
//!
//! The shell's marks say when it ran and how it ended, but not who ran it, and some shells not even what it was. So a
//! hub that takes the terminal up while the command runs, or after it ended unseen, finds it here.

use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use flightdeck_term::log::Offset;
use flightdeck_term::session::PendingRun;
use flightdeck_term::shell::RunId;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Note {
    run: String,
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    from: u64,
}

fn path(dir: &Path) -> PathBuf {
    dir.join("running.json")
}

/// Notes a run, in place of the one before.
pub(crate) fn save(dir: &Path, run: &PendingRun) -> io::Result<()> {
    let note =
        Note { run: run.run.as_str().to_owned(), text: run.text.clone(), actor: run.actor.clone(), from: run.from.0 };
    // In place, without a new file for each command. A note that a crash tore apart is no JSON, and then the next hub
    // does not know who ran the command.
    let bytes = serde_json::to_vec(&note).map_err(io::Error::other)?;
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path(dir))?;
    file.write_all_at(&bytes, 0)?;
    file.set_len(bytes.len() as u64)
}

/// The last run that was noted.
pub(crate) fn load(dir: &Path) -> Option<PendingRun> {
    let note: Note = serde_json::from_slice(&std::fs::read(path(dir)).ok()?).ok()?;
    Some(PendingRun { run: RunId::parse(&note.run).ok()?, text: note.text, actor: note.actor, from: Offset(note.from) })
}
