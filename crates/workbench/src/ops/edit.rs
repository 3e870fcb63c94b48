//! Edits of a document's text, and what moves with the text.

use flightdeck_contract::workbench::{AppliedEdit, BufferVersion, Change, Position, Range, TextChange};

use super::editor::clamped;
use crate::Outcome;
use crate::actor::Actor;
use crate::error::WorkbenchError;
use crate::limits::MAX_NAME;
use crate::publish::Touched;
use crate::text::{Buffer, Delta, Moved, Placed, Span, cursor, region};
use crate::workbench::Workbench;

/// An edit as a client sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The document.
    pub path: String,
    /// The version that the positions belong to.
    pub base: BufferVersion,
    /// Sorted and not overlapping, in UTF-16 units of the base version.
    pub changes: Vec<TextChange>,
    /// A name that the client keeps over reconnects and that nobody else has.
    pub client: String,
    /// The client's number of the edit; goes up with each. An edit that is sent again with the same number is not applied
    /// again. A client sends its next edit when it knows the answer to the last.
    pub client_seq: u64,
}

/// What became of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// The version that it made.
    pub version: BufferVersion,
    /// The edit as it was applied, in positions of the version before; empty when it was repeated so late that it is
    /// forgotten.
    pub changes: Vec<TextChange>,
    /// It had been applied before; nothing has changed now.
    pub repeated: bool,
}

impl Workbench {
    /// Edits a text. The edit is rebased over those that came since its base.
    pub fn edit(&mut self, actor: &Actor, request: &Edit) -> Outcome<Edited> {
        let path = request.path.as_str();
        if request.client.is_empty() || request.client.len() > MAX_NAME {
            let problem = format!("give 1 to {MAX_NAME} bytes");
            return Err(WorkbenchError::BadArgument { field: "client", problem });
        }
        let document = self.document_mut(path)?;
        if let Some(version) = document.applied_before(&request.client, request.client_seq)? {
            let changes = document.made(version);
            return Ok(self.publish(Edited { version, changes, repeated: true }, Touched::default()));
        }
        let delta = document.rebase(path, request.base, &request.changes)?;
        let from = Some((request.client.as_str(), request.client_seq));
        let mut touched = Touched::default();
        let edit = self.apply_delta(path, delta, (actor.to_string(), from), &mut touched)?;
        self.note_use(actor, |_, content| content.path() == Some(path));
        let value = Edited { version: edit.version, changes: edit.changes, repeated: false };
        Ok(self.publish(value, touched))
    }

    /// Applies an edit of the present text and moves highlights and cursors with it.
    pub(super) fn apply_delta(
        &mut self,
        path: &str,
        delta: Delta,
        (by, from): (String, Option<(&str, u64)>),
        touched: &mut Touched,
    ) -> Result<AppliedEdit, WorkbenchError> {
        let document = self.document_mut(path)?;
        let was_dirty = document.dirty();
        let old = document.buffer.clone();
        let edit = document.apply(delta, by, from);
        let (new, dirty) = (document.buffer.clone(), document.dirty());
        self.counters.version = self.counters.version.max(edit.version.0);
        touched.texts.push(Change::Edited { path: path.to_owned(), edit: edit.clone() });
        touched.layout |= dirty != was_dirty;
        touched.documents.insert(path.to_owned());
        let step = old.zip(new).and_then(|(old, new)| Step::new(old, new, &edit.changes));
        if let Some(step) = step {
            self.move_views(path, &step);
            touched.editors_of.insert(path.to_owned());
            if self.move_marks(path, &step) {
                touched.highlights_of.insert(path.to_owned());
            }
        }
        Ok(edit)
    }

    fn move_views(&mut self, path: &str, step: &Step) {
        for view in self.views_of(path).filter_map(|tab| tab.view.as_mut()) {
            view.move_by(|place| step.place(place));
        }
        self.move_viewers(path, |place| step.place(place));
    }

    /// Moves the highlights of a document; says whether one has changed.
    fn move_marks(&mut self, path: &str, step: &Step) -> bool {
        let Some(marks) = self.marks.get_mut(path) else { return false };
        let mut moved = false;
        for mark in marks.values_mut() {
            let ranges: Vec<Range> = mark.ranges.iter().filter_map(|range| step.range(*range)).collect();
            moved |= ranges != mark.ranges;
            mark.ranges = ranges;
        }
        marks.retain(|_, mark| !mark.ranges.is_empty());
        if marks.is_empty() {
            self.marks.remove(path);
        }
        moved
    }

    /// Moves everything that points into a text to places that are in it.
    pub(crate) fn clamp_to_text(&mut self, path: &str) {
        let Some(buffer) = self.buffer(path).cloned() else { return };
        for view in self.views_of(path).filter_map(|tab| tab.view.as_mut()) {
            view.move_by(|place| clamped(Some(&buffer), place));
        }
        self.move_viewers(path, |place| clamped(Some(&buffer), place));
        for mark in self.marks.get_mut(path).into_iter().flat_map(|marks| marks.values_mut()) {
            mark.ranges.iter_mut().for_each(|range| *range = clamped_range(&buffer, *range));
        }
    }
}

/// A text before and after an edit. Ropes share what is equal, so the copies cost nothing.
struct Step {
    old: Buffer,
    new: Buffer,
    spans: Vec<Span>,
    /// The lines of the old text from the first change to the last: most highlights are above or below all of them.
    first: u32,
    last: u32,
}

impl Step {
    /// Nothing when nothing has changed.
    fn new(old: Buffer, new: Buffer, changes: &[TextChange]) -> Option<Self> {
        let spans: Vec<Span> = changes.iter().map(Span::from).collect();
        let first = old.place(spans.first()?.from).line;
        let last = old.place(spans.last()?.to).line;
        Some(Step { old, new, spans, first, last })
    }

    fn place(&self, place: Position) -> Position {
        self.new.place(cursor(self.old.offset(place), &self.spans))
    }

    fn range(&self, range: Range) -> Option<Range> {
        if range.end_line < self.first {
            return Some(range);
        }
        if range.start_line > self.last {
            let below = |line: u32| line + self.new.lines() - self.old.lines();
            return Some(Range { start_line: below(range.start_line), end_line: below(range.end_line), ..range });
        }
        let (from, to) = ends(&self.old, range);
        match region(from, to, &self.spans) {
            Moved::To(from, to) => Some(render(&self.new, range, from, to)),
            Moved::Removed => None,
        }
    }
}

/// Where a region begins and ends in a text.
fn ends(buffer: &Buffer, range: Range) -> (usize, usize) {
    let at = |line, column: u32| buffer.offset(Position { line, column });
    let from =
        range.start_column.map_or_else(|| buffer.line_start(range.start_line), |column| at(range.start_line, column));
    let to = range.end_column.map_or_else(|| buffer.line_end(range.end_line), |column| at(range.end_line, column));
    (from, to.max(from))
}

/// A region as lines and columns, with columns where it had them.
fn render(buffer: &Buffer, was: Range, from: usize, to: usize) -> Range {
    let (start, end) = (buffer.place(from), buffer.place(to));
    Range {
        start_line: start.line,
        end_line: end.line,
        start_column: was.start_column.map(|_| start.column),
        end_column: was.end_column.map(|_| end.column),
    }
}

/// A region that is in the text.
pub(super) fn clamped_range(buffer: &Buffer, range: Range) -> Range {
    let (from, to) = ends(buffer, range);
    render(buffer, range, from, to)
}
