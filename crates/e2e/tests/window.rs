//! The desktop window on a real display: real keys, a real hub, real agents. It is built apart from the rest, so these are
//! run by `make desktop-test`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;

use flightdeck_e2e::{Agent, Deck, Display, SOON, Window, window_command};
use serde_json::{Value, json};

const TOOL: &str = "memory_terminal_interactive";

fn execute(mode: &str, command: &str) -> Value {
    json!({
        "action": "execute",
        "invocation": { "mode": mode, "intent": "execute_command" },
        "execution": { "command": command },
    })
}

/// A workspace whose person has answered about panes already.
fn deck() -> Deck {
    let deck = Deck::new();
    deck.cli(&["consent", "--allow"]).expect(0);
    deck
}

/// How a prompt of bash ends.
fn prompt() -> &'static str {
    if rustix::process::getuid().is_root() { "#" } else { "$" }
}

/// A deck with one terminal, whose shell is at its prompt.
fn with_terminal(deck: &Deck) {
    deck.cli(&["new"]).expect(0);
    deck.cli(&["wait", "t1", "--prompt"]).expect(0);
}

/// What waits for a person.
fn waiting(deck: &Deck) -> usize {
    deck.json(&["approve", "--list", "--json"])["approvals"].as_array().unwrap().len()
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn what_is_typed_reaches_the_terminal_and_what_it_prints_is_painted() {
    let (deck, display) = (deck(), Display::new());
    with_terminal(&deck);
    let mut window = Window::open(&deck, &display);
    window.shows("t1", prompt());
    let before = display.shot("typing-before");
    // The command itself does not hold what it prints.
    window.type_text("echo hi-$((40+2))-ä");
    window.press(&["Return"]);
    window.shows("t1", "\nhi-42-ä");
    let after = display.shot("typing-after");
    assert!(display.difference(&before, &after) > 0, "nothing was painted: {} {}", before.display(), after.display());
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
fn an_agent_is_answered_with_a_yes_with_another_command_and_with_a_no() {
    let (deck, display) = (deck(), Display::new());
    let mut window = Window::open(&deck, &display);
    let mut agent = Agent::new(&deck, "codex");
    fs::create_dir_all(deck.workspace().join("build")).unwrap();

    let asked = agent.begin(TOOL, &execute("interactive", "rm -rf build && echo do''ne"));
    window.told("dialog codex wants to run");
    // Keys that were on their way when it appeared count for nothing.
    window.press(&["Return", "space"]);
    window.told("dialog ready");
    assert_eq!(waiting(&deck), 1, "an answer was taken too early");
    display.shot("approval");
    window.told("focus Deny");
    window.tab_to("Allow once");
    window.press(&["space"]);
    let answer = agent.result(asked);
    assert_eq!(answer["success"], true, "{answer}");
    assert!(answer["result"]["stdout"].as_str().unwrap().contains("done"), "{answer}");
    assert!(!deck.workspace().join("build").exists(), "it ran");

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
    window.told("step scopes");
    window.tab_to("Always…: by a rule, which is shown first");
    window.press(&["space"]);
    window.told("step always");
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
fn nothing_opens_over_somebody_who_types() {
    let (deck, display) = (deck(), Display::new());
    with_terminal(&deck);
    let mut window = Window::open(&deck, &display);
    window.shows("t1", prompt());
    let mut agent = Agent::new(&deck, "codex");
    window.type_text("echo one; ");
    let asked = agent.begin(TOOL, &execute("interactive", "rm -rf dist"));
    window.told("arrived ");
    window.type_text("echo two; echo thr''ee");
    window.press(&["Return"]);
    window.shows("t1", "\nthree");
    let log = window.log();
    let dialog = log.iter().position(|line| line.starts_with("dialog "));
    let shown = log.iter().rposition(|line| line.contains("\\nthree"));
    assert!(dialog.is_none() || dialog > shown, "a dialog came over the typing: {log:#?}");
    // It comes when the keys have come to rest.
    window.told("dialog ready");
    window.told("focus Deny");
    window.press(&["space"]);
    assert_eq!(agent.result(asked)["error"]["code"], "PM_TERM_DECLINED");
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
fn a_hub_that_is_killed_and_started_again_is_found_again() {
    let (deck, display) = (deck(), Display::new());
    with_terminal(&deck);
    let mut window = Window::open(&deck, &display);
    window.shows("t1", prompt());
    window.type_text("echo before; ");
    window.shows("t1", "echo before;");
    deck.kill_hub();
    window.told("shows away");
    display.shot("hub-away");
    deck.cli(&["restart"]).expect(0);
    window.told("shows live");
    deck.wait_until("a person is asked here again", SOON, || {
        (deck.json(&["approve", "--list", "--json"])["attended"] == 1).then_some(())
    });
    window.type_text("echo aft''er");
    window.press(&["Return"]);
    window.shows("t1", "\nafter");
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
    deck.start();
    let mut window = Window::open(&deck, &display);
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
        (deck.json(&["call", "flightdeck.consent.show", "{}"])["allowed"] == true).then_some(())
    });
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn an_adapter_is_told_when_the_window_is_ready() {
    let (deck, display) = (deck(), Display::new());
    deck.start();
    let workspace = deck.workspace();
    let mut command = window_command(&deck, &["--workspace", &workspace.to_string_lossy(), "--launched"]);
    command
        .env("FLIGHTDECK_TRACE_ID", "trace_1")
        .env("FLIGHTDECK_RUNTIME_SESSION_ID", "rs_1")
        .env_remove("FLIGHTDECK_WINDOW_LOG");
    let mut window = Window::start(&display, &mut command);
    let mut line = String::new();
    BufReader::new(window.stdout()).read_line(&mut line).unwrap();
    let said: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"));
    assert_eq!(
        said,
        json!({"event": "ready", "protocol_version": 2, "trace_id": "trace_1", "runtime_session_id": "rs_1"})
    );
    assert_eq!(deck.json(&["approve", "--list", "--json"])["attended"], 1, "a person can be asked at once");
}

#[test]
#[ignore = "needs the window: make desktop-test"]
fn a_window_that_can_not_start_says_why_and_fails() {
    let (deck, display) = (deck(), Display::new());
    let end = |command: &mut std::process::Command| {
        let output = command.env_remove("FLIGHTDECK_WINDOW_LOG").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
        (output.status.code(), last)
    };
    let (code, last) = end(&mut window_command(&deck, &[]));
    assert_eq!(code, Some(69), "{last}");
    assert!(last.contains("there is no display"), "{last}");

    let (code, last) = end(window_command(&deck, &[]).env("DISPLAY", ":4711"));
    assert_eq!(code, Some(69), "{last}");
    assert!(last.contains("no display can be used"), "{last}");

    // As on a machine without the packages: Qt looks for its modules where there are none.
    let elsewhere = deck.home().join("bin");
    fs::create_dir_all(&elsewhere).unwrap();
    let copied = elsewhere.join("interactive-terminal");
    fs::copy(window_command(&deck, &[]).get_program(), &copied).unwrap();
    fs::write(elsewhere.join("qt.conf"), "[Paths]\nQmlImports=/nonexistent\nQml2Imports=/nonexistent\n").unwrap();
    let asked = std::process::Command::new("qtpaths6").args(["--query", "QT_INSTALL_PLUGINS"]).output().unwrap();
    let plugins = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    let like = window_command(&deck, &[]);
    let mut moved = std::process::Command::new(&copied);
    moved.env_clear().envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    moved.env("DISPLAY", display.name()).env("QT_PLUGIN_PATH", plugins).current_dir(deck.workspace());
    let (code, last) = end(&mut moved);
    assert_eq!(code, Some(72), "{last}");
    assert!(last.contains("qml6-module-qtquick"), "{last}");

    let (code, last) = end(window_command(&deck, &["--what"]).env("DISPLAY", display.name()));
    assert_eq!(code, Some(64), "{last}");
    let version = window_command(&deck, &["--version"]).output().unwrap();
    assert!(version.status.success() && version.stdout.starts_with(b"interactive-terminal "));
}
