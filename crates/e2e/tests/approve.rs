//! `flightdeck approve`: an agent's dangerous command waits, and a person's answer decides what becomes of it.

use std::time::Duration;

use flightdeck_e2e::{Agent, Deck, Person, SOON};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";

/// A workspace with a folder that a dangerous command would delete.
fn deck() -> Deck {
    let deck = Deck::new();
    restore(&deck);
    deck
}

fn restore(deck: &Deck) {
    std::fs::create_dir_all(deck.workspace().join("doomed/files")).unwrap();
}

fn is_whole(deck: &Deck) -> bool {
    deck.workspace().join("doomed/files").exists()
}

fn deletion() -> Value {
    json!({ "command": "rm -rf doomed && echo deleted" })
}

/// What the audit log says of the newest run: decision, rule and reason.
#[track_caller]
fn noted(deck: &Deck) -> (String, String, String) {
    let text = deck.cli(&["audit", "--json", "-n", "1", "-c", RUN]).expect(0).text();
    let entry: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    let field = |name: &str| entry[name].as_str().unwrap_or_else(|| panic!("no {name} in {entry}")).to_owned();
    (field("decision"), field("rule"), field("reason"))
}

#[track_caller]
fn assert_noted(deck: &Deck, decision: &str, rule: &str, reason: &str) {
    let noted = noted(deck);
    assert!(noted.0 == decision && noted.1.contains(rule) && noted.2.contains(reason), "{noted:?}");
}

#[test]
fn what_waits_is_listed_and_a_yes_lets_it_run() {
    let deck = deck();
    let mut person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "claude-code");
    let call = agent.begin(RUN, &deletion());
    person.asked();
    let listed = deck.json(&["approve", "--list", "--json"]);
    let approval = &listed["approvals"][0];
    assert_eq!((&listed["attended"], &approval["id"]), (&json!(1), &json!("a1")), "{listed}");
    assert_eq!(approval["subject"]["text"], "rm -rf doomed && echo deleted");
    let text = deck.cli(&["approve", "--list"]).expect(0).text();
    let workspace = deck.workspace();
    for part in [
        "a1  claude-code#1 wants to run something dangerous\n",
        "    │ rm -rf doomed && echo deleted\n    │ ^^^^^^^^^^^^^\n",
        workspace.to_str().unwrap(),
        "rule    danger:deletes-tree",
        "yes     once, session",
        "waits   9m",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    assert!(!text.contains('\x1b'), "no colours in a pipe: {text:?}");
    assert!(is_whole(&deck), "nothing runs before the answer");
    assert_eq!(deck.cli(&["approve", "a1"]).expect(0).text(), "a1 approved\n");
    let ran = agent.result(call);
    assert_eq!((&ran["success"], &ran["data"]["exitCode"]), (&json!(true), &json!(0)), "{ran}");
    assert!(ran["output"].as_str().unwrap().contains("deleted") && !is_whole(&deck), "{ran}");
    assert_noted(&deck, "approved", "danger:deletes-tree", "pilot approved it (once)");
    let nothing = deck.cli(&["approve", "--list"]).expect(0);
    assert!(nothing.text().is_empty() && nothing.errors().contains("nothing waits"), "{nothing}");
}

#[test]
fn a_yes_to_a_command_in_a_shell_that_has_just_been_started_counts() {
    let deck = deck();
    // A person's own start-up files take their time, as here.
    std::fs::write(deck.home().join(".bashrc"), "for i in {1..200000}; do :; done\n").unwrap();
    let mut person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "claude-code");
    let id = agent.call("flightdeck.terminal.new", &json!({}))["data"]["id"].clone();
    let call = agent.begin(RUN, &json!({ "id": id, "command": "rm -rf doomed && echo deleted" }));
    person.asked();
    deck.cli(&["wait", "t1", "--prompt"]).expect(0);
    deck.cli(&["approve", "a1"]).expect(0);
    let ran = agent.result(call);
    assert_eq!((&ran["success"], is_whole(&deck)), (&json!(true), false), "{ran}");
}

