//! The `openspace.*` tools as an agent uses them over MCP: files, panes, editors, and the IDE that may stand in for them.

mod bridge;
mod brought;
mod editors;
mod edits;
mod files;
mod instructions;
mod leaving;
mod panes;
mod search;
mod stories;
mod undo;
mod watching;

use std::fs;
use std::path::PathBuf;

use flightdeck_e2e::{Agent, Deck};
use serde_json::{Value, json};

/// A deck with a file of 100 lines, `src/index.ts`.
fn deck() -> Deck {
    let deck = Deck::new();
    let lines: String = (1..=100).map(|number| format!("line {number}\n")).collect();
    put(&deck, "src/index.ts", &lines);
    deck
}

/// The same for tests that call more often than an agent may.
fn deck_without_limits() -> Deck {
    let deck = deck();
    deck.settings("[limits]\nburst = 1e9\nper_second = 1e9\n");
    deck
}

/// Writes a file behind the hub's back.
fn put(deck: &Deck, path: &str, text: &str) -> PathBuf {
    let path = deck.workspace().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

/// What a file holds.
fn text(deck: &Deck, path: &str) -> String {
    fs::read_to_string(deck.workspace().join(path)).unwrap()
}

/// Calls a command as a person would.
#[track_caller]
fn person(deck: &Deck, command: &str, args: &Value) -> Value {
    deck.json(&["call", command, &args.to_string()])
}

/// The whole workbench.
#[track_caller]
fn snapshot(deck: &Deck) -> Value {
    person(deck, "flightdeck.workbench.snapshot", &json!({}))["data"].clone()
}

/// Calls a tool, which must fail with this code; the error has words and advice.
#[track_caller]
fn refused(agent: &mut Agent, tool: &str, args: &Value, code: &str) -> Value {
    let result = agent.call(tool, args);
    assert_eq!((&result["success"], &result["code"]), (&json!(false), &json!(code)), "{tool} {args}: {result}");
    assert!(result["error"].as_str().is_some_and(|text| text.len() > 5), "{result}");
    result
}

/// The panes as they stand.
#[track_caller]
fn panes(agent: &mut Agent) -> Vec<Value> {
    agent.ok("openspace.pane.list", &json!({}))["panes"].as_array().unwrap().clone()
}

/// The content of all tabs of all panes.
#[track_caller]
fn open(agent: &mut Agent) -> Vec<String> {
    let panes = panes(agent);
    let tabs = panes.iter().flat_map(|pane| pane["tabs"].as_array().unwrap());
    tabs.map(|tab| tab["contentId"].as_str().unwrap().to_owned()).collect()
}
