//! The state itself, and what can be read of it. What changes it is in `ops/`, one concern a file.

use std::collections::{BTreeMap, BTreeSet};

use flightdeck_contract::workbench::{
    Area, BufferVersion, Color, DocumentInfo, EditorInfo, Highlight, HighlightId, PaneInfo, PaneStateSnapshot, Range,
    Snapshot,
};
use flightdeck_contract::{EditorId, PaneId, PaneTabId, TerminalId};
use serde::{Deserialize, Serialize};

use crate::actor::Actor;
use crate::document::Document;
use crate::error::WorkbenchError;
use crate::layout::{Layout, Rect, panes};
use crate::limits::{HIGHEST, MAX_NAME, MAX_PATH};
use crate::pane::{Content, Pane, Tab};
use crate::publish::Ring;
use crate::viewers::Viewers;

/// Panes, tabs, editors, documents and highlights of one workspace.
#[derive(Debug)]
pub struct Workbench {
    pub(crate) layout: Layout,
    pub(crate) panes: BTreeMap<PaneId, Pane>,
    pub(crate) documents: BTreeMap<String, Document>,
    /// By document, then by name. A name is there only once.
    pub(crate) marks: BTreeMap<String, BTreeMap<HighlightId, Mark>>,
    pub(crate) counters: Counters,
    /// What front ends have been told: the snapshot that the next one gets.
    pub(crate) shown: Snapshot,
    pub(crate) ring: Ring,
    pub(crate) open: OpenPaths,
    pub(crate) viewers: Viewers,
}

/// The paths that editors show.
#[derive(Debug, Default)]
pub(crate) struct OpenPaths {
    paths: BTreeSet<String>,
    version: u64,
}

/// The last numbers that were given out; none is given twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub(crate) pane: u32,
    pub(crate) tab: u32,
    pub(crate) editor: u32,
    pub(crate) highlight: u32,
    /// The highest version that any document has had, so that a document that is opened again begins above its old ones.
    pub(crate) version: u64,
}

/// A highlight, below its document and name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    pub(crate) ranges: Vec<Range>,
    pub(crate) color: Color,
    pub(crate) owner: Actor,
}

/// The text of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentText {
    /// The state that the text is of.
    pub version: BufferVersion,
    /// The text.
    pub text: String,
    /// It holds changes that are not on disk.
    pub dirty: bool,
}

impl Workbench {
    /// An empty one. The epoch tells this life of the hub from others and should be random.
    pub fn new(epoch: u32) -> Self {
        let shown = Snapshot {
            epoch,
            seq: 0,
            areas: Vec::new(),
            panes: Vec::new(),
            active_pane: None,
            editors: Vec::new(),
            documents: Vec::new(),
            highlights: Vec::new(),
            viewers: Vec::new(),
        };
        Workbench {
            layout: Layout::default(),
            panes: BTreeMap::new(),
            documents: BTreeMap::new(),
            marks: BTreeMap::new(),
            counters: Counters::default(),
            shown,
            ring: Ring::default(),
            open: OpenPaths::default(),
            viewers: Viewers::default(),
        }
    }

    /// All panes, in reading order of the areas.
    pub fn panes(&self) -> Vec<PaneInfo> {
        let order = self.layout.trees.values().flat_map(panes);
        let places = self.layout.places();
        order.filter_map(|id| self.pane_info(id, &places)).collect()
    }

    /// All panes without the tabs of some terminals, and without the panes that have no other tabs.
    pub fn filtered_panes(&self, hidden: impl Fn(TerminalId) -> bool) -> Vec<PaneInfo> {
        let order = self.layout.trees.values().flat_map(panes);
        let places = self.layout.places();
        let shown = order.filter_map(|id| {
            let mut pane = self.panes.get(&id)?.clone();
            pane.drop_tabs(|tab| matches!(tab.content, Content::Terminal(terminal) if hidden(terminal)));
            Some((id, pane)).filter(|(_, pane)| !pane.tabs.is_empty())
        });
        shown.filter_map(|(id, pane)| Some(self.info_of(id, &pane, *places.get(&id)?))).collect()
    }

