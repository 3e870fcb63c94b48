//! `stop_process`: ends what runs in the foreground of a tab, and keeps the tab.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::tabs::{ProcessStopped, StopProcess, StopSignal};
use flightdeck_contract::terminal::Send;
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_keeper::Target;
use flightdeck_term::session::Session;

use super::super::send;
use super::{advise, at_work};
use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Effects, define};

/// How long a process may take to stop.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks at the foreground, which nobody tells of.
const LOOK: Duration = Duration::from_millis(20);
const SIGTERM: i32 = 15;

pub(super) fn command() -> Command {
    define(
        "stop_process",
        Effects { idempotent: false, ..Effects::DESTROYS },
        "Stop a process in a tab",
        "Stops what runs in the foreground of a tab, by Ctrl-C or by SIGTERM, waits up to 5 s for that, and keeps the \
         tab. `success` says whether it has stopped; when nothing runs, that is so.",
    )
    .tab_tool()
    .handle(|hub, call, request: StopProcess| async move { stop(&hub, &call, request).await })
}

async fn stop(hub: &Arc<Hub>, call: &Call, request: StopProcess) -> Result<ProcessStopped, Error> {
    let tab = hub.tab(request.window_id)?;
    hub.leases().check(tab.terminal, &call.caller.actor)?;
    hub.use_tab(tab.number);
    let session = &tab.session;
    if at_work(session) {
        match request.signal {
            StopSignal::Interrupt => {
                // As a key: the terminal then signals the whole group in the foreground, as it would for a person.
                let press = Send { id: tab.terminal, text: None, paste: None, keys: vec!["C-c".to_owned()] };
                send::call(hub, call, press).await.map_err(|error| advise(error, &tab))?;
            }
            // Gone already is what we want.
            StopSignal::Terminate => drop(session.signal(SIGTERM, Target::Foreground)),
        }
    }
    if tokio::time::timeout(PATIENCE, at_rest(session)).await.is_ok() {
        return Ok(ProcessStopped { success: true, ..ProcessStopped::default() });
    }
    let foreground = session.facts().foreground.map_or_else(|| "a process".to_owned(), |process| process.name);
    let other = match request.signal {
        StopSignal::Interrupt => "try signal \"SIGTERM\"",
        StopSignal::Terminate => "try signal \"SIGINT\"",
    };
    Ok(ProcessStopped {
        success: false,
        error: Some(format!("{foreground} still runs in {} after {} s", tab.number, PATIENCE.as_secs())),
        code: Some(ErrorCode::StillRunning),
        hint: Some(format!("{other}; read_logs_from_tab shows what it does; close_tab ends it with the tab")),
    })
}

/// Resolves when nothing runs in the foreground any more.
async fn at_rest(session: &Session) {
    let mut progress = session.follow();
    while at_work(session) {
        // Woken by marks where the shell prints them. The pause is for those that do not.
        let _ = tokio::time::timeout(LOOK, progress.changed()).await;
    }
}
