//! What agents start is shown, and moves nothing that somebody looks at.

use flightdeck_contract::workbench::SetView;
use flightdeck_contract::{PaneTabId, TerminalId};

use super::viewers::says_nothing;
use super::{agent, anna, invariants, open, other_agent};
use crate::{BackgroundTab, Content, Open, Workbench};

fn show(workbench: &mut Workbench, terminal: u32, instead_of: Option<u32>) -> bool {
    let instead_of = instead_of.map(TerminalId::new);
    let request = BackgroundTab { terminal: TerminalId::new(terminal), title: None, instead_of };
    let told = !workbench.show_in_background(&agent(), request).unwrap().changes.is_empty();
    invariants::check(workbench);
    told
}

/// The terminals of the pane at the bottom, and which of them is in front.
fn bottom(workbench: &Workbench) -> (Vec<String>, String) {
    let pane = workbench.panes().into_iter().find(|pane| pane.tabs.iter().any(|tab| tab.editor.is_none())).unwrap();
    let front = pane.tabs.iter().find(|tab| tab.is_active).unwrap().content_id.clone();
    (pane.tabs.into_iter().map(|tab| tab.content_id).collect(), front)
}

fn terminals(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn tab_of(workbench: &Workbench, terminal: u32) -> PaneTabId {
    let content = Content::Terminal(TerminalId::new(terminal));
    workbench.tabs().find(|(_, tab)| tab.content == content).unwrap().1.id
}

#[test]
fn it_comes_behind_what_is_in_front_and_once() {
    let mut workbench = Workbench::new(1);
    assert!(show(&mut workbench, 1, None));
    assert_eq!(bottom(&workbench), (terminals(&["t1"]), "t1".to_owned()));
    let file = open(&mut workbench, &anna(), "a");
    assert!(show(&mut workbench, 2, None));
    assert_eq!(bottom(&workbench), (terminals(&["t1", "t2"]), "t1".to_owned()));
    assert_eq!(workbench.active_pane(), Some(file.pane), "the focus stays where it is");
    assert!(!show(&mut workbench, 2, None));
    assert_eq!(bottom(&workbench).0, terminals(&["t1", "t2"]));
}

#[test]
fn it_takes_the_place_of_one_that_nobody_uses() {
    let mut workbench = Workbench::new(1);
    show(&mut workbench, 1, None);
    show(&mut workbench, 2, None);
    show(&mut workbench, 3, Some(1));
    assert_eq!(bottom(&workbench), (terminals(&["t3", "t2"]), "t3".to_owned()));

    let viewer = workbench.arrive(&anna()).unwrap().value;
    let focus = Some(tab_of(&workbench, 3));
    workbench.set_view(&other_agent(), SetView { focus, ..says_nothing(viewer) }).unwrap_err();
    workbench.set_view(&anna(), SetView { focus, ..says_nothing(viewer) }).unwrap();
    show(&mut workbench, 4, Some(3));
    assert_eq!(bottom(&workbench), (terminals(&["t3", "t2", "t4"]), "t3".to_owned()));

    // Somebody else's, and one that is not there.
    workbench.open(&other_agent(), Open::new(Content::Terminal(TerminalId::new(5)))).unwrap();
    show(&mut workbench, 6, Some(5));
    show(&mut workbench, 7, Some(99));
    assert_eq!(bottom(&workbench).0, terminals(&["t3", "t2", "t4", "t5", "t6", "t7"]));

    // What an agent opened goes with it, but for what a person has used.
    workbench.leave(&agent()).unwrap();
    assert_eq!(bottom(&workbench).0, terminals(&["t3", "t5"]));
}