    /// The pane that has the focus.
    pub fn active_pane(&self) -> Option<PaneId> {
        self.layout.active
    }

    /// All panes with the time that the caller says it is.
    pub fn pane_state(&self, timestamp: String) -> PaneStateSnapshot {
        PaneStateSnapshot { panes: self.panes(), active_pane: self.layout.active, timestamp }
    }

    /// How a document stands.
    pub fn document(&self, path: &str) -> Option<DocumentInfo> {
        self.documents.get(path).map(|document| document.info(path))
    }

    /// The text of a document, with the unsaved changes.
    pub fn text(&self, path: &str) -> Result<DocumentText, WorkbenchError> {
        let document = self.documents.get(path).ok_or_else(|| WorkbenchError::NotOpen(path.to_owned()))?;
        let buffer = document.buffer.as_ref().ok_or_else(|| WorkbenchError::NotLoaded(path.to_owned()))?;
        Ok(DocumentText { version: document.version, text: buffer.text(), dirty: document.dirty() })
    }

    /// The last line of a document, when this one is behind its end. Behind the last newline there is an empty line, in
    /// which a cursor can be.
    pub fn behind_the_end(&self, path: &str, line: u32) -> Option<u32> {
        let buffer = self.buffer(path)?;
        let reachable = buffer.lines();
        let last_is_empty = reachable > 1 && buffer.line_start(reachable) == buffer.length();
        (line > reachable).then_some(reachable - u32::from(last_is_empty))
    }

    /// What is on disk while a document has other changes: the text and its version.
    pub fn conflict(&self, path: &str) -> Option<(&str, &str)> {
        let theirs = self.documents.get(path)?.conflict.as_ref()?;
        Some((&theirs.text, &theirs.version))
    }

    /// The highlights of a document, by name.
    pub fn highlights_of(&self, path: &str) -> Vec<Highlight> {
        let marks = self.marks.get(path).into_iter().flatten();
        marks.map(|(id, mark)| highlight_info(path, id, mark)).collect()
    }

    /// The paths of all documents that an editor shows; these are to be watched on disk.
    pub fn open_paths(&self) -> Vec<String> {
        self.open.paths.iter().cloned().collect()
    }

    /// Grows when [`Workbench::open_paths`] changes, and only then.
    pub fn open_paths_version(&self) -> u64 {
        self.open.version
    }

    /// Looks which paths are open now; to be called when tabs may have come or gone.
    pub(crate) fn note_open_paths(&mut self) {
        let now: BTreeSet<&str> = self.tabs().filter_map(|(_, tab)| tab.content.path()).collect();
        if !now.iter().copied().eq(self.open.paths.iter().map(String::as_str)) {
            let paths = now.into_iter().map(ToOwned::to_owned).collect();
            self.open = OpenPaths { paths, version: self.open.version + 1 };
        }
    }

    pub(crate) fn pane_info(&self, id: PaneId, places: &BTreeMap<PaneId, (Area, Rect)>) -> Option<PaneInfo> {
        Some(self.info_of(id, self.panes.get(&id)?, *places.get(&id)?))
    }

    fn info_of(&self, id: PaneId, pane: &Pane, (area, rect): (Area, Rect)) -> PaneInfo {
        let info = |tab: &Tab| tab.info(tab.id == pane.active, self.is_dirty(&tab.content));
        let title = pane.tabs.iter().find(|tab| tab.id == pane.active).map(|tab| tab.title.clone());
        PaneInfo {
            id,
            area,
            title: title.unwrap_or_default(),
            tabs: pane.tabs.iter().map(info).collect(),
            active_tab: pane.active,
            geometry: rect.geometry(),
            pinned: pane.pinned,
            active: self.layout.active == Some(id),
            created_by: pane.made_by.to_string(),
        }
    }

    pub(crate) fn pane_infos(&self) -> Vec<PaneInfo> {
        let places = self.layout.places();
        self.panes.keys().filter_map(|id| self.pane_info(*id, &places)).collect()
    }

    /// The editors of these documents, by id.
    pub(crate) fn editor_infos(&self, concerned: impl Fn(&str) -> bool) -> Vec<EditorInfo> {
        let tabs = self.tabs().filter(|(_, tab)| tab.content.path().is_some_and(&concerned));
        let mut all: Vec<EditorInfo> = tabs.filter_map(|(_, tab)| tab.editor()).collect();
        all.sort_by_key(|editor| editor.id);
        all
    }

