//! What is for people only, tried by an agent in every disguise and at every moment: nothing of it is done.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use flightdeck_e2e::{Deck, Http, SOON, browser, processes};
use rustix::process::Signal;
use serde_json::{Value, json};

use super::shell::{ATTENDED, BuiltInShell, Disguise, FED_RELAYS, ORPHANS, Scene};
use crate::inside::for_people;

/// Every command that is for people only, with arguments that would do where they are known: nothing is done with others
/// either, since who calls is looked at first.
fn attempts(deck: &Deck) -> Vec<(String, Value)> {
    let listed = deck.socket().call("flightdeck.hub.commands", json!({})).unwrap();
    let commands = listed["commands"].as_array().unwrap().iter().filter(|command| command["peopleOnly"] == true);
    let ids: Vec<_> = commands.map(|command| command["id"].as_str().unwrap().to_owned()).collect();
    let mut arguments: HashMap<&str, Value> = for_people().into_iter().collect();
    assert!(arguments.keys().all(|known| ids.iter().any(|id| id == known)), "{ids:?}");
    ids.into_iter()
        .map(|id| {
            let known = arguments.remove(id.as_str()).unwrap_or_else(|| json!({}));
            (id, known)
        })
        .collect()
}

/// Tries all of it, and prints a line for each: the command, and what the hub answers.
pub fn tries(deck: &Deck) -> String {
    let binary = deck.command(&[]).get_program().to_str().unwrap().to_owned();
    let line = |(command, args): (String, Value)| {
        // One that met a hub in the middle of its start has no answer, and is tried again.
        let call = format!("timeout 30 {binary} call {command} '{args}' 2>/dev/null | tr -d '\\n'");
        format!(
            "for try in 1 2 3; do answer=$({call}); [ -n \"$answer\" ] && break; done; printf '%s %s\\n' {command} \"$answer\""
        )
    };
    attempts(deck).into_iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Checks that each of them was refused.
#[track_caller]
pub fn all_refused(deck: &Deck, said: &str, how: &str) {
    let answers: HashMap<_, _> = said.lines().filter_map(|line| line.split_once(' ')).collect();
    for (command, _) in attempts(deck) {
        let answer: Value = serde_json::from_str(answers.get(&*command).unwrap_or(&"")).unwrap_or_default();
        assert_eq!(answer["code"], "not_allowed", "{command} {how}: {said}");
    }
}

/// A person is one all the same.
#[track_caller]
fn a_person_decides(deck: &Deck) {
    for command in ["flightdeck.approval.list", "flightdeck.policy.show", "flightdeck.consent.show"] {
        deck.cli(&["call", command, "{}"]).expect(0);
    }
}

/// What the agent starts is refused everything, however it hides, and the person is not.
#[track_caller]
fn decides_nothing(deck: &Deck, agent: &mut BuiltInShell) {
    let tries = tries(deck);
    for (number, disguise) in ATTENDED.into_iter().chain(ORPHANS).enumerate() {
        let scene = Scene::new(deck, number, disguise, &tries, disguise.hops);
        agent.run(&scene.outer);
        scene.open();
        all_refused(deck, &scene.said(deck, disguise.name), disguise.name);
    }
    a_person_decides(deck);
}

#[test]
fn an_agents_own_shell_decides_nothing() {
    let deck = Deck::new();
    let mut agent = BuiltInShell::start(&deck);
    decides_nothing(&deck, &mut agent);
}

#[test]
fn an_agent_that_speaks_through_a_pipeline_decides_nothing() {
    for relay in FED_RELAYS {
        let deck = Deck::new();
        let mut agent = BuiltInShell::start_with(&deck, relay);
        let scene = Scene::new(&deck, 0, ATTENDED[0], &tries(&deck), false);
        agent.run(&scene.outer);
        all_refused(&deck, &scene.said(&deck, relay), relay);
        a_person_decides(&deck);
    }
}

#[test]
fn hanging_up_makes_no_person_of_a_client() {
    let deck = Deck::new();
    let mut agent = BuiltInShell::start(&deck);
    agent.leave();
    // The next hub knows it, too.
    deck.cli(&["restart"]).expect(0);
    decides_nothing(&deck, &mut agent);
}

#[test]
fn what_a_client_left_behind_decides_nothing() {
    for disguise in ORPHANS {
        let deck = Deck::new();
        let mut agent = BuiltInShell::start(&deck);
        let scene = Scene::new(&deck, 0, disguise, &tries(&deck), true);
        agent.run(&scene.outer);
        agent.kill();
        scene.open();
        all_refused(&deck, &scene.said(&deck, disguise.name), disguise.name);
        a_person_decides(&deck);
    }
}

/// What ends before an orphan of a terminal goes on.
#[derive(Clone, Copy, Debug)]
enum Killed {
    Keeper,
    HubAndKeeper,
}

fn after_the_keeper(disguise: Disguise, killed: Killed) {
    let how = format!("{} after {killed:?}", disguise.name);
    let deck = Deck::new();
    let mut agent = flightdeck_e2e::Agent::new(&deck, "sly");
    let made = agent.ok("flightdeck.terminal.new", &json!({}));
    let terminal = made["data"]["id"].as_str().unwrap().to_owned();
    deck.at_prompt(&terminal);
    let scene = Scene::new(&deck, 0, disguise, &tries(&deck), true);
    let run = json!({ "id": terminal, "command": scene.outer.to_str().unwrap() });
    agent.ok("flightdeck.terminal.run", &run);
    let (hub, keeper) = (deck.hub_pid(), deck.keeper_pid());
    if let Killed::HubAndKeeper = killed {
        processes::signal(hub, Signal::KILL);
    }
    processes::signal(keeper, Signal::KILL);
    deck.wait_until("both are gone", SOON, || (![hub, keeper].into_iter().any(processes::is_alive)).then_some(()));
    deck.start();
    scene.open();
    all_refused(&deck, &scene.said(&deck, &how), &how);
    a_person_decides(&deck);
}

/// A process that is traced can't be reaped by its parent before its tracer has looked: it outlives a keeper that ends in order.
#[test]
fn a_keeper_that_ends_while_something_of_it_is_left_counts_as_lost() {
    let deck = Deck::new();
    let id = deck.new_terminal(&["--", "sleep", "1000"]);
    let mark = Path::new(deck.status()["state"].as_str().unwrap()).join("keeper.running");
    let pid = deck.info(&id).pid.unwrap().to_string();
    let trace = "import ctypes, sys; print(ctypes.CDLL(None).ptrace(0x4206, int(sys.argv[1]), None, None), flush=True); sys.stdin.read()";
    let mut tracer =
        Command::new("python3").args(["-c", trace, &pid]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut traced = String::new();
    BufReader::new(tracer.stdout.take().unwrap()).read_line(&mut traced).unwrap();
    assert_eq!(traced.trim(), "0", "it is traced");
    deck.cli(&["stop", "--all"]);
    let keeper_is_gone = || {
        fs::read_to_string(&mark).is_ok_and(|text| {
            let keeper = text.split_whitespace().nth(1).and_then(|pid| pid.parse().ok());
            keeper.is_some_and(|pid| !processes::is_alive(pid))
        })
    };
    deck.wait_until("the keeper has ended, and its mark is there", SOON, || keeper_is_gone().then_some(()));
    drop(tracer.stdin.take());
    tracer.wait().unwrap();
}

#[test]
fn an_orphan_of_a_terminal_that_outlives_its_keeper_decides_nothing() {
    for disguise in ORPHANS {
        after_the_keeper(disguise, Killed::Keeper);
    }
}

#[test]
fn an_orphan_of_a_terminal_that_outlives_hub_and_keeper_decides_nothing() {
    for disguise in ORPHANS {
        after_the_keeper(disguise, Killed::HubAndKeeper);
    }
}

/// The cookie of a person's browser, in an agent's hands.
#[test]
fn a_cookie_is_worth_nothing_in_an_agents_shell() {
    let deck = Deck::new();
    let http = browser(&deck);
    let cookie = &http.headers.iter().find(|(name, _)| name == "Cookie").unwrap().1;
    let mut agent = BuiltInShell::start(&deck);
    let request = format!(
        "GET /openspace/state HTTP/1.1\\r\\nHost: {}\\r\\nCookie: {cookie}\\r\\nConnection: close\\r\\n\\r\\n",
        http.address
    );
    let place = http.address.replace(':', "/");
    let script = format!("bash -c \"exec 9<>/dev/tcp/{place}; printf '{request}' >&9; cat <&9\"");
    for (number, disguise) in ATTENDED.into_iter().enumerate() {
        let scene = Scene::new(&deck, number, disguise, &script, false);
        agent.run(&scene.outer);
        let said = scene.said(&deck, disguise.name);
        assert!(said.starts_with("HTTP/1.1 403") && said.contains("not_allowed"), "{}: {said}", disguise.name);
    }
    assert_eq!(http.get("/openspace/state").status, 200, "the browser itself");
}

/// A front end of the page's kind. Prints what the hub answers.
const PAGE: &str = r#"
import json, os, socket, struct, sys
host, port = sys.argv[1].split(":")
hub = socket.create_connection((host, int(port)), 20)
hub.sendall("\r\n".join(["GET /ws HTTP/1.1", "Host: " + sys.argv[1], "Connection: Upgrade", "Upgrade: websocket",
    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", sys.argv[2], "", ""]).encode())
said = b""

def send(message):
    body = json.dumps(message).encode()
    # Masked with zeroes, which change nothing.
    hub.sendall(struct.pack(">BBH", 0x81, 0x80 | 126, len(body)) + bytes(4) + body)

def wait(word):
    global said
    while word not in said:
        more = hub.recv(65536)
        if not more:
            break
        said += more

wait(b"\r\n\r\n")
send({"type": "hello", "version": 2, "actor": "web:1"})
send({"type": "call", "id": 1, "command": "flightdeck.approval.list", "args": {}})
wait(b'"id":1')
print(said.decode("utf-8", "replace"))
"#;

#[test]
fn a_cookie_and_the_token_make_no_page_of_an_agents_program() {
    let deck = Deck::new();
    let mut agent = BuiltInShell::start(&deck);
    let (cookie, token) = (browser(&deck), Http::of(&deck));
    let page = deck.workspace().join("page.py");
    fs::write(&page, PAGE).unwrap();
    let script = |http: &Http, name: &str| {
        let header = &http.headers.iter().find(|(header, _)| header == name).unwrap().1;
        format!("python3 {} {} '{name}: {header}'", page.display(), http.address)
    };
    for (number, disguise) in ATTENDED.into_iter().enumerate() {
        for (at, script) in [script(&cookie, "Cookie"), script(&token, "Authorization")].into_iter().enumerate() {
            let scene = Scene::new(&deck, 2 * number + at, disguise, &script, false);
            agent.run(&scene.outer);
            let said = scene.said(&deck, disguise.name);
            assert!(said.contains("not_allowed") && !said.contains("approvals\""), "{}: {said}", disguise.name);
        }
    }
    // The same from a person's own program.
    let said = Command::new("sh").args(["-c", &script(&cookie, "Cookie")]).output().unwrap();
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.contains("approvals\""), "{said}");
}

/// An agent that the hub runs itself: what it starts beside its terminals.
#[test]
fn a_conversations_agent_decides_nothing() {
    let deck = Deck::new();
    deck.start();
    let tries = tries(&deck);
    for (number, disguise) in ATTENDED.into_iter().chain(ORPHANS).enumerate() {
        let scene = Scene::new(&deck, number, disguise, &tries, disguise.hops);
        let command = ["sh", "-c", "\"$0\"; exec cat >/dev/null", scene.outer.to_str().unwrap()];
        deck.socket().call("flightdeck.chat.new", json!({ "command": command })).unwrap();
        scene.open();
        all_refused(&deck, &scene.said(&deck, disguise.name), disguise.name);
    }
    a_person_decides(&deck);
}
