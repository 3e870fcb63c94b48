//! The tools as agents use them: what each gives, and what it says when it can't.

use flightdeck_core::Registry;
use flightdeck_e2e::{Agent, Deck, SOON};
use serde_json::{Value, json};

#[test]
fn run_gives_output_and_exit_code_in_a_fresh_and_in_a_live_terminal() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    let fresh = agent.ok("flightdeck.terminal.run", &json!({ "command": "echo hi; exit 3" }));
    assert_eq!((&fresh["output"], &fresh["data"]["exitCode"]), (&json!("hi\n"), &json!(3)), "{fresh}");
    let with = agent.ok(
        "flightdeck.terminal.run",
        &json!({ "command": "echo $GREETING; pwd", "env": { "GREETING": "hello" }, "cwd": "/usr" }),
    );
    assert_eq!(with["output"], "hello\n/usr\n");
    let id = agent.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].clone();
    agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "cd /usr/lib; X=7" }));
    let live = agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "pwd; echo $X; false" }));
    assert_eq!((&live["output"], &live["data"]["exitCode"]), (&json!("/usr/lib\n7\n"), &json!(1)), "{live}");
    let refused = agent.call("flightdeck.terminal.run", &json!({ "id": id, "command": "true", "cwd": "/" }));
    assert_eq!(refused["code"], "invalid_argument", "{refused}");
    assert!(refused["error"].as_str().unwrap().starts_with("cwd: "), "{refused}");
}

#[test]
fn long_output_is_cut_in_the_middle_and_the_rest_can_be_read() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    let ran = agent.ok("flightdeck.terminal.run", &json!({ "command": "seq 1 200000", "maxBytes": 2000 }));
    let output = ran["output"].as_str().unwrap();
    assert!(output.starts_with("1\n2\n") && output.ends_with("\n199999\n200000\n") && output.len() < 2300, "{output}");
    let note = output.lines().find(|line| line.starts_with("[... ")).unwrap();
    let number = |name: &str| {
        let at = note.find(name).unwrap() + name.len();
        note[at..].chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u64>().unwrap()
    };
    let (from, to) = (number("from "), number("to "));
    assert_eq!(ran["data"]["omittedBytes"], to - from, "{ran}");
    let last_shown: u64 = output.split("[...").next().unwrap().lines().last().unwrap().trim().parse().unwrap();
    let read = agent
        .ok("flightdeck.terminal.read", &json!({ "id": ran["data"]["id"], "from": from, "to": to, "maxBytes": 100 }));
    let next: u64 = read["output"].as_str().unwrap().lines().next().unwrap().parse().unwrap();
    assert_eq!(next, last_shown + 1, "nothing is lost between");
    assert_eq!(read["data"]["more"], to - read["data"]["next"].as_u64().unwrap(), "{read}");
}

#[test]
fn the_openspace_terminals_work_as_documented() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "opencode");
    let created = agent.ok("openspace.terminal.create", &json!({ "title": "test-runner" }));
    let id = created["terminalId"].as_str().unwrap().to_owned();
    assert!(created.get("data").is_none(), "{created}");
    // The document's own example names the terminal by its title.
    agent.ok("openspace.terminal.send", &json!({ "terminalId": "test-runner", "text": "echo hel''lo\n" }));
    let output = deck.wait_until("the output", SOON, || {
        let read = agent.ok("openspace.terminal.read_output", &json!({ "terminalId": id }));
        let lines: Vec<String> = serde_json::from_value(read["output"].clone()).unwrap();
        lines.contains(&"hello".to_owned()).then_some(lines)
    });
    assert!(output.iter().all(|line| !line.contains('\u{1b}')), "{output:?}");
    agent.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "seq 1 20000" }));
    for (lines, first) in [(json!(5), None), (json!(10_000), None), (Value::Null, Some(100))] {
        let read = agent.ok("openspace.terminal.read_output", &json!({ "terminalId": id, "lines": lines }));
        let count = read["output"].as_array().unwrap().len() as u64;
        assert_eq!(count, lines.as_u64().unwrap_or(first.unwrap_or(0)), "{lines}");
    }
    let refused = agent.call("openspace.terminal.read_output", &json!({ "terminalId": id, "lines": 10_001 }));
    assert_eq!(refused["success"], false);
    let listed = agent.ok("openspace.terminal.list", &json!({}));
    let info = &listed["terminals"][0];
    assert_eq!((&info["id"], &info["title"], &info["running"]), (&json!(id), &json!("test-runner"), &json!(true)));
    assert!(info["createdBy"].as_str().unwrap().starts_with("opencode#") && info["cwd"].is_string(), "{info}");
    agent.ok("openspace.terminal.close", &json!({ "terminalId": id }));
    agent.ok("openspace.terminal.close", &json!({ "terminalId": id }));
    assert!(!deck.info(&id).running);
    let gone = agent.call("openspace.terminal.send", &json!({ "terminalId": id, "text": "x" }));
    assert_eq!((&gone["success"], &gone["code"]), (&json!(false), &json!("terminal_ended")), "{gone}");
    let unknown = agent.call("openspace.terminal.read_output", &json!({ "terminalId": "nobody" }));
    assert_eq!((&unknown["success"], &unknown["code"]), (&json!(false), &json!("terminal_not_found")), "{unknown}");
    assert!(unknown["error"].as_str().unwrap().contains("nobody"), "{unknown}");
}

