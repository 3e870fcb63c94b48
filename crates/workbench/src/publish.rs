//! Telling front ends what changed. An operation notes what it touched; here that is compared with what front ends have
//! been told, so that a change is told if and only if there is one.

use std::collections::{BTreeSet, VecDeque};

use flightdeck_contract::EditorId;
use flightdeck_contract::workbench::{Change, Highlight, Numbered, Snapshot, Viewer};

use crate::apply::apply;
use crate::limits::{RING_BYTES, RING_CHANGES};
use crate::weight::weight;
use crate::workbench::Workbench;

/// An operation that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done<T> {
    /// Its result.
    pub value: T,
    /// What it changed, in order; the numbers follow those told before without a gap.
    pub changes: Vec<Numbered>,
}

/// What a front end that was away has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Since {
    /// Apply these.
    Changes(Vec<Numbered>),
    /// Begin anew with a snapshot: what it missed is not kept any more, or is of another life of the hub.
    TakeSnapshot,
}

/// The last changes.
#[derive(Debug, Default)]
pub(crate) struct Ring {
    changes: VecDeque<Numbered>,
    /// The memory that they take.
    bytes: usize,
}

/// What an operation may have changed.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    /// Panes, tabs, or whether one is dirty.
    pub(crate) layout: bool,
    /// Documents other than by their text.
    pub(crate) documents: BTreeSet<String>,
    /// Editors of these documents.
    pub(crate) editors_of: BTreeSet<String>,
    /// Highlights of these documents.
    pub(crate) highlights_of: BTreeSet<String>,
    /// Front ends, or where they look.
    pub(crate) viewers: bool,
    /// Texts that were loaded or edited.
    pub(crate) texts: Vec<Change>,
}

impl Touched {
    /// Panes and tabs.
    pub(crate) fn layout() -> Self {
        Touched { layout: true, ..Touched::default() }
    }

    /// Everything of a document.
    pub(crate) fn document(path: &str) -> Self {
        Touched::layout().and_document(path)
    }

    /// And everything of this document.
    pub(crate) fn and_document(mut self, path: &str) -> Self {
        self.documents.insert(path.to_owned());
        self.editors_of.insert(path.to_owned());
        self.highlights_of.insert(path.to_owned());
        self
    }
}

impl Workbench {
    /// The whole state for a front end that begins.
    pub fn snapshot(&self) -> Snapshot {
        self.shown.clone()
    }

    /// What a front end missed that has seen changes up to this number in this epoch.
    pub fn since(&self, epoch: u32, seq: u64) -> Since {
        let missed = self.shown.seq.checked_sub(seq).filter(|_| epoch == self.shown.epoch);
        match missed {
            Some(missed) if missed <= self.ring.changes.len() as u64 => {
                let skip = self.ring.changes.len() - missed as usize;
                Since::Changes(self.ring.changes.iter().skip(skip).cloned().collect())
            }
            _ => Since::TakeSnapshot,
        }
    }

    /// Tells what an operation changed.
    pub(crate) fn publish<T>(&mut self, value: T, mut touched: Touched) -> Done<T> {
        let mut changes = Vec::new();
        for change in std::mem::take(&mut touched.texts) {
            self.tell(change, &mut changes);
        }
        for path in &touched.documents {
            self.tell_document(path, &mut changes);
        }
        for path in &touched.highlights_of {
            self.tell_highlights(path, &mut changes);
        }
        if touched.layout {
            self.note_open_paths();
            self.tell_layout(&mut changes);
        }
        if touched.layout || !touched.editors_of.is_empty() {
            self.tell_editors(&touched, &mut changes);
        }
        if touched.viewers || touched.layout || !touched.editors_of.is_empty() {
            self.tell_viewers(&mut changes);
        }
        Done { value, changes }
    }

