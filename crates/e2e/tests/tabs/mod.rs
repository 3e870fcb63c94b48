//! The tab tools as an agent uses them over MCP, on real shells: what their document promises, item by item.

/// Makes each function that takes a backend a test on tmux and one on a PTY.
macro_rules! on_both_backends {
    ($($test:ident),* $(,)?) => {
        mod tmux { $(#[test] fn $test() { super::$test(crate::tabs::Backend::Tmux); })* }
        mod pty { $(#[test] fn $test() { super::$test(crate::tabs::Backend::Pty); })* }
    };
}

mod attach;
mod attached_clients;
mod attached_people;
mod attached_server;
mod beside;
mod documented;
mod errors;
mod execute;
mod limits;
mod logs;
mod persons;
mod printed;
mod process;
mod scenarios;
mod sharing;
mod shells;
mod troubles;
mod windows;

use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::{Value, json};

/// What tabs run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backend {
    Tmux,
    Pty,
}

impl Backend {
    fn deck(self) -> Deck {
        Deck::with_tabs(match self {
            Backend::Tmux => "tmux",
            Backend::Pty => "pty",
        })
    }
}

/// A result of a tool: the object, and whether it was marked as an error.
#[derive(Debug)]
struct Answer {
    object: Value,
    is_error: bool,
}

/// Calls a tool. The text is always the very JSON of the structured content.
#[track_caller]
fn call(agent: &mut Agent, tool: &str, args: &Value) -> Answer {
    let id = agent.begin(tool, args);
    answer(agent, id)
}

/// The answer to a call that was begun.
#[track_caller]
fn answer(agent: &mut Agent, id: u64) -> Answer {
    let result = agent.answer(id)["result"].clone();
    let object = result["structuredContent"].clone();
    assert_eq!(result["content"][0]["type"], "text", "{result}");
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, object, "the text is the same JSON");
    Answer { object, is_error: result["isError"] == true }
}

/// Calls a tool, which must succeed.
#[track_caller]
fn ok(agent: &mut Agent, tool: &str, args: &Value) -> Value {
    let answer = call(agent, tool, args);
    if answer.is_error || answer.object.get("error").is_some() {
        let log = call(agent, "stream_logs_from_tab", &json!({ "window_id": args["window_id"] }));
        panic!("{tool} {args}: {answer:?}\nthe log of the tab: {log:?}");
    }
    answer.object
}

/// Calls a tool, which must fail with this code; the error has words and advice.
#[track_caller]
fn refused(agent: &mut Agent, tool: &str, args: &Value, code: &str) -> Value {
    let Answer { object, is_error } = call(agent, tool, args);
    assert!(is_error && object["code"] == code, "{tool} {args}: {object}");
    assert!(object["error"].as_str().is_some_and(|text| text.len() > 5), "{object}");
    object
}

/// A deck whose user has this shell.
fn deck_with(shell: &str, backend: Backend) -> Deck {
    let deck = backend.deck();
    deck.invoke(&["restart"]).env("SHELL", &format!("/usr/bin/{shell}")).run().expect(0);
    deck
}

/// What was printed in a terminal, from its log on disk, without the marks of its shell.
fn printed(deck: &Deck, terminal: &str) -> String {
    let log = String::from_utf8(deck.log_on_disk(terminal)).unwrap();
    let (first, rest) = log.split_once("\u{1b}]7733;").unwrap();
    let parts = rest.split("\u{1b}]7733;").map(|part| part.split_once('\u{7}').unwrap().1);
    [first].into_iter().chain(parts).collect()
}

/// A new tab.
#[track_caller]
fn tab(agent: &mut Agent, name: &str) -> String {
    let created = ok(agent, "create_tab", &json!({ "name": name }));
    created["window_id"].as_str().unwrap().to_owned()
}

/// A command's output and exit code.
#[track_caller]
fn run(agent: &mut Agent, tab: &str, command: &str) -> (String, i64) {
    let args = json!({ "window_id": tab, "command": command, "strip_ansi": true, "timeout_ms": 40000 });
    let ran = ok(agent, "execute_command", &args);
    assert_eq!(ran["timed_out"], false, "{command}: {ran}");
    (ran["output"].as_str().unwrap().to_owned(), ran["exit_code"].as_i64().unwrap())
}

/// Waits until a tab's log holds this text, and gives the log.
#[track_caller]
fn in_log(deck: &Deck, agent: &mut Agent, tab: &str, text: &str) -> String {
    deck.wait_until(&format!("{text:?} in the log of {tab}"), SOON, || {
        let read = ok(agent, "read_logs_from_tab", &json!({ "window_id": tab, "strip_ansi": true }));
        Some(read["content"].as_str().unwrap().to_owned()).filter(|content| content.contains(text))
    })
}

/// The ids and names of the tabs, and which one is active.
#[track_caller]
fn listed(agent: &mut Agent) -> (Vec<(String, String)>, Option<String>) {
    let tabs = ok(agent, "list_tabs", &json!({}))["tabs"].as_array().unwrap().clone();
    let word = |tab: &Value, field: &str| tab[field].as_str().unwrap().to_owned();
    let active: Vec<_> = tabs.iter().filter(|tab| tab["active"] == true).map(|tab| word(tab, "window_id")).collect();
    assert_eq!(active.len(), usize::from(!tabs.is_empty()), "exactly one tab is active: {tabs:?}");
    (tabs.iter().map(|tab| (word(tab, "window_id"), word(tab, "name"))).collect(), active.first().cloned())
}
