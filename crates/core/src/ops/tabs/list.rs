//! `list_tabs`: the tabs that are open.

use flightdeck_contract::tabs::{ListTabs, TabList, TabSummary};

use crate::registry::{Command, Effects, Family, define};

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
        let met = hub.meet_windows();
        let open = hub.open_tabs();
        match met {
            Err(error) if open.is_empty() => return Err(error),
            // Those that are known can be used all the same.
            Err(error) => tracing::warn!(%error, "the windows of the user's tmux can't be listed"),
            Ok(()) => {}
        }
        let active = hub.active_tab(&open);
        let tabs = open.iter().map(|tab| TabSummary {
            window_id: tab.number,
            name: tab.name(),
            active: active == Some(tab.number),
        });
        Ok(TabList { tabs: tabs.collect() })
    })
}
