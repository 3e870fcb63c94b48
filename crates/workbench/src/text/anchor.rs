//! How places and regions of a text move when the text is edited. The changes are sorted and don't touch, as
//! [`super::Delta::changes`] gives them.

use flightdeck_contract::workbench::TextChange;

use super::delta::units;

/// A change without its text: what is replaced, and the length of what is put in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) from: usize,
    pub(crate) to: usize,
    put: usize,
}

impl From<&TextChange> for Span {
    fn from(change: &TextChange) -> Self {
        Span { from: change.from, to: change.to, put: units(&change.insert) }
    }
}

/// What became of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    /// It is here now.
    To(usize, usize),
    /// All of its text was removed.
    Removed,
}

/// A cursor stays before what is inserted at it.
pub(crate) fn cursor(at: usize, changes: &[Span]) -> usize {
    end(at, changes)
}

/// A region keeps the text that it has: what is inserted inside belongs to it, what is typed at its edges does not, as
/// editors do it with marked text. It goes when all of it is removed; an empty one goes with the text around it.
pub(crate) fn region(from: usize, to: usize, changes: &[Span]) -> Moved {
    if from == to {
        let gone = |change: &Span| change.from < change.to && change.from <= from && from <= change.to;
        let at = end(from, changes);
        return if changes.iter().any(gone) { Moved::Removed } else { Moved::To(at, at) };
    }
    let (from, to) = (start(from, changes), end(to, changes));
    if from < to { Moved::To(from, to) } else { Moved::Removed }
}

/// A place that moves behind what is inserted at it.
fn start(at: usize, changes: &[Span]) -> usize {
    let (mut added, mut removed) = (0, 0);
    for change in changes.iter().take_while(|change| change.from <= at) {
        added += change.put;
        removed += change.to.min(at) - change.from;
    }
    at + added - removed
}

/// A place that stays before what is inserted at it.
fn end(at: usize, changes: &[Span]) -> usize {
    let (mut added, mut removed) = (0, 0);
    for change in changes.iter().take_while(|change| change.from < at) {
        // What replaces the text up to the place comes behind it.
        if change.to < at {
            added += change.put;
        }
        removed += change.to.min(at) - change.from;
    }
    at + added - removed
}
