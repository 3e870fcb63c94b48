//! Closing panes, tabs and editors.

use std::collections::BTreeSet;

use flightdeck_contract::{PaneId, PaneTabId, TerminalId};

use crate::Outcome;
use crate::actor::Actor;
use crate::document::Document;
use crate::error::{Risk, WorkbenchError};
use crate::pane::Content;
use crate::publish::Touched;
use crate::workbench::Workbench;

/// What happens to changes that are not on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsaved {
    /// Nothing is closed that would lose them.
    Keep,
    /// They are lost.
    Discard,
}

impl Workbench {
    /// Closes a pane with all its tabs; its neighbour takes the room.
    pub fn close_pane(&mut self, actor: &Actor, pane: PaneId, unsaved: Unsaved) -> Outcome<()> {
        let tabs = &self.panes.get(&pane).ok_or(WorkbenchError::PaneNotFound(pane))?.tabs;
        let tabs = tabs.iter().map(|tab| tab.id).collect();
        self.close_tabs(Some(actor), &tabs, unsaved)
    }

    /// Closes a tab; a pane without tabs goes too.
    pub fn close_tab(&mut self, actor: &Actor, tab: PaneTabId, unsaved: Unsaved) -> Outcome<()> {
        self.find_tab(tab)?;
        self.close_tabs(Some(actor), &BTreeSet::from([tab]), unsaved)
    }

    /// Closes all editors of a document.
    pub fn close_editor(&mut self, actor: &Actor, path: &str, unsaved: Unsaved) -> Outcome<()> {
        let shows = |content: &Content| content.path() == Some(path);
        let tabs: BTreeSet<PaneTabId> =
            self.tabs().filter(|(_, tab)| shows(&tab.content)).map(|(_, tab)| tab.id).collect();
        if tabs.is_empty() {
            return Err(WorkbenchError::NotOpen(path.to_owned()));
        }
        self.close_tabs(Some(actor), &tabs, unsaved)
    }

    /// A terminal is no more: its tabs go, in pinned panes too.
    pub fn terminal_gone(&mut self, terminal: TerminalId) -> Outcome<()> {
        let content = Content::Terminal(terminal);
        let tabs = self.tabs().filter(|(_, tab)| tab.content == content).map(|(_, tab)| tab.id).collect();
        self.close_tabs(None, &tabs, Unsaved::Keep)
    }

    fn close_tabs(&mut self, actor: Option<&Actor>, tabs: &BTreeSet<PaneTabId>, unsaved: Unsaved) -> Outcome<()> {
        let by_agent = actor.is_some_and(|actor| !actor.is_person());
        let pinned = |pane: &PaneId| self.panes.get(pane).is_some_and(|pane| pane.pinned);
        if let Some((pane, _)) = self.tabs().find(|(pane, tab)| by_agent && tabs.contains(&tab.id) && pinned(pane)) {
            return Err(WorkbenchError::Pinned(pane));
        }
        if unsaved == Unsaved::Keep {
            self.check_saved(tabs, if by_agent { Document::only_copy } else { Document::dirty })?;
        }
        let touched = self.drop_tabs(tabs);
        Ok(self.publish((), touched))
    }

    /// Refuses when closing these tabs would close the last view of a document that has something to lose. For an agent
    /// that is so when the file is gone, too; a person who closes what they have deleted means it.
    fn check_saved(&self, tabs: &BTreeSet<PaneTabId>, at_risk: fn(&Document) -> bool) -> Result<(), WorkbenchError> {
        for (path, document) in self.documents.iter().filter(|(_, document)| at_risk(document)) {
            let mut views = self.tabs().filter(|(_, tab)| tab.content.path() == Some(path)).map(|(_, tab)| tab.id);
            if views.all(|view| tabs.contains(&view)) {
                let risk = if document.dirty() { Risk::Closed } else { Risk::OnlyCopy };
                return Err(WorkbenchError::UnsavedChanges { path: path.clone(), risk });
            }
        }
        Ok(())
    }

    /// Takes tabs out, and then the panes and documents that nothing holds any more.
    pub(super) fn drop_tabs(&mut self, tabs: &BTreeSet<PaneTabId>) -> Touched {
        let mut touched = Touched::layout();
        let mut empty = Vec::new();
        for (id, pane) in &mut self.panes {
            for tab in pane.drop_tabs(|tab| tabs.contains(&tab.id)) {
                if let Some(path) = tab.content.path() {
                    touched = touched.and_document(path);
                }
            }
            if pane.tabs.is_empty() {
                empty.push(*id);
            }
        }
        for id in empty {
            self.panes.remove(&id);
            self.layout.remove(id);
        }
        for path in touched.documents.clone() {
            self.release(&path);
        }
        touched
    }

    /// Forgets the text of a document that no editor shows, and the document itself when it has no highlights either.
    pub(super) fn release(&mut self, path: &str) {
        if self.is_shown(path) {
            return;
        }
        if self.marks.contains_key(path) {
            if let Some(document) = self.documents.get_mut(path) {
                document.unload();
            }
        } else {
            self.documents.remove(path);
        }
    }
}
