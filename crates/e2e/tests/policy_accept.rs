//! Policy files that something else than the hub has written: they wait for a person, and every front end says so.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use flightdeck_contract::approval::ApprovalEvent;
use flightdeck_contract::events::{HubChange, HubEvent};
use flightdeck_contract::policy::PolicyState;
use flightdeck_e2e::{Agent, Deck, Person, SOON, Socket};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";
/// A policy whose lines are in order, so that a program which sorts can write it.
const RULES: &str = "[[rule]]\nallow = [\"rm -rf doomed\"]\nname = \"mine\"\n";

struct Scene {
    agent: Agent,
    file: PathBuf,
    /// The last to go: it checks that nothing is left.
    deck: Deck,
}

impl Scene {
    fn new() -> Self {
        let deck = Deck::new();
        fs::create_dir_all(deck.workspace().join("doomed")).unwrap();
        let agent = Agent::new(&deck, "sly");
        let file = deck.cli(&["policy", "path"]).expect(0).text().trim().into();
        deck.start();
        Scene { agent, file, deck }
    }

    /// The agent has a program write the rules. Nothing about it looks dangerous.
    fn write_rules(&mut self) {
        fs::write(self.deck.workspace().join("notes"), RULES).unwrap();
        let sort = format!("sort -o {} notes", self.file.display());
        assert_eq!(self.agent.ok(RUN, &json!({ "command": sort }))["data"]["exitCode"], 0);
        assert_eq!(fs::read_to_string(&self.file).unwrap(), RULES);
    }

    #[track_caller]
    fn is_refused(&mut self) {
        let refused = self.agent.call(RUN, &json!({ "command": "rm -rf doomed" }));
        assert_eq!(refused["code"], "approval_unavailable", "{refused}");
        assert!(self.deck.workspace().join("doomed").exists());
    }

    #[track_caller]
    fn is_allowed(&mut self) {
        let ran = self.agent.ok(RUN, &json!({ "command": "rm -rf doomed" }));
        assert_eq!(ran["data"]["exitCode"], 0, "{ran}");
        fs::create_dir(self.deck.workspace().join("doomed")).unwrap();
    }
}

#[test]
fn what_an_agent_writes_counts_when_a_person_has_accepted_it() {
    let mut scene = Scene::new();
    scene.is_refused();
    scene.write_rules();
    scene.is_refused();
    scene.deck.cli(&["restart"]).expect(0);
    scene.is_refused();
    scene.deck.kill_hub();
    scene.is_refused();
    // It is told, and nothing is accepted by looking.
    let said = scene.deck.cli(&["status"]).expect(0).text();
    assert!(said.contains("was changed from outside") && said.contains("flightdeck policy accept"), "{said}");
    let said = scene.deck.cli(&["policy", "show"]).expect(0).text();
    assert!(said.contains(&format!("{} changed from outside", scene.file.display())), "{said}");
    assert!(said.contains("none of your own"), "{said}");
    let waiting: Value = scene.deck.cli(&["policy", "accept", "--json"]).expect(1).json();
    assert_eq!(waiting["changes"][0]["rules"][0]["change"], "added", "{waiting}");
    assert_eq!(waiting["accepted"], json!([]));
    let asked = scene.deck.cli(&["policy", "accept"]).expect(1);
    assert!(asked.text().contains("added    allow mine  rm -rf doomed") && asked.errors().contains("--yes"), "{asked}");
    scene.is_refused();
    // In a window a person is asked, and only a yes is one.
    for (answer, code) in [("n\r", 1), ("\r", 1), ("y\r", 0)] {
        let mut window = scene.deck.window(&["policy", "accept"]);
        window.wait_for("+allow = [\"rm -rf doomed\"]");
        window.wait_for("[y/N]");
        window.type_in(answer.as_bytes());
        assert_eq!(window.exit_code(SOON), code, "{answer:?}: {}", window.seen());
    }
    scene.is_allowed();
    scene.deck.cli(&["restart"]).expect(0);
    scene.is_allowed();
    let said = scene.deck.cli(&["policy", "accept"]).expect(0).text();
    assert!(said.contains("nothing waits"), "{said}");
    // Gone is a change too.
    fs::remove_file(&scene.file).unwrap();
    scene.is_allowed();
    scene.deck.cli(&["policy", "accept", "--yes"]).expect(0);
    scene.is_refused();
}

