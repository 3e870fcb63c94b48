//! Reading back what was stored. Nothing in it is trusted: what is invalid is repaired where that loses less, or
//! dropped, and each such thing is told. Unsaved text is kept before all else.

use std::collections::BTreeSet;
use std::sync::Arc;

use flightdeck_contract::workbench::{Area, BufferVersion, Child, Direction, LayoutNode, Percent, Range, Snapshot};
use flightdeck_contract::{EditorId, PaneId, PaneTabId};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{FORMAT, Stored, StoredDocument, StoredMark, StoredPane};
use crate::actor::Actor;
use crate::document::{Document, NOT_ON_DISK};
use crate::layout::{LEAST_AREA, Layout, WHOLE, normal, panes};
use crate::limits::{HIGHEST, MAX_DOCUMENTS, MAX_HIGHLIGHTS, MAX_PANES, MAX_RANGES, MAX_TABS, REMEMBERED_CLIENTS};
use crate::pane::{Content, Pane, Tab, View};
use crate::text::Buffer;
use crate::workbench::{Counters, Workbench, check_path, clean_title};

/// No operation makes a pane with a smaller side, in hundredths of a percent of the whole.
const THINNEST: u32 = 10;

/// How far versions move up: what was given out after the last store, before a crash, is not given out again.
pub(crate) const VERSION_STEP: u64 = 1 << 20;
/// The same for ids, which people read: more than come up between two stores, and small enough for a million restarts.
pub(crate) const ID_STEP: u32 = 1000;
/// Versions above this are no numbers that were counted up to.
const HIGHEST_VERSION: u64 = 1 << 52;

/// A workbench as it was, as far as that was possible.
#[derive(Debug)]
pub struct Restored {
    /// It.
    pub workbench: Workbench,
    /// What was repaired or dropped, in words.
    pub dropped: Vec<String>,
}

impl Workbench {
    /// The workbench that was stored. The epoch tells this life of the hub from others and should be random.
    pub fn restore(stored: Stored, epoch: u32) -> Restored {
        let mut restoring = Restoring { workbench: Workbench::new(epoch), dropped: Vec::new() };
        if stored.format == FORMAT {
            restoring.all(stored);
        } else {
            restoring.note(format!("everything: it has format {}, and this reads {FORMAT}", stored.format));
        }
        let Restoring { mut workbench, dropped } = restoring;
        workbench.note_open_paths();
        workbench.shown = workbench.looked_at(epoch);
        Restored { workbench, dropped }
    }

    /// The snapshot as the state itself gives it.
    pub(crate) fn looked_at(&self, epoch: u32) -> Snapshot {
        Snapshot {
            epoch,
            seq: 0,
            areas: self.layout.areas(),
            panes: self.pane_infos(),
            active_pane: self.layout.active,
            editors: self.editor_infos(|_| true),
            documents: self.documents.iter().map(|(path, document)| document.info(path)).collect(),
            highlights: self.marks.keys().flat_map(|path| self.highlights_of(path)).collect(),
            viewers: self.viewers.all.values().cloned().collect(),
        }
    }
}

struct Restoring {
    workbench: Workbench,
    dropped: Vec<String>,
}

impl Restoring {
    fn all(&mut self, stored: Stored) {
        self.workbench.counters = moved_up(self.read("the counters", stored.counters).unwrap_or_default());
        self.documents(stored.documents);
        self.panes(stored.panes);
        self.counters();
        let layout = self.read::<Layout>("the layout", stored.layout).unwrap_or_default();
        self.layout(layout);
        self.highlights(stored.highlights);
        self.references();
        self.counters();
        for path in self.workbench.documents.keys().cloned().collect::<Vec<_>>() {
            self.workbench.clamp_to_text(&path);
        }
    }

    fn note(&mut self, what: impl Into<String>) {
        self.dropped.push(what.into());
    }

    fn read<T: DeserializeOwned>(&mut self, what: &str, value: Value) -> Option<T> {
        serde_json::from_value(value).map_err(|error| self.note(format!("{what}: {error}"))).ok()
    }

