//! `flightdeck.chat.watch`: one conversation, as it goes on.

use std::collections::HashMap;
use std::time::Duration;

use flightdeck_contract::Streams;
use flightdeck_contract::chat::{ChatEvent, WatchChat};
use flightdeck_contract::terminal::Done;

use crate::registry::{Command, Effects, Family, define};
use crate::stream::gathered_changes;

/// How long changes are gathered while they come one after the other: so that a front end draws each entry once in a frame or two,
/// however many terminals print.
const GATHER: Duration = Duration::from_millis(33);
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
        let _gone = gathered_changes(&emit, GATHER, begin, together).await;
        Ok(Done {})
    })
}

/// What is told of an entry several times is told once: pieces of its text become one, and what was told before all of it was
/// told again is left out.
fn together(events: Vec<ChatEvent>) -> Vec<ChatEvent> {
    let mut told: Vec<Option<ChatEvent>> = Vec::with_capacity(events.len());
    // Where an entry was told, and the text that came after it.
    let mut places: HashMap<u64, Places> = HashMap::new();
    for event in events {
        match event {
            ChatEvent::Entry { entry } => {
                let places = places.entry(entry.number).or_default();
                if let Some(text) = places.text.take() {
                    told[text] = None;
                }
                let event = ChatEvent::Entry { entry };
                if let Some(place) = places.entry {
                    told[place] = Some(event);
                } else {
                    places.entry = Some(told.len());
                    told.push(Some(event));
                }
            }
            ChatEvent::Text { number, text: more } => {
                let places = places.entry(number).or_default();
                if let Some(Some(ChatEvent::Text { text, .. })) = places.text.map(|place| &mut told[place]) {
                    text.push_str(&more);
                } else {
                    places.text = Some(told.len());
                    told.push(Some(ChatEvent::Text { number, text: more }));
                }
            }
            ChatEvent::Chat { chat: newer } => match told.last_mut() {
                Some(Some(ChatEvent::Chat { chat })) => *chat = newer,
                _ => told.push(Some(ChatEvent::Chat { chat: newer })),
            },
            event => told.push(Some(event)),
        }
    }
    told.into_iter().flatten().collect()
}

/// Where in a batch an entry was told.
#[derive(Default)]
struct Places {
    entry: Option<usize>,
    text: Option<usize>,
}

#[cfg(test)]
mod tests {
    use flightdeck_contract::chat::{Entry, EntryContent};

    use super::*;

    fn text(number: u64, text: &str) -> ChatEvent {
        ChatEvent::Text { number, text: text.to_owned() }
    }

    fn entry(number: u64, text: &str) -> ChatEvent {
        let content = EntryContent::Agent { text: text.to_owned() };
        ChatEvent::Entry { entry: Box::new(Entry { number, turn: 1, at_ms: 0, content }) }
    }

    #[test]
    fn an_entry_is_told_once() {
        let told = together(vec![text(1, "a"), text(1, "b"), text(2, "c"), text(1, "d")]);
        assert_eq!(told, [text(1, "abd"), text(2, "c")]);
        // What is told of it later holds what was told before; what follows is more.
        let flood = vec![
            text(1, "x"),
            entry(2, "one"),
            text(2, " two"),
            entry(3, "three"),
            entry(1, "whole"),
            entry(2, "one two three"),
            text(2, " four"),
            text(1, "!"),
        ];
        let told = together(flood);
        assert_eq!(
            told,
            [entry(2, "one two three"), entry(3, "three"), entry(1, "whole"), text(2, " four"), text(1, "!")]
        );
    }
}
