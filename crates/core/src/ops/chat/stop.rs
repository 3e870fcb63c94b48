//! `flightdeck.chat.stop`: ends an agent's process.

use flightdeck_contract::chat::StopChat;
use flightdeck_contract::terminal::Done;
use flightdeck_contract::{Error, ErrorCode};

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
        let by = call.actor();
        // It is carried out to its end, whether the caller waits for that or not.
        let stopping = tokio::spawn(async move { conversations::stop(&hub, &conversation, &by).await });
        stopping.await.map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))??;
        Ok(Done {})
    })
}
