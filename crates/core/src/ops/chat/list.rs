//! `flightdeck.chat.list`: the conversations.

use flightdeck_contract::chat::{Chats, ListChats};

use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.list",
        Effects::READS,
        "List conversations",
        "Lists the conversations with agents that the hub runs, the one that was last used first.",
    )
    .for_people()
    .handle(|hub, _, _: ListChats| async move { Ok(Chats { chats: hub.conversations().list() }) })
}