#[test]
fn a_no_with_its_reason_reaches_the_agent() {
    let deck = deck();
    let mut person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let call = agent.begin(RUN, &deletion());
    person.asked();
    let answered = deck.json(&["approve", "a1", "--decline", "--reason", "keep the files", "--json"]);
    assert_eq!(answered, json!({ "id": "a1", "outcome": "declined" }));
    let refused = agent.result(call);
    assert_eq!(refused["code"], "declined", "{refused}");
    assert!(refused["error"].as_str().unwrap().contains("keep the files"), "{refused}");
    assert!(is_whole(&deck));
    assert_noted(&deck, "declined", "danger:deletes-tree", "keep the files");
}

#[test]
fn an_edited_command_runs_in_the_place_of_the_other() {
    let deck = deck();
    let mut person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let call = agent.begin(RUN, &deletion());
    person.asked();
    deck.cli(&["approve", "a1", "--command", "echo harmless"]).expect(0);
    let ran = agent.result(call);
    assert!(ran["output"].as_str().unwrap().contains("harmless") && is_whole(&deck), "{ran}");
    let said = "the user changed the command: `echo harmless` was run in its place.";
    assert!(ran["warning"].as_str().is_some_and(|warning| warning.contains(said)), "{ran}");
    let audit = deck.cli(&["audit", "--command", RUN]).expect(0).text();
    assert!(audit.contains("approved: pilot changed it to: echo harmless"), "{audit}");
    assert_noted(&deck, "approved", "danger:deletes-tree", "pilot changed it to: echo harmless");
    // The same in an editor, which is a program of the person's own.
    let editor = deck.workspace().join("editor");
    let script = "[ \"$1\" = --wait ] && [ \"$(stat -c %a \"$2\")\" = 600 ] && sed -i 's/rm -rf/ls -d/' \"$2\"\n";
    std::fs::write(&editor, script).unwrap();
    let editor = format!("sh {} --wait", editor.display());
    let call = agent.begin(RUN, &deletion());
    person.asked();
    deck.invoke(&["approve", "a2", "--edit"]).env("EDITOR", &editor).run().expect(0);
    let ran = agent.result(call);
    assert!(ran["output"].as_str().unwrap().contains("doomed") && is_whole(&deck), "{ran}");
    // An editor that changes nothing, fails or empties the file answers nothing.
    let call = agent.begin(RUN, &deletion());
    person.asked();
    for (editor, words) in [("true", "nothing was changed"), ("false", "failed"), ("truncate -s 0", "is empty")] {
        let failed = deck.invoke(&["approve", "a3", "--edit"]).env("VISUAL", editor).run().expect(1);
        assert!(failed.errors().contains(words), "{failed}");
    }
    // What nobody can allow is not allowed by an edit either.
    let blocked = deck.cli(&["approve", "a3", "--command", "rm -rf /"]).expect(1);
    assert!(blocked.errors().contains("can't be approved"), "{blocked}");
    deck.cli(&["approve", "a3", "--decline"]).expect(0);
    assert_eq!(agent.result(call)["code"], "declined");
}

#[test]
fn a_yes_for_a_terminal_is_not_asked_there_again() {
    let deck = deck();
    let mut person = Person::at(&deck);
    let (here, there) = (deck.shell("bash"), deck.shell("bash"));
    let mut agent = Agent::new(&deck, "codex");
    let command = |id: &str| json!({ "id": id, "command": "rm -rf doomed" });
    let call = agent.begin(RUN, &command(&here));
    assert_eq!(person.asked().terminal.unwrap().to_string(), here);
    let text = deck.cli(&["approve", "a1", "--scope", "terminal"]).expect(0).text();
    assert_eq!(text, "a1 approved for this terminal\n");
    agent.result(call);
    restore(&deck);
    agent.ok(RUN, &command(&here));
    assert!(!is_whole(&deck));
    assert_noted(&deck, "approved", &format!("grant:{here}"), "pilot allowed it before");
    restore(&deck);
    let call = agent.begin(RUN, &command(&there));
    person.decline_next("not there");
    assert_eq!(agent.result(call)["code"], "declined");
    assert!(is_whole(&deck));
}