#[test]
fn an_agent_accepts_nothing_and_writes_nothing_into_the_database_of_a_hub_that_lives() {
    let mut scene = Scene::new();
    scene.write_rules();
    for command in ["flightdeck.policy.accept", "flightdeck.policy.changes", "flightdeck.policy.reject"] {
        let answer = scene.agent.request("tools/call", &json!({ "name": command, "arguments": { "versions": [] } }));
        assert!(answer.to_string().contains("no tool") || answer["error"].is_object(), "{answer}");
    }
    let blocked = scene.agent.call(RUN, &json!({ "command": "flightdeck policy accept --yes" }));
    assert_eq!(blocked["code"], "blocked", "{blocked}");
    // By a script, whose text nobody reads.
    let binary = scene.deck.command(&[]).get_program().to_str().unwrap().to_owned();
    fs::write(scene.deck.workspace().join("s"), format!("{binary} policy accept --yes 2>&1; true")).unwrap();
    let said = scene.agent.ok(RUN, &json!({ "command": "sh s" }));
    assert!(said["output"].as_str().unwrap().contains("for people only"), "{said}");
    scene.is_refused();
    let database = rusqlite::Connection::open(scene.file.with_file_name("flightdeck.db")).unwrap();
    database.busy_timeout(Duration::ZERO).unwrap();
    let change = database.execute("UPDATE facts SET value = ? WHERE key = 'policy.workspace'", [RULES]);
    assert!(change.as_ref().is_err_and(|error| error.to_string().contains("database is locked")), "{change:?}");
    drop(database);
    scene.is_refused();
    scene.deck.cli(&["restart"]).expect(0);
    scene.is_refused();
}

#[test]
fn what_was_rejected_is_put_back_and_kept_aside() {
    let mut scene = Scene::new();
    scene.deck.cli(&["policy", "add", "cargo test *", "--name", "tests"]).expect(0);
    let good = fs::read_to_string(&scene.file).unwrap();
    scene.write_rules();
    let shown = scene.deck.json(&["policy", "show", "--json"]);
    assert_eq!((&shown["files"][1]["waiting"], &shown["rules"][0]["name"]), (&json!(true), &json!("tests")), "{shown}");
    // A rule that is added meanwhile brings nothing else into force.
    scene.deck.cli(&["policy", "add", "npm test", "--name", "more"]).expect(0);
    scene.is_refused();
    let rejected = scene.deck.json(&["policy", "reject", "--json"]);
    let aside = fs::read_to_string(rejected["files"][0]["aside"].as_str().unwrap()).unwrap();
    assert!(aside.contains("rm -rf doomed"), "{aside}");
    let now = fs::read_to_string(&scene.file).unwrap();
    assert!(now.starts_with(&good) && now.contains("npm test") && !now.contains("doomed"), "{now}");
    assert_eq!(scene.deck.status()["policy"], Value::Null);
    assert!(scene.deck.cli(&["policy", "reject"]).expect(0).text().contains("nothing waits"));
    // The person's own editor, on the file for all workspaces.
    let editor = scene.deck.workspace().join("editor");
    fs::write(&editor, "printf '%s' 'rule = [{ name = \"yours\", block = [\"frobnicate *\"] }]' >\"$1\"\n").unwrap();
    let mut edit = scene.deck.command(&["policy", "edit", "--everywhere"]);
    edit.env("VISUAL", format!("sh {}", editor.display()));
    let mut window = flightdeck_e2e::Pty::start(&edit, 24, 100);
    window.wait_for("  frobnicate *");
    window.wait_for("[y/N]");
    window.type_in(b"y\r");
    assert_eq!(window.exit_code(SOON), 0, "{}", window.seen());
    scene.deck.cli(&["policy", "test", "--mode", "terminal", "frobnicate x"]).expect(11);
}

/// Takes events until the policy is told as it should be.
#[track_caller]
fn told(socket: &mut Socket, wanted: &[PolicyState]) {
    let deadline = Instant::now() + SOON;
    while Instant::now() < deadline {
        let HubEvent::Changes { changes } = serde_json::from_value(socket.event().0).unwrap() else { continue };
        let told = changes.into_iter().rev().find_map(|change| match change.change {
            HubChange::Policy { policy } => Some(policy.iter().map(|notice| notice.state).collect::<Vec<_>>()),
            _ => None,
        });
        if told.as_deref() == Some(wanted) {
            return;
        }
    }
    panic!("{wanted:?} was not told");
}

#[test]
fn people_who_watch_are_told() {
    let scene = Scene::new();
    let mut hub = scene.deck.socket();
    hub.begin("flightdeck.hub.watch", json!({}));
    let mut person = Person::at(&scene.deck);
    let mut asked = |wanted: &[PolicyState]| loop {
        let ApprovalEvent::Policy { policy } = person.event() else { continue };
        if policy.iter().map(|notice| notice.state).collect::<Vec<_>>() == wanted {
            return;
        }
    };
    scene.deck.cli(&["consent", "--allow"]).expect(0);
    let window = scene.deck.window(&["approve", "--watch"]);
    window.wait_for("nothing waits");
    for (text, state, words) in [
        (Some(RULES), Some(PolicyState::Changed), "it was changed from outside"),
        (Some("[[rule"), Some(PolicyState::Broken), "it is broken"),
        (None, None, "is in force"),
    ] {
        match text {
            Some(text) => fs::write(&scene.file, text).unwrap(),
            None => fs::remove_file(&scene.file).unwrap(),
        }
        let wanted: Vec<_> = state.into_iter().collect();
        told(&mut hub, &wanted);
        asked(&wanted);
        window.wait_for(words);
    }
    fs::write(&scene.file, RULES).unwrap();
    told(&mut hub, &[PolicyState::Changed]);
    // Whoever comes later is told at once.
    let mut late = scene.deck.socket();
    late.begin("flightdeck.hub.watch", json!({}));
    assert_eq!(late.event().0["snapshot"]["policy"][0]["state"], "changed");
}
