//! Opening, closing, moving, focusing and resizing panes.

use flightdeck_contract::workbench::{Area, PaneInfo, Percent, SplitDirection};
use flightdeck_contract::{PaneId, PaneTabId, TerminalId};

use super::{agent, anna, editor, invariants};
use crate::{Content, Destination, MoveTab, Open, Resize, Side, Unsaved, Workbench, WorkbenchError};

fn percent(number: u32) -> Percent {
    Percent::from_hundredths(number * 100)
}

/// Opens files, each beside the one before.
fn row(workbench: &mut Workbench, count: usize, split: SplitDirection) {
    for index in 0..count {
        let request = Open { split: Some(split), ..Open::new(editor(&format!("f{index}"))) };
        workbench.open(&agent(), request).unwrap();
    }
}

fn widths(workbench: &Workbench) -> Vec<f64> {
    let width = |pane: PaneInfo| f64::from(pane.geometry.width.hundredths()) / 100.0;
    workbench.panes().into_iter().map(width).collect()
}

fn wider(pane: u32, width: u32) -> Resize {
    Resize { pane: PaneId::new(pane), width: Some(percent(width)), height: None }
}

#[test]
fn what_is_open_is_focused_and_not_opened_twice() {
    let mut workbench = Workbench::new(1);
    let first = super::open(&mut workbench, &anna(), "a.rs");
    let second = super::open(&mut workbench, &anna(), "b.rs");
    assert_eq!((first.pane, first.was_open), (second.pane, false));
    let again = super::open(&mut workbench, &agent(), "a.rs");
    assert_eq!((again.tab, again.editor, again.was_open), (first.tab, first.editor, true));
    assert_eq!(workbench.panes()[0].active_tab, first.tab);
    let elsewhere = Open { area: Some(Area::Right), ..Open::new(editor("a.rs")) };
    assert!(!workbench.open(&agent(), elsewhere).unwrap().value.was_open);
    invariants::check(&workbench);
}

#[test]
fn the_neighbour_takes_the_room_and_the_focus() {
    let mut workbench = Workbench::new(1);
    row(&mut workbench, 3, SplitDirection::Vertical);
    assert_eq!(widths(&workbench), [50.0, 25.0, 25.0]);
    workbench.close_pane(&agent(), PaneId::new(2), Unsaved::Keep).unwrap();
    assert_eq!(widths(&workbench), [75.0, 25.0]);
    workbench.close_pane(&agent(), PaneId::new(3), Unsaved::Keep).unwrap();
    assert_eq!((widths(&workbench), workbench.active_pane()), (vec![100.0], Some(PaneId::new(1))));
    workbench.close_pane(&agent(), PaneId::new(1), Unsaved::Keep).unwrap();
    assert_eq!((widths(&workbench), workbench.active_pane()), (vec![], None));
}

#[test]
fn an_empty_area_takes_no_room() {
    let mut workbench = Workbench::new(1);
    let terminal = Content::Terminal(TerminalId::new(3));
    workbench.open(&agent(), Open::new(terminal)).unwrap();
    let height = |workbench: &Workbench| workbench.panes()[0].geometry.height;
    assert_eq!(height(&workbench), Percent::WHOLE);
    let opened = super::open(&mut workbench, &anna(), "a.rs");
    assert_eq!(height(&workbench), percent(70));
    workbench.terminal_gone(TerminalId::new(3)).unwrap();
    assert_eq!(height(&workbench), Percent::WHOLE);
    assert_eq!(workbench.active_pane(), Some(opened.pane));
}

#[test]
fn sizes_are_taken_from_the_siblings() {
    let mut workbench = Workbench::new(1);
    row(&mut workbench, 3, SplitDirection::Vertical);
    workbench.resize(&agent(), wider(1, 20)).unwrap();
    assert_eq!(widths(&workbench), [20.0, 40.0, 40.0]);
    workbench.resize(&agent(), wider(2, 78)).unwrap();
    invariants::check(&workbench);
    let WorkbenchError::SizeImpossible { least, most, .. } = workbench.resize(&agent(), wider(2, 97)).unwrap_err()
    else {
        panic!("97% leaves no room for two others")
    };
    assert_eq!((least, most), (percent(2), percent(96)));
    workbench.resize(&agent(), wider(2, 96)).unwrap();
    assert_eq!(widths(&workbench), [2.0, 96.0, 2.0]);
}

#[test]
fn areas_are_resized_by_panes_that_fill_them() {
    let mut workbench = Workbench::new(1);
    super::open(&mut workbench, &anna(), "a.rs");
    let right = Open { area: Some(Area::Right), ..Open::new(editor("b.rs")) };
    workbench.open(&agent(), right).unwrap();
    workbench.open(&agent(), Open::new(Content::Terminal(TerminalId::new(1)))).unwrap();
    let both = Resize { pane: PaneId::new(1), width: Some(percent(60)), height: Some(percent(80)) };
    workbench.resize(&agent(), both).unwrap();
    let sizes: Vec<_> = workbench.panes().iter().map(|pane| (pane.geometry.width, pane.geometry.height)).collect();
    let expected = [(60, 80), (40, 80), (100, 20)].map(|(width, height)| (percent(width), percent(height)));
    assert_eq!(sizes, expected);
    invariants::check(&workbench);
}

