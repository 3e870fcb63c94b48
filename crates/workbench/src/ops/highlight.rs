//! Highlights. A name belongs to whoever used it first: the same caller replaces it, another agent is refused, and a
//! person may replace or clear any.

use std::collections::BTreeMap;

use flightdeck_contract::workbench::{Color, HighlightId, Range};

use super::edit::clamped_range;
use crate::Outcome;
use crate::actor::Actor;
use crate::error::WorkbenchError;
use crate::limits::{MAX_ALL_RANGES, MAX_DOCUMENT_RANGES, MAX_DOCUMENTS, MAX_HIGHLIGHTS, MAX_RANGES};
use crate::publish::Touched;
use crate::workbench::{Mark, Workbench, check_path};

/// Regions to mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetHighlight {
    /// The document; it need not be open.
    pub path: String,
    /// The regions. What is beyond the text is moved into it.
    pub ranges: Vec<Range>,
    /// A name; made up when absent.
    pub id: Option<HighlightId>,
    /// The colour.
    pub color: Color,
}

impl Workbench {
    /// Marks regions of a document, in place of what had the same name.
    pub fn highlight(&mut self, actor: &Actor, request: SetHighlight) -> Outcome<HighlightId> {
        self.check_highlight(actor, &request)?;
        let path = request.path.clone();
        let elsewhere = request.id.as_ref().and_then(|id| self.path_of(id)).filter(|other| *other != path);
        let id = self.put_highlight(actor, request);
        let mut touched = touched(&path);
        if let Some(other) = elsewhere {
            self.release(&other);
            touched = touched.and_document(&other);
        }
        Ok(self.publish(id, touched))
    }

    /// Removes a highlight.
    pub fn clear_highlight(&mut self, actor: &Actor, id: &HighlightId) -> Outcome<()> {
        let path = self.path_of(id).ok_or_else(|| WorkbenchError::HighlightNotFound(id.clone()))?;
        self.check_owner(actor, id)?;
        self.drop_marks(&path, |other, _| other == id);
        Ok(self.publish((), touched(&path)))
    }

    /// Removes the highlights of a document: all of them for a person, who presses Escape, and an agent's own.
    pub fn clear_highlights_of(&mut self, actor: &Actor, path: &str) -> Outcome<()> {
        self.drop_marks(path, |_, mark| actor.is_person() || mark.owner == *actor);
        Ok(self.publish((), touched(path)))
    }

    pub(super) fn check_highlight(&self, actor: &Actor, request: &SetHighlight) -> Result<(), WorkbenchError> {
        check_path(&request.path)?;
        check_ranges(&request.ranges)?;
        let replaces = request.id.as_ref().is_some_and(|id| self.path_of(id).is_some());
        if let Some(id) = request.id.as_ref().filter(|_| replaces) {
            self.check_owner(actor, id)?;
        }
        let count: usize = self.marks.values().map(BTreeMap::len).sum();
        if !replaces && count >= MAX_HIGHLIGHTS {
            return Err(WorkbenchError::Full { what: "highlights", limit: MAX_HIGHLIGHTS });
        }
        if !self.documents.contains_key(&request.path) && self.documents.len() >= MAX_DOCUMENTS {
            return Err(WorkbenchError::Full { what: "documents", limit: MAX_DOCUMENTS });
        }
        self.check_room(&request.path, request.id.as_ref(), request.ranges.len())
    }

    /// Whether there is room for so many regions in a document, in place of those of the highlight with this name.
    pub(crate) fn check_room(
        &self,
        path: &str,
        replaced: Option<&HighlightId>,
        ranges: usize,
    ) -> Result<(), WorkbenchError> {
        let count = |marks: &BTreeMap<HighlightId, Mark>| {
            let others = marks.iter().filter(|(id, _)| Some(*id) != replaced);
            others.map(|(_, mark)| mark.ranges.len()).sum::<usize>()
        };
        if self.marks.get(path).map_or(0, count) + ranges > MAX_DOCUMENT_RANGES {
            return Err(WorkbenchError::Full { what: "highlighted ranges in this file", limit: MAX_DOCUMENT_RANGES });
        }
        if self.marks.values().map(count).sum::<usize>() + ranges > MAX_ALL_RANGES {
            return Err(WorkbenchError::Full { what: "highlighted ranges in all files", limit: MAX_ALL_RANGES });
        }
        Ok(())
    }

