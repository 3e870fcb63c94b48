//! `flightdeck.bridge.register`: an IDE asks for the pane and editor commands.

use flightdeck_contract::openspace::{BridgeRegistered, RegisterBridge};

use crate::bridge::TIME;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(Family::Hub, "flightdeck.bridge.register",
        Effects::WRITES,
        "Register an IDE",
        "Registers an external IDE that carries out pane and editor commands from then on. One that is registered already \
         keeps its place.",
    )
    .for_ides()
    .unread(&["bridgeId"])
    .handle(|hub, _, request: RegisterBridge| async move {
        let bridge_id = hub.bridge().register(&request.name, request.bridge_id.as_deref())?;
        let registry = hub.registry().commands();
        let commands = registry.iter().filter(|command| command.controls_ide).map(|command| command.id.to_owned());
        Ok(BridgeRegistered {
            socket: format!("/openspace/bridge/{bridge_id}"),
            commands: commands.collect(),
            timeout_ms: TIME.as_millis() as u64,
            bridge_id,
        })
    })
}
