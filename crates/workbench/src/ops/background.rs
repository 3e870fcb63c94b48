//! Showing a terminal without bringing it to the front: what an agent starts is there to be looked at, and nothing that
//! somebody looks at makes room for it.

use flightdeck_contract::{PaneId, PaneTabId, TerminalId};

use crate::Outcome;
use crate::actor::Actor;
use crate::error::WorkbenchError;
use crate::limits::{MAX_PANES, MAX_TABS};
use crate::pane::{Content, Tab};
use crate::publish::Touched;
use crate::workbench::Workbench;

/// Which terminal to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackgroundTab {
    /// The terminal.
    pub terminal: TerminalId,
    /// A title; the terminal's id when absent.
    pub title: Option<String>,
    /// A terminal whose tab may become this one's, unless somebody uses it.
    pub instead_of: Option<TerminalId>,
}

impl Workbench {
    /// Shows a terminal in a tab that is not brought to the front. One that is shown already stays where it is.
    pub fn show_in_background(&mut self, actor: &Actor, request: BackgroundTab) -> Outcome<()> {
        let content = Content::Terminal(request.terminal);
        if self.tabs().any(|(_, tab)| tab.content == content) {
            return Ok(self.publish((), Touched::default()));
        }
        let old = request.instead_of.and_then(|terminal| self.replaceable(actor, terminal));
        if old.is_none() && self.tabs().count() >= MAX_TABS {
            return Err(WorkbenchError::Full { what: "tabs", limit: MAX_TABS });
        }
        let area = content.home();
        let target = old.map(|(pane, _)| pane).or_else(|| self.layout.target(area));
        if target.is_none() && self.panes.len() >= MAX_PANES {
            return Err(WorkbenchError::Full { what: "panes", limit: MAX_PANES });
        }
        let tab = self.new_tab(actor, content, request.title);
        let pane = target.unwrap_or_else(|| self.new_pane(actor, area, tab.id, None));
        self.put_in_background(pane, tab, old.map(|(_, old)| old));
        if self.layout.active.is_none() {
            self.layout.focus(pane);
        }
        Ok(self.publish((), Touched::layout()))
    }

    fn put_in_background(&mut self, pane: PaneId, tab: Tab, old: Option<PaneTabId>) {
        let Some(pane) = self.panes.get_mut(&pane) else { return };
        let place = old.and_then(|old| pane.tabs.iter().position(|tab| tab.id == old));
        match place {
            Some(place) => {
                if Some(pane.active) == old {
                    pane.active = tab.id;
                }
                pane.tabs[place] = tab;
            }
            None => pane.tabs.push(tab),
        }
    }

    /// The tab of a terminal, when this actor opened it and nobody uses it.
    fn replaceable(&self, actor: &Actor, terminal: TerminalId) -> Option<(PaneId, PaneTabId)> {
        let content = Content::Terminal(terminal);
        let (id, tab) = self.tabs().find(|(_, tab)| tab.content == content)?;
        let is_looked_at = self.viewers.all.values().any(|viewer| viewer.focus == Some(tab.id));
        let is_pinned = self.panes.get(&id).is_some_and(|pane| pane.pinned);
        (tab.opened_by == *actor && !tab.used && !is_looked_at && !is_pinned).then_some((id, tab.id))
    }
}
