//! Arguments beside those that the document names: its schemas allow them.

use flightdeck_e2e::Agent;
use serde_json::json;

use super::{Backend, ok, tab};

on_both_backends!(arguments_that_are_not_known_are_ignored_with_a_warning);

fn arguments_that_are_not_known_are_ignored_with_a_warning(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let id = tab(&mut agent, "t");
    let args =
        json!({ "window_id": id, "command": "echo hi", "strip_ansi": true, "explanation": "a greeting", "x": 1 });
    let ran = ok(&mut agent, "execute_command", &args);
    assert_eq!((&ran["output"], &ran["exit_code"]), (&json!("hi\n"), &json!(0)), "{ran}");
    let warning = ran["warning"].as_str().unwrap();
    assert!(warning.contains("explanation") && warning.contains('x') && !warning.contains("strip_ansi"), "{warning}");
    for (tool, args) in [
        ("create_tab", json!({ "shell": "zsh" })),
        ("list_tabs", json!({ "all": true })),
        ("read_logs_from_tab", json!({ "window_id": id, "follow": true })),
        ("stream_logs_from_tab", json!({ "window_id": id, "follow": true })),
        ("start_process", json!({ "window_id": id, "command": "true", "cwd": "/" })),
        ("stop_process", json!({ "window_id": id, "force": true })),
        ("set_history_limit", json!({ "lines": 1000, "tab": id })),
        ("close_tab", json!({ "window_id": id, "force": true })),
    ] {
        let answer = ok(&mut agent, tool, &args);
        assert!(answer["warning"].as_str().unwrap().contains("ignored"), "{tool}: {answer}");
    }
    let schemas = agent.request("tools/list", &json!({}))["result"]["tools"].clone();
    let create = schemas.as_array().unwrap().iter().find(|tool| tool["name"] == "create_tab").unwrap();
    assert!(create["inputSchema"].get("additionalProperties").is_none(), "{create}");
}
