//! `stop_process`: ends what runs in the foreground of a tab, and keeps the tab.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_contract::tabs::{ProcessStopped, StopProcess, StopSignal};
use flightdeck_contract::terminal::Send;
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_term::session::Session;
use rustix::process::{Pid, Signal, kill_process_group};

use super::{advise, at_work};
use crate::call::Call;
use crate::hub::Hub;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::input::send;
use crate::terminals::tabs;
use crate::terminals::tabs::Tab;
use crate::terminals::typing::Onto;

/// How long a process may take to stop.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two looks at the foreground, which nobody tells of.
const LOOK: Duration = Duration::from_millis(20);
/// After so long a process is looked at that did not stop.
const AGAIN: Duration = Duration::from_millis(300);

pub(super) fn command() -> Command {
    define(
        Family::Tabs,
        "stop_process",
        Effects { idempotent: false, ..Effects::DESTROYS },
        "Stop a process in a tab",
        "Stops what runs in the foreground of a tab, by Ctrl-C or by SIGTERM, waits up to 5 s for that, and keeps the \
         tab. `success` says whether it has stopped; when nothing runs, that is so.",
    )
    .handle(|hub, call, request: StopProcess| async move { stop(&hub, &call, request).await })
}

async fn stop(hub: &Arc<Hub>, call: &Call, request: StopProcess) -> Result<ProcessStopped, Error> {
    let tab = tabs::tab(hub, request.window_id)?;
    hub.leases().check(tab.terminal, &call.caller.actor)?;
    tabs::touch(hub, tab.number);
    let session = &tab.session;
    let began = Instant::now();
    let (mut below, mut is_struck, mut left) = (Vec::new(), false, false);
    while at_work(session) && began.elapsed() < PATIENCE {
        let struck = session.facts().front();
        // What is in front when nothing has been struck yet; later it may be what is left.
        if below.is_empty() {
            below = session.below_front();
        }
        left = is_left(session, &below, is_struck).await;
        if left {
            break;
        }
        is_struck = true;
        strike(hub, call, &tab, request.signal).await?;
        // A loop of the shell starts one process after the other, and between two of them, or before a new one has
        // become its program, a signal hits nobody. Only then there is another strike: many programs take a second
        // Ctrl-C as the order to leave everything behind.
        loop {
            let time = PATIENCE.saturating_sub(began.elapsed());
            if tokio::time::timeout(AGAIN.min(time), at_rest(session)).await.is_ok() || time <= AGAIN {
                break;
            }
            left = is_left(session, &below, is_struck).await;
            if left || session.facts().front() != struck {
                break;
            }
        }
        if left {
            break;
        }
    }
    if left || !at_work(session) || is_left(session, &below, is_struck).await {
        return Ok(ProcessStopped { success: true, ..ProcessStopped::default() });
    }
    let foreground = session.facts().foreground.map_or_else(|| "a process".to_owned(), |process| process.name);
    let other = match request.signal {
        // It would be the shell that ends by it, and not what was started in it.
        _ if session.front_is_shell() => "type an answer to it with start_process",
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

/// Does what was asked for once.
async fn strike(hub: &Arc<Hub>, call: &Call, tab: &Tab, signal: StopSignal) -> Result<(), Error> {
    match signal {
        StopSignal::Interrupt => {
            // As a key: the terminal then signals the whole group in the foreground, as it would for a person.
            let press = Send { keys: vec!["C-c".to_owned()], ..Send::to(tab.terminal) };
            send(hub, call, press, Onto::Line).await.map_err(|error| advise(error, tab))?;
        }
        // The group that was seen, and never the shell's own: some shells end by it, and the tab with them.
        StopSignal::Terminate => {
            let group = tab.session.facts().group;
            let group = group.filter(|group| Some(*group) != tab.session.leader() && !tab.session.front_is_shell());
            if let Some(group) = group.and_then(|group| Pid::from_raw(group.cast_signed())) {
                // Gone already is what we want.
                let _ = kill_process_group(group, Signal::TERM);
            }
        }
    }
    Ok(())
}

/// Whether a shell of which nothing can be told has the foreground again, and keeps it: what was started in it is gone. One
/// that was struck itself, and waits for keys all the same, is at its prompt, and nothing runs in it.
async fn is_left(session: &Session, below: &[u32], struck: bool) -> bool {
    let shell = || {
        let group = session.front_is_shell().then(|| session.facts().group).flatten();
        group.filter(|group| below.contains(group) || struck && session.front_waits_for_keys())
    };
    let Some(seen) = shell() else { return false };
    // Between two processes of a loop its shell is there for a moment as well.
    let began = Instant::now();
    while began.elapsed() < AGAIN {
        tokio::time::sleep(LOOK).await;
        if shell() != Some(seen) {
            return false;
        }
    }
    true
}

/// Resolves when nothing runs in the foreground any more.
async fn at_rest(session: &Session) {
    let mut progress = session.follow_milestones();
    while at_work(session) {
        // Woken by marks where the shell prints them. The pause is for those that do not.
        let _ = tokio::time::timeout(LOOK, progress.changed()).await;
    }
}
