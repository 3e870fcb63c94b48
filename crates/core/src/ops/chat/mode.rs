//! `flightdeck.chat.mode`: the mode that an agent works in.

use flightdeck_contract::chat::SetMode;
use flightdeck_contract::terminal::Done;

use crate::conversations::Instruction;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.mode",
        Effects::WRITES,
        "Choose an agent's mode",
        "Chooses the mode that the agent of a conversation works in.",
    )
    .for_people()
    .handle(|hub, _, request: SetMode| async move {
        let conversation = hub.conversations().get(request.id)?;
        conversation.order(|reply| Instruction::Mode { mode: request.mode, reply }).await?;
        Ok(Done {})
    })
}