    fn documents(&mut self, stored: Vec<Value>) {
        for value in stored {
            let Some(stored) = self.read::<StoredDocument>("a document", value) else { continue };
            let path = stored.path.clone();
            let full = self.workbench.documents.len() >= MAX_DOCUMENTS && stored.text.is_none();
            let known = self.workbench.documents.contains_key(&path);
            match check_path(&path) {
                Err(error) => self.note(format!("a document: {error}")),
                Ok(()) if known => self.note(format!("{path}: it was there twice")),
                Ok(()) if full => self.note(format!("{path}: there are {MAX_DOCUMENTS} documents")),
                Ok(()) => {
                    self.workbench.documents.insert(path, document(stored));
                }
            }
        }
    }

    fn panes(&mut self, stored: Vec<Value>) {
        let (mut tabs, mut editors) = (BTreeSet::new(), BTreeSet::new());
        for value in stored {
            let Some(StoredPane { id, mut pane }) = self.read("a pane", value) else { continue };
            if self.workbench.panes.contains_key(&id) || id.number() > HIGHEST {
                self.note(format!("{id}: it was there twice, or its number is too high"));
                continue;
            }
            pane.tabs.retain_mut(|tab| {
                let fine = self.tab_is_fine(tab, &mut tabs, &mut editors);
                if !fine {
                    self.note(format!("{} in {id}: it was there twice, one too many, or has no valid content", tab.id));
                }
                fine
            });
            let Some(first) = pane.tabs.first().map(|tab| tab.id).filter(|_| self.workbench.panes.len() < MAX_PANES)
            else {
                self.note(format!("{id}: it has no tabs, or is one too many"));
                continue;
            };
            if !pane.tabs.iter().any(|tab| tab.id == pane.active) {
                pane.active = first;
            }
            self.workbench.panes.insert(id, pane);
        }
    }

    fn tab_is_fine(&self, tab: &mut Tab, tabs: &mut BTreeSet<PaneTabId>, editors: &mut BTreeSet<EditorId>) -> bool {
        tab.title = clean_title(&tab.title);
        let content = match &tab.content {
            Content::Editor(path) => {
                let room =
                    self.workbench.documents.contains_key(path) || self.workbench.documents.len() < MAX_DOCUMENTS;
                let view = tab.view.as_ref();
                let view = view.is_some_and(|view| view.id.number() <= HIGHEST && editors.insert(view.id));
                view && room && check_path(path).is_ok()
            }
            Content::Terminal(_) => tab.view.is_none(),
        };
        content && tab.id.number() <= HIGHEST && tabs.len() < MAX_TABS && tabs.insert(tab.id)
    }

    fn layout(&mut self, mut stored: Layout) {
        let mut seen = BTreeSet::new();
        let (trees, last, active) = (std::mem::take(&mut stored.trees), stored.last, stored.active);
        let mut layout = Layout::default();
        for (share, old, name) in
            [(&mut layout.right, stored.right, "right"), (&mut layout.bottom, stored.bottom, "bottom")]
        {
            if (LEAST_AREA..=WHOLE - LEAST_AREA).contains(&old) {
                *share = old;
            } else {
                self.dropped.push(format!("the size of the {name} area"));
            }
        }
        for (area, root) in trees {
            let before = root.clone();
            if let Some(root) = self.valid(root, &mut seen) {
                if root != before {
                    self.note(format!("some of the splits in {area:?}"));
                }
                layout.trees.insert(area, root);
            }
        }
        self.workbench.layout = layout;
        self.unthinned();
        self.homeless();
        for (area, pane) in last {
            let there = self.workbench.layout.trees.get(&area).is_some_and(|root| panes(root).contains(&pane));
            if there {
                self.workbench.layout.last.insert(area, pane);
            }
        }
        let first = self.workbench.panes.keys().next().copied();
        self.workbench.layout.active = active.filter(|id| self.workbench.panes.contains_key(id)).or(first);
    }

