//! `close_tab`: ends a tab and everything in it.

use flightdeck_contract::tabs::{CloseTab, TabClosed};
use flightdeck_contract::terminal::Kill;

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::end::kill;
use crate::terminals::tabs;

pub(super) fn command() -> Command {
    define(
        Family::Tabs,
        "close_tab",
        Effects::DESTROYS,
        "Close a tab",
        "Closes a tab: its shell and every process that was started in it is ended. Refused while a person holds the \
         controls of the tab. Its log can still be read. Closing one that is closed is fine.",
    )
    .handle(|hub, call, request: CloseTab| async move {
        let tab = tabs::tab(&hub, request.window_id)?;
        kill(&hub, &call.caller.actor, Kill { id: tab.terminal, signal: None, grace_ms: None }).await?;
        Ok(TabClosed { closed: true })
    })
}
