//! What agents ask for, and how a person answers in the window.

use std::fs;

use flightdeck_e2e::{Agent, Bus, Deck, Display, SOON, Window, window_command};

use super::{REMOVAL, TOOL, allow_removal, deck, execute, prompt, waiting, with_terminal};

#[test]
#[ignore = "needs the window: make desktop-test"]
fn an_agent_is_answered_with_a_yes_with_another_command_and_with_a_no() {
    let (deck, display) = (deck(), Display::new());
    let mut window = Window::open(&deck, &display);
    let mut agent = Agent::new(&deck, "codex");
    fs::create_dir_all(deck.workspace().join("build")).unwrap();

    // Somebody is at the list, where Space does nothing, and goes on when the dialog appears: it counts for nothing.
    window.press(&["ctrl+shift+e"]);
    window.told("focus Terminals");
    let asked = window.while_pressing(&["space"], |window| {
        let asked = agent.begin(TOOL, &execute("interactive", REMOVAL));
        window.told("dialog codex wants to run");
        (0..8).for_each(|_| drop(window.told("dialog too early")));
        asked
    });
    window.told("dialog ready");
    window.told("focus Deny");
    assert_eq!(waiting(&deck), 1, "an answer was taken too early");
    // What is dangerous is underlined, and said, in the colour for that.
    let picture = display.shot("approval");
    assert!(display.coloured(&picture, "#ff6f6a") > 100, "nothing looks dangerous: {}", picture.display());
    allow_removal(&deck, &mut window, &mut agent, asked);

    let asked = agent.begin(TOOL, &execute("interactive", "rm -rf dist"));
    window.told("dialog ready");
    window.told("focus Deny");
    window.tab_to("Edit");
    window.press(&["space"]);
    window.told("focus Command to run instead");
    window.press(&["ctrl+a"]);
    window.type_text("echo edi''ted");
    window.press(&["ctrl+Return"]);
    let answer = agent.result(asked);
    assert!(answer["result"]["stdout"].as_str().unwrap().contains("edited"), "{answer}");

    let asked = agent.begin(TOOL, &execute("interactive", "git push --force origin main"));
    window.told("dialog ready");
    window.told("focus Deny");
    window.tab_to("Deny with a reason");
    window.press(&["space"]);
    window.told("focus Reason, for the agent");
    window.type_text("not on a friday");
    window.press(&["Return"]);
    let answer = agent.result(asked);
    assert_eq!(answer["error"]["code"], "PM_TERM_DECLINED", "{answer}");
    assert!(answer.to_string().contains("not on a friday"), "{answer}");
    assert_eq!(waiting(&deck), 0);
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn always_shows_the_rule_first_and_then_nobody_is_asked_again() {
    let (deck, display) = (deck(), Display::new());
    let mut window = Window::open(&deck, &display);
    let mut agent = Agent::new(&deck, "codex");
    let command = execute("interactive", "git push --force origin main");
    let asked = agent.begin(TOOL, &command);
    window.told("dialog ready");
    window.told("focus Deny");
    window.tab_to("Allow further than once");
    window.press(&["space"]);
    window.told("focus Once");
    window.tab_to("Always…: by a rule, which is shown first");
    window.press(&["space"]);
    window.told("focus Back");
    display.shot("always");
    window.tab_to("Add the rule and allow");
    window.press(&["space"]);
    window.told("toast The rule");
    agent.result(asked);
    let shown = deck.json(&["policy", "show", "--json"]);
    assert_eq!(shown["rules"][0]["patterns"][0], "git push --force origin main", "{shown}");
    // No dialog: the rule answers.
    agent.call(TOOL, &command);
    assert_eq!(window.log().iter().filter(|line| line.starts_with("arrived")).count(), 1);
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn two_windows_show_the_same_and_the_first_answer_counts() {
    let (deck, display) = (deck(), Display::new());
    with_terminal(&deck);
    let mut one = Window::open(&deck, &display);
    let mut other = Window::with(&deck, &display, &["--theme", "light"]);
    one.focus();
    one.shows("t1", prompt());
    one.type_text("echo bo''th");
    one.press(&["Return"]);
    one.shows("t1", "\nboth");
    other.shows("t1", "\nboth");
    let mut agent = Agent::new(&deck, "codex");
    let asked = agent.begin(TOOL, &execute("interactive", "rm -rf dist"));
    one.told("dialog ready");
    other.told("dialog ready");
    one.told("focus Deny");
    one.press(&["space"]);
    assert_eq!(agent.result(asked)["error"]["code"], "PM_TERM_DECLINED");
    other.told("dialog closed");
    other.told("toast rm -rf dist: denied");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn consent_is_asked_and_remembered() {
    let (deck, display) = (Deck::new(), Display::new());
    // There is no hub: the window starts it, with nothing in its environment that is meant for the window alone.
    let mut window = Window::open(&deck, &display);
    let environment = fs::read(format!("/proc/{}/environ", deck.hub_pid())).unwrap();
    assert!(!String::from_utf8_lossy(&environment).contains("QT_LINUX_ACCESSIBILITY_ALWAYS_ON"));
    window.stands("needs", "1");
    window.press(&["ctrl+shift+u"]);
    window.told("focus Answer");
    window.press(&["space"]);
    window.told("dialog May agents control the workbench?");
    window.told("dialog ready");
    window.told("focus Not now");
    display.shot("consent");
    window.tab_to("Allow");
    window.press(&["space"]);
    deck.wait_until("consent is given", SOON, || {
        (deck.json(&["call", "flightdeck.consent.show", "{}"])["data"]["allowed"] == true).then_some(())
    });
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn who_is_elsewhere_is_notified_and_keeps_the_keyboard() {
    let (deck, display, bus) = (deck(), Display::new(), Bus::new());
    let elsewhere = Deck::new();
    with_terminal(&elsewhere);
    let mut command = window_command(&deck, &["--theme", "dark"]);
    let mut window = Window::start(&display, command.env("DBUS_SESSION_BUS_ADDRESS", bus.address()));
    window.told("ready");
    // The person is at work in a window of another project.
    let mut other = Window::open(&elsewhere, &display);
    other.shows("t1", prompt());
    other.type_text("echo be''fore; ");
    let mut agent = Agent::new(&deck, "codex");
    let asked = agent.begin(TOOL, &execute("interactive", "rm -rf 'dist & more'"));
    window.told("dialog ready");
    let said = bus.told("rm -rf 'dist &amp; more'");
    assert!(said.contains("member=Notify") && said.contains("codex wants to run"), "{said}");
    assert_eq!(display.focused(), other.id(), "the keyboard was taken away");
    other.type_text("echo aft''er");
    other.press(&["Return"]);
    other.shows("t1", "before\nafter");
    assert_eq!(waiting(&deck), 1, "keys for another window have answered");
    // Whoever comes to it, and goes, and comes again, has the keyboard in the dialog.
    for _ in 0..2 {
        window.focus();
        window.told("focus Deny");
        other.focus();
        window.stands("window", "inactive");
    }
    window.focus();
    window.press(&["space"]);
    assert_eq!(agent.result(asked)["error"]["code"], "PM_TERM_DECLINED");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn in_a_narrow_window_a_request_takes_no_room_from_a_terminal() {
    let (deck, display) = (deck(), Display::new());
    with_terminal(&deck);
    let mut window = Window::open(&deck, &display);
    window.shows("t1", prompt());
    window.resize(640, 360);
    let columns = || deck.json(&["ls", "--json"])[0]["size"]["cols"].as_u64().unwrap();
    deck.wait_until("the terminal is as narrow", SOON, || (columns() < 60).then_some(()));
    let before = columns();
    let mut agent = Agent::new(&deck, "codex");
    let asked = agent.begin(TOOL, &execute("interactive", "rm -rf dist"));
    window.told("dialog ready");
    window.told("focus Deny");
    display.shot("narrow-dialog");
    window.press(&["Escape"]);
    window.told("focus Terminal t1");
    // Its card is there when it is asked for, over the terminal.
    window.press(&["ctrl+shift+u"]);
    window.told("focus Deny");
    display.shot("narrow-card");
    window.press(&["Escape"]);
    window.told("focus Terminal t1");
    assert_eq!(columns(), before);
    window.press(&["ctrl+shift+u"]);
    window.told("focus Deny");
    window.press(&["space"]);
    assert_eq!(agent.result(asked)["error"]["code"], "PM_TERM_DECLINED");
    window.told("focus Terminal t1");
}
