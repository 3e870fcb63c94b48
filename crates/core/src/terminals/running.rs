//! The command that was handed to a shell last.
//!
//! The shell's marks say when it ran and how it ended, but not who ran it, and some shells not even what it was. So a
//! hub that takes the terminal up while the command runs, or after it ended unseen, finds it here.

use std::io;

use flightdeck_contract::TerminalId;
use flightdeck_term::log::Offset;
use flightdeck_term::session::PendingRun;
use flightdeck_term::shell::RunId;
use serde::{Deserialize, Serialize};

use crate::store::{Change, Store, TerminalNumber};

#[derive(Serialize, Deserialize)]
struct Note {
    run: String,
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    from: u64,
}

/// Notes a run, in place of the one before, while the shell is at work. It is not waited for where others write: all that a
/// hub which dies at this very moment loses is who ran the command.
pub(crate) fn note(store: &Store, terminal: TerminalId, run: &PendingRun) -> io::Result<()> {
    let note =
        Note { run: run.run.as_str().to_owned(), text: run.text.clone(), actor: run.actor.clone(), from: run.from.0 };
    let text = serde_json::to_string(&note).map_err(io::Error::other)?;
    drop(store.send_now(Change::PutPending(TerminalNumber(terminal.number()), text)));
    Ok(())
}

/// The last run that was noted.
pub(crate) fn load(store: &Store, terminal: TerminalId) -> Option<PendingRun> {
    let text = store.pending(TerminalNumber(terminal.number())).ok()??;
    let note: Note = serde_json::from_str(&text).ok()?;
    Some(PendingRun { run: RunId::parse(&note.run).ok()?, text: note.text, actor: note.actor, from: Offset(note.from) })
}