#[test]
fn a_yes_for_the_session_is_for_that_agent() {
    let deck = deck();
    let mut person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let call = agent.begin(RUN, &deletion());
    person.asked();
    deck.cli(&["approve", "a1", "--scope", "session"]).expect(0);
    agent.result(call);
    restore(&deck);
    agent.ok(RUN, &deletion());
    assert_noted(&deck, "approved", "grant:session", "pilot allowed it before");
    restore(&deck);
    let mut other = Agent::new(&deck, "codex");
    let call = other.begin(RUN, &deletion());
    person.decline_next("who are you?");
    assert_eq!(other.result(call)["code"], "declined");
    let wrong = deck.cli(&["approve", "a2", "--scope", "always"]).expect(3);
    assert!(wrong.errors().contains("a2 was declined already by test"), "{wrong}");
}

#[test]
fn a_yes_for_always_is_a_rule_in_the_file() {
    let deck = deck();
    let mut person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let command = json!({ "command": "rm -rf doomed" });
    let call = agent.begin(RUN, &command);
    let offer = person.asked().offer.unwrap();
    let text = deck.cli(&["approve", "--list"]).expect(0).text();
    assert!(text.contains("once, session, always") && text.contains(&offer.words), "{text}");
    let answered = deck.json(&["approve", "a1", "--scope", "always", "--json"]);
    let rule = answered["rule"].as_str().unwrap();
    agent.result(call);
    let path = deck.cli(&["policy", "path"]).expect(0).text();
    let file = std::fs::read_to_string(path.trim()).unwrap();
    assert!(file.contains(rule) && file.contains("rm -rf doomed"), "{file}");
    restore(&deck);
    let mut other = Agent::new(&deck, "gemini");
    other.ok(RUN, &command);
    assert!(!is_whole(&deck));
    assert_noted(&deck, "allowed_with_warning", &format!("rule:{rule}"), "");
}

#[test]
fn what_nobody_answers_expires_and_does_not_run() {
    let deck = deck();
    deck.settings("[approvals]\nexpire_seconds = 1\n");
    let _person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let refused = agent.call(RUN, &deletion());
    assert_eq!(refused["code"], "approval_expired", "{refused}");
    assert!(is_whole(&deck));
    assert_noted(&deck, "expired", "danger:deletes-tree", "nobody answered in time");
    let late = deck.cli(&["approve", "a1"]).expect(3);
    assert!(late.errors().contains("a1 was expired already"), "{late}");
}

#[test]
fn of_two_answers_one_counts_and_the_other_is_told_who_was_first() {
    let deck = deck();
    let mut person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let call = agent.begin(RUN, &deletion());
    person.asked();
    let yes = deck.invoke(&["approve", "a1"]).env("USER", "anna").start();
    let no = deck.invoke(&["approve", "a1", "--decline", "--json"]).env("USER", "bo").start();
    let (yes, no) = (yes.finish(), no.finish());
    let (late, first) = if yes.code == 0 { (&no, "cli:anna") } else { (&yes, "cli:bo") };
    assert_eq!((yes.code.min(no.code), late.code), (0, 3), "{yes} {no}");
    assert!(late.errors().contains(&format!("already by {}", first.trim_start_matches("cli:"))), "{late}");
    assert_eq!(agent.result(call)["success"] == true, first == "cli:anna");
    assert_eq!(is_whole(&deck), first == "cli:bo");
    let json: Value = deck.cli(&["approve", "a1", "--json"]).expect(3).json();
    assert_eq!(json["error"]["details"]["by"], first);
    let unknown = deck.cli(&["approve", "a99"]).expect(4);
    assert!(unknown.errors().contains("nothing waits under the id a99"), "{unknown}");
}

