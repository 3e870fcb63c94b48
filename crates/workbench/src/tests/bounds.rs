//! There is so much of everything and no more.

use flightdeck_contract::TerminalId;
use flightdeck_contract::workbench::{Color, Range, SplitDirection};

use super::{agent, anna, change, code, edit, editor, invariants, text, with_text};
use crate::limits::{
    HISTORY_EDITS, MAX_ALL_RANGES, MAX_DOCUMENT_RANGES, MAX_DOCUMENTS, MAX_HIGHLIGHTS, MAX_PANES, MAX_RANGES, MAX_TABS,
    MAX_TEXT, RING_BYTES, RING_CHANGES,
};
use crate::{Content, Edit, Open, SetHighlight, Since, Workbench};

/// As many panes as there can be: 8 columns of 8.
pub(super) fn full_of_panes() -> Workbench {
    use SplitDirection::{Horizontal, Vertical};
    let mut workbench = Workbench::new(1);
    for round in 0..6 {
        let split = if round % 2 == 0 { Vertical } else { Horizontal };
        for pane in workbench.panes() {
            workbench.focus_pane(&agent(), pane.id).unwrap();
            let path = format!("f{}", workbench.panes.len());
            workbench.open(&agent(), Open { split: Some(split), ..Open::new(editor(&path)) }).unwrap();
        }
        if round == 0 {
            for path in ["f0", "f1"] {
                workbench.open(&agent(), Open { split: Some(split), ..Open::new(editor(path)) }).unwrap();
            }
        }
    }
    workbench
}

#[test]
fn panes() {
    let mut workbench = full_of_panes();
    assert_eq!(workbench.panes().len(), MAX_PANES);
    invariants::check(&workbench);
    let one_more = Open { split: Some(SplitDirection::Vertical), ..Open::new(editor("more")) };
    assert_eq!(code(workbench.open(&agent(), one_more)), "workbench_full");
    workbench.open(&agent(), Open::new(editor("more"))).unwrap();
    let terminal = Open::new(Content::Terminal(TerminalId::new(1)));
    assert_eq!(code(workbench.open(&agent(), terminal)), "workbench_full");
}

#[test]
fn a_pane_is_not_split_into_nothing() {
    let mut workbench = Workbench::new(1);
    let open = |workbench: &mut Workbench, index: usize| {
        let request = Open { split: Some(SplitDirection::Vertical), ..Open::new(editor(&index.to_string())) };
        workbench.open(&agent(), request)
    };
    let refused = (0..MAX_PANES).find_map(|index| open(&mut workbench, index).err()).unwrap();
    assert_eq!((refused.code(), workbench.panes().len()), ("no_room", 6));
    assert_eq!(refused.to_string(), "p6 is only 3.12% of the whole, too small to split");
}

#[test]
fn tabs_and_documents() {
    let mut workbench = Workbench::new(1);
    for number in 1..=MAX_TABS {
        workbench.open(&agent(), Open::new(Content::Terminal(TerminalId::new(number as u32)))).unwrap();
    }
    let error = workbench.open(&agent(), Open::new(editor("a"))).unwrap_err();
    assert_eq!(error.to_string(), "there can't be more than 500 tabs");

    let mut workbench = Workbench::new(1);
    for number in 0..MAX_DOCUMENTS {
        super::open(&mut workbench, &agent(), &format!("f{number}"));
    }
    assert_eq!(code(workbench.open(&agent(), Open::new(editor("a")))), "workbench_full");
    assert_eq!(code(workbench.highlight(&agent(), mark("a"))), "workbench_full");
    super::open(&mut workbench, &agent(), "f7");
}

fn mark(path: &str) -> SetHighlight {
    SetHighlight { path: path.to_owned(), ranges: vec![Range::lines(1, 1)], id: None, color: Color::Blue }
}

#[test]
fn highlights() {
    let mut workbench = Workbench::new(1);
    for _ in 0..MAX_HIGHLIGHTS {
        workbench.highlight(&agent(), mark("a")).unwrap();
    }
    assert_eq!(code(workbench.highlight(&agent(), mark("a"))), "workbench_full");
    let again = SetHighlight { id: Some("h7".parse().unwrap()), ..mark("a") };
    workbench.highlight(&agent(), again).unwrap();
}

fn marks(path: &str, ranges: usize) -> SetHighlight {
    SetHighlight { ranges: vec![Range::lines(1, 1); ranges], ..mark(path) }
}

#[test]
fn ranges_of_a_file_and_of_all() {
    let mut workbench = Workbench::new(1);
    let many = MAX_DOCUMENT_RANGES / MAX_RANGES;
    for _ in 0..many {
        workbench.highlight(&agent(), marks("a", MAX_RANGES)).unwrap();
    }
    let error = workbench.highlight(&agent(), marks("a", 1)).unwrap_err();
    assert_eq!(error.to_string(), "there can't be more than 2000 highlighted ranges in this file");
    let again = SetHighlight { id: Some("h7".parse().unwrap()), ..marks("a", MAX_RANGES) };
    workbench.highlight(&agent(), again).unwrap();

    for number in many..MAX_ALL_RANGES / MAX_RANGES {
        workbench.highlight(&agent(), marks(&format!("f{}", number % 2), MAX_RANGES)).unwrap();
    }
    let error = workbench.highlight(&agent(), marks("b", 1)).unwrap_err();
    assert_eq!(error.to_string(), "there can't be more than 5000 highlighted ranges in all files");
    assert_eq!(workbench.document("b"), None, "nothing has changed");
    let moved = SetHighlight { id: Some("h7".parse().unwrap()), ..marks("b", MAX_RANGES) };
    workbench.highlight(&agent(), moved).unwrap();
    invariants::check(&workbench);

    let restored = Workbench::restore(workbench.stored(), 2);
    assert_eq!(restored.dropped, Vec::<String>::new());
    let mut value = serde_json::to_value(workbench.stored()).unwrap();
    let mut more = value["highlights"][0].clone();
    more["id"] = "more".into();
    value["highlights"].as_array_mut().unwrap().push(more);
    let restored = Workbench::restore(serde_json::from_value(value).unwrap(), 2);
    assert_eq!(restored.dropped.len(), 1, "{:?}", restored.dropped);
}

