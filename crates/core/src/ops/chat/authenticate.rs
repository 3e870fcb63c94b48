//! `flightdeck.chat.authenticate`: signs in.

use flightdeck_contract::chat::Authenticate;
use flightdeck_contract::terminal::Done;

use crate::conversations::Instruction;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.authenticate",
        Effects::WRITES,
        "Sign in to an agent",
        "Signs in to the agent of a conversation, in one of the ways that it offers.",
    )
    .for_people()
    .handle(|hub, _, request: Authenticate| async move {
        let conversation = hub.conversations().get(request.id)?;
        conversation.order(|reply| Instruction::Authenticate { method: request.method, reply }).await?;
        Ok(Done {})
    })
}
