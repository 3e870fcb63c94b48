//! `flightdeck.bridge.register`: an IDE asks for the pane and editor commands.

use flightdeck_contract::openspace::{BridgeRegistered, RegisterBridge};

use super::brought;
use crate::bridge::TIME;
use crate::registry::{Command, Effects, define};

pub(super) fn command() -> Command {
    define(
        "flightdeck.bridge.register",
        Effects::WRITES,
        "Register an IDE",
        "Registers an external IDE that carries out pane and editor commands from then on, and commands of its own. One that \
         is registered already keeps its place.",
    )
    .for_people()
    .unread(&["bridgeId"])
    .handle(|hub, _, request: RegisterBridge| async move {
        let known = hub.registry().commands();
        let own = known.iter().filter(|command| command.own_id().is_some());
        let brought = brought::commands(own.clone(), request.commands)?;
        let ids = own.filter(|command| command.controls_ide).chain(&brought).map(|command| command.id.to_string());
        let commands = ids.collect();
        let bridge_id = hub.bridge().register(&request.name, request.bridge_id.as_deref(), brought)?;
        Ok(BridgeRegistered {
            socket: format!("/openspace/bridge/{bridge_id}"),
            commands,
            timeout_ms: TIME.as_millis() as u64,
            bridge_id,
        })
    })
}
