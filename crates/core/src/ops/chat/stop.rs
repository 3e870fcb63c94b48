//! `flightdeck.chat.stop`: ends an agent's process.

use flightdeck_contract::chat::StopChat;
use flightdeck_contract::terminal::Done;

use crate::conversations;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.stop",
        Effects::DESTROYS,
        "Stop an agent",
        "Ends the process of a conversation's agent, with what it has started. What was said stays, and it can be started again.",
    )
    .for_people()
    .handle(|hub, call, request: StopChat| async move {
        let conversation = hub.conversations().get(request.id)?;
        conversations::stop(&hub, &conversation, &call.actor()).await?;
        Ok(Done {})
    })
}
