//! `flightdeck.chat.new`: starts an agent.

use flightdeck_contract::chat::{ChatStarted, NewChat};

use crate::conversations;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.new",
        Effects::EXECUTES,
        "New conversation",
        "Starts an agent that speaks the Agent Client Protocol, by name or by command, and begins a conversation with it. It \
         goes on when the hub ends, and the next hub takes it up.",
    )
    .for_people()
    .handle(|hub, call, new: NewChat| async move {
        let conversation = conversations::start(&hub, &call.caller, new).await?;
        Ok(ChatStarted { id: conversation.id() })
    })
}
