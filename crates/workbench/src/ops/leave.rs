//! What goes when an agent's session ends: its highlights, and the tabs and panes that it opened.

use std::collections::BTreeSet;

use flightdeck_contract::PaneTabId;

use crate::Outcome;
use crate::actor::Actor;
use crate::publish::Touched;
use crate::workbench::Workbench;

impl Workbench {
    /// Closes what somebody opened, unless it is pinned, holds text that is nowhere else, or a person has used it since.
    /// What a person opened stays when they leave.
    pub fn leave(&mut self, actor: &Actor) -> Outcome<()> {
        if actor.is_person() {
            return Ok(self.publish((), Touched::default()));
        }
        let marked: Vec<String> = self.marks.keys().cloned().collect();
        for path in &marked {
            self.drop_marks(path, |_, mark| mark.owner == *actor);
        }
        let unpinned = self.panes.values().filter(|pane| !pane.pinned);
        let tabs = unpinned.flat_map(|pane| &pane.tabs);
        let theirs = tabs.filter(|tab| tab.opened_by == *actor && !tab.used && !self.is_only_copy(&tab.content));
        let theirs: BTreeSet<PaneTabId> = theirs.map(|tab| tab.id).collect();
        let mut touched = self.drop_tabs(&theirs);
        for path in &marked {
            touched = touched.and_document(path);
        }
        Ok(self.publish((), touched))
    }
}
