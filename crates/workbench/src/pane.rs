//! Panes and their tabs.

use flightdeck_contract::workbench::{Area, ContentKind, EditorInfo, Position, Selection, TabInfo};
use flightdeck_contract::{EditorId, PaneTabId, TerminalId};
use serde::{Deserialize, Serialize};

use crate::actor::Actor;

/// What a tab shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// A document, by its path relative to the workspace.
    Editor(String),
    /// A terminal.
    Terminal(TerminalId),
}

impl Content {
    /// The area that it opens in when none is asked for.
    pub fn home(&self) -> Area {
        match self {
            Content::Editor(_) => Area::Main,
            Content::Terminal(_) => Area::Bottom,
        }
    }

    /// Its id as agents see it.
    pub fn id(&self) -> String {
        match self {
            Content::Editor(path) => path.clone(),
            Content::Terminal(id) => id.to_string(),
        }
    }

    /// The document, when it is one.
    pub fn path(&self) -> Option<&str> {
        match self {
            Content::Editor(path) => Some(path),
            Content::Terminal(_) => None,
        }
    }

    /// A title when none is given: the name of the file, or the id of the terminal.
    pub(crate) fn title(&self) -> String {
        match self {
            Content::Editor(path) => path.rsplit('/').next().unwrap_or(path).to_owned(),
            Content::Terminal(id) => id.to_string(),
        }
    }
}

/// A pane: tabs, of which one is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Pane {
    pub(crate) tabs: Vec<Tab>,
    pub(crate) active: PaneTabId,
    pub(crate) pinned: bool,
    pub(crate) made_by: Actor,
}

/// A tab of a pane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tab {
    pub(crate) id: PaneTabId,
    pub(crate) content: Content,
    pub(crate) title: String,
    pub(crate) opened_by: Actor,
    /// A person has focused it or typed in it since.
    pub(crate) used: bool,
    /// Only editors have one.
    pub(crate) view: Option<View>,
}

/// What an editor shows of its document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct View {
    pub(crate) id: EditorId,
    pub(crate) cursor: Position,
    pub(crate) selection: Option<Selection>,
    pub(crate) first_line: u32,
    pub(crate) reveal: Option<u32>,
    pub(crate) reveals: u64,
}

impl View {
    pub(crate) fn new(id: EditorId) -> Self {
        View { id, cursor: Position::START, selection: None, first_line: 1, reveal: None, reveals: 0 }
    }

    /// Puts the cursor somewhere and asks front ends to bring its line into the centre.
    pub(crate) fn go_to(&mut self, place: Position) {
        self.cursor = place;
        self.selection = None;
        self.show_line(place.line);
    }

    /// Asks front ends to bring a line into the centre.
    pub(crate) fn show_line(&mut self, line: u32) {
        self.reveal = Some(line);
        self.reveals = self.reveals.saturating_add(1);
    }
}

impl Tab {
    pub(crate) fn info(&self, is_active: bool, is_dirty: bool) -> TabInfo {
        let kind = match self.content {
            Content::Editor(_) => ContentKind::Editor,
            Content::Terminal(_) => ContentKind::Terminal,
        };
        TabInfo {
            id: self.id,
            content_id: self.content.id(),
            kind,
            title: self.title.clone(),
            is_dirty,
            is_active,
            editor: self.view.as_ref().map(|view| view.id),
            created_by: self.opened_by.to_string(),
        }
    }

    pub(crate) fn editor(&self) -> Option<EditorInfo> {
        let (view, path) = (self.view.as_ref()?, self.content.path()?);
        Some(EditorInfo {
            id: view.id,
            tab: self.id,
            path: path.to_owned(),
            cursor: view.cursor,
            selection: view.selection,
            first_line: view.first_line,
            reveal: view.reveal,
            reveals: view.reveals,
        })
    }
}

impl Pane {
    /// Takes tabs out; the tab before the active one is shown when that is among them. The pane may be empty then.
    pub(crate) fn drop_tabs(&mut self, mut gone: impl FnMut(&Tab) -> bool) -> Vec<Tab> {
        let at = self.tabs.iter().position(|tab| tab.id == self.active).unwrap_or_default();
        let (dropped, kept): (Vec<_>, Vec<_>) = self.tabs.drain(..).enumerate().partition(|(_, tab)| gone(tab));
        let heir = kept.iter().rfind(|(index, _)| *index <= at).or(kept.first());
        if let Some((_, tab)) = heir {
            self.active = tab.id;
        }
        self.tabs = kept.into_iter().map(|(_, tab)| tab).collect();
        dropped.into_iter().map(|(_, tab)| tab).collect()
    }
}