#[test]
fn with_nobody_there_it_is_refused_at_once() {
    let deck = deck();
    let mut agent = Agent::new(&deck, "codex");
    let refused = agent.call(RUN, &deletion());
    assert_eq!(refused["code"], "approval_unavailable", "{refused}");
    assert!(refused["hint"].as_str().unwrap().contains("flightdeck approve --watch"), "{refused}");
    assert!(is_whole(&deck));
    assert_noted(&deck, "unattended", "danger:deletes-tree", "");
    let listed = deck.cli(&["approve", "--list"]).expect(0);
    assert!(listed.errors().contains("nobody watches"), "{listed}");
}

#[test]
fn with_nobody_there_it_waits_where_the_settings_say_so() {
    let deck = deck();
    deck.settings("[approvals]\nwait_unattended = true\n");
    let mut agent = Agent::new(&deck, "codex");
    let call = agent.begin(RUN, &deletion());
    deck.wait_until("it waits", SOON, || {
        let listed = deck.json(&["approve", "--list", "--json"]);
        (listed["approvals"][0]["id"] == "a1").then_some(())
    });
    deck.cli(&["approve", "a1"]).expect(0);
    assert_eq!(agent.result(call)["success"], true);
    assert!(!is_whole(&deck));
}

#[test]
fn an_agent_that_leaves_takes_its_request_along() {
    let deck = deck();
    let mut person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    agent.begin(RUN, &deletion());
    person.asked();
    agent.hang_up();
    deck.wait_until("it waits no more", SOON, || {
        let listed = deck.json(&["approve", "--list", "--json"]);
        listed["approvals"].as_array().unwrap().is_empty().then_some(())
    });
    let late = deck.cli(&["approve", "a1"]).expect(3);
    assert!(late.errors().contains("a1 was withdrawn already") && is_whole(&deck), "{late}");
}

#[test]
fn a_command_can_hide_nothing() {
    let deck = deck();
    let mut person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "evil\u{1b}[2J\u{202e}agent");
    let command = "rm -rf doomed # \u{1b}[1A\u{1b}[2K\r ls \u{202e}\u{200b}\u{7}";
    let call = agent.begin(RUN, &json!({ "command": command }));
    person.asked();
    let text = deck.cli(&["approve", "--list"]).expect(0).text();
    let shown = r"│ rm -rf doomed # \x1b[1A\x1b[2K\r ls \u{202e}\u{200b}\x07";
    assert!(text.contains(shown) && text.contains("6 characters that can't be seen"), "{text}");
    // In a window there are colours, and nothing else that could move the cursor.
    let mut window = deck.window(&["approve", "--list"]);
    window.wait_for("answer with `flightdeck approve ID`");
    assert_eq!(window.exit_code(SOON), 0);
    let seen = window.seen();
    let sequences: Vec<_> = seen.split('\x1b').skip(1).map(|rest| rest.split_inclusive('m').next().unwrap()).collect();
    assert!(!sequences.is_empty() && sequences.iter().all(|s| s.len() <= 4 && s.ends_with('m')), "{sequences:?}");
    assert!(!seen.contains('\u{202e}') && !seen.contains('\x07') && !seen.contains('\u{200b}'), "{seen:?}");
    deck.cli(&["approve", "a1", "--decline"]).expect(0);
    agent.result(call);
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let deck = Deck::new();
    for args in [
        &["approve"][..],
        &["approve", "t1"],
        &["approve", "a1", "--list"],
        &["approve", "a1", "--reason", "x"],
        &["approve", "a1", "--decline", "--scope", "once"],
        &["approve", "a1", "--edit", "--command", "ls"],
        &["approve", "--list", "--watch"],
        &["approve", "--watch", "--scope", "once"],
        &["approve", "--list", "--decline"],
        &["approve", "a1", "--scope", "forever"],
    ] {
        deck.invoke(args).within(Duration::from_secs(20)).run().expect(2);
    }
}
