//! `flightdeck.chat.answer`: a person's answer to an agent's form.

use flightdeck_contract::chat::AnswerQuestion;
use flightdeck_contract::terminal::Done;

use crate::conversations::Instruction;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.answer",
        Effects { idempotent: false, ..Effects::WRITES },
        "Answer an agent's question",
        "Answers a question of the agent's that has a form, or declines to.",
    )
    .for_people()
    .handle(|hub, call, request: AnswerQuestion| async move {
        let conversation = hub.conversations().get(request.id)?;
        let (AnswerQuestion { entry, values, .. }, by) = (request, call.actor());
        conversation.order(|reply| Instruction::Answer { entry, values, by, reply }).await?;
        Ok(Done {})
    })
}
