//! Quotas of one agent: refused with a structured error that says what to do, and told in the metrics.

use flightdeck_e2e::{Agent, Deck, Http};
use serde_json::json;

use super::{Backend, call, ok, refused, run, tab};

on_both_backends!(
    an_agent_has_so_many_tabs_and_another_has_its_own,
    logs_of_an_agent_are_bounded_and_those_of_closed_tabs_make_room,
);

fn metric(deck: &Deck, name: &str) -> u64 {
    let text = Http::of(deck).get("/metrics").text();
    let line = text.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

fn an_agent_has_so_many_tabs_and_another_has_its_own(backend: Backend) {
    let deck = backend.deck();
    deck.settings("[tabs]\nper_agent = 2\n");
    let mut agent = Agent::new(&deck, "codex");
    let first = tab(&mut agent, "one");
    tab(&mut agent, "two");
    let error = refused(&mut agent, "create_tab", &json!({}), "resource_limit");
    assert_eq!(error["details"], json!({ "quota": "tabs", "used": 2, "limit": 2 }));
    assert!(error["hint"].as_str().unwrap().contains("close_tab"), "{error}");
    assert_eq!(metric(&deck, "flightdeck_tabs"), 2);
    let mut other = Agent::new(&deck, "other");
    let own = tab(&mut other, "its own");
    ok(&mut agent, "close_tab", &json!({ "window_id": first }));
    tab(&mut agent, "three");
    // Many at once do not slip through.
    ok(&mut other, "close_tab", &json!({ "window_id": own }));
    let begun: Vec<_> = (0..6).map(|_| other.begin("create_tab", &json!({}))).collect();
    let opened = begun.into_iter().filter(|id| !super::answer(&mut other, *id).is_error).count();
    assert_eq!(opened, 2);
}

fn logs_of_an_agent_are_bounded_and_those_of_closed_tabs_make_room(backend: Backend) {
    let deck = backend.deck();
    deck.settings("[tabs]\nlog_bytes = 2000000\n");
    let mut agent = Agent::new(&deck, "codex");
    let print = "head -c 1200000 /dev/zero | tr '\\0' x";
    let old = tab(&mut agent, "old");
    run(&mut agent, &old, print);
    assert!(metric(&deck, "flightdeck_tab_log_bytes") >= 1_200_000);
    ok(&mut agent, "close_tab", &json!({ "window_id": old }));
    let new = tab(&mut agent, "new");
    run(&mut agent, &new, print);
    // Together they are too much: the log of the closed tab goes.
    run(&mut agent, &new, "true");
    refused(&mut agent, "read_logs_from_tab", &json!({ "window_id": old }), "terminal_not_found");
    run(&mut agent, &new, print);
    let more = json!({ "window_id": new, "command": "true" });
    for (tool, args) in [("execute_command", &more), ("start_process", &more), ("create_tab", &json!({}))] {
        let error = refused(&mut agent, tool, args, "resource_limit");
        assert_eq!((&error["details"]["quota"], &error["details"]["limit"]), (&json!("log_bytes"), &json!(2_000_000)));
        assert!(error["hint"].as_str().unwrap().contains("close_tab"), "{error}");
    }
    // Reading and closing work, and closing makes room.
    ok(&mut agent, "read_logs_from_tab", &json!({ "window_id": new, "lines": 1 }));
    ok(&mut agent, "close_tab", &json!({ "window_id": new }));
    let fresh = tab(&mut agent, "fresh");
    assert!(!call(&mut agent, "execute_command", &json!({ "window_id": fresh, "command": "true" })).is_error);
}
