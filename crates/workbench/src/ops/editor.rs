//! Editors: opening a document at a line, and scrolling.

use flightdeck_contract::workbench::{Color, HighlightId, Position, Range};
use flightdeck_contract::{EditorId, PaneId, PaneTabId};

use super::{Open, SetHighlight};
use crate::Outcome;
use crate::actor::Actor;
use crate::error::WorkbenchError;
use crate::pane::Content;
use crate::publish::Touched;
use crate::text::Buffer;
use crate::workbench::Workbench;

/// A document to open at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenEditor {
    /// The document.
    pub path: String,
    /// The line to show, from 1.
    pub line: Option<u32>,
    /// The column of the cursor in it, from 1.
    pub column: Option<u32>,
    /// Mark the line.
    pub highlight: bool,
}

/// An editor that shows the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedEditor {
    /// The editor.
    pub editor: EditorId,
    /// The pane that it is in.
    pub pane: PaneId,
    /// The tab that it is in.
    pub tab: PaneTabId,
    /// It was open already.
    pub was_open: bool,
    /// The name of the mark.
    pub highlight: Option<HighlightId>,
}

impl Workbench {
    /// Opens or focuses a document, puts the cursor into the line, and brings it into the centre.
    pub fn open_editor(&mut self, actor: &Actor, request: &OpenEditor) -> Outcome<OpenedEditor> {
        check_from_one("line", request.line)?;
        check_from_one("column", request.column)?;
        if request.column.is_some() && request.line.is_none() {
            let problem = "a column needs a line".to_owned();
            return Err(WorkbenchError::BadArgument { field: "column", problem });
        }
        let line = request.line.unwrap_or(1);
        let mark = SetHighlight {
            path: request.path.clone(),
            ranges: vec![Range::lines(line, line)],
            id: None,
            color: Color::default(),
        };
        if request.highlight {
            self.check_highlight(actor, &mark)?;
        }
        let opened = self.open_quietly(actor, Open::new(Content::Editor(request.path.clone())))?;
        if let Some(line) = request.line {
            let place = Position { line, column: request.column.unwrap_or(1) };
            let place = clamped(self.buffer(&request.path), place);
            let views = self.views_of(&request.path).filter(|tab| tab.id == opened.tab);
            views.filter_map(|tab| tab.view.as_mut()).for_each(|view| view.go_to(place));
        }
        let highlight = request.highlight.then(|| self.put_highlight(actor, mark));
        let editor = opened.editor.ok_or_else(|| WorkbenchError::NotOpen(request.path.clone()))?;
        let value = OpenedEditor { editor, pane: opened.pane, tab: opened.tab, was_open: opened.was_open, highlight };
        let touched = self.touched_by_opening(opened);
        Ok(self.publish(value, touched))
    }

    /// Brings a line of a document into the centre of its editors.
    pub fn scroll_to(&mut self, path: &str, line: u32) -> Outcome<()> {
        check_from_one("line", Some(line))?;
        if !self.is_shown(path) {
            return Err(WorkbenchError::NotOpen(path.to_owned()));
        }
        let line = clamped(self.buffer(path), Position { line, column: 1 }).line;
        self.views_of(path).filter_map(|tab| tab.view.as_mut()).for_each(|view| view.show_line(line));
        Ok(self.publish((), touched_views(path)))
    }

    pub(crate) fn buffer(&self, path: &str) -> Option<&Buffer> {
        self.documents.get(path)?.buffer.as_ref()
    }
}

fn touched_views(path: &str) -> Touched {
    let mut touched = Touched::default();
    touched.editors_of.insert(path.to_owned());
    touched
}

fn check_from_one(field: &'static str, number: Option<u32>) -> Result<(), WorkbenchError> {
    match number {
        Some(0) => Err(WorkbenchError::BadArgument { field, problem: "it counts from 1".to_owned() }),
        _ => Ok(()),
    }
}

/// A place that is in the text; as it is while the text is not known.
pub(crate) fn clamped(buffer: Option<&Buffer>, place: Position) -> Position {
    let place = Position { line: place.line.max(1), column: place.column.max(1) };
    buffer.map_or(place, |buffer| buffer.place(buffer.offset(place)))
}