    fn tell(&mut self, change: Change, changes: &mut Vec<Numbered>) {
        let numbered = Numbered { seq: self.shown.seq + 1, change };
        let in_order = apply(&mut self.shown, &numbered);
        debug_assert!(in_order, "the number was made one line above");
        self.ring.push(numbered.clone());
        changes.push(numbered);
    }

    fn tell_document(&mut self, path: &str, changes: &mut Vec<Numbered>) {
        let told = self.shown.documents.iter().find(|document| document.path == path);
        match (self.document(path), told) {
            (Some(document), told) if told != Some(&document) => self.tell(Change::Document { document }, changes),
            (None, Some(_)) => self.tell(Change::DocumentGone { path: path.to_owned() }, changes),
            _ => {}
        }
    }

    fn tell_highlights(&mut self, path: &str, changes: &mut Vec<Numbered>) {
        let highlights = self.highlights_of(path);
        let told: Vec<&Highlight> = self.shown.highlights.iter().filter(|told| told.path == path).collect();
        if !highlights.iter().eq(told) {
            self.tell(Change::Highlights { path: path.to_owned(), highlights }, changes);
        }
    }

    fn tell_layout(&mut self, changes: &mut Vec<Numbered>) {
        let areas = self.layout.areas();
        if areas != self.shown.areas {
            self.tell(Change::Areas { areas }, changes);
        }
        let panes = self.pane_infos();
        let gone: Vec<_> =
            self.shown.panes.iter().map(|told| told.id).filter(|id| !self.panes.contains_key(id)).collect();
        for id in gone {
            self.tell(Change::PaneGone { id }, changes);
        }
        for pane in panes {
            let told = self.shown.panes.binary_search_by_key(&pane.id, |told| told.id);
            if told.map(|at| &self.shown.panes[at]) != Ok(&pane) {
                self.tell(Change::Pane { pane }, changes);
            }
        }
        let id = self.layout.active;
        if id != self.shown.active_pane {
            self.tell(Change::ActivePane { id }, changes);
        }
    }

    fn tell_editors(&mut self, touched: &Touched, changes: &mut Vec<Numbered>) {
        let concerned = |path: &str| touched.layout || touched.editors_of.contains(path);
        let now = self.editor_infos(concerned);
        let told = self.shown.editors.iter().filter(|editor| concerned(&editor.path));
        let is_there = |id: &EditorId| now.binary_search_by_key(id, |editor| editor.id).is_ok();
        let gone: Vec<EditorId> = told.map(|editor| editor.id).filter(|id| !is_there(id)).collect();
        for id in gone {
            self.tell(Change::EditorGone { id }, changes);
        }
        for editor in now {
            let told = self.shown.editors.binary_search_by_key(&editor.id, |told| told.id);
            if told.map(|at| &self.shown.editors[at]) != Ok(&editor) {
                self.tell(Change::Editor { editor }, changes);
            }
        }
    }

    /// What is no more can't be looked at; so this is to be told whenever tabs may have gone.
    fn tell_viewers(&mut self, changes: &mut Vec<Numbered>) {
        self.settle_viewers();
        let told = self.shown.viewers.iter().map(|told| told.id);
        let gone: Vec<_> = told.filter(|id| !self.viewers.all.contains_key(id)).collect();
        for id in gone {
            self.tell(Change::ViewerGone { id }, changes);
        }
        let told = |viewer: &Viewer| self.shown.viewers.contains(viewer);
        let other: Vec<_> = self.viewers.all.values().filter(|viewer| !told(viewer)).cloned().collect();
        for viewer in other {
            self.tell(Change::Viewer { viewer }, changes);
        }
    }
}

impl Ring {
    fn push(&mut self, change: Numbered) {
        self.bytes += weight(&change);
        self.changes.push_back(change);
        while self.changes.len() > RING_CHANGES || self.bytes > RING_BYTES {
            let Some(oldest) = self.changes.pop_front() else { break };
            self.bytes -= weight(&oldest);
        }
    }
}
