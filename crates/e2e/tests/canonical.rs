//! The canonical terminal contract, end to end: a real agent, real commands, real answers of a person.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use flightdeck_e2e::processes::Stopped;
use flightdeck_e2e::{Agent, Deck, Person, SOON};
use serde_json::{Value, json};

const TOOL: &str = "memory_terminal_interactive";

fn headless(command: &str) -> Value {
    json!({
        "action": "execute",
        "invocation": { "mode": "headless", "intent": "execute_command" },
        "execution": { "command": command },
    })
}

fn interactive(command: &str) -> Value {
    json!({
        "action": "execute",
        "invocation": { "mode": "interactive", "intent": "execute_command" },
        "execution": { "command": command },
    })
}

fn on(action: &str, session: &Value) -> Value {
    json!({ "action": action, "target": { "session_id": session } })
}

/// A failure has all its mandatory parts.
fn failed(answer: &Value, code: &str) {
    assert_eq!((&answer["success"], &answer["status"]), (&json!(false), &json!("failed")), "{answer}");
    assert_eq!(answer["error"]["code"], code, "{answer}");
    for field in ["strategy", "next_action", "recommended_mode", "user_message", "can_auto_retry"] {
        assert!(answer["fallback"].get(field).is_some(), "no fallback.{field}: {answer}");
    }
    assert!(answer["correlation"]["request_id"].as_str().unwrap().starts_with("req_"), "{answer}");
}

fn succeeded(answer: &Value, status: &str) {
    assert_eq!((&answer["success"], &answer["status"]), (&json!(true), &json!(status)), "{answer}");
    assert_eq!(answer["error"], Value::Null, "{answer}");
    assert!(answer.get("fallback").is_none(), "{answer}");
}

/// A program of the workspace that a person has allowed to run headless.
fn allow(deck: &Deck, name: &str, script: &str) {
    let path = deck.workspace().join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    deck.cli(&["policy", "add", &format!("./{name} *")]).expect(0);
}

#[test]
fn headless_runs_what_is_proven_with_both_streams_and_the_exit_code() {
    let deck = Deck::new();
    fs::write(deck.workspace().join("notes"), "one\ntwo\n").unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let answer = agent.call(TOOL, &headless("cat notes && ls missing"));
    succeeded(&answer, "completed");
    assert_eq!(answer["action"], "execute");
    assert_eq!(answer["resolved"]["mode"], "headless");
    assert_eq!(answer["result"]["authorization"], "allowed");
    assert_eq!(answer["result"]["stdout"], "one\ntwo\n");
    assert!(answer["result"]["stderr"].as_str().unwrap().contains("missing"), "{answer}");
    assert_eq!((&answer["result"]["exit_code"], &answer["result"]["running"]), (&json!(2), &json!(false)), "{answer}");
    assert!(answer["identity"].get("terminal_id").is_none(), "{answer}");
    // What it printed can be read again.
    let again = agent.call(TOOL, &on("read_output", &answer["identity"]["session_id"]));
    succeeded(&again, "completed");
    assert_eq!(
        (&again["result"]["stdout"], &again["result"]["exit_code"]),
        (&json!("one\ntwo\n"), &json!(2)),
        "{again}"
    );
    let program = json!({
        "action": "execute",
        "invocation": { "mode": "headless", "intent": "execute_command" },
        "execution": { "command": "echo", "args": ["two words", "$HOME"] },
    });
    let answer = agent.call(TOOL, &program);
    assert_eq!(answer["result"]["stdout"], "two words $HOME\n", "{answer}");
}

