//! Terminals of a deck, in a word or two: what most tests do with them.

use std::time::Duration;

use flightdeck_contract::terminal::{CommandRecord, Ran, ScreenShown, TerminalInfo};

use crate::command::Outcome;
use crate::deck::Deck;
use crate::{SOON, processes};

impl Deck {
    /// Starts a terminal (`flightdeck new ARGS`) and gives its id.
    #[track_caller]
    pub fn new_terminal(&self, args: &[&str]) -> String {
        let args = [&["new", "--json"], args].concat();
        self.json(&args)["id"].as_str().expect("an id").to_owned()
    }

    /// Starts a shell and waits for its prompt.
    #[track_caller]
    pub fn shell(&self, shell: &str) -> String {
        let id = self.new_terminal(&["--shell", &format!("/usr/bin/{shell}")]);
        self.at_prompt(&id);
        id
    }

    /// Waits until the shell is at its prompt.
    #[track_caller]
    pub fn at_prompt(&self, id: &str) {
        let waited = self.cli(&["wait", id, "--prompt", "--timeout", &format!("{}s", SOON.as_secs())]);
        assert!(waited.code == 0 && waited.text() == "prompt\n", "no prompt: {waited}\n{}", self.dump());
    }

    /// Runs a command in a shell and gives what came of it. Fails when there is no result.
    #[track_caller]
    pub fn run_in(&self, id: &str, command: &str) -> Ran {
        self.try_run_in(id, command, "30s").json()
    }

    /// Runs a command in a shell with a time limit; the outcome is whatever it is.
    #[track_caller]
    pub fn try_run_in(&self, id: &str, command: &str, timeout: &str) -> Outcome {
        self.cli(&["run", "--in", id, "--json", "--timeout", timeout, "--", command])
    }

    /// How a terminal stands.
    #[track_caller]
    pub fn info(&self, id: &str) -> TerminalInfo {
        let all: Vec<TerminalInfo> = self.cli(&["ls", "--all", "--json"]).expect(0).json();
        all.into_iter().find(|info| info.id.to_string() == id).unwrap_or_else(|| panic!("{id} is not listed"))
    }

    /// What a person would see.
    #[track_caller]
    pub fn screen(&self, id: &str) -> ScreenShown {
        self.cli(&["screen", id, "--json"]).expect(0).json()
    }

    /// Waits until the screen shows this text.
    #[track_caller]
    pub fn on_screen(&self, id: &str, text: &str) -> ScreenShown {
        self.wait_until(&format!("{text:?} on the screen of {id}"), SOON, || {
            Some(self.screen(id)).filter(|screen| screen.text.contains(text))
        })
    }

    /// Types text, then Enter.
    #[track_caller]
    pub fn type_line(&self, id: &str, text: &str) {
        self.cli(&["send", id, "--enter", "--", text]).expect(0);
    }

    /// Presses keys.
    #[track_caller]
    pub fn press(&self, id: &str, keys: &[&str]) {
        self.cli(&[&["send", id, "--keys"], keys].concat()).expect(0);
    }

    /// Waits for the end of a terminal's process and gives its exit code.
    #[track_caller]
    pub fn ended(&self, id: &str, deadline: Duration) -> i32 {
        let time = format!("{}ms", deadline.as_millis());
        let waited = self.cli(&["wait", id, "--exit", "--timeout", &time, "--json"]);
        assert_eq!(waited.code, 0, "{id} did not end: {waited}\n{}", self.dump());
        waited.json::<serde_json::Value>()["exitCode"].as_i64().expect("an exit code") as i32
    }

    /// The commands that ran in a terminal.
    #[track_caller]
    pub fn history(&self, id: &str) -> Vec<CommandRecord> {
        self.cli(&["history", id, "--json"]).expect(0).json()
    }

    /// Everything that a terminal printed, byte for byte.
    #[track_caller]
    pub fn raw_log(&self, id: &str) -> Vec<u8> {
        self.cli(&["logs", id, "--all", "--raw"]).expect(0).stdout
    }

    /// The same without asking the hub: the segments as they are on disk.
    pub fn log_on_disk(&self, id: &str) -> Vec<u8> {
        let entries = std::fs::read_dir(self.terminal_dir(id)).expect("a terminal has a log");
        let mut segments: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        segments.retain(|path| path.extension().is_some_and(|end| end == "seg"));
        segments.sort();
        segments.iter().flat_map(|path| std::fs::read(path).expect("a segment can be read")).collect()
    }

    /// Waits until no process of a terminal is left.
    #[track_caller]
    pub fn nothing_left_of(&self, id: &str) {
        let left = self.processes_of(id);
        assert!(left.is_empty(), "of {id} there is still: {left:#?}");
        assert!(self.info(id).pid.is_none_or(|pid| !processes::is_alive(pid)), "the first process of {id} lives");
    }
}
