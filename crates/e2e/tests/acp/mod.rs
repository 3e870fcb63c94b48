//! Agents that the hub runs by the Agent Client Protocol. The agent is a script (`agents/script_agent.py`): it does what its
//! prompt says, well or badly.

mod cli;
mod conformance;
mod document;
mod fields;
mod keepsakes;
mod load;
mod once;
mod real;
mod restart;
mod screen;
mod sessions;
mod stuck;
mod troubles;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flightdeck_contract::chat::{Chat, ChatRead, ChatState, Entry, EntryContent};
use flightdeck_e2e::{Deck, SOON};
use serde_json::{Value, json};

/// For what takes long where the machine is busy.
const LONG: Duration = Duration::from_mins(2);

/// For what is waited for while the hub does not answer: less than the time after which it is given up.
const QUICK: Duration = Duration::from_secs(8);

/// A hub that has done nothing for so long has told everybody who follows a conversation. It gathers news for 33 ms.
const TOLD: Duration = Duration::from_millis(300);

/// The script agent.
fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("agents/script_agent.py")
}

/// How the script agent is started.
fn command(options: &[&str]) -> Vec<String> {
    let words = ["python3".to_owned(), script().to_string_lossy().into_owned()];
    words.into_iter().chain(options.iter().map(|option| (*option).to_owned())).collect()
}

/// What the agent says in these entries, as one text.
fn said<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    let text = |entry: &'a Entry| match &entry.content {
        EntryContent::Agent { text } => Some(text.as_str()),
        _ => None,
    };
    entries.into_iter().filter_map(text).collect()
}

/// A conversation with the script agent.
struct Talk<'a> {
    deck: &'a Deck,
    id: String,
}

impl<'a> Talk<'a> {
    /// Starts the agent, and waits until it can be prompted.
    fn start(deck: &'a Deck, options: &[&str]) -> Self {
        let talk = Talk::begin(deck, options);
        talk.wait_for("it is ready", |chat| chat.state == ChatState::Ready);
        talk
    }

    /// Starts the agent.
    fn begin(deck: &'a Deck, options: &[&str]) -> Self {
        let sessions = deck.home().join("sessions");
        std::fs::create_dir_all(&sessions).unwrap();
        let args = json!({ "command": command(options), "env": { "SCRIPT_AGENT_STATE": sessions } });
        Talk::of(deck, args)
    }

    /// Starts an agent as these arguments say.
    fn of(deck: &'a Deck, args: Value) -> Self {
        let started = deck.socket().call("flightdeck.chat.new", args).unwrap();
        Talk { deck, id: started["id"].as_str().unwrap().to_owned() }
    }

    fn call(&self, command: &str, args: Value) -> Value {
        self.try_call(command, args).unwrap_or_else(|error| panic!("{command}: {error:?}\n{}", self.story()))
    }

    fn try_call(&self, command: &str, mut args: Value) -> Result<Value, flightdeck_contract::Error> {
        args["id"] = json!(self.id);
        self.deck.socket().call(&format!("flightdeck.chat.{command}"), args)
    }

    fn read(&self) -> ChatRead {
        let read = self.deck.socket().call("flightdeck.chat.read", json!({ "id": self.id, "limit": 500 })).unwrap();
        serde_json::from_value(read).unwrap()
    }

    fn chat(&self) -> Chat {
        self.read().chat
    }

    fn entries(&self) -> Vec<Entry> {
        self.read().entries
    }

    fn wait_for(&self, what: &str, wanted: impl Fn(&Chat) -> bool) -> Chat {
        self.wait_long_for(what, SOON, wanted)
    }

    fn wait_long_for(&self, what: &str, time: Duration, wanted: impl Fn(&Chat) -> bool) -> Chat {
        let mut last = None;
        let found = flightdeck_e2e::try_until(time, || {
            let chat = self.chat();
            let found = wanted(&chat).then(|| chat.clone());
            last = Some(chat);
            found
        });
        found
            .unwrap_or_else(|| panic!("not within {time:?}: {what}\n{last:#?}\n{}\n{}", self.story(), self.deck.dump()))
    }

    /// Everything that was said, for whoever looks for a mistake.
    fn story(&self) -> String {
        self.entries().iter().map(|entry| format!("{}\n", serde_json::to_string(entry).unwrap())).collect()
    }

    fn prompt(&self, text: &str) -> u64 {
        let content = json!([{ "type": "text", "text": text }]);
        self.call("prompt", json!({ "content": content }))["turn"].as_u64().unwrap()
    }

    /// Has the agent do these steps.
    #[expect(clippy::needless_pass_by_value, reason = "scripts are written in place")]
    fn run(&self, steps: Value) -> u64 {
        self.prompt(&steps.to_string())
    }

    /// Waits for the end of the turn.
    fn done(&self) -> Chat {
        self.wait_for("the turn is over", |chat| !chat.state.is_busy() && chat.state != ChatState::Starting)
    }

    /// Has the agent do these steps to their end, and gives what its calls gave.
    fn values(&self, steps: Value) -> HashMap<String, Value> {
        let turn = self.run(steps);
        let chat = self.done();
        assert_eq!(chat.state, ChatState::Done, "{}\n{}", chat.reason, self.story());
        self.told(turn)
    }

    /// What the agent's calls gave in a turn: it says `NAME=JSON` of each.
    fn told(&self, turn: u64) -> HashMap<String, Value> {
        let text = said(self.entries().iter().filter(|entry| u64::from(entry.turn) == turn));
        let pair = |line: &str| {
            let (name, value) = line.split_once('=')?;
            Some((name.to_owned(), serde_json::from_str(value).ok()?))
        };
        text.lines().filter_map(pair).collect()
    }

    /// Everything that the agent said, as one text.
    fn said(&self) -> String {
        said(&self.entries())
    }

    /// The newest entry that is as wanted.
    fn find<T>(&self, wanted: impl Fn(&EntryContent) -> Option<T>) -> Option<T> {
        self.entries().iter().rev().find_map(|entry| wanted(&entry.content))
    }

    fn wait_for_entry<T>(&self, what: &str, wanted: impl Fn(&EntryContent) -> Option<T>) -> T {
        let found = flightdeck_e2e::try_until(SOON, || self.find(&wanted));
        found.unwrap_or_else(|| panic!("not in time: {what}\n{}\n{}", self.story(), self.deck.dump()))
    }
}

/// A call in a script, and its name.
#[expect(clippy::needless_pass_by_value, reason = "scripts are written in place")]
fn call(name: &str, method: &str, params: Value) -> Value {
    json!({ "call": method, "params": params, "as": name })
}

/// Steps of a tool call that fails with some lines of text.
fn failing() -> Value {
    let text = "```\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\n\u{1b}[31mno such file\u{1b}[0m\n```\n";
    let content = json!([{ "type": "content", "content": { "type": "text", "text": text } }]);
    json!([
        { "update": { "sessionUpdate": "tool_call", "toolCallId": "c", "title": "Build it", "status": "in_progress" } },
        { "update": { "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "failed", "content": content } },
        { "say": "the end" },
    ])
}

/// A call about the terminal that was made as `t`.
fn about(name: &str, method: &str) -> Value {
    call(name, &format!("terminal/{method}"), json!({ "terminalId": "${t.terminalId}" }))
}