    /// A tree of panes that exist, each once, in its normal form.
    fn valid(&self, node: LayoutNode, seen: &mut BTreeSet<PaneId>) -> Option<LayoutNode> {
        match node {
            LayoutNode::Pane { id } => (self.workbench.panes.contains_key(&id) && seen.insert(id)).then_some(node),
            LayoutNode::Split { direction, children } => {
                let valid = |child: Child| self.valid(child.node, seen).map(|node| Child { node, ..child });
                normal(direction, children.into_iter().filter_map(valid).collect())
            }
        }
    }

    /// Lays an area out anew in which a pane has next to no room.
    fn unthinned(&mut self) {
        for area in Area::ALL {
            let places = self.workbench.layout.places();
            let thin = |(at, rect): &(Area, crate::layout::Rect)| *at == area && rect.width.min(rect.height) < THINNEST;
            if places.values().any(thin)
                && let Some(root) = self.workbench.layout.trees.remove(&area)
            {
                let even = |id| Child { share: Percent::default(), node: LayoutNode::Pane { id } };
                let row = normal(Direction::Row, panes(&root).into_iter().map(even).collect());
                self.workbench.layout.trees.extend(row.map(|row| (area, row)));
                self.note(format!("the splits in {area:?}: a pane had no room"));
            }
        }
    }

    /// Gives a place to panes that are in no tree: beside others, or their tabs go into another pane.
    fn homeless(&mut self) {
        let placed = self.workbench.layout.places();
        let homeless: Vec<PaneId> =
            self.workbench.panes.keys().filter(|id| !placed.contains_key(id)).copied().collect();
        for id in homeless {
            self.note(format!("the place of {id}"));
            let layout = &mut self.workbench.layout;
            let area = self.workbench.panes.get(&id).map_or(Area::Main, |pane| pane.tabs[0].content.home());
            match layout.target(area) {
                None => layout.add(area, id, None),
                Some(beside) if layout.check_split(beside, Direction::Row).is_ok() => {
                    layout.add(area, id, Some((beside, Direction::Row)));
                }
                Some(beside) => {
                    let tabs = self.workbench.panes.remove(&id).map(|pane| pane.tabs).unwrap_or_default();
                    if let Some(pane) = self.workbench.panes.get_mut(&beside) {
                        pane.tabs.extend(tabs);
                    }
                }
            }
        }
    }

    fn highlights(&mut self, stored: Vec<Value>) {
        let mut seen = BTreeSet::new();
        for value in stored {
            let Some(StoredMark { path, id, mark }) = self.read("a highlight", value) else { continue };
            let room = self.workbench.documents.contains_key(&path) || self.workbench.documents.len() < MAX_DOCUMENTS;
            let valid = check_path(&path).is_ok() && (1..=MAX_RANGES).contains(&mark.ranges.len()) && room;
            let valid = valid && mark.ranges.iter().all(is_region);
            let valid = valid && self.workbench.check_room(&path, Some(&id), mark.ranges.len()).is_ok();
            if !valid || seen.len() >= MAX_HIGHLIGHTS || !seen.insert(id.clone()) {
                self.note(format!("highlight {id}: it was there twice, one too many, or is invalid"));
                continue;
            }
            self.workbench.document_for(path.clone());
            self.workbench.marks.entry(path).or_default().insert(id, mark);
        }
    }

    /// Every editor has a document, and every document a reason to be there; unsaved text gets an editor.
    fn references(&mut self) {
        let shown: Vec<String> =
            self.workbench.tabs().filter_map(|(_, tab)| tab.content.path().map(ToOwned::to_owned)).collect();
        for path in shown {
            self.workbench.document_for(path);
        }
        let workbench = &self.workbench;
        let lost = workbench.documents.keys().filter(|path| !workbench.is_shown(path)).cloned();
        for path in lost.collect::<Vec<_>>() {
            if self.workbench.documents.get(&path).is_some_and(Document::only_copy) {
                self.note(format!("the editor of {path}, which has unsaved changes; it is opened again"));
                self.reopen(path);
            } else if !self.workbench.marks.contains_key(&path) {
                self.note(format!("{path}: no editor shows it"));
                self.workbench.documents.remove(&path);
            }
        }
    }

