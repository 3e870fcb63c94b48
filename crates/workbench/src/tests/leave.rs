//! What stays and what goes when an agent leaves (NFR-3.7.1).

use flightdeck_contract::TerminalId;
use flightdeck_contract::workbench::{Color, EditorView, Position, Range, Selection, SetView};

use super::viewers::says_nothing;
use super::{agent, anna, change, edit, editor, invariants, other_agent};
use crate::{Content, Open, OpenEditor, Opened, Pin, SetHighlight, Workbench};

/// What happens to the agent's editor before it leaves, and whether that is there afterwards.
#[test]
fn what_a_person_has_used_stays() {
    type Deed = fn(&mut Workbench, Opened);
    let cases: [(&str, Deed, bool); 13] = [
        ("nothing", |_, _| {}, false),
        ("the agent focuses it", |w, opened| drop(w.focus_tab(&agent(), opened.tab).unwrap()), false),
        ("another agent focuses it", |w, opened| drop(w.focus_tab(&other_agent(), opened.tab).unwrap()), false),
        ("a person focuses the tab", |w, opened| drop(w.focus_tab(&anna(), opened.tab).unwrap()), true),
        ("a person focuses the pane", |w, opened| drop(w.focus_pane(&anna(), opened.pane).unwrap()), true),
        ("a person pins the pane", |w, opened| drop(w.pin(&anna(), opened.pane, Pin::Pinned).unwrap()), true),
        ("a person moves the cursor", |w, opened| look(w, opened, at(1, 2), None), true),
        ("a person selects", |w, opened| look(w, opened, at(1, 1), Some((at(1, 1), at(1, 1)))), true),
        ("a front end scrolls", |w, opened| look(w, opened, at(1, 1), None), false),
        (
            "a front end follows the agent",
            |w, opened| {
                let request = OpenEditor { path: "a".into(), line: Some(2), column: None, highlight: false };
                w.open_editor(&agent(), &request).unwrap();
                look(w, opened, at(2, 1), None);
            },
            false,
        ),
        ("the file is deleted", |w, _| drop(w.disk_gone("a").unwrap()), true),
        ("the agent leaves unsaved changes", |w, _| drop(edit(w, &agent(), "a", vec![change(0, 0, "x")])), true),
        ("a person opens it too", |w, _| drop(w.open(&anna(), Open::new(editor("a"))).unwrap()), true),
    ];
    for (what, deed, stays) in cases {
        let mut workbench = Workbench::new(1);
        let opened = super::open(&mut workbench, &agent(), "a");
        workbench.load("a", "text\n", "v1").unwrap();
        deed(&mut workbench, opened);
        workbench.leave(&agent()).unwrap();
        assert_eq!(workbench.panes().len(), usize::from(stays), "{what}");
        invariants::check(&workbench);
    }
}

fn at(line: u32, column: u32) -> Position {
    Position { line, column }
}

fn look(workbench: &mut Workbench, opened: Opened, cursor: Position, selected: Option<(Position, Position)>) {
    let selection = selected.map(|(anchor, head)| Selection { anchor, head });
    let editor = EditorView { editor_id: opened.editor.unwrap(), cursor, selection, first_line: 2 };
    let viewer = workbench.arrive(&anna()).unwrap().value;
    workbench.set_view(&anna(), SetView { editor: Some(editor), ..says_nothing(viewer) }).unwrap();
    workbench.depart(viewer);
}

#[test]
fn only_what_is_the_agents_goes() {
    let mut workbench = Workbench::new(1);
    super::open(&mut workbench, &anna(), "hers");
    super::open(&mut workbench, &agent(), "its");
    super::open(&mut workbench, &other_agent(), "another's");
    let terminal = Content::Terminal(TerminalId::new(1));
    workbench.open(&agent(), Open::new(terminal)).unwrap();
    for (actor, name) in [(agent(), "m1"), (other_agent(), "m2")] {
        let id = Some(name.parse().unwrap());
        let request = SetHighlight { path: "hers".into(), ranges: vec![Range::lines(1, 1)], id, color: Color::Red };
        workbench.highlight(&actor, request).unwrap();
    }
    workbench.leave(&agent()).unwrap();
    let left: Vec<String> = workbench.tabs().map(|(_, tab)| tab.content.id()).collect();
    assert_eq!(left, ["hers", "another's"]);
    assert_eq!(workbench.highlights_of("hers").len(), 1);
    workbench.leave(&anna()).unwrap();
    assert_eq!(workbench.tabs().count(), 2, "a person's things stay");
    invariants::check(&workbench);
}

#[test]
fn typing_into_a_terminal_counts_as_use() {
    let mut workbench = Workbench::new(1);
    let terminal = Content::Terminal(TerminalId::new(1));
    workbench.open(&agent(), Open::new(terminal.clone())).unwrap();
    workbench.open(&agent(), Open::new(editor("a"))).unwrap();
    workbench.used(&anna(), &terminal);
    workbench.leave(&agent()).unwrap();
    assert_eq!(workbench.panes().len(), 1);
}
