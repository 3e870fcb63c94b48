//! The window that the hub opens itself, because an agent needs a person and no front end is there.

use std::fs;

use flightdeck_e2e::{Agent, Deck, Display, Launcher, Window, window_command};

use super::{REMOVAL, TOOL, allow_removal, execute};

/// Starts the hub as from a desktop that has this display.
fn start(deck: &Deck, display: &str) {
    deck.invoke(&["consent", "--allow"]).env("DISPLAY", display).run().expect(0);
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn an_agent_that_finds_nobody_gets_a_window_opened_and_an_answer_from_it() {
    let (deck, display) = (Deck::new(), Display::new());
    let launcher = Launcher::new(&deck);
    deck.settings(&format!("[window]\nbinary = {:?}\n", launcher.program));
    start(&deck, display.name());
    fs::create_dir_all(deck.workspace().join("build")).unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let asked = agent.begin(TOOL, &execute("interactive", REMOVAL));
    let mut window = Window::launched(&display, &launcher);
    window.told("dialog ready");
    window.told("focus Deny");
    display.shot("launched");
    allow_removal(&deck, &mut window, &mut agent, asked);
    // The same window is asked again.
    let asked = agent.begin(TOOL, &execute("interactive", "rm -rf dist"));
    window.told("dialog ready");
    window.told("focus Deny");
    window.press(&["space"]);
    assert_eq!(agent.result(asked)["error"]["code"], "PM_TERM_DECLINED");
    assert_eq!(window.log().iter().filter(|line| line.starts_with("pid ")).count(), 1, "another window was opened");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn a_window_that_can_not_open_is_told_with_what_was_tried() {
    let deck = Deck::new();
    let program = window_command(&deck, &[]).get_program().to_owned();
    deck.settings(&format!("[window]\nbinary = {program:?}\n"));
    // A display that is not there.
    start(&deck, ":4711");
    let mut agent = Agent::new(&deck, "codex");
    let answer = agent.call(TOOL, &execute("interactive", "rm -rf dist"));
    assert_eq!(answer["error"]["code"], "PM_TERM_GUI_UNAVAILABLE", "{answer}");
    let tried = &answer["error"]["details"]["attempted_candidates"];
    let window = tried.as_array().unwrap().iter().find(|one| one["path"] == program.to_str().unwrap());
    let detail = window.unwrap_or_else(|| panic!("{answer}"))["detail"].as_str().unwrap();
    assert!(detail.contains("no display can be used"), "{answer}");
}