    pub(crate) fn tabs(&self) -> impl Iterator<Item = (PaneId, &Tab)> {
        self.panes.iter().flat_map(|(id, pane)| pane.tabs.iter().map(|tab| (*id, tab)))
    }

    pub(crate) fn tabs_mut(&mut self) -> impl Iterator<Item = &mut Tab> {
        self.panes.values_mut().flat_map(|pane| pane.tabs.iter_mut())
    }

    /// The tabs that show a document.
    pub(crate) fn views_of<'a>(&'a mut self, path: &'a str) -> impl Iterator<Item = &'a mut Tab> {
        self.tabs_mut().filter(move |tab| tab.content.path() == Some(path))
    }

    pub(crate) fn find_tab(&self, id: PaneTabId) -> Result<(PaneId, &Tab), WorkbenchError> {
        self.tabs().find(|(_, tab)| tab.id == id).ok_or(WorkbenchError::TabNotFound(id))
    }

    pub(crate) fn is_shown(&self, path: &str) -> bool {
        self.tabs().any(|(_, tab)| tab.content.path() == Some(path))
    }

    pub(crate) fn is_dirty(&self, content: &Content) -> bool {
        content.path().and_then(|path| self.documents.get(path)).is_some_and(Document::dirty)
    }

    pub(crate) fn is_only_copy(&self, content: &Content) -> bool {
        content.path().and_then(|path| self.documents.get(path)).is_some_and(Document::only_copy)
    }

    pub(crate) fn document_mut(&mut self, path: &str) -> Result<&mut Document, WorkbenchError> {
        self.documents.get_mut(path).ok_or_else(|| WorkbenchError::NotOpen(path.to_owned()))
    }

    /// A version that no document has had.
    pub(crate) fn fresh_version(&mut self) -> BufferVersion {
        self.counters.version += 1;
        BufferVersion(self.counters.version)
    }

    pub(crate) fn fresh_pane(&mut self) -> PaneId {
        let taken = |number| self.panes.contains_key(&PaneId::new(number));
        self.counters.pane = after(self.counters.pane, taken);
        PaneId::new(self.counters.pane)
    }

    pub(crate) fn fresh_tab(&mut self) -> PaneTabId {
        let taken = |number| self.tabs().any(|(_, tab)| tab.id.number() == number);
        self.counters.tab = after(self.counters.tab, taken);
        PaneTabId::new(self.counters.tab)
    }

    pub(crate) fn fresh_editor(&mut self) -> EditorId {
        let views = || self.tabs().filter_map(|(_, tab)| tab.view.as_ref());
        let taken = |number| views().any(|view| view.id.number() == number);
        self.counters.editor = after(self.counters.editor, taken);
        EditorId::new(self.counters.editor)
    }
}

/// The number after the last one. At the end of all numbers it begins anew, with one that is free.
fn after(last: u32, taken: impl Fn(u32) -> bool) -> u32 {
    let next = |number: u32| if number < HIGHEST { number + 1 } else { 1 };
    let mut number = next(last);
    while taken(number) {
        number = next(number);
    }
    number
}

pub(crate) fn highlight_info(path: &str, id: &HighlightId, mark: &Mark) -> Highlight {
    Highlight {
        id: id.clone(),
        path: path.to_owned(),
        ranges: mark.ranges.clone(),
        color: mark.color,
        created_by: mark.owner.to_string(),
    }
}

/// A title without control characters, of a length that fits.
pub(crate) fn clean_title(title: &str) -> String {
    title.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect()
}

pub(crate) fn check_path(path: &str) -> Result<(), WorkbenchError> {
    let problem = match path.len() {
        0 => "it is empty".to_owned(),
        length if length > MAX_PATH => format!("it is longer than {MAX_PATH} bytes"),
        _ if path.contains('\0') => "it contains a NUL character".to_owned(),
        _ => return Ok(()),
    };
    Err(WorkbenchError::BadArgument { field: "path", problem })
}