#[test]
fn headless_refuses_what_is_not_proven_and_nothing_runs() {
    let deck = Deck::new();
    let kept = deck.workspace().join("kept");
    fs::create_dir(&kept).unwrap();
    let mut agent = Agent::new(&deck, "codex");
    for command in [
        "rm -rf kept",
        "touch made",
        "echo x > made",
        "echo $(touch made)",
        "sh -c 'touch made'",
        "make",
        "cat notes; touch made",
    ] {
        let answer = agent.call(TOOL, &headless(command));
        failed(&answer, "PM_TERM_BLOCKED_DESTRUCTIVE");
        assert_eq!(answer["fallback"]["strategy"], "reject_with_safety_hint");
        assert_eq!(
            (&answer["error"]["retriable"], &answer["fallback"]["can_auto_retry"]),
            (&json!(false), &json!(false))
        );
        assert!(answer["error"]["details"]["rule"].is_string(), "{answer}");
    }
    for variables in [json!({ "PATH": "." }), json!({ "LD_PRELOAD": "./x.so" }), json!({ "GIT_PAGER": "touch made" })] {
        let mut request = headless("git log");
        request["execution"]["env"] = variables;
        failed(&agent.call(TOOL, &request), "PM_TERM_BLOCKED_DESTRUCTIVE");
    }
    let mut outside = headless("ls");
    outside["runtime"] = json!({ "cwd": "/" });
    failed(&agent.call(TOOL, &outside), "PM_TERM_BLOCKED_DESTRUCTIVE");
    assert!(kept.is_dir());
    assert!(!deck.workspace().join("made").exists());
    // Each refusal is in the audit log with the rule and the reason.
    let text = deck.cli(&["audit", "--json", "--limit", "100"]).expect(0).text();
    assert!(text.contains("danger:deletes-tree") && text.contains("\"blocked\""), "{text}");
}

#[test]
fn interactive_without_anybody_is_told_so_and_falls_back_only_when_allowed() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    let answer = agent.call(TOOL, &interactive("echo hi"));
    failed(&answer, "PM_TERM_GUI_UNAVAILABLE");
    assert_eq!(answer["fallback"]["strategy"], "fallback_to_headless_if_allowed");
    assert_eq!(answer["fallback"]["recommended_mode"], "headless");
    // A window may lie beside the program; without a display it can't serve.
    assert!(answer["error"]["details"]["attempted_candidates"].is_array(), "{answer}");
    let mut request = interactive("echo hi");
    request["runtime"] = json!({ "allow_headless_fallback": true });
    let answer = agent.call(TOOL, &request);
    succeeded(&answer, "completed");
    assert_eq!(answer["resolved"]["mode"], "headless");
    assert!(answer["result"]["warning"].as_str().unwrap().contains("headless"), "{answer}");
    // What is not proven does not run unseen, allowed or not.
    let mut request = interactive("touch made");
    request["runtime"] = json!({ "allow_headless_fallback": true });
    let answer = agent.call(TOOL, &request);
    failed(&answer, "PM_TERM_GUI_UNAVAILABLE");
    assert_eq!(answer["resolved"]["mode"], "interactive", "{answer}");
    assert!(!deck.workspace().join("made").exists());
    let open = json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "open_only" } });
    failed(&agent.call(TOOL, &open), "PM_TERM_GUI_UNAVAILABLE");
}

