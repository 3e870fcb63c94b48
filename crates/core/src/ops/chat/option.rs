//! `flightdeck.chat.option`: an agent's model, and what else can be chosen.

use flightdeck_contract::chat::SetOption;
use flightdeck_contract::terminal::Done;

use crate::conversations::Instruction;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.option",
        Effects::WRITES,
        "Choose an agent's option",
        "Chooses the model of a conversation's agent, or another of its options.",
    )
    .for_people()
    .handle(|hub, _, request: SetOption| async move {
        let conversation = hub.conversations().get(request.id)?;
        let SetOption { option, value, .. } = request;
        conversation.order(|reply| Instruction::Option { option, value, reply }).await?;
        Ok(Done {})
    })
}
