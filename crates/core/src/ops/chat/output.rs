//! `flightdeck.chat.output`: what a terminal in a tool call printed, when it may be gone.

use flightdeck_contract::chat::ReadChatOutput;

use crate::conversations::keepsake;
use crate::registry::{Command, Effects, Family, define};

pub(super) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.chat.output",
        Effects::READS,
        "Read the output in a tool call",
        "Returns the last of what a terminal in a tool call printed, as plain text. It is kept when the terminal itself is gone.",
    )
    .for_people()
    .aside(|hub, _, ReadChatOutput(of): ReadChatOutput| keepsake::look(hub, of.id, of.terminal))
}
