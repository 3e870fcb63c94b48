//! `flightdeck.chat.read`: entries of a conversation, page by page.

use flightdeck_contract::chat::{ChatRead, ReadChat};

use super::watch::MOST;
use crate::registry::{Command, Effects, Family, define};

/// How many entries are given when nobody says.
const USUAL: usize = 100;

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.read",
        Effects::READS,
        "Read a conversation",
        "Returns the newest entries of a conversation, or those before one of them.",
    )
    .for_people()
    .aside(|hub, _, request: ReadChat| {
        let conversation = hub.conversations().get(request.id)?;
        let (entries, earlier) = conversation.read(request.before, request.limit.unwrap_or(USUAL).min(MOST))?;
        Ok(ChatRead { chat: conversation.chat(), entries, earlier })
    })
}