#[test]
fn a_title_that_two_have_names_none() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "opencode");
    agent.ok("openspace.terminal.create", &json!({ "title": "x" }));
    agent.ok("openspace.terminal.create", &json!({ "title": "x" }));
    let refused = agent.call("openspace.terminal.send", &json!({ "terminalId": "x", "text": "no" }));
    assert_eq!(refused["code"], "ambiguous", "{refused}");
    assert!(refused["hint"].as_str().unwrap().contains("t1, t2"), "{refused}");
}

#[test]
fn search_finds_lines_with_their_neighbours_and_cursors() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.run_in(
        &id,
        "for i in $(seq 1 500); do echo \"line $i\"; done; printf '\\e[31mERROR\\e[0m: broken\\n'; echo after",
    );
    let other = deck.shell("bash");
    deck.run_in(&other, "echo 'ERROR: elsewhere'");
    let mut agent = Agent::new(&deck, "codex");
    let found =
        agent.ok("flightdeck.terminal.search", &json!({ "pattern": "^error: b", "ignoreCase": true, "context": 1 }));
    let matches = found["data"]["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 1, "{found}");
    let one = &matches[0];
    assert_eq!((&one["line"], &one["id"]), (&json!("ERROR: broken"), &json!(id)), "colours don't hide it");
    assert_eq!((&one["before"], &one["after"]), (&json!(["line 500"]), &json!(["after"])));
    let read = agent.ok("flightdeck.terminal.read", &json!({ "id": id, "from": one["cursor"], "maxBytes": 40 }));
    assert!(read["output"].as_str().unwrap().starts_with("ERROR: broken"), "{read}");
    let both = agent.ok("flightdeck.terminal.search", &json!({ "pattern": "ERROR: [be]", "maxMatches": 10 }));
    let ids: Vec<_> = both["data"]["matches"].as_array().unwrap().iter().map(|m| m["id"].clone()).collect();
    assert!(ids.contains(&json!(id)) && ids.contains(&json!(other)), "{both}");
    let some = agent.ok("flightdeck.terminal.search", &json!({ "pattern": "^line ", "id": id, "maxMatches": 3 }));
    assert_eq!((&some["data"]["truncated"], some["data"]["matches"].as_array().unwrap().len()), (&json!(true), 3));
    let rest = agent.ok(
        "flightdeck.terminal.search",
        &json!({ "pattern": "^line ", "id": id, "maxMatches": 1, "from": some["data"]["next"] }),
    );
    assert_eq!(rest["data"]["matches"][0]["line"], "line 4", "{rest}");
    assert_eq!(some["hint"], format!("there is more: search on with `from`: {}", some["data"]["next"]), "{some}");
    let all = agent.ok("flightdeck.terminal.search", &json!({ "pattern": "^line ", "maxMatches": 3 }));
    let (next, hint) = (&some["data"]["next"], all["hint"].as_str().unwrap());
    let rest = format!("search on with `id`: \"{id}\" and `from`: {next}, and then with the `id` of {other}");
    assert!(hint.contains(&rest), "{all}");
    let whole = agent.ok("flightdeck.terminal.search", &json!({ "pattern": "^line ", "maxMatches": 1000 }));
    assert_eq!((&whole["data"]["truncated"], whole.get("hint")), (&json!(false), None));
    let bad = agent.call("flightdeck.terminal.search", &json!({ "pattern": "(" }));
    assert_eq!(bad["code"], "invalid_argument");
    agent.ok("flightdeck.terminal.search", &json!({ "pattern": "(", "literal": true }));
    deck.cli(&["search", "broken", "--in", &id]).expect(0);
    deck.cli(&["search", "not to be found"]).expect(1);
}