    /// Opens an editor whatever the bounds say: unsaved text must be seen.
    fn reopen(&mut self, path: String) {
        let workbench = &mut self.workbench;
        let (id, editor) = (workbench.fresh_tab(), workbench.fresh_editor());
        let content = Content::Editor(path);
        let opened_by = Actor::Person("flightdeck".to_owned());
        let title = clean_title(&content.title());
        let tab = Tab { id, content, title, opened_by: opened_by.clone(), used: true, view: Some(View::new(editor)) };
        if let Some(pane) = workbench.layout.target(Area::Main) {
            workbench.panes.entry(pane).and_modify(|pane| pane.tabs.push(tab));
        } else {
            let pane = workbench.fresh_pane();
            workbench.layout.add(Area::Main, pane, None);
            workbench.layout.active.get_or_insert(pane);
            workbench.panes.insert(pane, Pane { tabs: vec![tab], active: id, pinned: false, made_by: opened_by });
        }
    }

    /// The counters are above everything that was given out.
    fn counters(&mut self) {
        let workbench = &self.workbench;
        let highest = |stored: u32, seen: Option<u32>| stored.max(seen.unwrap_or_default());
        let old = workbench.counters;
        let version = workbench.documents.values().map(|document| document.version.0).max().unwrap_or_default();
        let views = workbench.tabs().filter_map(|(_, tab)| tab.view.as_ref());
        self.workbench.counters = Counters {
            pane: highest(old.pane, workbench.panes.keys().map(|id| id.number()).max()),
            tab: highest(old.tab, workbench.tabs().map(|(_, tab)| tab.id.number()).max()),
            editor: highest(old.editor, views.map(|view| view.id.number()).max()),
            highlight: old.highlight,
            version: old.version.max(version),
        };
    }
}

/// Counters above all that was given out, also after the last store.
fn moved_up(stored: Counters) -> Counters {
    let id = |stored: u32| (if stored <= HIGHEST { stored } else { 0 } + ID_STEP).min(HIGHEST);
    Counters {
        pane: id(stored.pane),
        tab: id(stored.tab),
        editor: id(stored.editor),
        highlight: id(stored.highlight),
        version: if stored.version < HIGHEST_VERSION { stored.version } else { 0 } + VERSION_STEP,
    }
}

/// A region that counts from 1 and does not run backwards. It may be empty, as one becomes that was beyond its line.
fn is_region(range: &Range) -> bool {
    let start = (range.start_line, range.start_column.unwrap_or(1));
    let end = (range.end_line, range.end_column.unwrap_or(u32::MAX));
    range.start_line > 0 && start.1 > 0 && end.1 > 0 && start <= end
}

/// A document without an editor, whose numbers are in order.
fn document(stored: StoredDocument) -> Document {
    let moved = |version: BufferVersion| BufferVersion(version.0.clamp(1, HIGHEST_VERSION) + VERSION_STEP);
    let mut document = Document::new(moved(stored.version));
    if let Some(text) = stored.text {
        // With nothing typed since it was saved there is another reason to keep the text.
        let clean = stored.saved == stored.version && (stored.deleted || stored.conflict.is_some());
        let older = NOT_ON_DISK < stored.saved && stored.saved < stored.version;
        document.saved = if clean || older { moved(stored.saved) } else { NOT_ON_DISK };
        document.buffer = Some(Buffer::new(&text));
        (document.disk, document.deleted) = (stored.disk, stored.deleted);
        document.conflict = stored.conflict.map(Arc::new);
        document.clients = stored.clients;
        document.clients.truncate(REMEMBERED_CLIENTS);
        document.clients.iter_mut().for_each(|edit| edit.version = moved(edit.version));
    }
    document
}