    /// Marks without looking whether it may be.
    pub(super) fn put_highlight(&mut self, actor: &Actor, request: SetHighlight) -> HighlightId {
        let SetHighlight { path, mut ranges, id, color } = request;
        let id = id.unwrap_or_else(|| self.fresh_highlight());
        self.document_for(path.clone());
        if let Some(buffer) = self.buffer(&path) {
            ranges = ranges.into_iter().map(|range| clamped_range(buffer, range)).collect();
        }
        for marks in self.marks.values_mut() {
            marks.remove(&id);
        }
        self.marks.entry(path).or_default().insert(id.clone(), Mark { ranges, color, owner: actor.clone() });
        self.marks.retain(|_, marks| !marks.is_empty());
        id
    }

    /// Takes highlights out of a document, and the document when nothing holds it any more.
    pub(super) fn drop_marks(&mut self, path: &str, mut gone: impl FnMut(&HighlightId, &Mark) -> bool) {
        if let Some(marks) = self.marks.get_mut(path) {
            marks.retain(|id, mark| !gone(id, mark));
            if marks.is_empty() {
                self.marks.remove(path);
            }
            self.release(path);
        }
    }

    /// The document that has a highlight of this name.
    fn path_of(&self, id: &HighlightId) -> Option<String> {
        self.marks.iter().find(|(_, marks)| marks.contains_key(id)).map(|(path, _)| path.clone())
    }

    fn check_owner(&self, actor: &Actor, id: &HighlightId) -> Result<(), WorkbenchError> {
        match self.marks.values().find_map(|marks| marks.get(id)) {
            Some(mark) if !actor.is_person() && mark.owner != *actor => {
                Err(WorkbenchError::HighlightTaken { id: id.clone(), owner: mark.owner.to_string() })
            }
            _ => Ok(()),
        }
    }

    /// A name that is not taken, also not by a caller who likes names such as h7.
    fn fresh_highlight(&mut self) -> HighlightId {
        loop {
            self.counters.highlight += 1;
            let id = HighlightId::generated(self.counters.highlight);
            if self.path_of(&id).is_none() {
                return id;
            }
        }
    }
}

fn touched(path: &str) -> Touched {
    let mut touched = Touched::default();
    touched.documents.insert(path.to_owned());
    touched.highlights_of.insert(path.to_owned());
    touched
}

fn check_ranges(ranges: &[Range]) -> Result<(), WorkbenchError> {
    if ranges.is_empty() {
        let problem = "give at least one".to_owned();
        return Err(WorkbenchError::BadArgument { field: "ranges", problem });
    }
    if ranges.len() > MAX_RANGES {
        let problem = format!("give {MAX_RANGES} at most, or several highlights");
        return Err(WorkbenchError::BadArgument { field: "ranges", problem });
    }
    for (index, range) in ranges.iter().enumerate() {
        let zero = |column: Option<u32>| column == Some(0);
        let backwards = matches!((range.start_column, range.end_column), (Some(start), Some(end)) if end <= start);
        let problem = match range {
            _ if range.start_line == 0 || range.end_line == 0 => "lines count from 1",
            _ if zero(range.start_column) || zero(range.end_column) => "columns count from 1",
            _ if range.end_line < range.start_line => "endLine is before startLine",
            _ if range.end_line == range.start_line && backwards => "endColumn is not behind startColumn",
            _ => continue,
        };
        return Err(WorkbenchError::BadRange { number: index + 1, problem });
    }
    Ok(())
}
