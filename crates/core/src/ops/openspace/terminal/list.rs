//! `openspace.terminal.list`: the terminals in few words.

use flightdeck_contract::openspace::{ListTerminals, TerminalSummary, Terminals};
use flightdeck_contract::terminal::List;

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::info::list;

pub(super) fn command() -> Command {
    define(
        Family::Openspace,
        "openspace.terminal.list",
        Effects::READS,
        "List terminals",
        "Lists the terminals that run: id, title, folder, who holds the controls, who started it. The newest come first, 50 \
         at a time: `more` says how many are left out, and `next` as `after` lists those.",
    )
    .aside(|hub, call, ListTerminals { limit, after }| {
        let listed = list(hub, &call.caller.actor, &List { all: false, limit, after })?;
        let terminals = listed.terminals.into_iter().map(|info| TerminalSummary {
            id: info.id,
            title: info.title,
            cwd: info.cwd,
            running: info.running,
            exit_code: info.exit_code,
            lease: info.lease.map(|holder| holder.actor),
            created_by: info.created_by,
        });
        Ok(Terminals { terminals: terminals.collect(), more: listed.more, next: listed.next })
    })
}