#[test]
fn history_reads_one_command_and_compares_it_with_its_last_run() {
    let deck = Deck::new();
    let id = deck.shell("bash");
    deck.run_in(&id, "N=1");
    for _ in 0..2 {
        deck.run_in(&id, "echo same; echo run $((N++)); echo end");
    }
    let mut agent = Agent::new(&deck, "codex");
    let all = agent.ok("flightdeck.terminal.history", &json!({ "id": id }));
    let numbers: Vec<_> =
        all["data"]["commands"].as_array().unwrap().iter().map(|c| c["number"].as_u64().unwrap()).collect();
    let last = *numbers.last().unwrap();
    let one = agent.ok("flightdeck.terminal.history", &json!({ "id": id, "number": last }));
    assert_eq!(one["output"], "same\nrun 2\nend\n");
    let diff = agent.ok("flightdeck.terminal.history", &json!({ "id": id, "number": last, "diff": true }));
    let text = diff["output"].as_str().unwrap();
    assert!(text.contains("-run 1\n+run 2\n") && text.contains(" same\n"), "{text}");
    assert_eq!(diff["data"]["comparedWith"], last - 1);
    let limited = agent.ok("flightdeck.terminal.history", &json!({ "id": id, "limit": 1 }));
    assert_eq!((limited["data"]["commands"].as_array().unwrap().len(), &limited["data"]["more"]), (1, &json!(true)));
    let none = agent.call("flightdeck.terminal.history", &json!({ "id": id, "number": 999 }));
    assert!(none["error"].as_str().unwrap().contains("number: there is no command 999"), "{none}");
}

#[test]
fn a_full_screen_program_can_be_seen_as_text_and_as_a_picture() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "codex");
    let id =
        agent.ok("flightdeck.terminal.new", &json!({ "command": ["vim", "-u", "NONE", "-N"] }))["data"]["id"].clone();
    agent.ok("flightdeck.terminal.wait", &json!({ "id": id, "input": false, "quietMs": 300, "timeoutMs": 10000 }));
    agent.ok("flightdeck.terminal.keys", &json!({ "id": id, "text": "ihello from vim", "keys": ["Escape"] }));
    deck.wait_until("vim shows it", SOON, || {
        let screen = agent.ok("flightdeck.terminal.screen", &json!({ "id": id }));
        screen["output"].as_str().unwrap().contains("hello from vim").then_some(())
    });
    let call = agent.begin("flightdeck.terminal.screen", &json!({ "id": id, "image": true }));
    let answer = agent.answer(call);
    let image = answer["result"]["content"].as_array().unwrap().iter().find(|c| c["type"] == "image").unwrap();
    assert_eq!(image["mimeType"], "image/png");
    // The signature of PNG in base64.
    assert!(image["data"].as_str().unwrap().starts_with("iVBORw0KGgo"), "{image}");
    // A client that takes structured content shows its model nothing else.
    assert_eq!(answer["result"].get("structuredContent"), None, "{answer:.2000}");
    let told: Value = serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
    assert!(told["data"]["image"]["bytes"].as_u64().unwrap() > 500, "{told}");
    // Whoever promises structured content has to give it.
    let listed = agent.request("tools/list", &json!({}))["result"]["tools"].clone();
    let plain = listed.as_array().unwrap().iter().filter(|tool| tool.get("outputSchema").is_none());
    assert_eq!(plain.map(|tool| tool["name"].clone()).collect::<Vec<_>>(), ["flightdeck.terminal.screen"]);
    let file = deck.home().join("screen.png");
    std::fs::create_dir_all(deck.home()).unwrap();
    deck.cli(&["screen", id.as_str().unwrap(), "--png", file.to_str().unwrap()]).expect(0);
    assert!(std::fs::read(&file).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
}

