//! `flightdeck.chat.restart`: starts the agent of a conversation again.

use flightdeck_contract::chat::RestartChat;
use flightdeck_contract::terminal::Done;

use crate::conversations;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.restart",
        Effects::EXECUTES,
        "Start an agent again",
        "Starts the agent of a conversation again when its process has ended, with its last session. An agent that can't take \
         its session up again is started with `fresh` only: it knows nothing of what was said.",
    )
    .for_people()
    .handle(|hub, call, request: RestartChat| async move {
        let conversation = hub.conversations().get(request.id)?;
        conversations::restart(&hub, &call.caller, &conversation, request.fresh).await?;
        Ok(Done {})
    })
}
