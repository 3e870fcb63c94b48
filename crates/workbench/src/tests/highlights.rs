//! Highlights: they move as marked characters do, have owners, and are replaced and cleared by name.

use flightdeck_contract::workbench::{Change, Color, HighlightId, Range, TextChange};
use proptest::prelude::*;

use super::{agent, anna, change, code, edit, other_agent, with_text};
use crate::{Actor, SetHighlight, Workbench};

fn id(text: &str) -> HighlightId {
    text.parse().unwrap()
}

fn mark(workbench: &mut Workbench, actor: &Actor, name: &str, range: Range) {
    let request = SetHighlight { path: "a".into(), ranges: vec![range], id: Some(id(name)), color: Color::Green };
    workbench.highlight(actor, request).unwrap();
}

fn ranges(workbench: &Workbench) -> Vec<Range> {
    workbench.highlights_of("a").into_iter().flat_map(|highlight| highlight.ranges).collect()
}

fn columns(start: (u32, u32), end: (u32, u32)) -> Range {
    Range { start_line: start.0, end_line: end.0, start_column: Some(start.1), end_column: Some(end.1) }
}

/// A text whose characters carry the mark themselves. All are ASCII, so units and characters are the same.
struct Marked {
    text: Vec<u8>,
    marked: Vec<bool>,
}

impl Marked {
    fn edit(&mut self, change: &TextChange) {
        let around = |at: Option<usize>| at.and_then(|at| self.marked.get(at)).copied().unwrap_or(false);
        let inside = around(change.from.checked_sub(1)) && around(Some(change.to));
        self.text.splice(change.from..change.to, change.insert.bytes());
        self.marked.splice(change.from..change.to, change.insert.bytes().map(|_| inside));
    }

