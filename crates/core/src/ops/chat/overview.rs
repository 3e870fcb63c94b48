//! `flightdeck.chat.overview`: the conversations, and again whenever one stands otherwise.

use flightdeck_contract::Streams;
use flightdeck_contract::chat::{ChatsEvent, WatchChats};
use flightdeck_contract::terminal::Done;

use crate::registry::{Command, Effects, Family, define};
use crate::stream::latest;

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        WatchChats::COMMAND,
        Effects::READS,
        "Watch conversations",
        "Tells all conversations, the one that was last used first, and again whenever one of them has changed, ten times a \
         second at most.",
    )
    .for_people()
    .stream(|hub, _, _: WatchChats, emit| async move {
        let changes = hub.conversations().changes();
        let _gone = latest(&emit, changes, |_| ChatsEvent { chats: hub.conversations().list() }, |_| false).await;
        Ok(Done {})
    })
}