#[test]
fn interactive_in_sight_of_a_person_from_open_to_close() {
    let deck = Deck::new();
    deck.cli(&["ls"]).expect(0);
    let mut person = Person::at(&deck);
    let mut agent = Agent::new(&deck, "codex");
    let open = agent
        .call(TOOL, &json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "open_only" } }));
    succeeded(&open, "accepted");
    let id = &open["identity"]["terminal_id"];
    assert_eq!((id, &open["result"]["running"]), (&open["identity"]["session_id"], &json!(true)), "{open}");
    // What is proven safe runs at once, in that terminal; its variables and folder carry over.
    let send = |command: &str| {
        let mut request = interactive(command);
        request["target"] = json!({ "terminal_id": id });
        request
    };
    let answer = agent.call(TOOL, &send("echo hi"));
    succeeded(&answer, "completed");
    assert_eq!((&answer["result"]["stdout"], &answer["result"]["exit_code"]), (&json!("hi\n"), &json!(0)), "{answer}");
    // The rest is put to the person.
    let asked = agent.begin(TOOL, &send("mkdir sub && cd sub"));
    let approval = person.approve_next();
    let command = approval.subject.command().map(|command| command.text.as_str());
    assert_eq!((command.unwrap(), approval.agent.starts_with("codex#")), ("mkdir sub && cd sub", true));
    assert_eq!(approval.terminal.map(|id| id.to_string()), id.as_str().map(str::to_owned));
    let answer = agent.result(asked);
    succeeded(&answer, "completed");
    let answer = agent.call(TOOL, &send("pwd"));
    assert!(answer["result"]["stdout"].as_str().unwrap().trim_end().ends_with("/sub"), "{answer}");
    let asked = agent.begin(TOOL, &send("rm -rf ../sub"));
    let approval = person.decline_next("I still need it");
    let pieces = &approval.subject.command().unwrap().pieces;
    assert!(approval.dangerous && pieces.iter().any(|piece| piece.danger.is_some()), "{approval:?}");
    let answer = agent.result(asked);
    failed(&answer, "PM_TERM_DECLINED");
    assert!(answer["error"]["message"].as_str().unwrap().contains("I still need it"), "{answer}");
    assert_eq!(
        (&answer["fallback"]["strategy"], &answer["fallback"]["can_auto_retry"]),
        (&json!("report_decline"), &json!(false))
    );
    assert!(deck.workspace().join("sub").is_dir());
    // What was approved although it is dangerous says so.
    let asked = agent.begin(TOOL, &send("cd .. && rm -rf sub"));
    person.approve_next();
    let answer = agent.result(asked);
    assert_eq!(answer["result"]["authorization"], "allowed_with_warning", "{answer}");
    assert!(answer["result"]["warning"].as_str().unwrap().contains("rm"), "{answer}");
    assert!(!deck.workspace().join("sub").exists());
    // What nobody can allow is not asked.
    let answer = agent.call(TOOL, &send("rm -rf /"));
    failed(&answer, "PM_TERM_BLOCKED_DESTRUCTIVE");
    assert_eq!(answer["error"]["details"]["fixed"], true, "{answer}");
    let ended = agent.call(TOOL, &on("terminate", id));
    succeeded(&ended, "completed");
    let again = agent.call(TOOL, &on("terminate", id));
    succeeded(&again, "completed");
    assert_eq!(again["result"]["exit_code"], ended["result"]["exit_code"]);
    failed(&agent.call(TOOL, &send("echo late")), "PM_TERM_NOT_FOUND");
}

#[test]
fn a_time_out_loses_nothing_and_reading_works_while_it_runs() {
    let deck = Deck::new();
    allow(&deck, "slow", "echo begun; read line < fifo; echo \"$line\"; exit 3");
    let fifo = deck.workspace().join("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut agent = Agent::new(&deck, "codex");
    let mut request = headless("./slow");
    request["runtime"] = json!({ "timeout_ms": 2000 });
    let answer = agent.call(TOOL, &request);
    failed(&answer, "PM_TERM_TIMEOUT");
    assert_eq!(
        (&answer["error"]["details"]["timeout_ms"], &answer["error"]["retriable"]),
        (&json!(2000), &json!(true))
    );
    assert_eq!(
        (&answer["result"]["running"], &answer["result"]["stdout"]),
        (&json!(true), &json!("begun\n")),
        "{answer}"
    );
    assert_eq!(answer["fallback"]["next_action"], "read_output", "it still runs: {answer}");
    let id = answer["identity"]["session_id"].clone();
    let read = agent.call(TOOL, &on("read_output", &id));
    succeeded(&read, "accepted");
    assert_eq!((&read["result"]["running"], &read["result"]["stdout"]), (&json!(true), &json!("begun\n")), "{read}");
    fs::write(&fifo, "go on\n").unwrap();
    let read = deck.wait_until("the end", SOON, || {
        let read = agent.call(TOOL, &on("read_output", &id));
        (read["result"]["running"] == false).then_some(read)
    });
    assert_eq!(
        (&read["result"]["stdout"], &read["result"]["exit_code"]),
        (&json!("begun\ngo on\n"), &json!(3)),
        "{read}"
    );
}

/// The keeper stands still: a call says so within its own time, and what it gave up is not done later.
#[test]
fn a_keeper_that_stands_still_is_told_within_the_time_of_the_request() {
    let deck = Deck::new();
    allow(&deck, "make", "touch made");
    let mut agent = Agent::new(&deck, "codex");
    succeeded(&agent.call(TOOL, &headless("true")), "completed");
    let keeper = deck.keeper_pid();
    let stopped = Stopped::new(keeper);
    let mut request = headless("./make");
    request["runtime"] = json!({ "timeout_ms": 2000 });
    let begun = Instant::now();
    let answer = agent.call(TOOL, &request);
    let took = begun.elapsed();
    drop(stopped);
    failed(&answer, "PM_TERM_DISCONNECTED");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains(&format!("kill -CONT {keeper}")), "{answer}");
    assert!(took > Duration::from_secs(1) && took < Duration::from_secs(20), "{took:?}");
    succeeded(&agent.call(TOOL, &headless("true")), "completed");
    assert!(!deck.workspace().join("made").exists());
}

