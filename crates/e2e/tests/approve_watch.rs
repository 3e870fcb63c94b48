//! `flightdeck approve --watch`: a person at a window, at a pipe, or at another front end.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc;

use flightdeck_e2e::{Agent, Deck, Pty, SOON, processes};
use rustix::process::Signal;
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";

/// A workspace with a folder that a dangerous command would delete, where the consent is given.
fn deck() -> Deck {
    let deck = Deck::new();
    restore(&deck);
    deck.cli(&["consent", "--allow"]).expect(0);
    deck
}

fn restore(deck: &Deck) {
    std::fs::create_dir_all(deck.workspace().join("doomed/files")).unwrap();
}

fn is_whole(deck: &Deck) -> bool {
    deck.workspace().join("doomed/files").exists()
}

fn deletion() -> Value {
    json!({ "command": "rm -rf doomed" })
}

/// A window that watches.
fn watching(deck: &Deck) -> Pty {
    let window = deck.window(&["approve", "--watch"]);
    window.wait_for("nothing waits  [q]uit > ");
    window
}

/// A window that watches and then says how that ended, and whether its settings are what they were.
fn shell_that_watches(deck: &Deck) -> Pty {
    let watch = deck.command(&["approve", "--watch"]);
    let program = watch.get_program().to_str().unwrap().to_owned();
    let mut shell = std::process::Command::new("/bin/sh");
    let script = format!(
        "trap : INT; before=$(stty -g); {program} approve --watch; echo \"code=$?\"; \
         [ \"$(stty -g)\" = \"$before\" ] && echo same"
    );
    shell.args(["-c", &script]).current_dir(deck.workspace()).env_clear();
    shell.envs(watch.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let window = Pty::start(&shell, 24, 80);
    window.wait_for("nothing waits");
    window
}

#[test]
fn single_keys_answer_in_a_window() {
    let deck = deck();
    let mut window = watching(&deck);
    let mut agent = Agent::new(&deck, "claude-code");
    let call = agent.begin(RUN, &deletion());
    window.wait_for("a1: [y]es once  [s]ession  [a]lways  [e]dit  [n]o  [v]iew  [q]uit > ");
    let seen = window.seen();
    for part in ["claude-code#1", "wants to run something dangerous", "^^^^^^^^^^^^^", "danger:deletes-tree", "waits"] {
        assert!(seen.contains(part), "{part:?} is not in {seen}");
    }
    // It counts down.
    window.wait_for("9m58s  a1: [y]es once");
    window.wait_for("9m57s  a1: [y]es once");
    window.type_in(b"y");
    assert_eq!(agent.result(call)["success"], true);
    window.wait_for_nth("nothing waits", 2);
    assert!(!is_whole(&deck));
    // A no, with a reason that is typed and corrected.
    restore(&deck);
    let call = agent.begin(RUN, &deletion());
    window.wait_for("a2: [y]es once");
    window.type_in(b"n");
    window.wait_for("a2: why not?");
    window.type_in(b"not todax\x7fy\r");
    let refused = agent.result(call);
    assert!(refused["error"].as_str().unwrap().ends_with(": not today"), "{refused}");
    window.wait_for("a2 declined");
    // Always shows the rule and asks again.
    let call = agent.begin(RUN, &deletion());
    window.wait_for("a3: [y]es once");
    window.type_in(b"a");
    window.wait_for("a3: add this rule?  [y]es  [n]o > ");
    assert!(window.seen().contains("from now on, for every agent: "), "{}", window.seen());
    assert!(is_whole(&deck));
    window.type_in(b"y");
    assert_eq!(agent.result(call)["success"], true);
    window.wait_for("is in the policy file now");
    window.type_in(b"q");
    assert_eq!(window.exit_code(SOON), 0);
}

#[test]
fn several_come_one_after_the_other() {
    let deck = deck();
    let mut window = watching(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let calls: Vec<_> = (1..=3)
        .map(|number| {
            let call = agent.begin(RUN, &json!({ "command": format!("rm -rf doomed{number}") }));
            deck.wait_until("it waits", SOON, || {
                let listed = deck.json(&["approve", "--list", "--json"]);
                (listed["approvals"].as_array().unwrap().len() == number).then_some(())
            });
            call
        })
        .collect();
    window.wait_for("(2 more wait) > ");
    // Another person takes the second, and then the first.
    deck.invoke(&["approve", "a2"]).env("USER", "bo").run().expect(0);
    window.wait_for("a2 was approved by cli:bo");
    window.wait_for("(1 more waits) > ");
    deck.invoke(&["approve", "a1", "--decline"]).env("USER", "bo").run().expect(0);
    window.wait_for("a1 was declined by cli:bo first");
    window.wait_for("a3: [y]es once");
    window.type_in(b"s");
    window.wait_for(" for this agent's session");
    let results: Vec<_> = calls.into_iter().map(|call| agent.result(call)["success"] == true).collect();
    assert_eq!(results, [false, true, true]);
    let call = agent.begin(RUN, &json!({ "command": "rm -rf doomed9" }));
    window.wait_for("a4: [y]es once");
    agent.notify("notifications/cancelled", &json!({ "requestId": call }));
    window.wait_for("a4 was withdrawn");
}

#[test]
fn what_was_typed_before_answers_nothing() {
    let deck = deck();
    let mut window = watching(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let call = agent.begin(RUN, &deletion());
    // Somebody types on while it appears, presses arrows, and pastes.
    window.wait_for("wants to run");
    window.type_in(b"y");
    window.wait_for("a1: [y]es once");
    window.type_in(b"\x1b[A");
    window.type_in(b"yes");
    window.wait_for("several keys at once");
    window.wait_for_nth("a1: [y]es once", 2);
    assert!(is_whole(&deck));
    window.type_in(b"y");
    assert_eq!(agent.result(call)["success"], true);
}

#[test]
fn a_command_is_edited_in_the_persons_editor() {
    let deck = deck();
    let mut command = deck.command(&["approve", "--watch"]);
    let editor = deck.workspace().join("editor");
    // It reads a key of its own, which must not be taken away from it.
    std::fs::write(&editor, "echo editor is here; read key; echo \"echo $key\" > \"$1\"\n").unwrap();
    command.env("EDITOR", format!("sh {}", editor.display()));
    let mut window = Pty::start(&command, 24, 80);
    window.wait_for("nothing waits");
    let mut agent = Agent::new(&deck, "codex");
    let call = agent.begin(RUN, &deletion());
    window.wait_for("a1: [y]es once");
    window.type_in(b"e");
    window.wait_for("editor is here");
    window.type_in(b"harmless\r");
    let ran = agent.result(call);
    assert!(ran["output"].as_str().unwrap().contains("harmless") && is_whole(&deck), "{ran}");
    window.wait_for("a1 \u{1b}[32mapproved");
    window.wait_for_nth("nothing waits", 2);
    window.type_in(b"q");
    assert_eq!(window.exit_code(SOON), 0);
}

#[test]
fn the_window_is_left_as_it_was() {
    let deck = deck();
    let watcher = |deck: &Deck| {
        deck.wait_until("the watcher runs", SOON, || {
            let all = deck.processes();
            let found = all
                .into_iter()
                .find(|process| process.command.contains("approve --watch") && !process.command.contains("before="));
            found.map(|process| process.pid)
        })
    };
    for (how, code) in [("q", 0), ("\x03", 130), ("\x04", 0), ("TERM", 143), ("HUP", 129)] {
        let mut window = shell_that_watches(&deck);
        match how {
            "TERM" => processes::signal(watcher(&deck), Signal::TERM),
            "HUP" => processes::signal(watcher(&deck), Signal::HUP),
            keys => window.type_in(keys.as_bytes()),
        }
        window.wait_for(&format!("code={code}"));
        window.wait_for("same");
    }
}

#[test]
fn consent_is_asked_once() {
    let deck = Deck::new();
    let mut window = deck.window(&["approve", "--watch"]);
    window.wait_for("The AI agent can now control your IDE");
    window.wait_for("[y] allow  [n] decline  [d] [x] don't show this again > ");
    window.type_in(b"d");
    window.wait_for("[ ] don't show this again > ");
    window.type_in(b"d");
    window.wait_for_nth("[x] don't show this again > ", 2);
    window.type_in(b"n");
    window.wait_for("nothing waits");
    let shown = deck.json(&["consent", "--json"]);
    assert_eq!((&shown["ask"], &shown["allowed"]), (&json!(false), &json!(false)), "{shown}");
    drop(window);
    deck.cli(&["restart"]).expect(0);
    let again = watching(&deck);
    assert!(!again.seen().contains("control your IDE"), "{}", again.seen());
}

#[test]
fn a_watcher_outlives_the_hub() {
    let deck = deck();
    let mut window = watching(&deck);
    let mut agent = Agent::new(&deck, "codex");
    agent.begin(RUN, &deletion());
    window.wait_for("a1: [y]es once");
    deck.cli(&["restart"]).expect(0);
    window.wait_for("the hub has ended");
    window.wait_for("the hub is back");
    deck.wait_until("it is attached again", SOON, || {
        (deck.json(&["approve", "--list", "--json"])["attended"] == 1).then_some(())
    });
    let call = agent.begin(RUN, &deletion());
    // Its number is another one, so that an answer to the old request can't meet the new one.
    window.wait_for("a11: [y]es once");
    window.type_in(b"y");
    assert_eq!(agent.result(call)["success"], true);
    let _lost = deck.lose_hub();
    window.wait_for("no hub  [q]uit > ");
    window.type_in(b"q");
    assert_eq!(window.exit_code(SOON), 0);
}

/// `approve --watch` on pipes.
struct Piped {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
}

impl Piped {
    fn start(deck: &Deck, args: &[&str]) -> Self {
        let mut command = deck.command(&[&["approve", "--watch"], args].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let stdout = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Piped { stdin: child.stdin.take(), child, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The next line that has this text in it.
    #[track_caller]
    fn line(&self, text: &str) -> String {
        let mut passed = Vec::new();
        loop {
            let line = self.lines.recv_timeout(SOON).unwrap_or_else(|_| panic!("no {text:?} in {passed:#?}"));
            if line.contains(text) {
                return line;
            }
            passed.push(line);
        }
    }

    #[track_caller]
    fn json(&self, kind: &str) -> Value {
        serde_json::from_str(&self.line(&format!("\"type\":\"{kind}\""))).unwrap()
    }

    fn end(mut self) -> Option<i32> {
        self.stdin = None;
        self.child.wait().unwrap().code()
    }
}

#[test]
fn lines_answer_where_there_is_no_window() {
    let deck = deck();
    let mut watch = Piped::start(&deck, &[]);
    watch.line("nothing waits");
    let mut agent = Agent::new(&deck, "codex");
    let call = agent.begin(RUN, &deletion());
    watch.line("a1: [y]es once");
    for (line, said) in
        [("yes please", "not understood"), ("a2 y", "a2 is not what is asked about"), ("e", "write the")]
    {
        watch.say(line);
        watch.line(said);
    }
    assert!(is_whole(&deck));
    watch.say("n because I say so");
    let refused = agent.result(call);
    assert!(refused["error"].as_str().unwrap().contains("because I say so"), "{refused}");
    watch.line("a1 declined");
    let call = agent.begin(RUN, &deletion());
    watch.line("a2: [y]es once");
    watch.say("e echo harmless");
    let ran = agent.result(call);
    assert!(ran["output"].as_str().unwrap().contains("harmless"), "{ran}");
    let call = agent.begin(RUN, &deletion());
    watch.line("a3: [y]es once");
    watch.say("a3 y");
    assert_eq!(agent.result(call)["success"], true);
    assert!(!is_whole(&deck));
    assert_eq!(watch.end(), Some(0), "the end of the input is the end");
}

#[test]
fn other_front_ends_speak_json() {
    let deck = Deck::new();
    restore(&deck);
    let mut watch = Piped::start(&deck, &["--json"]);
    assert_eq!(watch.json("consent")["ask"], true);
    assert_eq!(watch.json("snapshot")["approvals"], json!([]));
    watch.say(r#"{"consent": {"allow": true, "version": 2}}"#);
    assert_eq!(watch.json("consent")["allowed"], true);
    let mut agent = Agent::new(&deck, "codex");
    let call = agent.begin(RUN, &deletion());
    let pending = watch.json("pending");
    assert_eq!(pending["approval"]["subject"]["text"], "rm -rf doomed");
    watch.say("nonsense");
    assert_eq!(watch.json("failed")["error"]["code"], "invalid_argument");
    watch.say(r#"{"id": "a9", "choice": "approve"}"#);
    let failed = watch.json("failed");
    assert_eq!((&failed["id"], &failed["error"]["code"]), (&json!("a9"), &json!("approval_not_found")));
    watch.say(r#"{"id": "a1", "choice": "approve", "scope": "session"}"#);
    let told = [watch.line("a1"), watch.line("a1")].map(|line| serde_json::from_str::<Value>(&line).unwrap());
    assert!(told.iter().any(|told| told["type"] == "answered" && told["outcome"] == "approved"), "{told:?}");
    assert!(told.iter().any(|told| told["type"] == "settled" && told["by"] == "cli:pilot"), "{told:?}");
    assert_eq!(agent.result(call)["success"], true);
    deck.cli(&["restart"]).expect(0);
    watch.json("gone");
    watch.json("back");
    watch.json("snapshot");
    assert_eq!(watch.end(), Some(0));
}
