//! `list_tabs`: the tabs that are open.

use flightdeck_contract::tabs::{ListTabs, TabList, TabSummary};

use crate::registry::{Command, Effects, Family, define};
use crate::terminals::guests;
use crate::terminals::tabs;

pub(super) fn command() -> Command {
    define(
        Family::Tabs,
        "list_tabs",
        Effects::READS,
        "List tabs",
        "Lists the tabs that are open: `window_id`, name, and which one is active, that is, was used last. A tab whose \
         shell has ended is not listed; its log can still be read by its id.",
    )
    .aside(|hub, _, _: ListTabs| {
        let met = guests::meet_windows(hub);
        let open = tabs::open_tabs(hub);
        match met {
            Err(error) if open.is_empty() => return Err(error),
            // Those that are known can be used all the same.
            Err(error) => tracing::warn!(%error, "the windows of the user's tmux can't be listed"),
            Ok(()) => {}
        }
        let active = tabs::active(hub, &open);
        let tabs = open.iter().map(|tab| TabSummary {
            window_id: tab.number,
            name: tab.name(),
            active: active == Some(tab.number),
        });
        Ok(TabList { tabs: tabs.collect() })
    })
}
