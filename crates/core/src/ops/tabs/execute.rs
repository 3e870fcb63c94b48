//! `execute_command`: a bounded command in a tab's shell.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::tabs::{ExecuteCommand, Executed, Whole};
use flightdeck_contract::terminal::{InputState, Ran, Run};
use flightdeck_term::printed::Marks;

use super::text::shown;
use super::{DEFAULT_BYTES, advise, check_heard};
use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::plumbing::Plumbing;
use crate::terminals::run::{UNTOLD, in_shell};
use crate::terminals::tabs;

const DEFAULT_TIMEOUT: Whole = Whole(10_000);

pub(super) fn command() -> Command {
    define(
        Family::Tabs,
        "execute_command",
        Effects::EXECUTES,
        "Execute a command in a tab",
        "Runs a command in a tab's shell, waits for its end and returns exactly what it printed and its `exit_code`. \
         Folder and variables carry over to the next command. When `timeout_ms` is over, `timed_out` is true, `output` \
         is what there is so far, and the command goes on: read_logs_from_tab shows more, stop_process ends it. One that asks \
         for something, or takes keys as a REPL does, is told at once (`input`), and start_process types the answer. \
         Commands of one tab run one after the other. Of an output above 32 KiB the beginning and the end are given; \
         `omitted_bytes` says how much is left out, and stream_logs_from_tab reads it.",
    )
    .handle_executing(|hub, call, request: ExecuteCommand| async move { execute(&hub, call, request).await })
}

/// What to do about a command that has not ended as commands do.
fn next_step(ran: &Ran) -> Option<String> {
    let words = match ran.input {
        Some(InputState::Raw) => {
            "it takes keys and goes on: start_process types a line into it, without Enter where append_newline is false; \
             stop_process ends it"
        }
        Some(InputState::Password) => {
            "it asks for a password and goes on: start_process types it, if you may know it; stop_process ends it"
        }
        Some(_) => "it asks for a line and goes on: start_process types the answer; stop_process ends it",
        None if ran.untold => UNTOLD,
        None if ran.shell_ended => "it has ended the tab's shell: create_tab makes another tab",
        None if ran.timed_out && ran.running => "it goes on: read_logs_from_tab shows more, stop_process ends it",
        None if ran.omitted_bytes > 0 => {
            "a line in the middle of `output` says which bytes are left out: stream_logs_from_tab reads them, with the first as \
             from_byte"
        }
        None => return None,
    };
    Some(words.to_owned())
}

async fn execute(hub: &Arc<Hub>, call: Call, request: ExecuteCommand) -> Result<Executed, Error> {
    let tab = tabs::tab(hub, request.window_id)?;
    check_heard(&tab)?;
    tabs::check_logs(hub, &call.caller.actor).await?;
    tabs::touch(hub, tab.number);
    let run = Run {
        id: Some(tab.terminal),
        command: request.command,
        cwd: None,
        env: std::collections::BTreeMap::new(),
        timeout_ms: Some(request.timeout_ms.unwrap_or(DEFAULT_TIMEOUT).0),
        max_bytes: Some(DEFAULT_BYTES),
        raw: true,
    };
    let ran = in_shell(hub, call, tab.terminal, run).await.map_err(|error| advise(error, &tab))?;
    let plumbing = Plumbing::of(&tab.session);
    // What a shell prints for us while a command runs in a shell inside of it is nobody's output.
    let output = Marks::of(&tab.session).remove(ran.output.as_bytes());
    Ok(Executed {
        hint: next_step(&ran),
        output: plumbing.remove(if request.strip_ansi {
            shown(&output)
        } else {
            String::from_utf8_lossy(&output).into_owned()
        }),
        exit_code: ran.exit_code,
        stalled: ran.stalled,
        timed_out: ran.timed_out,
        input: ran.input,
        omitted_bytes: Some(Whole(ran.omitted_bytes)).filter(|bytes| bytes.0 > 0),
        whole_output: ran.whole_output,
    })
}
