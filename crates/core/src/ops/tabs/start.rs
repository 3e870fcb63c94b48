//! `start_process`: a command that is typed into a tab and left to itself.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::tabs::{ProcessStarted, StartProcess};
use flightdeck_contract::terminal::Send;
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_term::facts::Input;
use flightdeck_term::session::{Prompt, Session};

use super::{advise, at_work};
use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::input::send;
use crate::terminals::tabs;
use crate::terminals::tabs::Tab;
use crate::terminals::typing::{Onto, reaches_shell};

/// How long a fresh shell may take to show its first prompt.
const FIRST_PROMPT: Duration = Duration::from_secs(20);
/// How long a shell may take to begin with what was typed. What takes longer has begun nothing, as an open quote.
const TAKEN: Duration = Duration::from_secs(1);
/// Between two looks at the foreground, which nobody tells of.
const LOOK: Duration = Duration::from_millis(5);
/// The same for what is not expected at once.
const AGAIN: Duration = Duration::from_millis(100);

pub(super) fn command() -> Command {
    define(
        Family::Tabs,
        "start_process",
        Effects::EXECUTES,
        "Start a process in a tab",
        "Types a command into a tab, presses Enter and returns at once: for servers, watchers and anything that goes \
         on. read_logs_from_tab shows what it prints, stop_process ends it. While a program in the tab waits for \
         input, the text goes to that program.",
    )
    .handle_executing(|hub, call, request: StartProcess| async move { start(&hub, &call, request).await })
}

/// What is pressed for a request. Text with control characters is pasted, so that a line editor takes a tab as it is.
pub(super) fn keystrokes(request: &StartProcess, tab: &Tab) -> Send {
    let command = Some(request.command.clone()).filter(|command| !command.is_empty());
    let (text, paste) = if request.command.contains(char::is_control) { (None, command) } else { (command, None) };
    let keys = if request.append_newline.unwrap_or(true) { vec!["Enter".to_owned()] } else { Vec::new() };
    Send { text, paste, keys, ..Send::to(tab.terminal) }
}

async fn start(hub: &Arc<Hub>, call: &Call, request: StartProcess) -> Result<ProcessStarted, Error> {
    let tab = tabs::tab(hub, request.window_id)?;
    hub.leases().check(tab.terminal, &call.caller.actor)?;
    tabs::check_logs(hub, &call.caller.actor).await?;
    let session = &tab.session;
    wait_for_prompt(session, FIRST_PROMPT).await.map_err(|error| advise(error, &tab))?;
    if !takes_input(session).await {
        let running = session.records().pop().and_then(|record| record.text);
        let running = running
            .map_or_else(String::new, |text| format!(" with `{}`", text.lines().next().unwrap_or("").trim_end()));
        let text = format!("{} is busy{running}, and reads no input", tab.number);
        return Err(advise(Error::new(ErrorCode::TerminalBusy, text), &tab));
    }
    tabs::touch(hub, tab.number);
    let marks = session.progress().marks;
    let before = session.records().last().map(|record| record.number);
    let (entered, is_command) = (request.append_newline.unwrap_or(true), reaches_shell(session));
    send(hub, call, keystrokes(&request, &tab), Onto::KnownLine).await.map_err(|error| advise(error, &tab))?;
    if entered {
        taken(session, marks).await;
        if let Some(record) = session.records().last().map(|record| record.number).filter(|last| Some(*last) > before) {
            call.report.started(tab.terminal, record);
        }
    }
    let number = tab.number;
    let note = match (entered, is_command) {
        (true, true) => None,
        (true, false) => {
            Some(format!("a program in {number} waited for input and has got it: the shell was given no command"))
        }
        (false, _) => Some(format!(
            "it stands at the input of {number} and does not run: Enter was not pressed, as append_newline says"
        )),
    };
    Ok(ProcessStarted { started: note.is_none(), note })
}

/// Whether somebody reads what is typed. A program that paints its screen does so again in a moment.
async fn takes_input(session: &Session) -> bool {
    let reads = async {
        while session.prompt() == Prompt::Busy && session.facts().input == Input::Busy {
            tokio::time::sleep(AGAIN).await;
        }
    };
    tokio::time::timeout(TAKEN, reads).await.is_ok()
}

/// Waits until a fresh shell is there: what is typed before is shown twice, and may be lost.
pub(super) async fn wait_for_prompt(session: &Session, patience: Duration) -> Result<(), Error> {
    let mut progress = session.follow();
    let there = async {
        loop {
            // Not inside of `wait_for`: that holds a lock which what is asked here takes too.
            let running = progress.borrow_and_update().running();
            if !running || session.prompt() != Prompt::Starting || session.guest().is_some() {
                return running;
            }
            // A shell without marks tells nothing when it comes to its prompt.
            if let Ok(Err(_)) = tokio::time::timeout(AGAIN, progress.changed()).await {
                return false;
            }
        }
    };
    let waited = tokio::time::timeout(patience, there).await;
    match waited {
        Ok(true) => Ok(()),
        Ok(false) => Err(Error::new(ErrorCode::TerminalEnded, "it has ended")),
        // A shell of which nothing is known shows no prompt that we would recognise.
        Err(_) if session.facts().input == Input::Raw => Ok(()),
        Err(_) => {
            let text = format!("the shell showed no prompt within {} s", patience.as_secs());
            Err(Error::new(ErrorCode::NoPrompt, text))
        }
    }
}

/// Waits until the shell has begun, so that whoever stops the process next finds it.
async fn taken(session: &Session, marks: u64) {
    let begun = async {
        while session.progress().marks == marks && !at_work(session) && session.progress().running() {
            tokio::time::sleep(LOOK).await;
        }
    };
    // Nothing has begun: then there is nothing to be waited for.
    let _ = tokio::time::timeout(TAKEN, begun).await;
}
