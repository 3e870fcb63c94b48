//! `flightdeck.bridge.state`: how the IDE's panes stand, for the instructions of agents.

use flightdeck_contract::openspace::{BridgeState, Panes};
use flightdeck_contract::terminal::Done;

use crate::registry::{Command, Effects, define};

pub(super) fn command() -> Command {
    define(
        "flightdeck.bridge.state",
        Effects::WRITES,
        "Tell the IDE's state",
        "Takes a snapshot of the panes of the registered IDE; agents are told from it what is open.",
    )
    .for_people()
    .unnoted()
    .unread(&["bridgeId", "panes"])
    .handle(|hub, _, request: BridgeState| async move {
        let BridgeState { bridge_id, panes, active_pane, timestamp: _ } = request;
        hub.bridge().put_state(&bridge_id, Panes { panes, active_pane })?;
        Ok(Done {})
    })
}