#[test]
fn what_people_call_is_what_agents_get() {
    let deck = Deck::new();
    let called = deck.json(&["call", "flightdeck.terminal.run", r#"{"command": "echo hi"}"#]);
    assert_eq!(
        (&called["success"], &called["output"], &called["data"]["exitCode"]),
        (&json!(true), &json!("hi\n"), &json!(0))
    );
    let failed: Value = deck.cli(&["call", "flightdeck.terminal.read", r#"{"id": "t99"}"#]).expect(1).json();
    assert_eq!((&failed["success"], &failed["code"]), (&json!(false), &json!("terminal_not_found")));
    let listed = deck.json(&["call", "--list", "--json"]);
    let listed: Vec<_> =
        listed.as_array().unwrap().iter().filter(|c| c["tool"] == true).map(|c| c["id"].clone()).collect();
    let mut agent = Agent::with(&deck, "codex", &["--compat-tools"]);
    let tools = agent.request("tools/list", &json!({}));
    let tools: Vec<_> = tools["result"]["tools"].as_array().unwrap().iter().map(|t| t["name"].clone()).collect();
    assert_eq!(listed, tools);
}

#[test]
fn families_and_underscores() {
    let deck = Deck::new();
    let mut some = Agent::with(&deck, "picky", &["--tools", "openspace", "--tool-names", "underscore"]);
    let tools = some.request("tools/list", &json!({}));
    let names: Vec<_> =
        tools["result"]["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap().to_owned()).collect();
    assert!(names.contains(&"openspace_terminal_create".to_owned()), "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("openspace_")), "{names:?}");
    some.ok("openspace_terminal_create", &json!({}));
    let wrong = deck.invoke(&["mcp", "--tools", "nonsense"]).stdin(b"").run();
    assert!(wrong.errors().contains("nonsense") && wrong.errors().contains("openspace"), "{}", wrong.errors());
}

#[test]
fn a_client_with_some_tools_is_told_of_no_others() {
    let (deck, registry) = (Deck::new(), Registry::new());
    for family in ["terminal", "tabs", "openspace", "hub"] {
        let mut agent = Agent::with(&deck, "picky", &["--tools", family]);
        let tools = agent.request("tools/list", &json!({}))["result"]["tools"].clone();
        let names: Vec<_> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        let commands = registry.commands();
        let others = commands.iter().filter(|command| command.tool && !command.compat);
        let others: Vec<_> = others.map(|command| &*command.id).filter(|id| !names.contains(id)).collect();
        let descriptions = tools.as_array().unwrap().iter().map(|tool| tool["description"].as_str().unwrap());
        let texts = [
            descriptions.collect::<Vec<_>>().join(" "),
            agent.request("prompts/get", &json!({ "name": "instructions" })).to_string(),
            agent.request("resources/read", &json!({ "uri": "flightdeck://instructions" })).to_string(),
        ];
        for text in texts {
            let words: Vec<_> = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).collect();
            let named = words.iter().map(|word| word.trim_end_matches('.')).find(|word| others.contains(word));
            assert_eq!(named, None, "{family}: {text}");
        }
    }
}

/// Names of commands that stand in words with dots.
fn dotted(registry: &Registry, words: &str) -> Vec<String> {
    let ids: Vec<_> = registry.commands().iter().map(|command| command.id.to_string()).collect();
    ids.into_iter().filter(|id| id.contains('.') && words.contains(id.as_str())).collect()
}

#[test]
fn a_client_without_dots_is_told_of_no_tool_with_dots() {
    for (client, names) in [("picky", &["--tool-names", "underscore"][..]), ("codex-mcp-client", &[])] {
        told_of_no_tool_with_dots(client, &[names, &["--compat-tools"]].concat());
    }
}

fn told_of_no_tool_with_dots(client: &str, options: &[&str]) {
    let (deck, registry) = (Deck::new(), Registry::new());
    let mut agent = Agent::with(&deck, client, options);
    let none = Vec::<String>::new();
    for (method, params) in [
        ("tools/list", json!({})),
        ("prompts/get", json!({ "name": "instructions" })),
        ("resources/read", json!({ "uri": "flightdeck://instructions" })),
        ("tools/call", json!({ "name": "flightdeck_terminal_runn", "arguments": {} })),
    ] {
        assert_eq!(dotted(&registry, &agent.request(method, &params).to_string()), none, "{method}");
    }
    // Hints and errors of tools of every kind.
    let id = agent.ok("flightdeck_terminal_new", &json!({ "command": ["sleep", "1000"] }))["data"]["id"].clone();
    let long = "x".repeat(2 << 20);
    let headless = json!({
        "action": "execute",
        "invocation": { "mode": "headless", "intent": "execute_command" },
        "execution": { "command": "seq 1 200000" },
    });
    for (tool, args) in [
        ("flightdeck_terminal_run", json!({ "id": id, "command": "ls" })),
        ("flightdeck_terminal_run", json!({ "command": long })),
        ("flightdeck_terminal_run", json!({ "command": "ls", "nonsense": 1 })),
        ("flightdeck_terminal_wait", json!({ "id": id, "pattern": "never", "timeoutMs": 1 })),
        ("flightdeck_terminal_read", json!({ "id": "t99" })),
        ("openspace_terminal_send", json!({ "terminalId": "nobody", "text": "x" })),
        ("openspace_file_read", json!({ "path": "none" })),
        ("openspace_file_write", json!({ "path": ".git/config", "content": "x" })),
        ("openspace_editor_highlight", json!({ "path": "none" })),
        ("openspace_pane_close", json!({ "paneId": "none" })),
        ("memory_terminal_interactive", headless),
    ] {
        let answer = agent.request("tools/call", &json!({ "name": tool, "arguments": args })).to_string();
        assert_eq!(dotted(&registry, &answer), none, "{tool}: {answer:.2000}");
    }
    // What a program prints is left as it is.
    let printed = agent.ok("flightdeck_terminal_run", &json!({ "command": "echo flightdeck.terminal.run" }));
    assert_eq!(printed["output"], "flightdeck.terminal.run\n");
}
