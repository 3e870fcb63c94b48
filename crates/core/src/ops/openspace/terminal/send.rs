//! `openspace.terminal.send`: text as if it were typed.

use flightdeck_contract::openspace::SendText;
use flightdeck_contract::terminal::{Done, Send};

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::input::send;
use crate::terminals::named::named;
use crate::terminals::typing::Onto;

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        "openspace.terminal.send",
        Effects::EXECUTES,
        "Send text to a terminal",
        "Types text into a terminal; end it with a newline to run it as a command, then read with \
         openspace.terminal.read_output. flightdeck.terminal.run does both and tells the exit code.",
    )
    .handle_executing(|hub, call, request: SendText| async move {
        let id = named(&hub, &request.terminal_id)?;
        let typed = Send { text: Some(request.text), ..Send::to(id) };
        send(&hub, &call, typed, Onto::Line).await?;
        Ok(Done {})
    })
}
