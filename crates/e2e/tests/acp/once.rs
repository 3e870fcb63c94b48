//! `flightdeck agent --prompt`: one prompt for scripts, which ends whatever becomes of the agent, the hub and the person.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

use flightdeck_e2e::processes::{self, Stopped};
use flightdeck_e2e::{Deck, Person, SOON, try_until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::screen::prompts;
use super::{QUICK, TOLD, call, command};

/// The arguments that have the script agent do these steps.
fn prompt(before: &[&str], options: &[&str], steps: &Value) -> Vec<String> {
    let mut words: Vec<String> = vec!["agent".to_owned(), "--prompt".to_owned(), steps.to_string()];
    words.extend(before.iter().map(|word| (*word).to_owned()));
    words.push("--".to_owned());
    words.extend(command(options));
    words
}

fn refs(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// One that runs, whose lines are read as they come.
struct Once {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
}

impl Once {
    fn start(deck: &Deck, words: &[String]) -> Self {
        let mut command: Command = deck.command(&refs(words));
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        Once { child, out }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("it can be read");
        line
    }

    /// Reads events until one is as wanted.
    #[track_caller]
    fn event(&mut self, wanted: impl Fn(&Value) -> bool) {
        loop {
            let line = self.line();
            assert_ne!(line, "", "the event never came");
            if wanted(&serde_json::from_str(&line).expect("a line is an event")) {
                return;
            }
        }
    }

    /// What it says on standard error, until these words have come.
    #[track_caller]
    fn said(&mut self, words: &str) -> (String, BufReader<ChildStderr>) {
        let mut errors = BufReader::new(self.child.stderr.take().expect("a pipe"));
        let mut said = String::new();
        while !said.contains(words) {
            assert_ne!(errors.read_line(&mut said).expect("it can be read"), 0, "{words:?} is missing: {said}");
        }
        (said, errors)
    }

    /// The exit code, once it has ended, which must not take longer.
    #[track_caller]
    fn exit_code(&mut self, deadline: Duration) -> Option<i32> {
        let status = try_until(deadline, || self.child.try_wait().expect("it is our child"));
        status.unwrap_or_else(|| panic!("it did not end within {deadline:?}")).code()
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    /// Waits for the end, and gives the exit code and what else was printed.
    fn finish(mut self) -> (i32, String, String) {
        let status = try_until(SOON, || self.child.try_wait().expect("it is our child"));
        if status.is_none() {
            let _ = self.child.kill();
        }
        let (mut out, mut errors) = (String::new(), String::new());
        self.out.read_to_string(&mut out).expect("text");
        self.child.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("text");
        let Some(status) = status else { panic!("it did not end; it printed:\n{out}\n{errors}") };
        (status.code().expect("it ended by itself"), out, errors)
    }
}

impl Drop for Once {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_crash_is_told_with_its_exit_status_and_last_words() {
    let deck = Deck::new();
    let steps = json!([{ "say": "so far" }, { "stderr": "Traceback: the key is wrong" }, { "exit": 3 }]);
    for before in [&[][..], &["--json"]] {
        let ran = deck.cli(&refs(&prompt(before, &[], &steps)));
        assert_eq!(ran.code, 1, "{ran}");
        for words in ["exit code 3", "Traceback: the key is wrong"] {
            assert!(ran.errors().contains(words), "{words:?} is missing: {ran}");
        }
    }
    let ran = deck.cli(&refs(&prompt(&["--json"], &["--crash"], &steps)));
    assert_eq!(ran.code, 1, "{ran}");
    for words in ["exit code 7", "cannot start: the key is missing"] {
        assert!(ran.errors().contains(words), "{words:?} is missing: {ran}");
    }
}

#[test]
fn the_exit_code_says_how_the_turn_ended() {
    let deck = Deck::new();
    for (steps, code, words) in [
        (json!([{ "say": "fine" }]), 0, ""),
        (json!([{ "fail": "out of credit" }]), 1, "out of credit"),
        (json!([{ "stop": "refusal" }]), 1, "refused"),
        (json!([{ "stop": "max_tokens" }]), 1, "too long"),
    ] {
        for before in [&[][..], &["--json"]] {
            let ran = deck.cli(&refs(&prompt(before, &[], &steps)));
            assert_eq!(ran.code, code, "{ran}");
            assert!(ran.errors().contains(words), "{words:?} is missing: {ran}");
        }
    }
}

#[test]
fn only_keys_that_do_something_are_named() {
    let deck = Deck::new();
    let ran = deck.cli(&refs(&prompt(&[], &[], &json!([])))).expect(0);
    assert!(ran.errors().contains("starting; Ctrl-C cancels it\n"), "{ran}");
    assert!(!ran.errors().contains("Ctrl-D"), "{ran}");
}

#[test]
fn tabs_and_languages_come_as_they_are_and_nothing_that_deceives() {
    let deck = Deck::new();
    let steps = json!([{ "say": "a\tb e" }, { "say": "\u{301} \u{26a0}" }, { "say": "\u{fe0f}\n\u{202e}x\u{1b}[2J" }]);
    let ran = deck.cli(&refs(&prompt(&[], &[], &steps))).expect(0);
    assert_eq!(ran.text(), "a\tb e\u{301} \u{26a0}\u{fe0f}\n\\u{202e}x\\x1b[2J\n");
}

/// Whether this text stands in a file below a folder.
fn holds(dir: &Path, text: &[u8]) -> bool {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| {
        if path.is_dir() {
            return holds(&path, text);
        }
        std::fs::read(&path).is_ok_and(|bytes| bytes.windows(text.len()).any(|part| part == text))
    })
}

#[test]
fn a_turn_that_ends_while_no_hub_runs_is_seen_to_its_end() {
    let deck = Deck::new();
    let go = deck.home().join("go");
    let steps = json!([{ "say": "begun\n" }, { "until_file": go }, { "say": "the-last-word" }]);
    let mut once = Once::start(&deck, &prompt(&[], &[], &steps));
    assert_eq!(once.line(), "begun\n");
    let of_agent = deck.terminal_dir("t1");
    // Nobody starts another hub before the turn is over.
    once.signal(Signal::STOP);
    let lost = deck.lose_hub();
    std::fs::write(&go, "").unwrap();
    let ended = try_until(SOON, || holds(&of_agent, b"end_turn").then_some(()));
    assert!(ended.is_some(), "the agent did not end its turn\n{}", deck.dump());
    drop(lost);
    once.signal(Signal::CONT);
    let (code, out, errors) = once.finish();
    assert_eq!((code, out.as_str()), (0, "the-last-word\n"), "{errors}");
}

#[test]
fn the_second_interrupt_leaves_whatever_the_agent_does() {
    let deck = Deck::new();
    // It takes no notice of being cancelled.
    let steps = json!([{ "say": "begun\n" }, { "until_file": deck.home().join("never") }]);
    let mut once = Once::start(&deck, &prompt(&[], &[], &steps));
    assert_eq!(once.line(), "begun\n");
    once.signal(Signal::INT);
    let _errors = once.said("Ctrl-C again leaves");
    once.signal(Signal::INT);
    assert_eq!(once.exit_code(SOON), Some(130));
    deck.wait_until("the agent has ended", SOON, || {
        let listed = deck.json(&["agent", "--list", "--json"]);
        (listed[0]["state"] == "gone").then_some(())
    });
    let left = deck.processes().into_iter().filter(|process| process.command.contains("script_agent"));
    assert_eq!(left.count(), 0);
}

/// One whose agent was asked for a mode and does nothing until a file is there, with the file. The prompt comes after that.
fn held_at_its_mode(deck: &Deck) -> (Once, PathBuf) {
    let (go, record) = (deck.home().join("go"), deck.home().join("record"));
    let options = ["--hold-mode", go.to_str().unwrap(), "--record", record.to_str().unwrap()];
    let steps = json!([{ "say": "begun\n" }, { "until_cancelled": true }]);
    let once = Once::start(deck, &prompt(&["--mode", "code"], &options, &steps));
    deck.wait_until("the mode is asked for", SOON, || {
        std::fs::read_to_string(&record).is_ok_and(|record| record.contains("session/set_mode")).then_some(())
    });
    (once, go)
}

#[test]
fn an_interrupt_before_the_prompt_is_sent_cancels_it() {
    let deck = Deck::new();
    let (mut once, go) = held_at_its_mode(&deck);
    once.signal(Signal::INT);
    let _errors = once.said("cancelling");
    std::fs::write(&go, "").unwrap();
    assert_eq!(once.exit_code(SOON), Some(130));
}

#[test]
fn a_prompt_that_was_cancelled_is_not_sent_to_the_next_hub() {
    let deck = Deck::new();
    let (mut once, go) = held_at_its_mode(&deck);
    once.signal(Signal::INT);
    let _errors = once.said("cancelling");
    deck.kill_hub();
    std::fs::write(&go, "").unwrap();
    assert_eq!(once.exit_code(SOON), Some(130));
    assert!(prompts(&deck).is_empty(), "{:?}", prompts(&deck));
}

#[test]
fn a_turn_that_was_cancelled_while_no_hub_ran_does_not_go_on() {
    let deck = Deck::new();
    let steps = json!([{ "say": "begun\n" }, { "until_cancelled": true }]);
    let mut once = Once::start(&deck, &prompt(&[], &[], &steps));
    assert_eq!(once.line(), "begun\n");
    // Nobody starts another hub before it was cancelled.
    let hub = deck.hub_pid();
    let keeper = Stopped::new(deck.keeper_pid());
    let spawner = Stopped::new(deck.hub_spawner());
    processes::signal(hub, Signal::KILL);
    let (_, mut errors) = once.said("starting another one");
    once.signal(Signal::INT);
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert!(line.contains("cancelling"), "{line}");
    drop((keeper, spawner));
    assert_eq!(once.exit_code(SOON), Some(130));
}

/// An agent that was wanted for one prompt is stopped in the end, and the hub says nothing.
#[test]
fn a_signal_ends_the_wait_for_the_end_of_the_agent() {
    for signal in [Signal::INT, Signal::TERM] {
        let deck = Deck::new();
        let go = deck.home().join("go");
        let steps = json!([{ "say": "begun\n" }, { "until_file": go }]);
        let mut once = Once::start(&deck, &prompt(&["--json"], &[], &steps));
        once.event(|event| event.to_string().contains("begun\\n"));
        let hub = deck.hub_pid();
        let itself = Stopped::new(once.child.id());
        std::fs::write(&go, "").unwrap();
        deck.wait_until("the turn is over", SOON, || {
            (deck.json(&["agent", "--list", "--json"])[0]["state"] == "done").then_some(())
        });
        let _hub = Stopped::after_work(hub, TOLD);
        drop(itself);
        once.event(|event| event["entry"]["kind"] == "ended");
        once.event(|event| event["chat"]["state"] == "done");
        once.signal(signal);
        assert_eq!(once.exit_code(QUICK), Some(0), "{signal:?}");
    }
}

fn form() -> Value {
    json!({
        "mode": "form",
        "message": "Which colour?",
        "requestedSchema": { "type": "object", "properties": { "colour": { "type": "string" } }, "required": ["colour"] },
    })
}

#[test]
fn a_form_that_nobody_can_fill_in_is_declined_and_told() {
    let deck = Deck::new();
    let steps = json!([call("form", "elicitation/create", form())]);
    let ran = deck.cli(&refs(&prompt(&[], &[], &steps))).expect(0);
    assert_eq!(ran.text(), "form={\"action\": \"decline\"}\n");
    for words in ["Which colour?", "declined", "in a terminal"] {
        assert!(ran.errors().contains(words), "{words:?} is missing: {ran}");
    }
}

#[test]
fn a_form_waits_for_a_person_who_is_elsewhere() {
    let deck = Deck::new();
    deck.start();
    let _person = Person::at(&deck);
    let steps = json!([{ "say": "begun\n" }, call("form", "elicitation/create", form())]);
    let mut once = Once::start(&deck, &prompt(&[], &[], &steps));
    assert_eq!(once.line(), "begun\n");
    let (seen, _errors) = once.said("Which colour?");
    assert!(seen.contains("flightdeck agent --resume c1"), "{seen}");
    let read = deck.socket().call("flightdeck.chat.read", json!({ "id": "c1" })).unwrap();
    let entry = read["entries"].as_array().unwrap().iter().find(|entry| entry["kind"] == "question").unwrap();
    let answer = json!({ "id": "c1", "entry": entry["number"], "values": { "colour": "red" } });
    deck.socket().call("flightdeck.chat.answer", answer).unwrap();
    assert_eq!(once.line(), "form={\"action\": \"accept\", \"content\": {\"colour\": \"red\"}}\n");
}

#[test]
fn a_sign_in_that_nobody_can_do_is_told() {
    let deck = Deck::new();
    let ran = deck.cli(&refs(&prompt(&[], &["--auth"], &json!([]))));
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.errors().contains("flightdeck agent --resume c1"), "{ran}");
}

#[test]
fn a_failed_tool_call_says_why() {
    let deck = Deck::new();
    let ran = deck.cli(&refs(&prompt(&[], &[], &super::failing()))).expect(0);
    let lines = "✗ Build it\n  … 2 lines before\n  line 3\n  line 4\n  line 5\n  line 6\n  no such file\n";
    assert!(ran.errors().contains(lines), "{lines:?} is missing: {ran}");
}

/// Steps whose command prints a line, waits for a file, and prints another one.
fn live(go: &Path) -> Value {
    let line = format!("echo first; until [ -e '{}' ]; do sleep 0.02; done; echo last; exit 4", go.display());
    json!([
        call("t", "terminal/create", json!({ "command": line })),
        { "update": {
            "sessionUpdate": "tool_call", "toolCallId": "c", "title": "Build", "kind": "execute", "status": "in_progress",
            "content": [{ "type": "terminal", "terminalId": "${t.terminalId}" }],
        } },
        super::about("exit", "wait_for_exit"),
        { "update": { "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed" } },
    ])
}

#[test]
fn what_a_command_prints_comes_as_it_is_printed() {
    let deck = Deck::new();
    let go = deck.home().join("go");
    let mut once = Once::start(&deck, &prompt(&[], &[], &live(&go)));
    let (mut seen, mut errors) = once.said("\n  first\n");
    std::fs::write(&go, "").unwrap();
    errors.read_to_string(&mut seen).unwrap();
    assert!(seen.contains("  last\n  t2 ended with exit code 4\n✓ Build"), "{seen}");
    assert_eq!(seen.matches("first").count(), 1, "{seen}");
}

#[test]
fn what_a_command_prints_comes_as_json_lines() {
    let deck = Deck::new();
    let go = deck.home().join("go");
    let mut once = Once::start(&deck, &prompt(&["--json"], &[], &live(&go)));
    let mut told: Vec<Value> = Vec::new();
    loop {
        let line = once.line();
        if line.is_empty() {
            break;
        }
        let event: Value = serde_json::from_str(&line).unwrap();
        if event["type"] == "terminal_output" && event["text"] == "first\n" {
            std::fs::write(&go, "").unwrap();
        }
        told.push(event);
    }
    let of_terminal: Vec<&Value> =
        told.iter().filter(|event| event["type"].as_str().is_some_and(|it| it.starts_with("terminal_"))).collect();
    let text: String = of_terminal.iter().filter_map(|event| event["text"].as_str()).collect();
    assert_eq!(text.trim_end(), "first\nlast");
    assert_eq!(*of_terminal.last().unwrap(), &json!({ "type": "terminal_ended", "terminal": "t2", "exitCode": 4 }));
    // All of it stands before the news that the tool call is over.
    let place = |wanted: &dyn Fn(&Value) -> bool| told.iter().position(wanted).unwrap();
    let done = place(&|event| event["entry"]["status"] == "completed");
    assert!(place(&|event| event["type"] == "terminal_ended") < done);
    assert_eq!(once.finish().0, 0);
}
