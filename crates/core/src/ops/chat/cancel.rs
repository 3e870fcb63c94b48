//! `flightdeck.chat.cancel`: tells an agent to stop.

use flightdeck_contract::chat::CancelTurn;
use flightdeck_contract::terminal::Done;

use crate::conversations::Instruction;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.cancel",
        Effects::WRITES,
        "Cancel a turn",
        "Tells the agent of a conversation to stop what it does. What waits for a person's yes in it is taken back.",
    )
    .for_people()
    .handle(|hub, _, request: CancelTurn| async move {
        let conversation = hub.conversations().get(request.id)?;
        conversation.order(|reply| Instruction::Cancel { reply }).await?;
        Ok(Done {})
    })
}
