//! The stories of the requirements: opening a file at a line (US-3.1), highlighting (US-3.2), arranging panes (US-3.5).

use flightdeck_contract::workbench::{Area, Color, ContentKind, Percent, Position, Range, SplitDirection};
use flightdeck_contract::{PaneId, TerminalId};

use super::{agent, anna, editor, invariants, numbers};
use crate::{Content, Open, OpenEditor, SetHighlight, Workbench};

fn percent(number: f64) -> Percent {
    number.try_into().unwrap()
}

fn at_line(path: &str, line: u32) -> OpenEditor {
    OpenEditor { path: path.to_owned(), line: Some(line), column: None, highlight: false }
}

#[test]
fn an_agent_opens_a_file_at_a_line() {
    let mut workbench = Workbench::new(1);
    let opened = workbench.open_editor(&agent(), &at_line("src/index.ts", 42)).unwrap();
    assert_eq!(numbers(&opened.changes), (1..=opened.changes.len() as u64).collect::<Vec<_>>());
    let text = "line\n".repeat(100);
    workbench.load("src/index.ts", &text, "v1").unwrap();
    let snapshot = workbench.snapshot();
    let shown = &snapshot.editors[0];
    assert_eq!((shown.id, shown.path.as_str()), (opened.value.editor, "src/index.ts"));
    assert_eq!((shown.cursor, shown.reveal), (Position { line: 42, column: 1 }, Some(42)));
    assert_eq!(snapshot.panes[0].title, "index.ts");

    let again = workbench.open_editor(&agent(), &at_line("src/index.ts", 7)).unwrap().value;
    assert!(again.was_open && again.editor == opened.value.editor);
    assert_eq!(workbench.snapshot().editors[0].reveal, Some(7));

    let beyond = workbench.open_editor(&agent(), &at_line("src/index.ts", 1000)).unwrap().value;
    assert_eq!(workbench.snapshot().editors[0].cursor.line, 101, "the nearest line: {beyond:?}");
}

#[test]
fn opening_can_mark_the_line() {
    let mut workbench = Workbench::new(1);
    let request = OpenEditor { highlight: true, ..at_line("a.rs", 3) };
    let id = workbench.open_editor(&agent(), &request).unwrap().value.highlight.unwrap();
    let marks = workbench.highlights_of("a.rs");
    assert_eq!((marks[0].id.clone(), marks[0].ranges.clone()), (id, vec![Range::lines(3, 3)]));
    let other = workbench.open_editor(&agent(), &request).unwrap().value.highlight.unwrap();
    assert_ne!(marks[0].id, other);
}

#[test]
fn scrolling_to_the_same_line_again_is_told_again() {
    let mut workbench = Workbench::new(1);
    workbench.open_editor(&agent(), &at_line("a.rs", 5)).unwrap();
    for _ in 0..2 {
        assert_eq!(workbench.scroll_to("a.rs", 5).unwrap().changes.len(), 1);
    }
}

#[test]
fn an_agent_highlights_regions_that_coexist() {
    let mut workbench = super::with_text("src/index.ts", &"x\n".repeat(60));
    for (name, first, last, color) in [("fix-1", 42, 50, "green"), ("fix-2", 45, 46, "#ff0000")] {
        let request = SetHighlight {
            path: "src/index.ts".into(),
            ranges: vec![Range::lines(first, last)],
            id: Some(name.parse().unwrap()),
            color: color.parse::<Color>().unwrap(),
        };
        assert_eq!(workbench.highlight(&agent(), request).unwrap().value.as_str(), name);
    }
    let all = workbench.highlights_of("src/index.ts");
    let seen: Vec<_> = all.iter().map(|mark| (mark.id.as_str(), mark.ranges[0], mark.color.to_string())).collect();
    let expected =
        [("fix-1", Range::lines(42, 50), "green".to_owned()), ("fix-2", Range::lines(45, 46), "#ff0000".to_owned())];
    assert_eq!(seen, expected);
    workbench.clear_highlight(&agent(), &"fix-1".parse().unwrap()).unwrap();
    assert_eq!(workbench.highlights_of("src/index.ts").len(), 1);
}

#[test]
fn an_agent_arranges_panes() {
    let mut workbench = Workbench::new(1);
    super::open(&mut workbench, &anna(), "src/main.ts");
    let split = Open { split: Some(SplitDirection::Vertical), ..Open::new(editor("src/auth.ts")) };
    let right = workbench.open(&agent(), split).unwrap().value;
    let below = Open { split: Some(SplitDirection::Horizontal), ..Open::new(editor("src/main.ts")) };
    workbench.open(&agent(), below).unwrap();
    workbench.open(&agent(), Open::new(Content::Terminal(TerminalId::new(1)))).unwrap();
    invariants::check(&workbench);

    let panes = workbench.panes();
    let place = |index: usize| {
        let g = panes[index].geometry;
        [g.x, g.y, g.width, g.height].map(|percent| percent.to_string()).join(" ")
    };
    assert_eq!(panes.iter().map(|pane| pane.id.number()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(place(0), "0 0 50 70");
    assert_eq!(place(1), "50 0 50 35", "to the right");
    assert_eq!(place(2), "50 35 50 35", "below the active one");
    assert_eq!(place(3), "0 70 100 30");
    assert_eq!((panes[3].area, panes[3].tabs[0].kind), (Area::Bottom, ContentKind::Terminal));
    assert_eq!((panes[3].tabs[0].content_id.as_str(), panes[3].active), ("t1", true));
    assert_eq!(workbench.active_pane(), Some(PaneId::new(4)));
    assert_eq!(right.pane, PaneId::new(2));
    assert_eq!(panes[1].created_by, "claude");

    let json = serde_json::to_value(&panes[1]).unwrap();
    assert_eq!(json["geometry"]["height"], serde_json::json!(35));
    assert_eq!(json["tabs"][0]["type"], "editor");
    assert_eq!(json["tabs"][0]["isActive"], true);
    assert_eq!((json["activeTab"].as_str(), percent(35.0)), (Some("pt2"), panes[1].geometry.height));
}

#[test]
fn the_state_of_panes_has_the_form_of_the_document() {
    let mut workbench = Workbench::new(1);
    super::open(&mut workbench, &anna(), "a.rs");
    let state = serde_json::to_value(workbench.pane_state("2026-01-01T00:00:00Z".into())).unwrap();
    assert_eq!(state["activePane"], "p1");
    assert_eq!(state["timestamp"], "2026-01-01T00:00:00Z");
    assert_eq!(state["panes"][0]["tabs"][0]["contentId"], "a.rs");
}
