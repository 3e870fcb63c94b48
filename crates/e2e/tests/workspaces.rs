//! Which folder a hub is for, who starts one, and that all callers of a folder find the same.

use std::fs;
use std::path::Path;

use flightdeck_e2e::{Agent, Deck, Invocation, SOON, processes};
use serde_json::Value;

/// Every command that only looks, or is about what a hub holds already, with its exit code when there is no hub.
const LOOKS: [(&[&str], i32); 24] = [
    (&["ls"], 0),
    (&["ls", "--all"], 0),
    (&["agents"], 0),
    (&["audit"], 0),
    (&["audit", "verify"], 1),
    (&["approve", "--list"], 0),
    (&["approve", "a1"], 4),
    (&["undo", "--list"], 0),
    (&["search", "words"], 1),
    (&["logs", "t1"], 1),
    (&["screen", "t1"], 1),
    (&["history", "t1"], 1),
    (&["wait", "t1"], 1),
    (&["send", "t1", "x"], 1),
    (&["kill", "t1"], 1),
    (&["signal", "t1", "INT"], 1),
    (&["resize", "t1", "80x24"], 1),
    (&["rm", "t1"], 1),
    (&["lease", "t1"], 1),
    (&["keep", "t1"], 1),
    (&["attach", "t1"], 1),
    (&["consent"], 1),
    (&["status"], 1),
    (&["call", "flightdeck.terminal.list"], 1),
];

