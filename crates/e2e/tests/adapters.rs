//! How interactive work reaches a person when no front end is attached: the window is found, started and waited for.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use flightdeck_e2e::{Agent, Deck, Person, SOON, processes};
use serde_json::{Value, json};
use tempfile::TempDir;

const TOOL: &str = "memory_terminal_interactive";

/// A window in miniature, in Python: it notes its start, attaches to the hub as a front end, says `ready`, and answers yes.
const WINDOW: &str = r#"
import json, os, subprocess, sys
with open(os.path.join(os.path.dirname(__file__), "starts"), "a") as starts:
    starts.write(json.dumps({"args": sys.argv[1:], "cwd": os.getcwd()}) + "\n")
ready = {"event": "ready", "protocol_version": 2, "trace_id": os.environ["FLIGHTDECK_TRACE_ID"],
         "runtime_session_id": os.environ["FLIGHTDECK_RUNTIME_SESSION_ID"]}
def say(line):
    print(line, flush=True)
def attach():
    watch = subprocess.Popen([FLIGHTDECK, "approve", "--watch", "--json"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True)
    while '"snapshot"' not in watch.stdout.readline():
        pass
    return watch
def serve(watch):
    for line in watch.stdout:
        event = json.loads(line)
        if event["type"] == "pending":
            watch.stdin.write(json.dumps({"id": event["approval"]["id"], "choice": "approve"}) + "\n")
            watch.stdin.flush()
        if event["type"] == "gone":
            break
    watch.kill()
    watch.wait()
"#;

/// A folder for programs. Not a temporary one, where agents write: none there is ever started.
fn shelf() -> TempDir {
    let shelf = tempfile::Builder::new().prefix("windows").tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::set_permissions(shelf.path(), fs::Permissions::from_mode(0o755)).unwrap();
    shelf
}

/// Writes a program in the place of the window, which does this after its start was noted.
fn program(deck: &Deck, shelf: &Path, name: &str, body: &str) -> PathBuf {
    let folder = shelf.join(name);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("interactive-terminal");
    let flightdeck = deck.command(&[]).get_program().to_str().unwrap().to_owned();
    let text = format!("#!/usr/bin/python3\nFLIGHTDECK = {flightdeck:?}\n{WINDOW}\n{body}\n");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// What each start was told.
fn starts(program: &Path) -> Vec<Value> {
    let text = fs::read_to_string(program.with_file_name("starts")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn configure(deck: &Deck, program: &Path, more: &str) {
    deck.settings(&format!("[window]\nbinary = \"{}\"\n{more}\n", program.display()));
}

fn execute(command: &str, runtime: &Value) -> Value {
    json!({
        "action": "execute",
        "invocation": { "mode": "interactive", "intent": "execute_command" },
        "execution": { "command": command },
        "runtime": runtime,
    })
}

#[track_caller]
fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or_else(|| panic!("no failure: {answer}"))
}

const SERVES: &str = "watch = attach(); say(json.dumps(ready)); serve(watch)";

#[test]
fn one_window_is_opened_for_many_calls_and_a_person_there_counts() {
    let (deck, shelf) = (Deck::new(), shelf());
    let window = program(&deck, shelf.path(), "good", SERVES);
    configure(&deck, &window, "");
    let mut agent = Agent::new(&deck, "codex");
    let calls: Vec<_> = (0..4).map(|n| agent.begin(TOOL, &execute(&format!("touch made{n}"), &json!({})))).collect();
    for call in calls {
        let answer = agent.result(call);
        assert_eq!((&answer["success"], &answer["result"]["exit_code"]), (&json!(true), &json!(0)), "{answer}");
    }
    assert!((0..4).all(|n| deck.workspace().join(format!("made{n}")).exists()));
    let started = starts(&window);
    assert_eq!(started.len(), 1, "{started:?}");
    let workspace = deck.workspace();
    assert_eq!(started[0]["args"], json!(["--launched", "--workspace", workspace]));
    assert_eq!(started[0]["cwd"], json!(workspace));
    // It outlives the hub's end like any front end, so here it goes by itself; a new one is opened when it is needed.
    deck.cli(&["restart"]).expect(0);
    let answer = agent.call(TOOL, &execute("touch again", &json!({})));
    assert_eq!(answer["success"], true, "{answer}");
    assert_eq!(starts(&window).len(), 2);
}

#[test]
fn nothing_is_started_where_a_front_end_is_attached() {
    let (deck, shelf) = (Deck::new(), shelf());
    let window = program(&deck, shelf.path(), "good", SERVES);
    configure(&deck, &window, "");
    let _person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(agent.call(TOOL, &execute("echo hi", &json!({})))["success"], true);
    assert_eq!(starts(&window), [json!(null); 0]);
}

#[test]
fn nothing_is_started_where_the_user_wants_none() {
    let (deck, shelf) = (Deck::new(), shelf());
    let window = program(&deck, shelf.path(), "good", SERVES);
    configure(&deck, &window, "launch = false");
    let answer = Agent::new(&deck, "codex").call(TOOL, &execute("echo hi", &json!({})));
    assert_eq!(code(&answer), "PM_TERM_GUI_UNAVAILABLE");
    assert_eq!(starts(&window), [json!(null); 0]);
}

#[test]
fn where_no_window_is_installed_every_source_that_was_tried_is_told() {
    let deck = Deck::new();
    deck.invoke(&["restart"]).env("PM_TERM_ADAPTER_MODE", "auto").env("PATH", "/usr/bin:/bin").run().expect(0);
    let mut agent = Agent::new(&deck, "codex");
    for (asked, adapter, sources) in [
        ("local", "local", &["configured", "path"][..]),
        ("auto", "local_or_bundled_auto", &["configured", "bundled", "path"]),
        ("bundled", "bundled", &["bundled"]),
    ] {
        let answer = agent.call(TOOL, &execute("echo hi", &json!({ "adapter_override": asked })));
        assert_eq!(code(&answer), "PM_TERM_GUI_UNAVAILABLE", "{answer}");
        let details = &answer["error"]["details"];
        assert_eq!(details["adapter"], adapter, "{answer}");
        assert!(details["spawn_errors"].is_array(), "{answer}");
        assert!(details["next_action"].as_str().unwrap().contains("flightdeck open"), "{answer}");
        let attempted = details["attempted_candidates"].as_array().unwrap();
        // A window that is built beside the program is there, and can't serve without a display.
        let mut told: Vec<_> = attempted.iter().map(|one| one["source"].as_str().unwrap()).collect();
        told.sort_by_key(|source| ["configured", "bundled", "path"].iter().position(|known| known == source));
        assert_eq!(told, sources, "{answer}");
        for one in attempted {
            let is_there = one["source"] == "bundled" && Path::new(one["path"].as_str().unwrap()).exists();
            assert_eq!(one["outcome"] == "not_found", !is_there, "{answer}");
            assert!(one["outcome"].is_string() && one["detail"].is_string(), "{answer}");
        }
    }
}

#[test]
fn a_window_that_does_not_come_is_told_with_all_that_was_tried() {
    // What it does, how often it is started, and what is told of it.
    let rows = [
        ("sys.exit(75)", 2, "exit status: 75"),
        ("print('no luck here', file=sys.stderr); sys.exit(69)", 1, "exit status: 69): no luck here"),
        ("os.kill(os.getpid(), 9)", 2, "signal: 9"),
        ("say('hello'); import time; time.sleep(60)", 1, "not of the protocol: hello"),
        ("ready['protocol_version'] = 1; say(json.dumps(ready)); import time; time.sleep(60)", 1, "version 1"),
        ("ready['trace_id'] = 'trace_other'; say(json.dumps(ready)); import time; time.sleep(60)", 1, "trace_other"),
        (
            "import time; print('slow', file=sys.stderr, flush=True); time.sleep(60)",
            1,
            "not ready within 1500 ms: slow",
        ),
        ("say(json.dumps(ready)); import time; time.sleep(60)", 1, "no front end was attached"),
        ("import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)", 1, "not ready within"),
    ];
    let (deck, shelf) = (Deck::new(), shelf());
    let mut programs = Vec::new();
    for (number, (body, times, told)) in rows.iter().enumerate() {
        let window = program(&deck, shelf.path(), &format!("bad{number}"), body);
        configure(&deck, &window, "spawn_timeout_ms = 1500");
        deck.cli(&["restart"]).expect(0);
        let mut agent = Agent::new(&deck, "codex");
        let answer = agent.call(TOOL, &execute("touch made", &json!({ "adapter_override": "local" })));
        assert_eq!(code(&answer), "PM_TERM_GUI_UNAVAILABLE", "{body}: {answer}");
        let details = &answer["error"]["details"];
        let attempted = &details["attempted_candidates"][0];
        assert_eq!((&attempted["source"], &attempted["outcome"]), (&json!("configured"), &json!("failed")), "{answer}");
        assert_eq!(attempted["path"], json!(window), "{answer}");
        assert!(attempted["detail"].as_str().unwrap().contains(told), "{told}: {answer}");
        assert_eq!(details["spawn_errors"].as_array().unwrap().len(), *times, "{answer}");
        assert!(details["next_action"].as_str().unwrap().contains("flightdeck open"), "{answer}");
        assert_eq!(starts(&window).len(), *times, "{body}");
        programs.push(window);
    }
    assert!(!deck.workspace().join("made").exists());
    // Each was ended, and nothing else was.
    let left =
        |window: &PathBuf| deck.processes().into_iter().any(|it| it.command.contains(&*window.to_string_lossy()));
    deck.wait_until("they are gone", SOON, || programs.iter().all(|window| !left(window)).then_some(()));
    assert!(processes::is_alive(deck.hub_pid()));
}

#[test]
fn an_unfit_program_is_passed_over_and_the_next_one_serves() {
    let (deck, shelf) = (Deck::new(), shelf());
    let good = program(&deck, shelf.path(), "good", SERVES);
    let bad = program(&deck, shelf.path(), "bad", "sys.exit(0)");
    let path = format!("{}:/usr/bin:/bin", good.parent().unwrap().display());
    // A hub has the environment of its keeper, which stays while terminals run: each command leaves one open.
    let start_with = |path: &str| {
        deck.cli(&["stop", "--all"]).expect(0);
        deck.invoke(&["restart"]).env("PATH", path).run().expect(0);
    };
    for (mode, told) in [(0o644, "not executable"), (0o757, "other users"), (0, "can't be looked at")] {
        if mode == 0 {
            fs::remove_file(&bad).unwrap();
        } else {
            fs::set_permissions(&bad, fs::Permissions::from_mode(mode)).unwrap();
        }
        configure(&deck, &bad, "");
        start_with("/usr/bin:/bin");
        let ask = execute("echo hi", &json!({ "adapter_override": "local" }));
        let answer = Agent::new(&deck, "codex").call(TOOL, &ask);
        let tried = &answer["error"]["details"]["attempted_candidates"][0];
        assert_eq!(tried["outcome"], "unfit", "{answer}");
        assert!(tried["detail"].as_str().unwrap().contains(told), "{answer}");
        assert_eq!(answer["error"]["details"]["spawn_errors"], json!([]), "{answer}");
        start_with(&path);
        assert_eq!(Agent::new(&deck, "codex").call(TOOL, &ask)["success"], true);
    }
    assert_eq!((starts(&bad).len(), starts(&good).len()), (0, 3));
    // An agent could have put one of these there, and would be taken for the person.
    let workspace = deck.workspace();
    for theirs in [program(&deck, &workspace, "bin", SERVES), program(&deck, &deck.home(), "bin", SERVES)] {
        configure(&deck, &theirs, "");
        start_with("/usr/bin:/bin");
        let answer =
            Agent::new(&deck, "codex").call(TOOL, &execute("echo hi", &json!({ "adapter_override": "local" })));
        let tried = &answer["error"]["details"]["attempted_candidates"][0];
        assert!(tried["detail"].as_str().unwrap().contains("where agents write"), "{answer}");
        assert_eq!(starts(&theirs).len(), 0);
    }
}

#[test]
fn a_request_can_only_choose_a_window_that_the_user_has() {
    let (deck, shelf) = (Deck::new(), shelf());
    let known = program(&deck, shelf.path(), "known", SERVES);
    let foreign = program(&deck, shelf.path(), "foreign", SERVES);
    configure(&deck, &known, "");
    let mut agent = Agent::new(&deck, "codex");
    let answer = agent.call(TOOL, &execute("echo hi", &json!({ "binary_path": foreign })));
    assert_eq!(code(&answer), "PM_TERM_BLOCKED_DESTRUCTIVE", "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("binary_path"), "{answer}");
    let answer = agent.call(TOOL, &execute("echo hi", &json!({ "binary_path": "bin/window" })));
    assert_eq!(code(&answer), "PM_TERM_INVALID_PAYLOAD", "{answer}");
    assert_eq!((starts(&known).len(), starts(&foreign).len()), (0, 0));
    let answer = agent.call(TOOL, &execute("echo hi", &json!({ "binary_path": known })));
    assert_eq!(answer["success"], true, "{answer}");
    assert_eq!((starts(&known).len(), starts(&foreign).len()), (1, 0));
}

#[test]
fn what_the_operator_says_wrongly_is_told_and_nothing_runs() {
    let rows = [
        ([("PM_TERM_ADAPTER_MODE", "remote")], json!({}), "PM_TERM_INVALID_PAYLOAD", "PM_TERM_ADAPTER_MODE"),
        (
            [("PM_TERM_ADAPTER_MODE", "container_bridge")],
            json!({}),
            "PM_TERM_INVALID_MODE",
            "PM_INTERACTIVE_TERMINAL_TOKEN",
        ),
        ([("PM_RUNNING_IN_CONTAINER", "true")], json!({}), "PM_TERM_INVALID_MODE", "PM_INTERACTIVE_TERMINAL_TOKEN"),
        ([("X", "")], json!({ "adapter_override": "container_bridge" }), "PM_TERM_INVALID_MODE", "TOKEN"),
        ([("X", "")], json!({ "adapter_override": "remote" }), "PM_TERM_INVALID_PAYLOAD", "adapter_override"),
        ([("PM_INTERACTIVE_TERMINAL_BINARY", "bin/x")], json!({}), "PM_TERM_INVALID_PAYLOAD", "relative"),
    ];
    let deck = Deck::new();
    for (variables, runtime, expected, told) in rows {
        let mut restart = deck.invoke(&["restart"]).env("PM_TERM_ADAPTER_MODE", "auto");
        for (name, value) in variables {
            restart = restart.env(name, value);
        }
        restart.run().expect(0);
        let answer = Agent::new(&deck, "codex").call(TOOL, &execute("touch made", &runtime));
        assert_eq!(code(&answer), expected, "{variables:?}: {answer}");
        assert!(answer["error"].to_string().contains(told), "{answer}");
    }
    assert!(!deck.workspace().join("made").exists());
}
