//! `flightdeck.terminal.kill`: ends a terminal with everything that was started in it, and checks that nothing is left.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::terminal::{Kill, Killed};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_keeper::Exit;
use flightdeck_term::Whose;
use flightdeck_term::kill::{GRACE, Member};
use flightdeck_term::session::Session;
use rustix::process::Signal;

use crate::aside::aside;
use crate::call::Call;
use crate::convert;
use crate::hub::Hub;
use crate::registry::{Command, Effects, define};

pub(crate) fn command() -> Command {
    define(
        "flightdeck.terminal.kill",
        Effects::DESTROYS,
        "End a terminal",
        "Ends a terminal and every process that was started in it, and checks that none is left. Its output can still \
         be read. To interrupt a command and keep its shell, use flightdeck.terminal.signal.",
    )
    .handle(|hub, request, kill| async move { call(&hub, &request, kill).await })
}

/// How long the keeper may take to tell that the process is gone.
const TOLD: Duration = Duration::from_secs(2);

pub(crate) async fn call(hub: &Arc<Hub>, call: &Call, kill: Kill) -> Result<Killed, Error> {
    let session = hub.session(kill.id)?;
    // Told first: no handing over changes it.
    check_ours(&session, "closed")?;
    hub.leases().check(kill.id, &call.caller.actor)?;
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
    let mut progress = session.follow();
    // Told a moment after it happened; the processes are gone either way.
    let _ = tokio::time::timeout(TOLD, progress.wait_for(|p| !p.running())).await;
    Ok(Killed { processes, exit_code: session.progress().exit.map(Exit::shell_code) })
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
