//! `flightdeck.terminal.watch`: tells whenever there is something new to see in a terminal.

use flightdeck_contract::Streams;
use flightdeck_contract::terminal::{Done, Seen, WatchTerminal};

use crate::registry::{Command, Effects, Family, define};
use crate::stream::latest;

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        WatchTerminal::COMMAND,
        Effects::READS,
        "Watch a terminal",
        "Tells the end of the log whenever a terminal printed something or ended, until it is gone.",
    )
    .for_front_ends()
    .stream(|hub, _, watch: WatchTerminal, emit| async move {
        let progress = hub.session(watch.id)?.follow();
        // Who is gone has no need to know how it ended.
        let _ =
            latest(&emit, progress, |now| Seen { cursor: now.seen.0, running: now.running() }, |now| !now.running())
                .await;
        Ok(Done {})
    })
}