#[test]
fn sessions_belong_to_the_agent_that_made_them() {
    let deck = Deck::new();
    deck.cli(&["ls"]).expect(0);
    let _person = Person::at(&deck);
    let mut owner = Agent::new(&deck, "owner");
    let mut other = Agent::new(&deck, "other");
    let own = owner.call(TOOL, &headless("echo secret"))["identity"]["session_id"].clone();
    let open = json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "open_only" }, "runtime": { "shared": true } });
    let shared = owner.call(TOOL, &open)["identity"]["session_id"].clone();
    for action in ["read_output", "terminate"] {
        let answer = other.call(TOOL, &on(action, &own));
        failed(&answer, "PM_TERM_NOT_FOUND");
        assert_eq!(answer["fallback"]["strategy"], "refresh_list_then_retry");
        assert_eq!(answer["fallback"]["next_action"], "list", "{answer}");
    }
    // Other tools are no way around it, and don't tell that it exists.
    for (tool, args) in [
        ("flightdeck.terminal.read", json!({ "id": own })),
        ("flightdeck.terminal.kill", json!({ "id": own })),
        ("flightdeck.terminal.search", json!({ "id": own, "pattern": "secret" })),
        ("openspace.terminal.read_output", json!({ "terminalId": own })),
    ] {
        assert_eq!(other.call(tool, &args)["code"], "terminal_not_found", "{tool}");
    }
    let found = other.ok("flightdeck.terminal.search", &json!({ "pattern": "secret" }));
    assert_eq!(found["data"]["matches"], json!([]), "{found}");
    let listed = other.ok("flightdeck.terminal.list", &json!({ "all": true })).to_string();
    assert!(!listed.contains(&own.to_string()) && listed.contains(&shared.to_string()), "{listed}");
    let ids = |agent: &mut Agent, request: Value| -> Value {
        let answer = agent.call(TOOL, &request);
        answer["result"]["items"].as_array().unwrap().iter().map(|item| item["session_id"].clone()).collect()
    };
    assert_eq!(ids(&mut other, json!({ "action": "list" })), json!([shared]));
    assert_eq!(ids(&mut owner, json!({ "action": "list" })), json!([shared, own]), "the newest first");
    assert_eq!(ids(&mut owner, json!({ "action": "list", "invocation": { "mode": "headless" } })), json!([own]));
    assert_eq!(ids(&mut owner, json!({ "action": "list", "invocation": { "mode": "interactive" } })), json!([shared]));
    succeeded(&other.call(TOOL, &on("terminate", &shared)), "completed");
    // The same client that comes back has its sessions.
    owner.hang_up();
    let mut owner = Agent::new(&deck, "owner");
    let read = owner.call(TOOL, &on("read_output", &own));
    assert_eq!(read["result"]["stdout"], "secret\n", "{read}");
    for unknown in ["t999", "nonsense", "../t1"] {
        failed(&owner.call(TOOL, &on("read_output", &json!(unknown))), "PM_TERM_NOT_FOUND");
    }
}

