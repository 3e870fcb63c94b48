//! The document's usage scenarios, told as an agent would play them.

use flightdeck_e2e::Agent;
use serde_json::json;

use super::{Backend, in_log, ok, run, tab};

on_both_backends!(a_quick_command, a_development_server, several_services, a_failure_is_looked_into,);

/// Scenario A: a quick bounded command, then the log for context.
fn a_quick_command(backend: Backend) {
    let deck = backend.deck();
    std::fs::write(deck.workspace().join("README"), "hi").unwrap();
    let mut agent = Agent::new(&deck, "claude");
    let id = ok(&mut agent, "create_tab", &json!({}))["window_id"].clone();
    let list = json!({ "window_id": id, "command": "ls -la", "timeout_ms": 5000 });
    let ran = ok(&mut agent, "execute_command", &list);
    assert!(ran["output"].as_str().unwrap().contains("README"), "{ran}");
    assert_eq!((&ran["exit_code"], &ran["timed_out"]), (&json!(0), &json!(false)));
    let logs = ok(&mut agent, "read_logs_from_tab", &json!({ "window_id": id, "strip_ansi": true }));
    assert!(logs["content"].as_str().unwrap().contains("README"), "{logs}");
}

/// Scenario B: a development server whose log is looked at until it is ready, and which is then stopped.
fn a_development_server(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "claude");
    let web = tab(&mut agent, "web");
    let serve = "printf '\\033[32mready\\033[0m\\n'; while sleep 0.1; do echo GET /; done";
    ok(&mut agent, "start_process", &json!({ "window_id": web, "command": serve }));
    let log = in_log(&deck, &mut agent, &web, "\nready\nGET /\n");
    assert!(!log.contains('\u{1b}'), "{log:?}");
    assert_eq!(ok(&mut agent, "stop_process", &json!({ "window_id": web }))["success"], true);
    assert_eq!(run(&mut agent, &web, "echo stopped").0, "stopped\n");
}

/// Scenario C: several services at once, and tests beside them.
fn several_services(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "claude");
    let [web, db, tests] = ["web", "db", "tests"].map(|name| tab(&mut agent, name));
    for (id, service) in [(&web, "web"), (&db, "db")] {
        let serve = format!("while sleep 0.05; do echo {service} is up; done");
        ok(&mut agent, "start_process", &json!({ "window_id": id, "command": serve }));
    }
    let test = "for i in 1 2 3; do echo test $i; sleep 0.1; done; echo 1 failed; false";
    let ran = ok(
        &mut agent,
        "execute_command",
        &json!({ "window_id": tests, "command": test, "timeout_ms": 120_000, "strip_ansi": true }),
    );
    assert_eq!(ran["output"], "test 1\ntest 2\ntest 3\n1 failed\n");
    assert_eq!(ran["exit_code"], 1);
    let web_log = in_log(&deck, &mut agent, &web, "web is up\n");
    let db_log = in_log(&deck, &mut agent, &db, "db is up\n");
    assert!(!web_log.contains("db is up\n") && !db_log.contains("web is up\n"));
    for id in [&web, &db] {
        assert_eq!(ok(&mut agent, "stop_process", &json!({ "window_id": id }))["success"], true);
    }
}

/// Scenario D: a failure is looked into, by the history of the tab and by a search in a file.
fn a_failure_is_looked_into(backend: Backend) {
    let deck = backend.deck();
    let log: String = (0..3000).map(|n| format!("{}: {n}\n", if n == 1500 { "ERROR" } else { "info" })).collect();
    std::fs::write(deck.workspace().join("app.log"), log).unwrap();
    let mut agent = Agent::new(&deck, "claude");
    let id = tab(&mut agent, "t");
    run(&mut agent, &id, "cat app.log");
    // The line of the prompt is one of those that are counted.
    deck.cli(&["wait", "t1", "--prompt"]).expect(0);
    let history = ok(&mut agent, "read_logs_from_tab", &json!({ "window_id": id, "lines": 2000, "strip_ansi": true }));
    assert!(history["content"].as_str().unwrap().contains("\nERROR: 1500\n"));
    assert_eq!((&history["returned_lines"], &history["truncated"]), (&json!(2000), &json!(true)));
    let search =
        json!({ "window_id": id, "command": "grep -i error app.log", "timeout_ms": 10000, "strip_ansi": true });
    let found = ok(&mut agent, "execute_command", &search);
    assert_eq!((&found["output"], &found["exit_code"]), (&json!("ERROR: 1500\n"), &json!(0)));
}