#[test]
fn a_look_starts_no_hub() {
    let deck = Deck::new();
    for (args, code) in LOOKS {
        let outcome = deck.cli(args).expect(code);
        let said = outcome.text() + &outcome.errors();
        assert!(said.contains("no hub serves"), "{args:?}: {said}");
        // An answer to nobody needs no hub.
        assert!(said.contains("flightdeck new") || args == ["approve", "a1"], "{args:?}: {said}");
        assert!(!said.contains("restart"), "nothing was here before: {said}");
        assert_eq!(deck.processes(), [], "{args:?} started something");
    }
    for (args, empty) in [
        (&["ls", "--json"][..], "[]"),
        (&["agents", "--json"], "[]"),
        (&["approve", "--list", "--json"], r#"{"approvals":[],"attended":0}"#),
        (&["undo", "--list", "--json"], r#"{"writes":[]}"#),
    ] {
        let empty: Value = serde_json::from_str(empty).unwrap();
        assert_eq!(deck.json(args), empty, "{args:?}");
    }
    let found: Value = deck.cli(&["search", "words", "--json"]).expect(1).json();
    assert_eq!(found["matches"], Value::Array(Vec::new()));
    assert_eq!(deck.cli(&["audit", "--json"]).expect(0).text(), "");
    assert_eq!(deck.processes(), []);
}

#[test]
fn a_look_shows_what_a_lost_hub_left_running() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    deck.kill_hub();
    assert_eq!(deck.json(&["ls", "--json"])[0]["id"], id.as_str(), "it runs on, and is seen");
    deck.cli(&["kill", &id]).expect(0);
    deck.cli(&["stop"]).expect(0);
    assert_eq!(deck.json(&["ls", "--json"]), Value::Array(Vec::new()));
    deck.cli(&["status"]).expect(1);
}

#[test]
fn a_look_does_not_start_a_hub_that_was_stopped() {
    let deck = Deck::new();
    // What follows has the folders of others that have ended.
    for _ in 0..3 {
        let id = deck.new_terminal(&[]);
        deck.cli(&["kill", &id]).expect(0);
        deck.cli(&["rm", &id]).expect(0);
    }
    let ids = [deck.new_terminal(&["--", "sleep", "1000"]), deck.new_terminal(&[])];
    let (hub, keeper) = (deck.hub_pid(), deck.keeper_pid());
    deck.cli(&["stop"]).expect(0);
    deck.wait_until("the hub is gone", SOON, || (!processes::is_alive(hub)).then_some(()));
    for (args, code) in LOOKS {
        let outcome = deck.cli(args).expect(code);
        let said = outcome.text() + &outcome.errors();
        assert!(said.contains("no hub serves"), "{args:?}: {said}");
        let told = said.contains("2 terminals run on without it, and `flightdeck restart` brings it back");
        assert!(told || args == ["approve", "a1"], "{args:?}: {said}");
        let status: Value = deck.cli(&["status", "--json"]).expect(1).json();
        assert_eq!((&status["running"], &status["terminalsLeft"]), (&false.into(), &2.into()), "{args:?}: {status}");
    }
    let again = deck.cli(&["stop"]).expect(0);
    assert!(again.text().contains("2 terminals run on without it"), "{again}");
    deck.cli(&["restart"]).expect(0);
    assert_eq!(deck.keeper_pid(), keeper);
    deck.cli(&["kill", &ids[0], &ids[1]]).expect(0);
    // A folder that waits for a terminal to come is none, and neither are those that have ended.
    deck.cli(&["stop"]).expect(0);
    let none = deck.cli(&["ls"]).expect(0);
    assert!(none.errors().contains("brings back what was here before"), "{none}");
}

#[track_caller]
fn workspace_of(deck: &Deck, folder: &Path) -> String {
    let status: Value = deck.invoke(&["status", "--json"]).cwd(folder).run().json();
    status["workspace"].as_str().unwrap().to_owned()
}

#[test]
fn a_hub_is_for_the_project_and_not_for_what_is_around_it() {
    let deck = Deck::new();
    let parent = deck.workspace();
    let (project, source, plain) = (parent.join("projA"), parent.join("projA/src"), parent.join("plain"));
    for folder in [&source, &plain, &project.join(".git")] {
        fs::create_dir_all(folder).unwrap();
    }
    deck.cli(&["run", "--", "true"]).expect(0);
    assert_eq!(workspace_of(&deck, &parent), parent.to_str().unwrap());
    // A hub of the folder around them serves neither; it is named for those who meant it.
    for folder in [&source, &plain] {
        let none = deck.invoke(&["ls"]).cwd(folder).run().expect(0);
        assert!(none.errors().contains(&format!("--workspace {}`", parent.display())), "{none}");
    }
    let ran = deck.invoke(&["run", "--", "sh", "-c", "echo $FLIGHTDECK_WORKSPACE"]).cwd(&source).run().expect(0);
    assert_eq!(ran.text().trim_end(), project.to_str().unwrap(), "the project around the folder");
    for (folder, served) in [(&source, &project), (&project, &project), (&plain, &plain), (&parent, &parent)] {
        assert_eq!(workspace_of(&deck, folder), served.to_str().unwrap());
    }
    // Whoever says otherwise gets what they say.
    let named = deck.invoke(&["status", "--json"]).cwd(&source).env("FLIGHTDECK_WORKSPACE", parent.to_str().unwrap());
    assert_eq!(named.run().expect(0).json::<Value>()["workspace"], parent.to_str().unwrap());
    deck.invoke(&["stop", "--all"]).cwd(&project).run().expect(0);
}

#[test]
fn what_belongs_to_many_is_served_only_when_it_is_named() {
    let deck = Deck::new();
    let home = deck.home();
    fs::create_dir(home.join(".git")).unwrap();
    for folder in [home.as_path(), Path::new("/"), Path::new("/tmp"), Path::new("/etc"), Path::new("/usr/lib")] {
        for (args, code) in [(&["run", "--", "true"][..], 125), (&["new"], 1), (&["mcp"], 1), (&["serve"], 1)] {
            let refused = deck.invoke(args).cwd(folder).run().expect(code);
            assert!(refused.errors().contains("--workspace"), "{args:?} in {}: {refused}", folder.display());
        }
        // A look starts nothing, and does not propose what would be refused.
        let said = deck.invoke(&["ls"]).cwd(folder).run().expect(0).errors();
        assert!(said.contains("--workspace") && !said.contains("flightdeck new"), "in {}: {said}", folder.display());
        assert_eq!(said.matches("no hub").count(), 1, "it is said once: {said}");
    }
    assert_eq!(deck.processes(), []);
    let below = home.join("below");
    fs::create_dir(&below).unwrap();
    assert_eq!(workspace_of(&deck, &below), below.to_str().unwrap(), "a mark in the home folder makes no project");
    let named = ["--workspace", home.to_str().unwrap()];
    deck.cli(&[&named[..], &["run", "--", "true"]].concat()).expect(0);
    assert_eq!(deck.invoke(&["ls", "--json"]).cwd(&home).run().expect(0).json::<Value>(), Value::Array(Vec::new()));
    // Whoever is there then has it already.
    deck.invoke(&["restart"]).cwd(&home).run().expect(0);
    deck.cli(&[&named[..], &["stop", "--all"]].concat()).expect(0);
}

#[test]
fn an_agent_is_told_which_folder_it_is_in() {
    let deck = Deck::new();
    let mut agent = Agent::silent(&deck, &[]);
    let hello = serde_json::json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "who", "version": "1" },
    });
    let answer = agent.request("initialize", &hello);
    let told = answer["result"]["instructions"].as_str().unwrap();
    assert!(told.contains(deck.workspace().to_str().unwrap()), "{told}");
}

