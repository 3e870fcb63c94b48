//! `flightdeck.terminal.keys`: text, a paste, or keys.

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::input::send;
use crate::terminals::typing::Onto;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        "flightdeck.terminal.keys",
        Effects::EXECUTES,
        "Type into a terminal",
        "Types text, pastes, or presses named keys (Enter, C-c, Up, F5, …) in a terminal. For programs that ask \
         something, REPLs and full-screen programs; flightdeck.terminal.run is better for commands. Returns a cursor: \
         pass it to flightdeck.terminal.wait or flightdeck.terminal.read as `from` to see the answer. With `screen` it waits until the \
         program has answered and gives the screen back.",
    )
    .text_in("screen")
    .handle_executing(|hub, call, request| async move { send(&hub, &call, request, Onto::Line).await })
}
