//! `flightdeck.chat.permission`: an agent's own question, put to a person.

use flightdeck_contract::chat::AskPermission;

use crate::conversations::permission;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.permission",
        Effects { idempotent: false, ..Effects::WRITES },
        "Ask a person",
        "Puts a question of a conversation's agent to a person, and waits for the answer.",
    )
    .for_conversations()
    .handle(|hub, call, asked: AskPermission| async move { permission::ask(&hub, &call, asked).await })
}
