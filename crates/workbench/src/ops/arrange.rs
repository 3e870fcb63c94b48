//! Arranging what is open: focus, size, order and pins.

use flightdeck_contract::workbench::{Direction, Percent, SplitDirection};
use flightdeck_contract::{PaneId, PaneTabId};

use super::open::direction;
use crate::Outcome;
use crate::actor::Actor;
use crate::error::WorkbenchError;
use crate::pane::Content;
use crate::publish::Touched;
use crate::workbench::Workbench;

/// A new size of a pane in percent of the whole; what is absent stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resize {
    /// Which pane.
    pub pane: PaneId,
    /// How wide.
    pub width: Option<Percent>,
    /// How high.
    pub height: Option<Percent>,
}

/// A tab that goes elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTab {
    /// Which.
    pub tab: PaneTabId,
    /// Where to.
    pub to: Destination,
}

/// Where a tab can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    /// Into a pane.
    Into {
        /// Which.
        pane: PaneId,
        /// Before the tab with this index; at the end when there are fewer.
        index: usize,
    },
    /// Into a new pane beside this one.
    Beside {
        /// Which.
        pane: PaneId,
        /// In which direction.
        split: SplitDirection,
        /// On which side.
        side: Side,
    },
}

/// On which side of a pane another one is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// At its left, or above it.
    Before,
    /// At its right, or below it.
    Behind,
}

/// Whether a pane stays when the agent that opened it leaves, and when an agent wants to close it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    /// It stays.
    Pinned,
    /// It goes.
    Unpinned,
}

impl Workbench {
    /// Gives a pane the focus.
    pub fn focus_pane(&mut self, actor: &Actor, pane: PaneId) -> Outcome<()> {
        let tab = self.panes.get(&pane).ok_or(WorkbenchError::PaneNotFound(pane))?.active;
        self.activate(actor, pane, tab);
        Ok(self.publish((), Touched::layout()))
    }

    /// Changes the size of a pane; its siblings give or take the room.
    pub fn resize(&mut self, actor: &Actor, request: Resize) -> Outcome<()> {
        let mut layout = self.layout.clone();
        let tab = self.panes.get(&request.pane).ok_or(WorkbenchError::PaneNotFound(request.pane))?.active;
        let sides = [(Direction::Row, request.width), (Direction::Column, request.height)];
        for (along, size) in sides {
            if let Some(size) = size {
                layout.resize(request.pane, along, size)?;
            }
        }
        self.layout = layout;
        self.note_use(actor, |id, _| id == tab);
        Ok(self.publish((), Touched::layout()))
    }

    /// Moves a tab, shows it there, and gives that pane the focus. The answer is the pane that it is in now.
    pub fn move_tab(&mut self, actor: &Actor, request: MoveTab) -> Outcome<PaneId> {
        let from = self.find_tab(request.tab)?.0;
        let to = match request.to {
            Destination::Into { pane, .. } | Destination::Beside { pane, .. } => pane,
        };
        let places = self.layout.places();
        let area = places.get(&to).ok_or(WorkbenchError::PaneNotFound(to))?.0;
        if let Destination::Beside { split, .. } = request.to {
            self.check_new_pane(Some(to), Some(direction(split)))?;
        }
        // The new pane is made before the old one can go, so that there is something to stand beside.
        let (to, index) = match request.to {
            Destination::Into { pane, index } => (pane, index),
            Destination::Beside { pane, split, side } => {
                let new = self.new_pane(actor, area, request.tab, Some((pane, direction(split))));
                if side == Side::Before {
                    self.layout.swap(pane, new);
                }
                (new, 0)
            }
        };
        let source = self.panes.get_mut(&from).ok_or(WorkbenchError::PaneNotFound(from))?;
        let moved = source.drop_tabs(|tab| tab.id == request.tab);
        if source.tabs.is_empty() && from != to {
            self.panes.remove(&from);
            self.layout.remove(from);
        }
        if let Some(pane) = self.panes.get_mut(&to) {
            let index = index.min(pane.tabs.len());
            pane.tabs.splice(index..index, moved);
        }
        self.activate(actor, to, request.tab);
        Ok(self.publish(to, Touched::layout()))
    }

    /// Pins a pane or lets it go. Only people do that: an agent that could pin would outstay its session.
    pub fn pin(&mut self, actor: &Actor, pane: PaneId, pin: Pin) -> Outcome<()> {
        if !actor.is_person() {
            return Err(WorkbenchError::PeopleOnly("pin or unpin a pane"));
        }
        let found = self.panes.get_mut(&pane).ok_or(WorkbenchError::PaneNotFound(pane))?;
        found.pinned = pin == Pin::Pinned;
        found.tabs.iter_mut().for_each(|tab| tab.used = true);
        Ok(self.publish((), Touched::layout()))
    }

    /// Somebody typed into what a tab shows. What a person has used stays when the agent that opened it leaves.
    pub fn used(&mut self, actor: &Actor, content: &Content) {
        self.note_use(actor, |_, shown| shown == content);
    }

    pub(super) fn note_use(&mut self, actor: &Actor, which: impl Fn(PaneTabId, &Content) -> bool) {
        if actor.is_person() {
            self.tabs_mut().filter(|tab| which(tab.id, &tab.content)).for_each(|tab| tab.used = true);
        }
    }
}
