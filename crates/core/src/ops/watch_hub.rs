//! `flightdeck.hub.watch`: what happens at the hub, as it happens.

use flightdeck_contract::hub::{Empty, TerminalsKnown};
use flightdeck_contract::terminal::Done;

use crate::agents::visible::is_visible;
use crate::registry::{Command, Effects, Family, define};
use crate::stream::{Emit, latest};

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.hub.watch",
        Effects::READS,
        "Watch the hub",
        "Tells the ids of the terminals whenever one appears, ends or changes hands.",
    )
    .for_front_ends()
    .stream(|hub, call, _: Empty, emit: Emit<TerminalsKnown>| async move {
        let actor = call.caller.actor.clone();
        let known = |_: &u64| {
            let ids = hub.ids_of_terminals().into_iter().filter(|id| is_visible(&hub, *id, &actor));
            TerminalsKnown { terminals: ids.collect() }
        };
        let _gone = latest(&emit, hub.changes(), known, |_| false).await;
        Ok(Done {})
    })
}
