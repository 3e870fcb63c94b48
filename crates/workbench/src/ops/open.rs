//! Opening something in a pane.

use flightdeck_contract::workbench::{Area, Direction, SplitDirection};
use flightdeck_contract::{EditorId, PaneId, PaneTabId};

use crate::Outcome;
use crate::actor::Actor;
use crate::document::Document;
use crate::error::WorkbenchError;
use crate::limits::{MAX_DOCUMENTS, MAX_PANES, MAX_TABS};
use crate::pane::{Content, Pane, Tab, View};
use crate::publish::Touched;
use crate::workbench::{Workbench, check_path, clean_title};

/// What to open, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// A document or a terminal.
    pub content: Content,
    /// A title; the file's name or the terminal's id when absent.
    pub title: Option<String>,
    /// In a new pane beside the active one, instead of a tab in it.
    pub split: Option<SplitDirection>,
    /// Where; editors open in main and terminals at the bottom when absent.
    pub area: Option<Area>,
}

impl Open {
    /// It, in the usual place.
    pub fn new(content: Content) -> Self {
        Open { content, title: None, split: None, area: None }
    }
}

/// Where it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The pane.
    pub pane: PaneId,
    /// The tab.
    pub tab: PaneTabId,
    /// The editor, for a document.
    pub editor: Option<EditorId>,
    /// It was open already and got the focus.
    pub was_open: bool,
}

impl Workbench {
    /// Opens something: focuses it when it is open already, otherwise as a new tab of the active pane of its area, or in
    /// a new pane beside that.
    pub fn open(&mut self, actor: &Actor, request: Open) -> Outcome<Opened> {
        let opened = self.open_quietly(actor, request)?;
        let touched = self.touched_by_opening(opened);
        Ok(self.publish(opened, touched))
    }

    pub(super) fn touched_by_opening(&self, opened: Opened) -> Touched {
        let path = self.find_tab(opened.tab).ok().and_then(|(_, tab)| tab.content.path());
        path.map_or_else(Touched::layout, Touched::document)
    }

    /// Opens without telling.
    pub(super) fn open_quietly(&mut self, actor: &Actor, request: Open) -> Result<Opened, WorkbenchError> {
        if let Some(path) = request.content.path() {
            check_path(path)?;
        }
        if request.split.is_none()
            && let Some((pane, tab)) = self.already_open(&request)
        {
            self.activate(actor, pane, tab);
            let editor = self.find_tab(tab)?.1.view.as_ref().map(|view| view.id);
            return Ok(Opened { pane, tab, editor, was_open: true });
        }
        let area = request.area.unwrap_or_else(|| request.content.home());
        let beside = self.layout.target(area);
        let along = request.split.map(direction);
        self.check_bounds(&request.content, beside, along)?;
        let tab = self.new_tab(actor, request.content, request.title);
        let (id, editor) = (tab.id, tab.view.as_ref().map(|view| view.id));
        let pane = match (beside, along) {
            (Some(pane), None) => pane,
            (beside, along) => self.new_pane(actor, area, id, beside.zip(along)),
        };
        if let Some(pane) = self.panes.get_mut(&pane) {
            pane.tabs.push(tab);
        }
        self.activate(actor, pane, id);
        Ok(Opened { pane, tab: id, editor, was_open: false })
    }

    /// A new pane that is about to get a tab.
    pub(super) fn new_pane(
        &mut self,
        actor: &Actor,
        area: Area,
        active: PaneTabId,
        beside: Option<(PaneId, Direction)>,
    ) -> PaneId {
        let id = self.fresh_pane();
        self.layout.add(area, id, beside);
        self.panes.insert(id, Pane { tabs: Vec::new(), active, pinned: false, made_by: actor.clone() });
        id
    }

    /// Shows a tab and gives its pane the focus.
    pub(crate) fn activate(&mut self, actor: &Actor, pane: PaneId, tab: PaneTabId) {
        if let Some(pane) = self.panes.get_mut(&pane) {
            pane.active = tab;
            if actor.is_person() {
                pane.tabs.iter_mut().filter(|other| other.id == tab).for_each(|tab| tab.used = true);
            }
        }
        self.layout.focus(pane);
    }

    fn already_open(&self, request: &Open) -> Option<(PaneId, PaneTabId)> {
        let places = self.layout.places();
        let there = |pane: PaneId| request.area.is_none_or(|area| places.get(&pane).is_some_and(|(at, _)| *at == area));
        let mut same = self.tabs().filter(|(pane, tab)| tab.content == request.content && there(*pane));
        let first = same.next()?;
        // The one in the active pane is the one that is meant when there are several.
        let active = |(pane, _): &(PaneId, &Tab)| Some(*pane) == self.layout.active;
        let (pane, tab) = if active(&first) { first } else { same.find(active).unwrap_or(first) };
        Some((pane, tab.id))
    }

    fn check_bounds(
        &self,
        content: &Content,
        beside: Option<PaneId>,
        along: Option<Direction>,
    ) -> Result<(), WorkbenchError> {
        if self.tabs().count() >= MAX_TABS {
            return Err(WorkbenchError::Full { what: "tabs", limit: MAX_TABS });
        }
        let new_document = content.path().is_some_and(|path| !self.documents.contains_key(path));
        if new_document && self.documents.len() >= MAX_DOCUMENTS {
            return Err(WorkbenchError::Full { what: "documents", limit: MAX_DOCUMENTS });
        }
        self.check_new_pane(beside, along)
    }

    pub(super) fn check_new_pane(
        &self,
        beside: Option<PaneId>,
        along: Option<Direction>,
    ) -> Result<(), WorkbenchError> {
        if (beside.is_none() || along.is_some()) && self.panes.len() >= MAX_PANES {
            return Err(WorkbenchError::Full { what: "panes", limit: MAX_PANES });
        }
        match beside.zip(along) {
            Some((pane, along)) => self.layout.check_split(pane, along),
            None => Ok(()),
        }
    }

    pub(super) fn new_tab(&mut self, actor: &Actor, content: Content, title: Option<String>) -> Tab {
        let view = content.path().map(ToOwned::to_owned).map(|path| {
            self.document_for(path);
            View::new(self.fresh_editor())
        });
        let title = title.map(|title| clean_title(&title)).filter(|title| !title.is_empty());
        let title = title.unwrap_or_else(|| clean_title(&content.title()));
        Tab { id: self.fresh_tab(), content, title, opened_by: actor.clone(), used: false, view }
    }

    /// Makes a document for a path when there is none.
    pub(crate) fn document_for(&mut self, path: String) {
        if !self.documents.contains_key(&path) {
            let version = self.fresh_version();
            self.documents.insert(path, Document::new(version));
        }
    }
}

/// Side by side is what people call a vertical split.
pub(super) fn direction(split: SplitDirection) -> Direction {
    match split {
        SplitDirection::Vertical => Direction::Row,
        SplitDirection::Horizontal => Direction::Column,
    }
}
