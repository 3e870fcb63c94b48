//! The page of the policy, and that of what was done.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use flightdeck_e2e::{Agent, Display, Window};
use serde_json::json;

use super::{TOOL, deck, execute};

#[test]
#[ignore = "needs the window: make desktop-test"]
fn rules_that_a_person_writes_decide_what_runs_headless() {
    let (deck, display) = (deck(), Display::new());
    let tool = deck.workspace().join("tool");
    fs::write(&tool, "#!/bin/sh\necho worked\n").unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let headless = execute("headless", "./tool all");
    assert_eq!(agent.call(TOOL, &headless)["error"]["code"], "PM_TERM_BLOCKED_DESTRUCTIVE");

    let mut window = Window::open(&deck, &display);
    window.press(&["ctrl+shift+l"]);
    window.told("focus Command to test");
    window.type_text("./tool all");
    window.press(&["Return"]);
    assert_eq!(window.told("tested "), "tested It would not run");
    window.tab_to("Make a rule of it");
    window.press(&["space"]);
    window.told("focus Patterns of commands");
    window.press(&["ctrl+a"]);
    window.type_text("./tool *");
    window.tab_to("What would it have changed?");
    window.press(&["space"]);
    window.told("rehearsed It would have changed");
    display.shot("policy");
    window.tab_to("Add the rule");
    window.press(&["space"]);
    window.told("policy changed");
    assert_eq!(window.told("tested "), "tested It would run");
    let answer = agent.call(TOOL, &headless);
    assert_eq!((&answer["success"], &answer["result"]["stdout"]), (&json!(true), &json!("worked\n")), "{answer}");

    // The same rule, edited so that nobody runs it headless.
    let name = deck.json(&["policy", "show", "--json"])["rules"][0]["name"].as_str().unwrap().to_owned();
    window.tab_to(&format!("Edit {name}"));
    window.press(&["space"]);
    window.told("focus Patterns of commands");
    window.tab_to("Only where a person can see it, never headless");
    window.press(&["space"]);
    window.tab_to("Save the rule");
    window.press(&["space"]);
    window.told("policy changed");
    assert_eq!(agent.call(TOOL, &headless)["success"], false);
    assert_eq!(deck.json(&["policy", "show", "--json"])["rules"][0]["interactiveOnly"], true);

    window.tab_to(&format!("Remove {name}"));
    window.press(&["space"]);
    window.told("policy changed");
    assert_eq!(deck.json(&["policy", "show", "--json"])["rules"], json!([]));
    // What was done stands in the log.
    window.press(&["ctrl+shift+y"]);
    window.told("page activity");
    window.told("focus Filter the activity");
    display.shot("activity");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn what_was_done_is_found_by_a_filter_and_leads_to_its_terminal() {
    let (deck, display) = (deck(), Display::new());
    let mut agent = Agent::new(&deck, "codex");
    for words in ["first", "second"] {
        let id = agent.ok("flightdeck.terminal.new", &json!({ "title": words }))["data"]["id"].clone();
        agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": format!("echo {words}") }));
    }
    let mut window = Window::open(&deck, &display);
    window.shows("t2", "second");
    window.press(&["ctrl+shift+y"]);
    window.told("focus Filter the activity");
    window.type_text("echo first");
    window.press(&["Tab"]);
    window.told("focus codex");
    window.press(&["Return"]);
    window.told("picked t1");
    window.shows("t1", "first");
}
