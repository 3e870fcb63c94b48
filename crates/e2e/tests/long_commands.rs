//! Commands of up to a mebibyte: they are read to their end by the policy, and run wherever commands run.

use flightdeck_e2e::{Agent, Deck, SOON, in_each_shell};
use serde_json::{Value, json};

const RUN: &str = "flightdeck.terminal.run";
const LONGEST: usize = 1024 * 1024;

/// A command of exactly this length, and what it prints.
fn of_length(length: usize) -> (String, String) {
    let (begin, end) = ("printf %s '", "' | wc -c | tr -d ' '");
    let text = "long text ".repeat(length / 10 + 1);
    let text = &text[..length - begin.len() - end.len()];
    (format!("{begin}{text}{end}"), format!("{}\n", text.len()))
}

#[test]
fn a_fresh_run_takes_a_mebibyte_and_says_what_is_too_long() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    for length in [128 * 1024, 300_000, LONGEST, 128 * 1024 - 1] {
        if length < 128 * 1024 {
            // Nothing of the longer ones is shown in full where terminals are listed.
            let listed = deck.cli(&["ls", "--all", "--json"]).expect(0).text();
            assert!(listed.len() < 50_000, "{} bytes", listed.len());
        }
        let (command, printed) = of_length(length);
        let ran = agent.ok(RUN, &json!({ "command": command }));
        assert_eq!((&ran["output"], &ran["data"]["exitCode"]), (&json!(printed), &json!(0)), "{length}: {ran}");
        assert_eq!(ran["data"]["stages"], json!([0, 0, 0]), "{length}: {ran}");
    }
    let failed = agent.ok(RUN, &json!({ "command": format!("{}\nexit 7", of_length(200_000).0) }));
    assert_eq!(failed["data"]["exitCode"], 7, "{failed}");
    let refused = agent.call(RUN, &json!({ "command": of_length(LONGEST + 1).0 }));
    assert_eq!((&refused["code"], &refused["details"]["limit"]), (&json!("too_large"), &json!(LONGEST)), "{refused}");
    assert!(refused["error"].as_str().unwrap().contains("1048577 bytes"), "{refused}");
}

#[test]
fn what_is_dangerous_is_found_at_the_end_and_in_the_middle() {
    let deck = Deck::new();
    std::fs::create_dir(deck.workspace().join("doomed")).unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let long = of_length(LONGEST - 200).0;
    let half = of_length(LONGEST / 2 - 200).0;
    for command in [
        format!("{long}; rm -rf doomed"),
        format!("{half}; rm -rf doomed; {half}"),
        format!("sh <<'END'\necho '{}'\nrm -rf doomed\nEND\n", "x".repeat(LONGEST - 200)),
    ] {
        let refused = agent.call(RUN, &json!({ "command": command }));
        assert_eq!(refused["code"], "approval_unavailable", "{refused}");
        assert!(refused.to_string().len() < 5000, "{} bytes", refused.to_string().len());
    }
    assert!(deck.workspace().join("doomed").exists());
}

fn a_shell_takes_a_mebibyte(shell: &str) {
    let deck = Deck::new();
    let id = deck.shell(shell);
    let mut agent = Agent::new(&deck, "codex");
    for length in [300_000, LONGEST] {
        let (command, printed) = of_length(length);
        let ran = agent.ok(RUN, &json!({ "id": id, "command": command }));
        assert_eq!((&ran["output"], &ran["data"]["exitCode"]), (&json!(printed), &json!(0)), "{length}: {ran}");
    }
    let refused = agent.call(RUN, &json!({ "id": id, "command": of_length(LONGEST + 1).0 }));
    assert_eq!(refused["code"], "too_large", "{refused}");
}

in_each_shell!(a_shell_takes_a_mebibyte);

fn a_tab_takes_a_mebibyte(backend: &'static str) {
    let deck = Deck::with_tabs(backend);
    let mut agent = Agent::with(&deck, "codex", &["--tools", "tabs"]);
    let mut call = |tool: &str, args: Value| {
        let id = agent.begin(tool, &args);
        agent.answer(id)["result"]["structuredContent"].clone()
    };
    let tab = call("create_tab", json!({ "name": "t" }))["window_id"].clone();
    for length in [300_000, LONGEST] {
        let (command, printed) = of_length(length);
        let ran = call("execute_command", json!({ "window_id": tab, "command": command }));
        assert_eq!((&ran["output"], &ran["exit_code"]), (&json!(printed), &json!(0)), "{length}: {ran}");
    }
    let refused = call("execute_command", json!({ "window_id": tab, "command": of_length(LONGEST + 1).0 }));
    assert_eq!(refused["code"], "too_large", "{refused}");
    // What is typed is slower: a line editor takes it.
    let (command, printed) = of_length(300_000);
    deck.at_prompt("t1");
    let started = call("start_process", json!({ "window_id": tab, "command": format!("{command} >out") }));
    assert_eq!(started["started"], true, "{started}");
    deck.wait_until("it has run", SOON, || {
        (std::fs::read_to_string(deck.workspace().join("out")).ok()? == printed).then_some(())
    });
    let refused = call("start_process", json!({ "window_id": tab, "command": of_length(LONGEST + 1).0 }));
    assert_eq!(refused["code"], "too_large", "{refused}");
}

#[test]
fn a_tab_in_tmux_takes_a_mebibyte() {
    a_tab_takes_a_mebibyte("tmux");
}

#[test]
fn a_tab_without_tmux_takes_a_mebibyte() {
    a_tab_takes_a_mebibyte("pty");
}

#[test]
fn the_canonical_contract_takes_a_mebibyte() {
    let deck = Deck::new();
    deck.settings("[approvals]\nwait_unattended = true\n");
    let mut person = flightdeck_e2e::Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let (command, printed) = of_length(300_000);
    let request = json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "execute_command" },
        "execution": { "command": command } });
    let call = agent.begin("memory_terminal_interactive", &request);
    person.approve_next();
    let ran = agent.result(call);
    assert_eq!((&ran["result"]["stdout"], &ran["result"]["exit_code"]), (&json!(printed), &json!(0)), "{ran}");
}