/// The memory that is kept for front ends does not grow with what is in the changes.
#[test]
fn changes_are_weighed_by_all_that_is_in_them() {
    type Deed<'a> = &'a dyn Fn(&mut Workbench);
    let highlights = |workbench: &mut Workbench| {
        let id = Some("mine".parse().unwrap());
        let color = if workbench.snapshot().seq.is_multiple_of(2) { Color::Red } else { Color::Blue };
        workbench.highlight(&agent(), SetHighlight { id, color, ..marks("a", MAX_RANGES) }).unwrap();
    };
    // Deletes every second character, and puts them back.
    let pieces = |workbench: &mut Workbench| {
        let there = text(workbench, "a").len() == 4000;
        let piece = |n: usize| if there { change(2 * n, 2 * n + 1, "") } else { change(n, n, "x") };
        edit(workbench, &anna(), "a", (0..2000).map(piece).collect());
    };
    let panes = |workbench: &mut Workbench| {
        let title = Some("t".repeat(200));
        let terminal = TerminalId::new(workbench.tabs().count() as u32 + 1);
        let request = Open { title, ..Open::new(Content::Terminal(terminal)) };
        workbench.open(&agent(), request).unwrap();
    };
    let cases: [(&str, Deed, usize); 3] =
        [("highlights", &highlights, 2000), ("pieces", &pieces, 200), ("panes", &panes, MAX_TABS - 1)];
    for (what, deed, times) in cases {
        let mut workbench = with_text("a", &"x".repeat(4000));
        for _ in 0..times {
            deed(&mut workbench);
        }
        let last = workbench.snapshot().seq;
        let kept = (0..=last).rev().map_while(|seq| match workbench.since(1, seq) {
            Since::Changes(changes) => Some(changes),
            Since::TakeSnapshot => None,
        });
        let kept = kept.last().unwrap();
        let bytes = serde_json::to_string(&kept).unwrap().len();
        assert!((kept.len() as u64) < last && !kept.is_empty(), "{what}: all {last} are kept");
        // As text a range is about twice as long as in memory, and a small piece not much shorter.
        assert!(bytes < 4 * RING_BYTES, "{what}: {bytes} bytes in {} changes", kept.len());
    }
}

#[test]
fn the_history_counts_pieces_too() {
    let mut workbench = with_text("a", &"x".repeat(20_000));
    let first = workbench.document("a").unwrap().version;
    for _ in 0..8 {
        let length = text(&workbench, "a").len();
        edit(&mut workbench, &anna(), "a", (0..length / 4).map(|n| change(2 * n, 2 * n + 1, "")).collect());
    }
    for _ in 0..4 {
        edit(&mut workbench, &anna(), "a", vec![change(0, 0, &"x".repeat(20_000))]);
        edit(&mut workbench, &anna(), "a", (0..10_000).map(|n| change(2 * n, 2 * n + 1, "")).collect());
    }
    let late = Edit { path: "a".into(), base: first, changes: vec![], client: "late".into(), client_seq: 1 };
    assert_eq!(code(workbench.edit(&agent(), &late)), "version_too_old");
}

#[test]
fn texts_and_their_history() {
    let mut workbench = with_text("a", &"x".repeat(MAX_TEXT - 1));
    edit(&mut workbench, &anna(), "a", vec![change(0, 0, "y")]);
    let base = workbench.document("a").unwrap().version;
    let too_long = Edit { path: "a".into(), base, changes: vec![change(0, 0, "z")], client: "c".into(), client_seq: 1 };
    assert_eq!(code(workbench.edit(&anna(), &too_long)), "too_large");
    let replaced = Edit { changes: vec![change(0, 1, "z")], ..too_long };
    workbench.edit(&anna(), &replaced).unwrap();

    let mut workbench = with_text("a", "");
    let first = workbench.document("a").unwrap().version;
    for _ in 0..HISTORY_EDITS {
        edit(&mut workbench, &anna(), "a", vec![change(0, 0, "x")]);
    }
    let late = |seq, base| Edit {
        path: "a".into(),
        base,
        changes: vec![change(0, 0, "!")],
        client: "late".into(),
        client_seq: seq,
    };
    workbench.edit(&agent(), &late(1, first)).unwrap();
    assert!(text(&workbench, "a").ends_with('!'));
    assert_eq!(code(workbench.edit(&agent(), &late(2, first))), "version_too_old");
}

#[test]
fn changes_that_are_kept() {
    let mut workbench = with_text("a", "");
    let begin = workbench.snapshot().seq;
    for _ in 0..RING_CHANGES {
        workbench.scroll_to("a", 1).unwrap();
    }
    let missed = |since| match since {
        Since::Changes(changes) => Some(changes.len()),
        Since::TakeSnapshot => None,
    };
    let last = workbench.snapshot().seq;
    assert_eq!(missed(workbench.since(1, begin)), Some(RING_CHANGES));
    assert_eq!(missed(workbench.since(1, begin - 1)), None);
    assert_eq!(missed(workbench.since(1, last)), Some(0));
    assert_eq!(missed(workbench.since(1, last + 1)), None, "from the future");
    assert_eq!(missed(workbench.since(2, last)), None, "from another life");
}