/// A caller as some agents start their servers: without the variables that say where files go.
fn bare(deck: &Deck, args: &[&str]) -> Invocation {
    // The path keeps what it starts among the deck's own.
    let mark = deck.runtime().to_str().unwrap().to_owned();
    deck.invoke(args).without("XDG_RUNTIME_DIR").without("XDG_STATE_HOME").env("DECK", &mark)
}

fn other(deck: &Deck, args: &[&str]) -> Invocation {
    let (runtime, state) = (deck.runtime().join("other"), deck.home().join("other-state"));
    fs::create_dir_all(&runtime).unwrap();
    deck.invoke(args)
        .env("XDG_RUNTIME_DIR", runtime.to_str().unwrap())
        .env("XDG_STATE_HOME", state.to_str().unwrap())
        .env("TMPDIR", deck.home().to_str().unwrap())
}

#[test]
fn all_callers_of_a_folder_find_one_hub() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let pid = deck.hub_pid();
    for caller in [bare, other] {
        let status: Value = caller(&deck, &["status", "--json"]).run().expect(0).json();
        assert_eq!(status["pid"], pid, "{status}");
        let listed: Value = caller(&deck, &["ls", "--json"]).run().expect(0).json();
        assert_eq!(listed[0]["id"], id.as_str());
    }
    // Neither does a hub that is lost make room for a second set of files.
    deck.kill_hub();
    let listed: Value = bare(&deck, &["ls", "--json"]).run().expect(0).json();
    assert_eq!(listed[0]["id"], id.as_str());
    let status: Value = other(&deck, &["status", "--json"]).run().expect(0).json();
    assert_eq!(status["pid"], deck.hub_pid());
    // When nothing is left, the next one decides.
    deck.cli(&["stop", "--all"]).expect(0);
    let created: Value = other(&deck, &["new", "--json", "--", "sleep", "1000"]).run().expect(0).json();
    assert!(deck.status()["state"].as_str().unwrap().contains("other-state"), "{}", deck.status());
    assert_eq!(deck.json(&["ls", "--json"])[0]["id"], created["id"]);
    deck.cli(&["stop", "--all"]).expect(0);
}

#[test]
fn callers_that_come_at_once_start_one_hub() {
    for _ in 0..3 {
        let deck = Deck::new();
        let command = ["new", "--json", "--", "sleep", "1000"];
        let started: Vec<_> = [deck.invoke(&command), bare(&deck, &command), other(&deck, &command)]
            .into_iter()
            .map(Invocation::start)
            .collect();
        for one in started {
            one.finish().expect(0);
        }
        assert_eq!(deck.json(&["ls", "--json"]).as_array().unwrap().len(), 3);
        let hubs = || deck.processes().into_iter().filter(|process| process.command.contains("--by-keeper"));
        deck.wait_until("one hub is left", SOON, || (hubs().count() == 1).then_some(()));
        assert!(processes::is_alive(deck.hub_pid()));
    }
}