#[test]
fn correlation_goes_through_every_process_and_into_the_log() {
    let deck = Deck::new();
    allow(&deck, "trace", "echo \"$FLIGHTDECK_TRACE_ID\"");
    let mut agent = Agent::new(&deck, "codex");
    let mut request = headless("./trace");
    request["correlation"] = json!({ "request_id": "req_own", "trace_id": "trace_own", "client_request_id": "mine" });
    let answer = agent.call(TOOL, &request);
    assert_eq!(
        answer["correlation"],
        json!({ "request_id": "req_own", "trace_id": "trace_own", "client_request_id": "mine" })
    );
    assert_eq!(answer["result"]["stdout"], "trace_own\n", "{answer}");
    let refused = {
        let mut request = headless("rm -rf x");
        request["correlation"] = json!({ "trace_id": "trace_refused" });
        agent.call(TOOL, &request)
    };
    assert_eq!(refused["correlation"]["trace_id"], "trace_refused");
    let audit = deck.cli(&["audit", "--json", "--limit", "100"]).expect(0).text();
    assert!(audit.contains("trace_own") && audit.contains("trace_refused"), "{audit}");
    let (one, two) = (agent.call(TOOL, &headless("pwd")), agent.call(TOOL, &headless("pwd")));
    assert_ne!(one["correlation"]["request_id"], two["correlation"]["request_id"]);
}

#[test]
fn older_callers_are_served_warned_or_refused_as_the_settings_say() {
    for (phase, served) in [("A", true), ("B", true), ("C", false)] {
        let deck = Deck::new();
        deck.settings(&format!("[compat]\nphase = \"{phase}\"\n"));
        let mut agent = Agent::new(&deck, "codex");
        let answer = agent.call("memory_terminal", &json!({ "action": "run", "command": "echo", "args": ["hi"] }));
        if served {
            succeeded(&answer, "completed");
            assert_eq!(answer["result"]["stdout"], "hi\n", "{answer}");
            assert_eq!(
                (&answer["resolved"]["alias_applied"], &answer["resolved"]["legacy_action"]),
                (&json!(true), &json!("run"))
            );
        } else {
            failed(&answer, "PM_TERM_INVALID_ACTION");
            let migration = answer["error"]["details"]["migration"].clone();
            // What it says to send instead works as it is.
            let again = agent.call(TOOL, &migration);
            assert_eq!(again["result"]["stdout"], "hi\n", "{migration}: {again}");
        }
        let warned = answer["result"]["warning"].as_str().is_some_and(|warning| warning.contains("Deprecated"));
        assert_eq!(warned, phase == "B", "{answer}");
    }
}

#[test]
fn the_sandbox_holds_and_says_what_it_stopped() {
    let deck = Deck::new();
    // Everything of a deck is in a folder for temporary files, which headless commands may write. The real home is not.
    let home = std::env::home_dir().unwrap();
    let elsewhere = tempfile::Builder::new().prefix(".flightdeck-test-").tempdir_in(&home).unwrap();
    let outside = elsewhere.path().join("out");
    allow(&deck, "escape", &format!("echo in > inside; echo out > {}", outside.display()));
    std::os::unix::fs::symlink(elsewhere.path(), deck.workspace().join("link")).unwrap();
    allow(&deck, "by-link", "echo out > link/out");
    let mut agent = Agent::new(&deck, "codex");
    for command in ["./escape", "./by-link"] {
        let answer = agent.call(TOOL, &headless(command));
        succeeded(&answer, "completed");
        assert!(!outside.exists(), "{answer}");
        assert_ne!(answer["result"]["exit_code"], 0, "{answer}");
        let warning = answer["result"]["warning"].as_str().unwrap_or_default();
        assert!(warning.contains("the sandbox stopped a write to"), "{answer}");
    }
    assert!(deck.workspace().join("inside").exists());
    // The same program in sight of people is not confined.
    let free = agent.ok("flightdeck.terminal.run", &json!({ "command": "./escape" }));
    assert_eq!(free["data"]["exitCode"], 0, "{free}");
    assert!(outside.exists());
}

#[test]
fn many_unproven_commands_at_once_are_all_refused() {
    let deck = Deck::new();
    let agents: Vec<_> = (0..4)
        .map(|number| {
            let mut agent = Agent::new(&deck, &format!("agent{number}"));
            std::thread::spawn(move || {
                let calls: Vec<_> = (0..50).map(|n| agent.begin(TOOL, &headless(&format!("touch made{n}")))).collect();
                for call in calls {
                    failed(&agent.result(call), "PM_TERM_BLOCKED_DESTRUCTIVE");
                }
            })
        })
        .collect();
    for agent in agents {
        agent.join().unwrap();
    }
    let made = fs::read_dir(deck.workspace())
        .unwrap()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("made"));
    assert_eq!(made.count(), 0);
}
