//! `flightdeck.chat.watch`: one conversation, as it goes on.

use flightdeck_contract::Streams;
use flightdeck_contract::chat::{ChatEvent, WatchChat};
use flightdeck_contract::terminal::Done;

use crate::registry::{Command, Effects, Family, define};
use crate::stream::changes;

/// How many entries come first.
const USUAL: usize = 100;
pub(super) const MOST: usize = 500;

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        WatchChat::COMMAND,
        Effects::READS,
        "Watch a conversation",
        "Tells how a conversation stands with its newest entries, then each change; flightdeck.chat.read has the earlier ones. \
         A watcher that is too slow gets the newest entries again. With `attend` the caller counts as a person who can be \
         asked.",
    )
    .for_people()
    .stream(|hub, _, request: WatchChat, emit| async move {
        let conversation = hub.conversations().get(request.id)?;
        let last = request.last.unwrap_or(USUAL).min(MOST);
        let _attached = request.attend.then(|| hub.surfaces().attach());
        let begin = || {
            let (snapshot, changes) = conversation.watch(last);
            (vec![snapshot], changes)
        };
        let _gone = changes(&emit, begin, together).await;
        Ok(Done {})
    })
}

/// Pieces of text that follow each other become one.
fn together(events: Vec<ChatEvent>) -> Vec<ChatEvent> {
    let mut told: Vec<ChatEvent> = Vec::with_capacity(events.len());
    for event in events {
        match (told.last_mut(), event) {
            (Some(ChatEvent::Text { number, text }), ChatEvent::Text { number: next, text: more })
                if *number == next =>
            {
                text.push_str(&more);
            }
            (Some(ChatEvent::Chat { chat }), ChatEvent::Chat { chat: newer }) => *chat = newer,
            (_, event) => told.push(event),
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_follows_on_is_told_at_once() {
        let text = |number, text: &str| ChatEvent::Text { number, text: text.to_owned() };
        let told = together(vec![text(1, "a"), text(1, "b"), text(2, "c"), text(1, "d")]);
        assert_eq!(told, [text(1, "ab"), text(2, "c"), text(1, "d")]);
    }
}
