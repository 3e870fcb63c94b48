//! The older names of the terminal tool: listed for clients that look for them, known to all.

use flightdeck_e2e::{Agent, Deck, Http};
use serde_json::{Value, json};

const OLDER: [&str; 2] = ["memory_terminal", "memory_terminal_vscode"];

fn names(listed: &Value) -> Vec<String> {
    let tools = listed["result"]["tools"].as_array().unwrap_or_else(|| panic!("no tools in {listed}"));
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn check(names: &[String], older: bool) {
    assert!(names.iter().any(|name| name == "memory_terminal_interactive"), "{names:?}");
    for name in OLDER {
        assert_eq!(names.iter().any(|listed| listed == name), older, "{name} in {names:?}");
    }
}

#[test]
fn they_are_listed_over_stdio_when_that_is_asked_for() {
    let deck = Deck::new();
    for (args, older) in [
        (&[][..], false),
        (&["--compat-tools"], true),
        (&["--compat-tools", "--tools", "terminal", "--tool-names", "underscore"], true),
        (&["--tools", "terminal"], false),
    ] {
        let mut agent = Agent::with(&deck, "older", args);
        check(&names(&agent.request("tools/list", &json!({}))), older);
    }
    let mut agent = Agent::with(&deck, "other", &["--compat-tools", "--tools", "openspace"]);
    let listed = names(&agent.request("tools/list", &json!({})));
    assert!(!listed.iter().any(|name| name.starts_with("memory_")), "they belong to a family: {listed:?}");
}

#[test]
fn they_are_listed_over_http_when_the_settings_say_so() {
    for (settings, older) in [("", false), ("[compat]\ntools = true\n", true)] {
        let deck = Deck::new();
        deck.settings(settings);
        let listed = Http::of(&deck).modern("tools/list", json!({})).json();
        check(&names(&listed), older);
    }
}

#[test]
fn they_can_be_called_in_any_case() {
    let deck = Deck::new();
    let call = json!({ "action": "execute", "invocation": { "intent": "execute_command" }, "command": "echo hello" });
    for args in [&[][..], &["--compat-tools"]] {
        let mut agent = Agent::with(&deck, "older", args);
        let ran = agent.ok("memory_terminal", &call);
        assert!(ran.to_string().contains("hello"), "{ran}");
        assert!(ran["resolved"].is_object(), "it says what it was taken for: {ran}");
    }
}

#[test]
fn a_failure_of_theirs_is_a_failure_of_the_call() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "older");
    // That both places of a result say the same is checked by the client.
    let failed = agent.call("memory_terminal_interactive", &json!({ "action": "read_output" }));
    assert_eq!(failed["success"], false, "{failed}");
}
