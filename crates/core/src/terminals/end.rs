//! Ending terminals with everything that was started in them, and the check that nothing is left.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::terminal::{Kill, Killed};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_keeper::Exit;
use flightdeck_term::Whose;
use flightdeck_term::kill::{GRACE, Member, kill_all};
use flightdeck_term::session::Session;
use rustix::process::Signal;

use crate::actor::Actor;
use crate::aside::aside;
use crate::convert;
use crate::hub::Hub;
use crate::terminals::ground;

/// How long the keeper may take to tell that the process is gone.
const TOLD: Duration = Duration::from_secs(2);

/// Ends a terminal for somebody who holds its controls.
pub(crate) async fn kill(hub: &Arc<Hub>, actor: &Actor, kill: Kill) -> Result<Killed, Error> {
    let session = hub.session(kill.id)?;
    // Told first: no handing over changes it.
    check_ours(&session, "closed")?;
    hub.leases().check(kill.id, actor)?;
    let signal = convert::signal_number(kill.signal.as_deref().unwrap_or("HUP"))?;
    let signal = Signal::from_named_raw(signal).ok_or_else(|| Error::invalid("signal", "no such signal"))?;
    end(session, signal, kill.grace_ms.map_or(GRACE, Duration::from_millis)).await
}

/// A window that the user opened elsewhere is left to the user.
pub(crate) fn check_ours(session: &Session, what: &str) -> Result<(), Error> {
    if session.whose() == Whose::Ours || !session.progress().running() {
        return Ok(());
    }
    let window = session.window().map_or_else(|| session.id().to_string(), |number| format!("@{number}"));
    let text = format!("{window} is a window of the user's own tmux, and is not {what} from here");
    Err(Error::new(ErrorCode::NotAllowed, text)
        .hint("stop_process ends what runs in it; the window itself is for the user alone"))
}

/// Ends one terminal; ending one that has ended is fine.
pub(crate) async fn end(session: Arc<Session>, signal: Signal, grace: Duration) -> Result<Killed, Error> {
    let killing = Arc::clone(&session);
    let (processes, left) = aside(move || {
        let tree = killing.tree();
        (tree.members().len(), tree.kill(signal, grace))
    })
    .await?;
    check_gone(&left)?;
    let mut progress = session.follow_milestones();
    // Told a moment after it happened; the processes are gone either way.
    let _ = tokio::time::timeout(TOLD, progress.wait_for(|p| !p.running())).await;
    Ok(Killed { processes, exit_code: session.progress().exit.map(Exit::shell_code) })
}

/// Ends all terminals, and the keeper after them. Gives how many there were.
pub(crate) async fn end_all(hub: &Arc<Hub>) -> Result<usize, Error> {
    let all = hub.terminals().all();
    let trees: Vec<_> = all.iter().filter(|s| s.whose() == Whose::Ours).map(|s| s.tree()).collect();
    let ended = trees.len();
    check_gone(&aside(move || kill_all(&trees, Signal::HUP, GRACE)).await?)?;
    let ending = Arc::clone(hub);
    let left = aside(move || {
        for session in ending.terminals().all() {
            // What can't be reached any more needs no tidying.
            if let Err(error) = session.leave() {
                tracing::warn!(id = %session.id(), %error, "a window of the user's could not be left as it was");
            }
        }
        ending.tabs().grounds.end()
    });
    left.await?.map_err(|error| ground::error(&error))?;
    // It may be gone before it answers.
    let _ = hub.terminals().keeper().shutdown();
    Ok(ended)
}

/// Whether everything could be ended.
pub(crate) fn check_gone(left: &[Member]) -> Result<(), Error> {
    if left.is_empty() {
        return Ok(());
    }
    let pids: Vec<_> = left.iter().map(|member| member.pid.to_string()).collect();
    let text = format!("processes {} did not end, even by KILL", pids.join(", "));
    Err(Error::new(ErrorCode::StillRunning, text)
        .hint("they hang in the kernel, usually on a dead device or network file system"))
}