#[test]
fn tabs_move_between_panes() {
    let mut workbench = Workbench::new(1);
    row(&mut workbench, 2, SplitDirection::Vertical);
    super::open(&mut workbench, &anna(), "third");
    let order = |workbench: &Workbench, pane: usize| {
        workbench.panes()[pane].tabs.iter().map(|tab| tab.id.number()).collect::<Vec<_>>()
    };
    assert_eq!((order(&workbench, 0), order(&workbench, 1)), (vec![1], vec![2, 3]));
    let into = |tab, pane, index| MoveTab {
        tab: PaneTabId::new(tab),
        to: Destination::Into { pane: PaneId::new(pane), index },
    };
    workbench.move_tab(&anna(), into(3, 1, 0)).unwrap();
    assert_eq!((order(&workbench, 0), order(&workbench, 1)), (vec![3, 1], vec![2]));
    workbench.move_tab(&anna(), into(3, 1, 9)).unwrap();
    assert_eq!(order(&workbench, 0), [1, 3]);
    workbench.move_tab(&anna(), into(2, 1, 1)).unwrap();
    assert_eq!((order(&workbench, 0), widths(&workbench)), (vec![1, 2, 3], vec![100.0]));
    let beside = Destination::Beside { pane: PaneId::new(1), split: SplitDirection::Vertical, side: Side::Behind };
    let new = workbench.move_tab(&anna(), MoveTab { tab: PaneTabId::new(2), to: beside }).unwrap().value;
    assert_eq!((order(&workbench, 0), order(&workbench, 1), new), (vec![1, 3], vec![2], PaneId::new(3)));
    // At the left of the first pane.
    let before = Destination::Beside { pane: PaneId::new(1), split: SplitDirection::Vertical, side: Side::Before };
    workbench.move_tab(&anna(), MoveTab { tab: PaneTabId::new(3), to: before }).unwrap();
    assert_eq!((order(&workbench, 0), order(&workbench, 1), order(&workbench, 2)), (vec![3], vec![1], vec![2]));
    workbench.move_tab(&anna(), into(3, 1, 1)).unwrap();
    // The only tab of a pane beside that very pane: the pane is another, and the layout is as before.
    let beside = Destination::Beside { pane: new, split: SplitDirection::Horizontal, side: Side::Behind };
    workbench.move_tab(&anna(), MoveTab { tab: PaneTabId::new(2), to: beside }).unwrap();
    assert_eq!(widths(&workbench), [50.0, 50.0]);
    invariants::check(&workbench);
}

/// Which terminals are hidden, and the tabs of each pane that are left; the shown one has a star.
#[test]
fn tabs_of_hidden_terminals_are_left_out() {
    let cases: [(&[u32], &[&str]); 5] = [
        (&[], &["a*", "t1 t2*"]),
        (&[1], &["a*", "t2*"]),
        (&[2], &["a*", "t1*"]),
        (&[1, 2], &["a*"]),
        (&[3], &["a*", "t1 t2*"]),
    ];
    for (hidden, expected) in cases {
        let mut workbench = Workbench::new(1);
        super::open(&mut workbench, &anna(), "a");
        for number in [1, 2] {
            workbench.open(&agent(), Open::new(Content::Terminal(TerminalId::new(number)))).unwrap();
        }
        let all = workbench.panes();
        let panes = workbench.filtered_panes(|id| hidden.contains(&id.number()));
        let star = |is_active| if is_active { "*" } else { "" };
        let tabs = |pane: &PaneInfo| {
            let names: Vec<String> =
                pane.tabs.iter().map(|tab| format!("{}{}", tab.content_id, star(tab.is_active))).collect();
            names.join(" ")
        };
        assert_eq!(panes.iter().map(tabs).collect::<Vec<_>>(), expected, "{hidden:?}");
        for pane in &panes {
            let shown = pane.tabs.iter().find(|tab| tab.is_active).unwrap();
            assert_eq!((&pane.title, pane.active_tab), (&shown.title, shown.id), "{hidden:?}");
        }
        assert_eq!(workbench.panes(), all, "nothing has changed");
    }
}

fn show(workbench: &mut Workbench, path: &str) {
    super::open(workbench, &anna(), path);
}

#[test]
fn the_version_of_the_open_paths_grows_when_they_change() {
    type Deed = fn(&mut Workbench);
    let deeds: [(&str, Deed, u64); 8] = [
        ("a file", |w| show(w, "a"), 1),
        ("it again", |w| show(w, "a"), 0),
        ("a terminal", |w| drop(w.open(&anna(), Open::new(Content::Terminal(TerminalId::new(1)))).unwrap()), 0),
        ("its text", |w| drop(w.load("a", "text", "v1").unwrap()), 0),
        ("typing", |w| drop(super::edit(w, &anna(), "a", vec![super::change(0, 0, "x")])), 0),
        ("another file", |w| show(w, "b"), 1),
        ("its end", |w| drop(w.close_editor(&anna(), "b", Unsaved::Keep).unwrap()), 1),
        ("focus", |w| drop(w.focus_pane(&anna(), PaneId::new(1)).unwrap()), 0),
    ];
    let mut workbench = Workbench::new(1);
    for (what, deed, grows) in deeds {
        let before = workbench.open_paths_version();
        deed(&mut workbench);
        assert_eq!(workbench.open_paths_version(), before + grows, "{what}");
    }
    assert_eq!(workbench.open_paths(), ["a"]);
    let restored = Workbench::restore(workbench.stored(), 2).workbench;
    assert_eq!((restored.open_paths_version(), restored.open_paths()), (1, vec!["a".to_owned()]));
}
