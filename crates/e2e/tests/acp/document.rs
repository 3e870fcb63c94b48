//! The document on terminals, line by line: each MUST and SHOULD of it, what it promises of each method, and the recipe for a
//! time limit.

use flightdeck_contract::chat::{EntryContent, ToolContent};
use flightdeck_e2e::{Deck, SOON};
use serde_json::{Value, json};

use super::{Talk, about, call};

/// "Agents MUST verify that the Client supports this capability": so the client has to say so.
#[test]
fn the_capabilities_are_declared() {
    let deck = Deck::new();
    let record = deck.home().join("record");
    let talk = Talk::start(&deck, &["--record", record.to_str().unwrap()]);
    let said = std::fs::read_to_string(&record).unwrap();
    let messages: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let initialize = &messages[0];
    assert_eq!(initialize["method"], "initialize");
    assert_eq!(initialize["params"]["protocolVersion"], 1);
    let can = &initialize["params"]["clientCapabilities"];
    assert_eq!(can["terminal"], true);
    assert_eq!(can["fs"], json!({ "readTextFile": true, "writeTextFile": true }));
    assert_eq!(can["elicitation"], json!({ "form": {}, "url": {} }));
    assert_eq!(can["auth"], json!({ "terminal": true }));
    assert_eq!(can["_meta"]["terminal_output"], true);
    let new = &messages[1];
    assert_eq!(new["method"], "session/new");
    assert_eq!(new["params"]["cwd"], json!(deck.workspace()));
    let tools = &new["params"]["mcpServers"][0];
    assert_eq!((&tools["name"], &tools["args"][0]), (&json!("flightdeck"), &json!("mcp")));
    assert!(std::path::Path::new(tools["command"].as_str().unwrap()).is_file(), "{tools}");
    assert_eq!(talk.chat().session.as_deref().map(|id| id.starts_with('s')), Some(true));
}

/// "The Client returns a Terminal ID immediately without waiting for completion", with args, env and cwd as given.
#[test]
fn create_gives_an_id_at_once_and_runs_what_was_asked() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    std::fs::create_dir(deck.workspace().join("sub")).unwrap();
    let go = deck.workspace().join("go");
    let values = talk.values(json!([
        call("t", "terminal/create", json!({
            "command": "sh",
            "args": ["-c", "until test -e ../go; do sleep 0.01; done; echo \"$NODE_ENV in $(pwd)\"; echo \"two words\" \"$0\"", "a b"],
            "env": [{ "name": "NODE_ENV", "value": "test" }],
            "cwd": deck.workspace().join("sub"),
        })),
        // It runs: there is no exit status, and the field is absent.
        about("before", "output"),
        call("go", "terminal/create", json!({ "command": "touch", "args": [go] })),
        about("exit", "wait_for_exit"),
        about("after", "output"),
        about("released", "release"),
    ]));
    assert!(values["t"]["terminalId"].is_string(), "{values:?}");
    assert_eq!(values["before"], json!({ "output": "", "truncated": false }));
    assert_eq!(values["exit"], json!({ "exitCode": 0, "signal": null }));
    let output = format!("test in {}\ntwo words a b\n", deck.workspace().join("sub").display());
    assert_eq!(
        values["after"],
        json!({ "output": output, "truncated": false, "exitStatus": { "exitCode": 0, "signal": null } })
    );
    assert_eq!(values["released"], json!({}));
}

/// "The process exit code (may be null if terminated by signal)", "the signal that terminated the process (may be null if
/// exited normally)".
#[test]
fn the_end_is_a_code_or_a_signal() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    for (line, code, signal) in [("exit 3", json!(3), Value::Null), ("kill -9 $$", Value::Null, json!("SIGKILL"))] {
        let values = talk.values(json!([
            call("t", "terminal/create", json!({ "command": "bash", "args": ["-c", line] })),
            about("exit", "wait_for_exit"),
            about("output", "output"),
            about("released", "release"),
        ]));
        let status = json!({ "exitCode": code, "signal": signal });
        assert_eq!((&values["exit"], &values["output"]["exitStatus"]), (&status, &status), "{line}");
    }
}

