//! The tab tools, in the words of their document. They are thin: a tab is a terminal, and the work is that of our own
//! commands.

mod close;
mod create;
mod execute;
mod executes;
mod history;
mod list;
mod read;
mod start;
mod stop;
mod stream;
mod text;

use flightdeck_contract::{Error, ErrorCode};
use flightdeck_term::Whose;
use flightdeck_term::session::{Kind, Prompt, Session};
use flightdeck_term::shell::ShellKind;

use crate::convert;
use crate::registry::Command;
use crate::terminals::tabs::Tab;

/// What is given to somebody who has not said how much is wanted. With its quotes and escapes it fits into what all known clients
/// show their models whole, which is less than the 65536 bytes of the document.
const DEFAULT_BYTES: usize = 32_768;
/// The most of a log that one answer holds.
const MOST_BYTES: usize = 1 << 20;

pub(super) fn commands() -> Vec<Command> {
    vec![
        close::command(),
        create::command(),
        execute::command(),
        history::command(),
        list::command(),
        read::command(),
        start::command(),
        stop::command(),
        stream::command(),
    ]
}

/// Whether something runs in the foreground of a tab.
fn at_work(session: &Session) -> bool {
    if !session.progress().running() {
        return false;
    }
    if session.whose() == Whose::Theirs {
        // A shell without marks; the one that was there first rests when nobody else is in the foreground.
        return session.facts().group.is_some_and(|group| Some(group) != session.leader());
    }
    let unmarked = matches!(session.kind(), Kind::Shell(setup) if setup.kind == ShellKind::Other);
    match session.prompt() {
        // A shell inside of the tab's own, or in its place, that waits at its prompt is at rest too.
        Prompt::Busy => session.guest().is_none(),
        Prompt::Ready { .. } if !unmarked => false,
        // What the shell does not tell, the kernel knows: somebody else is in the foreground.
        _ => session.facts().group.is_some_and(|group| Some(group) != session.leader()),
    }
}

/// Whether what a tab prints reaches us: the user may let it go elsewhere.
fn check_heard(tab: &Tab) -> Result<(), Error> {
    if tab.session.is_heard() || !tab.is_open() {
        return Ok(());
    }
    let number = tab.number;
    let text = format!("the output of {number} goes through a pipe of the user's own, so it can't be read");
    Err(Error::new(ErrorCode::TmuxFailed, text).hint(format!(
        "the user can close that pipe with `tmux pipe-pane -t {number}`, and list_tabs then listens; or use another tab"
    )))
}

/// Whether a tab has a log, or will have one.
fn check_readable(tab: &Tab) -> Result<(), Error> {
    if tab.session.progress().seen.0 > 0 { Ok(()) } else { check_heard(tab) }
}

/// An error of a terminal with what to do about it by the tools of this family.
fn advise(error: Error, tab: &Tab) -> Error {
    let number = tab.number;
    let hint = match error.code {
        ErrorCode::LeaseHeld if tab.session.whose() == Whose::Ours => {
            "read_logs_from_tab goes on to work; try again when the controls are handed back, or create_tab makes another"
        }
        // It says more about itself than its code does.
        _ if error.hint.as_deref().is_some_and(|hint| ![convert::ENDED, convert::BUSY].contains(&hint)) => {
            return error;
        }
        ErrorCode::TerminalBusy => {
            "read_logs_from_tab shows what it prints, stop_process ends it and keeps the tab, and create_tab makes another"
        }
        ErrorCode::TerminalEnded => {
            "its shell has ended: create_tab makes another, and read_logs_from_tab still reads this one"
        }
        ErrorCode::NoPrompt => {
            "read_logs_from_tab shows what its shell waits for; start_process types an answer; close_tab and create_tab \
             begin anew"
        }
        _ => return error,
    };
    let message = match error.code {
        ErrorCode::TerminalEnded => format!("{number} has ended"),
        // People and other tools know the terminal by another name.
        _ => error.message.replace(&format!("{} ", tab.terminal), &format!("{number} ")),
    };
    Error { message, ..error }.hint(hint)
}
