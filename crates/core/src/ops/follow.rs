//! `flightdeck.terminal.follow`: output as a stream, from a cursor of its own.

use flightdeck_contract::Streams;
use flightdeck_contract::terminal::{Follow, Followed};
use flightdeck_keeper::Exit;
use flightdeck_term::log::Offset;

use crate::aside::aside;
use crate::registry::{Command, Effects, Family, define};
use crate::terminals::stream::{Form, Until, stream, unreadable};

pub(crate) fn command() -> Command {
    define(
        Family::Terminal,
        Follow::COMMAND,
        Effects::READS,
        "Follow output",
        "Streams a terminal's output from a cursor on.",
    )
    .for_front_ends()
    .stream(|hub, _, follow: Follow, emit| async move {
        let session = hub.session(follow.id)?;
        let (oldest, _) = session.log().bounds().map_err(unreadable)?;
        let from = match (follow.from, follow.lines) {
            (Some(from), _) => Offset(from),
            (None, Some(lines)) => {
                let log = session.log().clone();
                aside(move || log.last_lines(lines, None, usize::MAX >> 1)).await?.map_err(unreadable)?.from
            }
            (None, None) => Offset::ZERO,
        };
        let until = if follow.follow { Until::Ended } else { Until::Now };
        let form = if follow.plain { Form::Plain } else { Form::Raw };
        let next = stream(&session, from, until, form, &emit).await?;
        Ok(Followed {
            from: from.max(oldest).0,
            next: next.0,
            truncated: from < oldest,
            exit_code: session.progress().exit.map(Exit::shell_code),
        })
    })
}