/// "The Client truncates from the beginning of the output to stay within the limit" and "MUST ensure truncation happens at a
/// character boundary".
#[test]
fn the_limit_takes_the_beginning_away_at_a_character() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    // One line of characters of three bytes, so that no limit but a multiple of three is a boundary.
    let line = "for i in $(seq 1000); do printf ✓; done";
    for (limit, length, truncated) in
        [(100, 99, true), (99, 99, true), (1, 0, true), (3000, 3000, false), (5000, 3000, false)]
    {
        let values = talk.values(json!([
            call("t", "terminal/create", json!({ "command": line, "outputByteLimit": limit })),
            about("exit", "wait_for_exit"),
            about("output", "output"),
            about("released", "release"),
        ]));
        let output = values["output"]["output"].as_str().unwrap();
        assert_eq!((output.len(), &values["output"]["truncated"]), (length, &json!(truncated)), "limit {limit}");
        assert!(output.chars().all(|c| c == '✓'), "limit {limit}: {output}");
    }
    let values = talk.values(json!([
        call("t", "terminal/create", json!({ "command": "seq 100000", "outputByteLimit": 50 })),
        about("exit", "wait_for_exit"),
        about("output", "output"),
        about("released", "release"),
    ]));
    let output = values["output"]["output"].as_str().unwrap();
    assert!(output.ends_with("99999\n100000\n") && output.len() <= 50, "{output:?}");
    assert_eq!(values["output"]["truncated"], true);
}

/// "After killing a command, the terminal remains valid": output and exit status can be had. "The Agent MUST still call
/// terminal/release".
#[test]
fn kill_ends_the_command_and_keeps_the_terminal() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let values = talk.values(json!([
        call("t", "terminal/create", json!({ "command": "echo begun; sleep 1000 & sleep 1000; echo never" })),
        { "begin": "terminal/wait_for_exit", "params": { "terminalId": "${t.terminalId}" }, "as": "one" },
        { "begin": "terminal/wait_for_exit", "params": { "terminalId": "${t.terminalId}" }, "as": "two" },
        about("killed", "kill"),
        { "await": "one" },
        { "await": "two" },
        about("output", "output"),
        about("again", "kill"),
        about("late", "wait_for_exit"),
        about("released", "release"),
    ]));
    assert_eq!(values["killed"], json!({}));
    // Many may wait for one terminal, before and after its end.
    assert_eq!(values["one"], values["two"]);
    assert_eq!(values["one"], values["late"]);
    assert!(values["one"]["signal"].is_string() && values["one"]["exitCode"].is_null(), "{:?}", values["one"]);
    assert_eq!(values["output"]["exitStatus"], values["one"]);
    assert!(!values["output"]["output"].as_str().unwrap().contains("never"));
    assert_eq!(values["again"], json!({}), "one that has ended can be killed again");
}

/// "Building a Timeout", step by step.
#[test]
fn the_recipe_for_a_time_limit_works() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let marker = deck.workspace().join("begun");
    let values = talk.values(json!([
        call("t", "terminal/create", json!({ "command": format!("echo partial; touch {}; sleep 1000", marker.display()) })),
        { "begin": "terminal/wait_for_exit", "params": { "terminalId": "${t.terminalId}" }, "as": "exit" },
        { "until_file": marker },
        about("killed", "kill"),
        about("output", "output"),
        { "await": "exit" },
        about("released", "release"),
    ]));
    assert_eq!(values["output"]["output"], "partial\n");
    assert!(values["output"]["exitStatus"]["signal"].is_string(), "{values:?}");
}

/// "The terminal/release kills the command if still running". "After release the terminal ID becomes invalid for all other
/// terminal/* methods." "The client SHOULD continue to display its output after release."
#[test]
fn release_kills_and_ends_the_name_but_not_the_display() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let values = talk.values(json!([
        call("t", "terminal/create", json!({ "command": "echo shown; sleep 1000" })),
        { "update": { "sessionUpdate": "tool_call", "toolCallId": "call_002", "title": "Running tests", "kind": "execute",
                      "status": "in_progress", "content": [{ "type": "terminal", "terminalId": "${t.terminalId}" }] } },
        call("shown", "terminal/create", json!({ "command": "true" })),
        about("released", "release"),
        about("output", "output"),
        about("wait", "wait_for_exit"),
        about("kill", "kill"),
        about("release", "release"),
        call("unknown", "terminal/output", json!({ "terminalId": "t4711" })),
        call("strange", "terminal/output", json!({ "terminalId": "term_xyz789" })),
        call("none", "terminal/output", json!({})),
    ]));
    for name in ["output", "wait", "kill", "release", "unknown", "strange"] {
        assert_eq!(values[name]["error"]["code"], -32002, "{name}: {:?}", values[name]);
    }
    assert_eq!(values["none"]["error"]["code"], -32602);
    let terminal = talk.find(|content| match content {
        EntryContent::Tool(tool) => tool.content.iter().find_map(|content| match content {
            ToolContent::Terminal { terminal } => Some(terminal.to_string()),
            _ => None,
        }),
        _ => None,
    });
    let terminal = terminal.expect("the tool call still has its terminal");
    assert_eq!(json!(terminal), values["t"]["terminalId"]);
    let shown = deck.socket().call("flightdeck.terminal.read", json!({ "id": terminal })).unwrap();
    assert_eq!((&shown["running"], shown["text"].as_str().unwrap().trim()), (&json!(false), "shown"));
}

