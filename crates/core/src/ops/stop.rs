//! `flightdeck.hub.stop`: ends the hub, with or without its terminals.

use std::sync::Arc;

use flightdeck_contract::Error;
use flightdeck_contract::hub::{StopHub, Stopping};
use flightdeck_term::Whose;
use flightdeck_term::kill::{GRACE, kill_all};
use rustix::process::Signal;

use super::kill;
use crate::aside::aside;
use crate::hub::{Hub, Stop};
use crate::registry::{Command, Effects, define};
use crate::terminals::ground;

pub(crate) fn command() -> Command {
    define(
        "flightdeck.hub.stop",
        Effects::DESTROYS,
        "Stop the hub",
        "Ends the hub; with `all` its terminals too. Without it they go on, and the next hub takes them up.",
    )
    .for_people()
    .handle(|hub, _, request| async move { call(&hub, request).await })
}

async fn call(hub: &Arc<Hub>, request: StopHub) -> Result<Stopping, Error> {
    let mut ended = 0;
    if request.all {
        let all = hub.terminals().all();
        let trees: Vec<_> = all.iter().filter(|s| s.whose() == Whose::Ours).map(|s| s.tree()).collect();
        ended = trees.len();
        kill::check_gone(&aside(move || kill_all(&trees, Signal::HUP, GRACE)).await?)?;
        let ending = Arc::clone(hub);
        aside(move || {
            for session in ending.terminals().all() {
                // What can't be reached any more needs no tidying.
                if let Err(error) = session.leave() {
                    tracing::warn!(id = %session.id(), %error, "a window of the user's could not be left as it was");
                }
            }
            ending.tabs().grounds.end()
        }).await?.map_err(|error| ground::error(&error))?;
        // It may be gone before it answers.
        let _ = hub.terminals().keeper().shutdown();
    }
    hub.ask_to_stop(if request.all { Stop::All } else { Stop::Hub });
    Ok(Stopping { pid: std::process::id(), ended })
}
