//! A command has to be a whole text for its shell. One that is not would go on in what the shell reads next, or run nothing
//! at all, so it is refused before anybody is asked about it. So is one that is too long to be read.

use std::path::Path;

use flightdeck_contract::{Error, ErrorCode};
use flightdeck_policy::{Deed, Dialect, FaultKind, Wholeness, wholeness};
use flightdeck_term::session::{Kind, Prompt, Session};
use flightdeck_term::shell::ShellKind;
use serde_json::json;

use crate::actor::Actor;
use crate::approvals::intent::{Intent, Sight};
use crate::terminals::default_shell;

/// The language of a shell that waits at its prompt or is about to. While something runs in it, that may be another shell.
pub(crate) fn waiting(session: &Session) -> Option<Dialect> {
    match (session.kind(), session.prompt()) {
        (Kind::Shell(setup), Prompt::Starting | Prompt::Ready { .. }) => dialect(setup.kind),
        _ => None,
    }
}

/// The language of the shell that an agent's commands without a terminal are given to.
pub(crate) fn fresh() -> Option<Dialect> {
    of_program(&default_shell::of_agents())
}

/// The language of a shell by its path.
pub(crate) fn of_program(path: &str) -> Option<Dialect> {
    dialect(ShellKind::of(Path::new(path)))
}

fn dialect(kind: ShellKind) -> Option<Dialect> {
    match kind {
        ShellKind::Bash => Some(Dialect::Bash),
        ShellKind::Zsh => Some(Dialect::Zsh),
        ShellKind::Posix => Some(Dialect::Posix),
        ShellKind::Fish => Some(Dialect::Fish),
        ShellKind::Other => None,
    }
}

/// The longest command that is run: as long as what the policy reads to its end.
const LONGEST: usize = 1024 * 1024;

/// Refuses a command that is too long.
pub(crate) fn check_length(command: &str) -> Result<(), Error> {
    if command.len() <= LONGEST {
        return Ok(());
    }
    let text =
        format!("the command is {} bytes long, and {LONGEST} bytes are the most. Nothing was run", command.len());
    Err(Error::new(ErrorCode::TooLarge, text)
        .hint("write it to a file and run that, or write the data in it to a file first: openspace.file.write")
        .details(json!({ "bytes": command.len(), "limit": LONGEST })))
}

/// Refuses a line that surely is no text for its shell. A person's own shell may be another one than that of agents.
pub(crate) fn check(intent: &Intent, by: &Actor) -> Result<(), Error> {
    let is_for_users = by.is_human() && intent.terminal.is_none() && intent.sight != Sight::Headless;
    let shell = if is_for_users { of_program(&default_shell::of_user()) } else { intent.shell };
    match &intent.deed {
        Deed::Line(line) => check_line(line, shell),
        Deed::Part(_) | Deed::Argv(_) => Ok(()),
    }
}

/// The same for a line in the language of a shell that is known.
pub(crate) fn check_line(line: &str, shell: Option<Dialect>) -> Result<(), Error> {
    let Some(shell) = shell else { return Ok(()) };
    // The same text is typed with its line end and run without.
    let Wholeness::Faulty(fault) = wholeness(line.trim_end_matches('\n'), shell) else { return Ok(()) };
    let (text, hint, key) = match fault.kind {
        FaultKind::Missing => ("the command is no whole text for", "complete", "missing"),
        FaultKind::Misplaced => ("the command is no text for", "correct", "misplaced"),
    };
    let (name, other) = match shell {
        Dialect::Bash => ("bash", ""),
        Dialect::Zsh => ("zsh", ""),
        Dialect::Posix => ("sh", ""),
        // Most write for another shell.
        Dialect::Fish => ("fish, the shell there", ", or give it as bash -c '…'"),
    };
    let mut details = json!({ "line": fault.line, "column": fault.column, "offset": fault.at });
    details[key] = json!(fault.what);
    Err(Error::new(ErrorCode::SyntaxError, format!("{text} {name}: {fault}. Nothing was run"))
        .hint(format!("{hint} the command and send it again{other}"))
        .details(details))
}