/// What agents rely on beside the document: whole lines without arguments, no folder, a background child, a wait that is taken
/// back, and output that only grows.
#[test]
fn what_real_agents_rely_on() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let values = talk.values(json!([
        call("t", "terminal/create", json!({ "command": "cd / && pwd; pwd | cat; echo \"$PAGER\"; exit 4" })),
        about("line_exit", "wait_for_exit"),
        about("line", "output"),
        about("released", "release"),
        call("t", "terminal/create", json!({ "command": "pwd" })),
        about("exit", "wait_for_exit"),
        about("folder", "output"),
        about("released", "release"),
        call("t", "terminal/create", json!({ "command": "sleep 1000 & echo left" })),
        about("background", "wait_for_exit"),
        about("released", "release"),
        call("t", "terminal/create", json!({ "command": "sleep 1000" })),
        { "begin": "terminal/wait_for_exit", "params": { "terminalId": "${t.terminalId}" }, "as": "wait" },
        { "take_back": "wait" },
        { "await": "wait" },
        about("running", "output"),
        about("released", "release"),
        call("relative", "terminal/create", json!({ "command": "true", "cwd": "sub" })),
        call("missing", "terminal/create", json!({ "command": "true", "cwd": "/nowhere/at/all" })),
        call("nothing", "terminal/create", json!({ "command": "no-such-program-here", "args": ["x"] })),
        call("t", "terminal/create", json!({ "command": "printf '\\033[31mred\\033[0m\\r\\n10%%\\r20%%\\r\\n'" })),
        about("exit", "wait_for_exit"),
        about("coloured", "output"),
    ]));
    assert_eq!(values["line_exit"]["exitCode"], 4);
    assert_eq!(values["line"]["output"], "/\n/\ncat\n");
    assert_eq!(values["folder"]["output"], format!("{}\n", deck.workspace().display()));
    assert_eq!(values["background"], json!({ "exitCode": 0, "signal": null }), "a background child holds nothing up");
    assert_eq!(values["wait"]["error"]["code"], -32800);
    assert_eq!(values["running"].get("exitStatus"), None, "a wait that is taken back ends nothing");
    assert_eq!(values["relative"]["error"]["code"], -32602);
    assert_eq!(values["missing"]["error"]["code"], -32602);
    assert!(values["nothing"]["error"]["message"].as_str().unwrap().contains("no-such-program-here"), "{values:?}");
    assert_eq!(values["coloured"]["output"], "red\n10%\r20%\n");
}

/// Terminals outlive a turn, are the agent's own, and go with its process.
#[test]
fn terminals_outlive_a_turn_and_end_with_the_agent() {
    let deck = Deck::new();
    let talk = Talk::start(&deck, &[]);
    let first = talk.values(json!([call("t", "terminal/create", json!({ "command": "sleep 1000" }))]));
    let id = first["t"]["terminalId"].as_str().unwrap().to_owned();
    let second = talk.values(json!([call("output", "terminal/output", json!({ "terminalId": id }))]));
    assert_eq!(second["output"], json!({ "output": "", "truncated": false }));
    let other = Talk::start(&deck, &["--name", "other"]);
    let theirs = other.values(json!([call("output", "terminal/output", json!({ "terminalId": id }))]));
    assert_eq!(theirs["output"]["error"]["code"], -32002, "another session's terminal is none of this one");
    talk.call("stop", json!({}));
    deck.wait_until("what the agent left is ended", SOON, || (!deck.info(&id).running).then_some(()));
}
