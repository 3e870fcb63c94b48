//! `flightdeck.chat.remove`: forgets a conversation.

use flightdeck_contract::chat::RemoveChat;
use flightdeck_contract::terminal::Done;

use crate::conversations;
use crate::convert;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.remove",
        Effects::DESTROYS,
        "Remove a conversation",
        "Ends the agent of a conversation if it is there, and forgets what was said.",
    )
    .for_people()
    .handle(|hub, call, request: RemoveChat| async move {
        let conversation = hub.conversations().get(request.id)?;
        conversations::stop(&hub, &conversation, &call.actor()).await?;
        let removed = hub.conversations().remove(request.id).await;
        removed.map_err(|error| convert::store_error(&error))?;
        Ok(Done {})
    })
}
