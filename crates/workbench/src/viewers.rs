//! Front ends that look at the workbench: each has a focus, a cursor, a window and a leader of its own.
//!
//! The panes are shared, where somebody looks is not: nothing here moves another front end. The workbench itself keeps
//! where somebody was last, which is what agents are told and where a front end begins. Viewers are not stored: they come
//! and go with their connections.

use std::collections::BTreeMap;

use flightdeck_contract::terminal::ViewerId;
use flightdeck_contract::workbench::{EditorView, Leader, Position, SetView, Viewer};
use flightdeck_contract::{EditorId, PaneTabId};

use crate::Outcome;
use crate::actor::Actor;
use crate::error::WorkbenchError;
use crate::limits::MAX_VIEWERS;
use crate::ops::clamped;
use crate::pane::Tab;
use crate::publish::{Done, Touched};
use crate::text::Placed;
use crate::workbench::Workbench;

/// Those that watch now.
#[derive(Debug, Default)]
pub(crate) struct Viewers {
    pub(crate) all: BTreeMap<ViewerId, Viewer>,
    last: u32,
}

impl Workbench {
    /// A front end begins to watch.
    pub fn arrive(&mut self, actor: &Actor) -> Outcome<ViewerId> {
        if self.viewers.all.len() >= MAX_VIEWERS {
            return Err(WorkbenchError::Full { what: "front ends", limit: MAX_VIEWERS });
        }
        self.viewers.last += 1;
        let id = ViewerId(self.viewers.last);
        let (focus, editor, window) = (None, None, None);
        let viewer = Viewer { id, name: actor.to_string(), focus, editor, window, follow: Leader::Nobody };
        self.viewers.all.insert(id, viewer);
        Ok(self.publish(id, viewers_touched()))
    }

    /// A front end does not watch any more. Who followed it follows nobody.
    pub fn depart(&mut self, id: ViewerId) -> Done<()> {
        self.viewers.all.remove(&id);
        self.publish((), viewers_touched())
    }

    /// Whether a front end watches.
    pub fn is_watched(&self) -> bool {
        !self.viewers.all.is_empty()
    }

    /// What a front end says about where it looks; places beyond the text become the nearest ones in it. A person has used
    /// an editor when the cursor or the selection is another: front ends also say where they scrolled to when an agent
    /// asked for it.
    pub fn set_view(&mut self, actor: &Actor, request: SetView) -> Outcome<()> {
        let SetView { viewer: id, focus, editor, window, follow } = request;
        let own = self.viewers.all.get(&id).is_some_and(|viewer| viewer.name == actor.to_string());
        let led_by = match follow {
            Some(Leader::Viewer { id: leader }) if leader == id => {
                let problem = "a front end can't follow itself".to_owned();
                return Err(WorkbenchError::BadArgument { field: "follow", problem });
            }
            Some(Leader::Viewer { id }) => Some(id),
            Some(Leader::Nobody | Leader::Agents) | None => None,
        };
        let missing = [Some(id).filter(|_| !own), led_by.filter(|id| !self.viewers.all.contains_key(id))];
        if let Some(missing) = missing.into_iter().flatten().next() {
            return Err(WorkbenchError::ViewerNotFound(missing));
        }
        let pane = focus.map(|tab| self.find_tab(tab).map(|(pane, _)| (pane, tab))).transpose()?;
        let editor = editor.map(|view| self.within_text(view)).transpose()?;
        let mut touched = viewers_touched();
        if let Some((pane, tab)) = pane {
            self.activate(actor, pane, tab);
            touched.layout = true;
        }
        if let Some((path, view)) = &editor {
            self.note_view(actor, *view);
            touched.editors_of.insert(path.clone());
        }
        if let Some(viewer) = self.viewers.all.get_mut(&id) {
            viewer.focus = focus.or(viewer.focus);
            viewer.editor = editor.map(|(_, view)| view).or(viewer.editor);
            viewer.window = window.or(viewer.window);
            viewer.follow = follow.unwrap_or(viewer.follow);
        }
        Ok(self.publish((), touched))
    }

    /// Those that watch now, by number.
    pub fn viewers(&self) -> impl Iterator<Item = &Viewer> {
        self.viewers.all.values()
    }

    /// The document of an editor, and the view with its places in the text.
    fn within_text(&self, view: EditorView) -> Result<(String, EditorView), WorkbenchError> {
        let shown = self.tabs().find(|(_, tab)| shows(tab, view.editor_id)).and_then(|(_, tab)| tab.content.path());
        let path = shown.ok_or_else(|| WorkbenchError::NotOpen(view.editor_id.to_string()))?;
        let mut view = view;
        view.move_by(|place| clamped(self.buffer(path), place));
        Ok((path.to_owned(), view))
    }

    /// Where somebody was last in an editor.
    fn note_view(&mut self, actor: &Actor, told: EditorView) {
        for tab in self.tabs_mut().filter(|tab| shows(tab, told.editor_id)) {
            if let Some(view) = &mut tab.view {
                tab.used |= actor.is_person() && (view.cursor, view.selection) != (told.cursor, told.selection);
                (view.cursor, view.selection, view.first_line) = (told.cursor, told.selection, told.first_line);
            }
        }
    }

    /// Moves the places of viewers in a document with its text.
    pub(crate) fn move_viewers(&mut self, path: &str, place: impl Fn(Position) -> Position) {
        let editors: Vec<EditorId> = self.views_of(path).filter_map(|tab| Some(tab.view.as_ref()?.id)).collect();
        let views = self.viewers.all.values_mut().filter_map(|viewer| viewer.editor.as_mut());
        views.filter(|view| editors.contains(&view.editor_id)).for_each(|view| view.move_by(&place));
    }

    /// Takes from viewers what is no more.
    pub(crate) fn settle_viewers(&mut self) {
        if self.viewers.all.is_empty() {
            return;
        }
        let tabs: Vec<(PaneTabId, Option<EditorId>)> =
            self.tabs().map(|(_, tab)| (tab.id, tab.view.as_ref().map(|view| view.id))).collect();
        let there: Vec<ViewerId> = self.viewers.all.keys().copied().collect();
        for viewer in self.viewers.all.values_mut() {
            viewer.focus = viewer.focus.filter(|focus| tabs.iter().any(|(tab, _)| tab == focus));
            viewer.editor = viewer.editor.filter(|view| tabs.iter().any(|(_, id)| *id == Some(view.editor_id)));
            if matches!(viewer.follow, Leader::Viewer { id } if !there.contains(&id)) {
                viewer.follow = Leader::Nobody;
            }
        }
    }
}

fn shows(tab: &Tab, editor: EditorId) -> bool {
    tab.view.as_ref().is_some_and(|view| view.id == editor)
}

fn viewers_touched() -> Touched {
    Touched { viewers: true, ..Touched::default() }
}
