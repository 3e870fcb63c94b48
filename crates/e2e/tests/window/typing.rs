//! Keys, mouse and clipboard in a terminal of the window, and who holds its controls.

use flightdeck_e2e::{Agent, Display, SOON, Window};
use serde_json::json;

use super::{TOOL, deck, execute, prompt, with_terminal};

#[test]
#[ignore = "needs the window: make desktop-test"]
fn what_is_typed_reaches_the_terminal_and_what_it_prints_is_painted() {
    let (deck, display) = (deck(), Display::new());
    with_terminal(&deck);
    let mut window = Window::open(&deck, &display);
    window.shows("t1", prompt());
    let before = display.shot("typing-before");
    // The command itself does not hold what it prints. All of it is on the keyboard: for what is not, xdotool changes a key
    // for a moment, and now and then the moment is over before the window has looked.
    window.type_text(r"echo hi-$((40+2))-$'\xc3\xa4'");
    window.press(&["Return"]);
    window.shows("t1", "\nhi-42-ä");
    deck.wait_until("it is painted", SOON, || {
        (display.difference(&before, &display.shot("typing-after")) > 0).then_some(())
    });
    assert!(deck.cli(&["screen", "t1"]).expect(0).text().contains("hi-42-ä"));
    // Whoever types holds the controls, and is named.
    let listed = deck.json(&["ls", "--json"]);
    assert_eq!(listed[0]["lease"]["actor"], "window:pilot", "{listed}");
    // A new terminal by its shortcut gets the keyboard.
    window.press(&["ctrl+shift+t"]);
    window.shows("t2", prompt());
    window.type_text("echo sec''ond");
    window.press(&["Return"]);
    window.shows("t2", "\nsecond");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn nothing_opens_over_somebody_who_types() {
    let (deck, display) = (deck(), Display::new());
    with_terminal(&deck);
    let mut window = Window::open(&deck, &display);
    window.shows("t1", prompt());
    let mut agent = Agent::new(&deck, "codex");
    let asked = window.while_pressing(&["x", "BackSpace"], |window| {
        window.shows("t1", &format!("{} x", prompt()));
        let asked = agent.begin(TOOL, &execute("interactive", "rm -rf dist"));
        window.told("arrived ");
        // So many pictures of what is typed are more than a second: by then it would have opened.
        (0..60).for_each(|_| drop(window.told("screen t1 ")));
        assert!(!window.log().iter().any(|line| line.starts_with("dialog ")), "a dialog came over the typing");
        asked
    });
    // It comes when the keys have come to rest.
    window.told("dialog ready");
    window.told("focus Deny");
    window.press(&["space"]);
    assert_eq!(agent.result(asked)["error"]["code"], "PM_TERM_DECLINED");
    // Afterwards the keyboard is where it was.
    window.told("focus Terminal t1");
    window.press(&["ctrl+u"]);
    window.type_text("echo aft''er");
    window.press(&["Return"]);
    window.shows("t1", "\nafter");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn controls_are_taken_over_and_handed_back() {
    let (deck, display) = (deck(), Display::new());
    let mut agent = Agent::new(&deck, "codex");
    let id = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].as_str().unwrap().to_owned();
    agent.ok("flightdeck.terminal.lease", &json!({ "id": id, "action": "take", "reason": "deploying" }));
    let mut window = Window::open(&deck, &display);
    window.shows(&id, prompt());
    window.press(&["ctrl+shift+g"]);
    window.told("perform controls.take");
    let holder = || deck.json(&["ls", "--json"])[0]["lease"]["actor"].clone();
    deck.wait_until("the person holds the controls", SOON, || (holder() == "window:pilot").then_some(()));
    window.stands(&format!("controls of {id}"), "mine");
    display.shot("taken-over");
    let refused = agent.call("flightdeck.terminal.keys", &json!({ "id": id, "text": "x" }));
    assert_eq!(refused["code"], "lease_held", "{refused}");
    window.press(&["ctrl+shift+g"]);
    window.told("perform controls.release");
    deck.wait_until("nobody holds the controls", SOON, || holder().is_null().then_some(()));
    agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": "echo ag''ent", "keys": ["Enter"] }));
    window.shows(&id, "\nagent");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn a_dead_key_makes_a_letter_with_the_next_one() {
    let (deck, display) = (deck(), Display::new());
    display.keyboard("us", "intl");
    with_terminal(&deck);
    let mut window = Window::open(&deck, &display);
    window.shows("t1", prompt());
    window.type_text("echo <");
    window.press(&["dead_acute", "e", "dead_diaeresis", "U"]);
    window.type_text(">");
    window.shows("t1", "<éÜ>");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn what_is_marked_is_copied_and_pasted() {
    let (deck, display) = (deck(), Display::new());
    with_terminal(&deck);
    let mut window = Window::open(&deck, &display);
    window.shows("t1", prompt());
    window.type_text("echo wo''rd; echo an''other");
    window.press(&["Return"]);
    window.shows("t1", "\nword\nanother");
    // A word by a double click, and by the clipboard.
    window.click("t1", "word", "1", "2");
    window.press(&["ctrl+shift+c"]);
    window.type_text("echo <");
    window.press(&["ctrl+shift+v"]);
    window.type_text(">");
    window.shows("t1", "<word>");
    // What was marked last, by the middle button.
    window.press(&["ctrl+u"]);
    window.click("t1", "another", "1", "2");
    window.type_text("echo [");
    window.shows("t1", "echo [");
    window.click("t1", "echo [", "2", "1");
    window.type_text("]");
    window.shows("t1", "[another]");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn a_terminal_is_found_by_typing_in_the_list() {
    let (deck, display) = (deck(), Display::new());
    for title in ["build", "tests", "deploy"] {
        deck.cli(&["new", "--title", title]).expect(0);
    }
    let mut window = Window::open(&deck, &display);
    window.told("focus Terminal t3");
    window.press(&["ctrl+shift+e"]);
    window.told("focus t3 deploy");
    window.type_text("test");
    window.told("picked t2");
    // What it leaves out is not gone to.
    window.press(&["Down", "Up", "Escape", "Up"]);
    window.told("picked t1");
    window.type_text("dep");
    window.told("picked t3");
    window.press(&["Return"]);
    window.told("focus Terminal t3");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn the_keyboard_reaches_everything_and_everything_has_a_name() {
    let (deck, display) = (deck(), Display::new());
    with_terminal(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let mut window = Window::open(&deck, &display);
    let asked = agent.begin(TOOL, &execute("interactive", "rm -rf dist"));
    window.told("dialog ready");
    window.told("focus Deny");
    window.press(&["Escape"]);
    window.told("focus Terminal t1");
    // Tab is the terminal's own; with Ctrl it leads on, all around the window.
    window.press(&["ctrl+Tab"]);
    let mut stops = vec![window.told("focus ")];
    while !stops.last().unwrap().starts_with("focus Terminal t1") {
        assert!(stops.len() < 40, "it goes on without end: {stops:#?}");
        window.press(&["Tab"]);
        stops.push(window.told("focus "));
    }
    for name in ["Terminals", "Policy (Ctrl+Shift+L)", "Activity (Ctrl+Shift+Y)", "New terminal (Ctrl+Shift+T)"] {
        assert!(stops.contains(&format!("focus {name}")), "{name} is not among {stops:#?}");
    }
    for name in ["Deny", "Deny with a reason", "Edit", "Allow once", "Show larger", "Use the light colours"] {
        assert!(stops.contains(&format!("focus {name}")), "{name} is not among {stops:#?}");
    }
    assert!(!stops.contains(&"focus something without a name".to_owned()), "{stops:#?}");
    window.press(&["ctrl+shift+Tab"]);
    window.told("focus ");
    window.press(&["ctrl+shift+u"]);
    window.told("focus Deny");
    window.press(&["space"]);
    assert_eq!(agent.result(asked)["error"]["code"], "PM_TERM_DECLINED");
}
