//! Acceptance: errors are exact and say what to do next.

use flightdeck_e2e::Agent;
use serde_json::json;

use super::{Backend, refused, tab};

on_both_backends!(
    what_can_not_be_done_is_told_with_what_to_do,
    dangerous_commands_are_stopped_by_the_policy_whichever_tool_they_come_by,
);

fn what_can_not_be_done_is_told_with_what_to_do(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    for (tool, args, code, words) in [
        // A wrong id is an error in every tool, never an empty success.
        ("execute_command", json!({ "window_id": "@99", "command": "true" }), "terminal_not_found", "@99"),
        ("start_process", json!({ "window_id": "@99", "command": "true" }), "terminal_not_found", "@99"),
        ("stop_process", json!({ "window_id": "@99" }), "terminal_not_found", "@99"),
        ("read_logs_from_tab", json!({ "window_id": "@99" }), "terminal_not_found", "@99"),
        ("stream_logs_from_tab", json!({ "window_id": "@99" }), "terminal_not_found", "@99"),
        ("close_tab", json!({ "window_id": "@99" }), "terminal_not_found", "@99"),
        ("read_logs_from_tab", json!({ "window_id": "t1" }), "invalid_argument", "window_id"),
        ("read_logs_from_tab", json!({ "window_id": 1 }), "invalid_argument", "window_id"),
        ("read_logs_from_tab", json!({}), "invalid_argument", "window_id"),
        ("read_logs_from_tab", json!({ "window_id": id, "lines": 0 }), "invalid_argument", "lines"),
        ("read_logs_from_tab", json!({ "window_id": id, "lines": -5 }), "invalid_argument", "lines"),
        ("read_logs_from_tab", json!({ "window_id": id, "lines": 1.5 }), "invalid_argument", "lines"),
        ("execute_command", json!({ "window_id": id }), "invalid_argument", "command"),
        ("stop_process", json!({ "window_id": id, "signal": "SIGKILL" }), "invalid_argument", "signal"),
        ("stream_logs_from_tab", json!({ "window_id": id, "from_byte": 1e12 }), "invalid_argument", "from_byte"),
        ("create_tab", json!({ "cwd": "/no/such/folder" }), "cwd_missing", "/no/such/folder"),
        ("create_tab", json!({ "env": { "A=B": "c" } }), "invalid_argument", "env"),
        ("set_history_limit", json!({}), "invalid_argument", "lines"),
        ("set_history_limit", json!({ "lines": 1 }), "invalid_argument", "512"),
        ("set_history_limit", json!({ "bytes": 1e15 }), "invalid_argument", "bytes"),
    ] {
        let error = refused(&mut agent, tool, &args, code);
        assert!(error["error"].as_str().unwrap().contains(words), "{tool} {args}: {error}");
        assert!(code != "terminal_not_found" || error["hint"].as_str().unwrap().contains("list_tabs"), "{error}");
        assert!(error.get("success").is_none(), "{error}");
    }
}

fn dangerous_commands_are_stopped_by_the_policy_whichever_tool_they_come_by(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    for tool in ["execute_command", "start_process"] {
        refused(&mut agent, tool, &json!({ "window_id": id, "command": "rm -rf /" }), "blocked");
        // Nobody is there who could be asked.
        refused(&mut agent, tool, &json!({ "window_id": id, "command": "rm -rf build" }), "approval_unavailable");
    }
    // In two parts it is the same command.
    super::ok(&mut agent, "start_process", &json!({ "window_id": id, "command": "rm -rf ", "append_newline": false }));
    refused(&mut agent, "start_process", &json!({ "window_id": id, "command": "/" }), "blocked");
}
