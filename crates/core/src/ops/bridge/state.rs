//! `flightdeck.bridge.state`: how the IDE's panes stand, for the instructions of agents.

use std::time::SystemTime;

use flightdeck_contract::openspace::{BridgeState, PaneState};
use flightdeck_contract::terminal::Done;

use crate::registry::{Command, Effects, Family, define};
use crate::timestamp::rfc3339;

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.bridge.state",
        Effects::WRITES,
        "Tell the IDE's state",
        "Takes a snapshot of the panes of the registered IDE; agents are told from it what is open.",
    )
    .for_ides()
    .unnoted()
    .unread(&["bridgeId", "panes"])
    .handle(|hub, _, request: BridgeState| async move {
        let BridgeState { bridge_id, panes, active_pane, timestamp } = request;
        let timestamp = timestamp.or_else(|| Some(rfc3339(SystemTime::now())));
        hub.bridge().put_state(&bridge_id, PaneState { panes, active_pane, timestamp, ide: None })?;
        Ok(Done {})
    })
}