    fn ends(&self) -> Option<(usize, usize)> {
        let first = self.marked.iter().position(|marked| *marked)?;
        Some((first, self.marked.iter().rposition(|marked| *marked)? + 1))
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1)
    }

    /// What is marked, as a region with columns where asked; sides without columns reach to the end of the line.
    fn region(&mut self, start_column: bool, end_column: bool) -> Option<Range> {
        let (mut from, mut to) = self.ends()?;
        if !start_column {
            from = self.line_start(from);
        }
        if !end_column {
            to += self.text[to..].iter().position(|byte| *byte == b'\n').unwrap_or(self.text.len() - to);
        }
        self.marked.iter_mut().enumerate().for_each(|(at, marked)| *marked = (from..to).contains(&at));
        let line = |at: usize| self.text[..at].split(|byte| *byte == b'\n').count() as u32;
        let column = |at: usize| (at - self.line_start(at)) as u32 + 1;
        Some(Range {
            start_line: line(from),
            end_line: line(to),
            start_column: start_column.then(|| column(from)),
            end_column: end_column.then(|| column(to)),
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_highlight_moves_like_marked_characters(
        text in "[ab\n]{1,30}",
        bounds in (any::<usize>(), any::<usize>()),
        sides in any::<(bool, bool)>(),
        edits in prop::collection::vec((any::<u16>(), 0..6usize, "[xy\n]{0,4}", 0..9usize, 0..3usize), 1..12),
    ) {
        let (a, b) = (bounds.0 % text.len(), bounds.1 % text.len());
        let (from, to) = (a.min(b), a.max(b) + 1);
        let mut model = Marked {
            marked: (0..text.len()).map(|at| (from..to).contains(&at)).collect(),
            text: text.clone().into_bytes(),
        };
        let mut workbench = with_text("a", &text);
        let Some(range) = model.region(sides.0, sides.1) else { return Ok(()) };
        mark(&mut workbench, &agent(), "m", range);
        for (from, removed, insert, gap, second) in edits {
            let length = model.text.len();
            let from = from as usize % (length + 1);
            let to = (from + removed).min(length);
            let mut changes = vec![TextChange { from, to, insert: insert.clone() }];
            // A second change in the same edit, which does not touch the first.
            let next = to + 1 + gap;
            if next + second <= length {
                changes.push(change(next, next + second, &insert));
            }
            edit(&mut workbench, &anna(), "a", changes.clone());
            changes.iter().rev().for_each(|change| model.edit(change));
            let expected = model.region(sides.0, sides.1);
            // An empty line has no characters that could carry a mark; tables below cover it.
            if expected.is_some() && model.ends().is_none() {
                return Ok(());
            }
            prop_assert_eq!(ranges(&workbench), Vec::from_iter(expected), "{:?}", changes);
            if expected.is_none() {
                return Ok(());
            }
        }
    }
}

#[test]
fn edges_and_empty_lines() {
    // The text, the highlight, an edit, and where the highlight is then.
    let cases = [
        ("one\ntwo\n", Range::lines(2, 2), change(4, 4, "new\n"), Some(Range::lines(3, 3))),
        ("one\ntwo\n", Range::lines(2, 2), change(7, 7, "\nnew"), Some(Range::lines(2, 2))),
        ("one\ntwo\n", Range::lines(1, 2), change(1, 1, "\n"), Some(Range::lines(1, 3))),
        ("one\ntwo\n", Range::lines(2, 2), change(4, 7, ""), None),
        ("one\ntwo\n", Range::lines(2, 2), change(3, 8, ""), None),
        ("one\n\ntwo", Range::lines(2, 2), change(4, 4, "x"), Some(Range::lines(2, 2))),
        ("one\n\ntwo", Range::lines(2, 2), change(0, 0, "\n"), Some(Range::lines(3, 3))),
        ("one\n\ntwo", Range::lines(2, 2), change(3, 4, ""), None),
        ("abc", columns((1, 2), (1, 3)), change(1, 1, "x"), Some(columns((1, 3), (1, 4)))),
        ("abc", columns((1, 2), (1, 3)), change(2, 2, "x"), Some(columns((1, 2), (1, 3)))),
        ("😀b😀", columns((1, 3), (1, 4)), change(0, 2, ""), Some(columns((1, 1), (1, 2)))),
        ("abcd", columns((1, 2), (1, 4)), change(2, 2, "\n"), Some(columns((1, 2), (2, 2)))),
    ];
    for (text, range, change, expected) in cases {
        let mut workbench = with_text("a", text);
        mark(&mut workbench, &agent(), "m", range);
        edit(&mut workbench, &anna(), "a", vec![change.clone()]);
        assert_eq!(ranges(&workbench), Vec::from_iter(expected), "{text:?} {range:?} {change:?}");
    }
}

#[test]
fn what_is_beyond_the_text_is_moved_into_it() {
    let mut workbench = with_text("a", "one\ntwo");
    let cases = [
        (Range::lines(1, 99), Range::lines(1, 2)),
        (Range::lines(50, 99), Range::lines(2, 2)),
        (columns((1, 2), (1, 99)), columns((1, 2), (1, 4))),
        (columns((7, 1), (8, 1)), columns((2, 4), (2, 4))),
    ];
    for (asked, got) in cases {
        mark(&mut workbench, &agent(), "m", asked);
        assert_eq!(ranges(&workbench), [got], "{asked:?}");
    }
}

#[test]
fn a_document_that_is_not_open_keeps_them_until_it_is_loaded() {
    let mut workbench = Workbench::new(1);
    mark(&mut workbench, &agent(), "m", Range::lines(5, 9));
    assert!(!workbench.document("a").unwrap().loaded && workbench.open_paths().is_empty());
    super::open(&mut workbench, &anna(), "a");
    workbench.load("a", "1\n2\n3\n4\n5\n6", "v1").unwrap();
    assert_eq!(ranges(&workbench), [Range::lines(5, 6)]);
    workbench.close_editor(&anna(), "a", crate::Unsaved::Keep).unwrap();
    assert_eq!(ranges(&workbench), [Range::lines(5, 6)]);
    workbench.clear_highlight(&anna(), &id("m")).unwrap();
    assert_eq!(workbench.document("a"), None);
}

#[test]
fn names_belong_to_whoever_used_them_first() {
    let mut workbench = with_text("a", "1\n2\n3\n");
    mark(&mut workbench, &agent(), "fix-1", Range::lines(1, 1));
    mark(&mut workbench, &agent(), "fix-1", Range::lines(2, 3));
    assert_eq!(ranges(&workbench), [Range::lines(2, 3)], "the same name replaces");
    let request =
        SetHighlight { path: "b".into(), ranges: vec![Range::lines(1, 1)], id: Some(id("fix-1")), color: Color::Red };
    assert_eq!(code(workbench.highlight(&other_agent(), request.clone())), "highlight_taken");
    assert_eq!(code(workbench.clear_highlight(&other_agent(), &id("fix-1"))), "highlight_taken");
    workbench.clear_highlights_of(&other_agent(), "a").unwrap();
    assert_eq!(ranges(&workbench).len(), 1, "an agent clears only its own");
    workbench.highlight(&anna(), request).unwrap();
    assert_eq!((ranges(&workbench).len(), workbench.highlights_of("b").len()), (0, 1), "a person takes any name");
    assert_eq!(code(workbench.clear_highlight(&agent(), &id("fix-1"))), "highlight_taken");
}

#[test]
fn escape_clears_all_of_a_document() {
    let mut workbench = with_text("a", "1\n2\n3\n");
    mark(&mut workbench, &agent(), "one", Range::lines(1, 1));
    mark(&mut workbench, &other_agent(), "two", Range::lines(2, 2));
    let done = workbench.clear_highlights_of(&anna(), "a").unwrap();
    let expected = Change::Highlights { path: "a".into(), highlights: vec![] };
    assert_eq!(done.changes.into_iter().map(|numbered| numbered.change).collect::<Vec<_>>(), [expected]);
}
