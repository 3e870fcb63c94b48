//! `flightdeck.bridge.result`: how a command ended in the IDE.

use flightdeck_contract::Error;
use flightdeck_contract::openspace::CommandResult;
use flightdeck_contract::terminal::Done;

use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.bridge.result",
        Effects::WRITES,
        "Give the IDE's result",
        "Tells how a command ended that the registered IDE was to carry out.",
    )
    .for_ides()
    .unnoted()
    .unread(&["bridgeId", "data"])
    .handle(|hub, _, result: CommandResult| async move {
        let id =
            result.bridge_id.clone().ok_or_else(|| Error::invalid("bridgeId", "it tells which IDE this is from"))?;
        hub.bridge().put_result(&id, result)?;
        Ok(Done {})
    })
}
