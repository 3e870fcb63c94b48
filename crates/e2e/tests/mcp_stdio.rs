//! MCP on the pipes of `flightdeck mcp`: the protocol in all its versions, and clients that don't behave.

use std::io::Write as _;
use std::process::Stdio;
use std::time::Duration;

use flightdeck_contract::control::MAX_MESSAGE;
use flightdeck_e2e::{Agent, Deck, SOON, by_client, processes, try_until};
use rustix::process::Signal;
use serde_json::{Value, json};

const MODERN: &str = "2026-07-28";

/// What a request of the stateless age says of its client.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": { "name": "modern", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn hello(version: &str) -> Value {
    json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "old", "version": "1" } })
}

#[test]
fn every_version_with_a_handshake_is_spoken() {
    let deck = Deck::new();
    for (asked, spoken) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let mut agent = Agent::silent(&deck, &[]);
        let answer = agent.request("initialize", &hello(asked));
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], spoken, "{answer}");
        assert_eq!(result["serverInfo"]["name"], "flightdeck");
        assert_eq!(result["capabilities"]["tools"]["listChanged"], true);
        assert_eq!(result["capabilities"]["resources"], json!({ "subscribe": true, "listChanged": true }));
        assert!(result["instructions"].as_str().unwrap().contains("flightdeck.terminal.run"));
        let listed = agent.request("tools/list", &json!({}));
        assert!(listed["result"]["tools"].as_array().unwrap().len() > 10, "{listed}");
        assert!(listed["result"].get("resultType").is_none(), "a word of later versions");
        assert_eq!(agent.request("ping", &json!({}))["result"], json!({}));
        assert_eq!(agent.hang_up(), Some(0));
    }
}

#[test]
fn the_stateless_version_needs_no_handshake() {
    let deck = Deck::new();
    let mut agent = Agent::silent(&deck, &[]);
    let refused = agent.request("server/discover", &json!({}));
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let found = agent.request("server/discover", &json!({ "_meta": meta() }));
    assert!(found["result"]["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)), "{found}");
    // What is said before the first real request is no reason to hang up.
    agent.notify("notifications/initialized", &json!({}));
    let listed = agent.request("tools/list", &json!({ "_meta": meta() }));
    assert_eq!(listed["result"]["resultType"], "complete");
    assert!(listed["result"]["ttlMs"].is_u64() && listed["result"]["cacheScope"].is_string(), "{listed}");
    let mut call = json!({ "name": "flightdeck.terminal.run", "arguments": { "command": "exit 4" } });
    call["_meta"] = meta();
    let ran = agent.request("tools/call", &call);
    assert_eq!(ran["result"]["structuredContent"]["data"]["exitCode"], 4, "{ran}");
    assert_eq!(deck.status()["agents"], json!(["modern#1"]), "the connection is one agent");
    assert_eq!(agent.request("ping", &json!({ "_meta": meta() }))["error"]["code"], -32601);
    let unknown = agent.request("resources/read", &json!({ "uri": "terminal://t99/log", "_meta": meta() }));
    assert_eq!(
        (&unknown["error"]["code"], &unknown["error"]["data"]["uri"]),
        (&json!(-32602), &json!("terminal://t99/log"))
    );
}

#[test]
fn a_stream_tells_what_was_asked_for() {
    let deck = Deck::new();
    let mut agent = Agent::silent(&deck, &[]);
    let id = deck.shell("bash");
    let uri = format!("terminal://{id}/log");
    let wanted = json!({ "resourceSubscriptions": [uri, "terminal://nonsense"], "resourcesListChanged": true });
    let listen = agent.send_request("subscriptions/listen", &json!({ "notifications": wanted, "_meta": meta() }));
    let of_stream = |message: &Value, method: &str| {
        let from = &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
        message["method"] == method && *from == listen
    };
    let accepted = agent.message("the acknowledgement", |m| of_stream(m, "notifications/subscriptions/acknowledged"));
    assert_eq!(accepted["params"]["notifications"]["resourceSubscriptions"], json!([uri]), "{accepted}");
    deck.run_in(&id, "echo new");
    let updated = agent.message("the news of the log", |m| of_stream(m, "notifications/resources/updated"));
    assert_eq!(updated["params"]["uri"], uri);
    deck.shell("bash");
    agent.message("the news of another terminal", |m| of_stream(m, "notifications/resources/list_changed"));
    assert!(agent.messages().iter().all(|m| m["method"] != "notifications/tools/list_changed"));
}

/// Calls `check` with every object in a schema.
fn each_object(schema: &Value, check: &mut impl FnMut(&serde_json::Map<String, Value>)) {
    match schema {
        Value::Object(fields) => {
            check(fields);
            fields.values().for_each(|value| each_object(value, check));
        }
        Value::Array(items) => items.iter().for_each(|value| each_object(value, check)),
        _ => {}
    }
}

#[test]
fn tools_are_described_so_that_every_client_takes_them() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "strict");
    let listed = agent.request("tools/list", &json!({}));
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        assert!(name.len() <= 64 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)), "{name}");
        assert!(tool["title"].is_string() && tool["description"].as_str().unwrap().len() > 20, "{tool}");
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{name}: {hint}");
        }
        // One whose result may be a picture gives no structured content then, and so can't promise any.
        let output = tool.get("outputSchema");
        assert_eq!(output.is_none(), name == "flightdeck.terminal.screen", "{name}");
        for schema in std::iter::once(&tool["inputSchema"]).chain(output) {
            assert_eq!(schema["type"], "object", "{name}");
            each_object(schema, &mut |fields| {
                for word in ["$ref", "$defs", "format", "oneOf", "anyOf", "allOf"] {
                    let is_property = fields.get(word).is_some_and(|value| value.get("type").is_some());
                    assert!(!fields.contains_key(word) || is_property, "{name} has {word}: {schema}");
                }
                assert!(!fields.get("type").is_some_and(Value::is_array), "{name} has a type of many: {schema}");
                assert_ne!(fields.get("type"), Some(&json!("null")), "{name}: {schema}");
            });
        }
    }
    let hints = |name: &str| {
        let tools = listed["result"]["tools"].as_array().unwrap();
        tools.iter().find(|tool| tool["name"] == name).unwrap()["annotations"].clone()
    };
    assert_eq!(hints("flightdeck.terminal.read")["readOnlyHint"], true);
    assert_eq!(hints("flightdeck.terminal.run")["readOnlyHint"], false);
    assert_eq!(hints("flightdeck.terminal.kill")["destructiveHint"], true);
}

#[test]
fn a_client_gets_the_tools_it_wants_under_the_names_it_can_take() {
    let deck = Deck::new();
    let mut agent = Agent::with(&deck, "picky", &["--tools", "terminal", "--tool-names", "underscore"]);
    let listed = agent.request("tools/list", &json!({}));
    let names: Vec<_> =
        listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"flightdeck_terminal_run"), "{names:?}");
    let own = |name: &&str| name.starts_with("flightdeck_terminal_") || *name == "memory_terminal_interactive";
    assert!(names.iter().all(own), "{names:?}");
    assert_eq!(agent.ok("flightdeck_terminal_run", &json!({ "command": "echo hi" }))["output"], "hi\n");
    assert_eq!(agent.ok("flightdeck.terminal.run", &json!({ "command": "echo hi" }))["output"], "hi\n");
    let call = json!({ "name": "openspace.terminal.list", "arguments": {} });
    assert_eq!(agent.request("tools/call", &call)["error"]["code"], -32602, "not one of those it wanted");
    let error = deck.cli(&["mcp", "--tools", "terminals"]).expect(1).errors();
    assert!(error.contains("terminals") && error.contains("openspace"), "{error}");
}

#[test]
fn names_suit_the_client_unless_they_are_asked_for() {
    let deck = Deck::new();
    let (dots, none) = ("flightdeck.terminal.run", "flightdeck_terminal_run");
    for (client, args, name) in [
        ("claude-code", &[][..], none),
        ("opencode", &[], none),
        ("gemini-cli-mcp-client", &[], dots),
        ("claude-code", &["--tool-names", "dotted"], dots),
    ] {
        let client = json!({ "name": client, "version": "1" });
        let greeting = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
        let mut meta = meta();
        meta["io.modelcontextprotocol/clientInfo"] = client;
        let mut greets = Agent::silent(&deck, args);
        let greeted = greets.request("initialize", &greeting);
        greets.notify("notifications/initialized", &json!({}));
        let mut stateless = Agent::silent(&deck, args);
        let found = stateless.request("server/discover", &json!({ "_meta": meta }));
        for (agent, answer, params) in
            [(&mut greets, greeted, json!({})), (&mut stateless, found, json!({ "_meta": meta }))]
        {
            assert!(answer["result"]["instructions"].as_str().unwrap().contains(name), "{answer}");
            let listed = agent.request("tools/list", &params)["result"]["tools"].clone();
            assert!(listed.as_array().unwrap().iter().any(|tool| tool["name"] == name), "{listed:.2000}");
            for spelled in [dots, none] {
                let mut call = json!({ "name": spelled, "arguments": { "command": "echo hi" } });
                if let Some(meta) = params.get("_meta") {
                    call["_meta"] = meta.clone();
                }
                let ran = agent.request("tools/call", &call);
                assert_eq!(ran["result"]["structuredContent"]["output"], "hi\n", "{ran}");
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said_in_the_right_place() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "clumsy");
    for (method, params, code) in [
        ("tools/call", json!({ "name": "flightdeck_terminal_rum" }), -32602),
        ("tools/call", json!({ "arguments": {} }), -32602),
        ("tools/call", json!({ "name": "flightdeck.hub.watch" }), -32602),
        ("resources/read", json!({}), -32602),
        ("resources/read", json!({ "uri": "file:///etc/passwd" }), -32002),
        ("resources/subscribe", json!({ "uri": "terminal://t99/screen" }), -32002),
        ("resources/list", json!({ "cursor": "nonsense" }), -32602),
        ("prompts/get", json!({ "name": "nonsense" }), -32602),
        ("no/such/method", json!({}), -32601),
        ("logging/setLevel", json!({ "level": "debug" }), -32601),
        ("tasks/get", json!({ "taskId": "1" }), -32601),
    ] {
        let answer = agent.request(method, &params);
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    let answer = agent.request("tools/call", &json!({ "name": "terminal_run" }));
    assert!(answer["error"]["message"].as_str().unwrap().contains("flightdeck.terminal.run"), "{answer}");
    // What the tool itself refuses is a result, which an agent gets to read.
    let refused = agent.call("flightdeck.terminal.run", &json!({ "command": 7 }));
    assert_eq!((&refused["success"], &refused["code"]), (&json!(false), &json!("invalid_argument")));
    assert!(refused["error"].as_str().unwrap().contains("command"), "{refused}");
}

#[test]
fn lines_that_are_no_messages_are_answered_and_survived() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "broken");
    let errors = |agent: &Agent, code: i64| agent.messages().iter().filter(|m| m["error"]["code"] == code).count();
    for (line, code) in [
        ("nonsense", -32700),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,", -32700),
        ("\u{1}\u{2}", -32700),
        (&"[".repeat(100_000), -32700),
        ("[]", -32600),
        ("{}", -32600),
        ("17", -32600),
        ("{\"jsonrpc\":\"1.0\",\"id\":1000,\"method\":\"ping\"}", -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"ping\"}", -32600),
        ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600),
        (&format!("{{\"x\":\"{}\"}}", "x".repeat(MAX_MESSAGE)), -32600),
    ] {
        let before = errors(&agent, code);
        agent.send_line(line);
        let shown: String = line.chars().take(80).collect();
        deck.wait_until(&format!("an answer to {shown}"), SOON, || (errors(&agent, code) > before).then_some(()));
        // The id is there, and null where it can't be known.
        let last = agent.messages().into_iter().rfind(|message| message["error"]["code"] == code).unwrap();
        assert!(last.get("id").is_some_and(|id| id.is_null() || *id == 1000), "{shown}: {last}");
    }
    agent.send_line("");
    agent.send_line("  \t ");
    // Long, but not too long.
    let answer = agent.request("resources/read", &json!({ "uri": "y".repeat(4 << 20) }));
    assert_eq!(answer["error"]["code"], -32002);
    // Too long: whoever waits hears of it, wherever the id stands.
    let answer = agent.request("resources/read", &json!({ "uri": "y".repeat(MAX_MESSAGE) }));
    assert_eq!(answer["error"]["code"], -32600, "{}", answer["error"]["message"]);
    let params = json!({ "uri": "y".repeat(MAX_MESSAGE) });
    agent.send_line(&format!("{{\"method\":\"resources/read\",\"params\":{params},\"jsonrpc\":\"2.0\",\"id\":777}}"));
    assert_eq!(agent.answer(777)["error"]["code"], -32600);
    assert_eq!(agent.hang_up(), Some(0));
}

#[test]
fn a_call_that_takes_long_says_that_it_is_at_work() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "patient");
    let id = agent.begin("flightdeck.terminal.run", &json!({ "command": "sleep 1000" }));
    let token = format!("p{id}");
    let reports = |agent: &Agent| -> Vec<f64> {
        let of_call = |m: &&Value| m["method"] == "notifications/progress" && m["params"]["progressToken"] == token;
        agent.messages().iter().filter(of_call).map(|m| m["params"]["progress"].as_f64().unwrap()).collect()
    };
    let told = deck.wait_until("two reports", SOON, || Some(reports(&agent)).filter(|told| told.len() >= 2));
    assert!(told[0] < 3.0 && told[1] > told[0], "{told:?}");
    agent.notify("notifications/cancelled", &json!({ "requestId": id }));
}

/// Begins a call that runs for ever, and gives its process.
fn run_for_ever(deck: &Deck, agent: &mut Agent) -> (u64, u32) {
    let id = agent.begin("flightdeck.terminal.run", &json!({ "command": "echo $$ > pid; exec sleep 1000" }));
    let file = deck.workspace().join("pid");
    let pid = deck.wait_until("the process", SOON, || std::fs::read_to_string(&file).ok()?.trim().parse().ok());
    std::fs::remove_file(file).unwrap();
    (id, pid)
}

#[test]
fn a_call_that_is_given_up_is_really_stopped() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "impatient");
    let (id, pid) = run_for_ever(&deck, &mut agent);
    agent.notify("notifications/cancelled", &json!({ "requestId": id, "reason": "enough" }));
    deck.wait_until("its end", SOON, || (!processes::is_alive(pid)).then_some(()));
    assert_eq!(agent.request("ping", &json!({}))["result"], json!({}));
    assert!(agent.messages().iter().all(|message| message["id"] != id), "what is cancelled is not answered");
}

#[test]
fn a_client_that_leaves_in_the_middle_takes_its_calls_with_it() {
    let deck = Deck::new();
    let mut polite = Agent::new(&deck, "polite");
    let (_, pid) = run_for_ever(&deck, &mut polite);
    assert_eq!(polite.hang_up(), Some(0), "the relay ends well");
    deck.wait_until("the end of its call", SOON, || (!processes::is_alive(pid)).then_some(()));
    let mut killed = Agent::new(&deck, "killed");
    let (_, pid) = run_for_ever(&deck, &mut killed);
    processes::signal(killed.pid(), Signal::KILL);
    deck.wait_until("the end of its call", SOON, || (!processes::is_alive(pid)).then_some(()));
    deck.wait_until("nobody is there", SOON, || (deck.status()["agents"] == json!([])).then_some(()));
}

#[test]
fn what_was_asked_before_hanging_up_is_answered() {
    let deck = Deck::new();
    let lines = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello("2025-06-18") }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }),
    ];
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    // Without a newline at the end, as `printf` leaves it.
    let text = deck.invoke(&["mcp"]).stdin(lines.join("\n").as_bytes()).run().expect(0).text();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(answers.iter().any(|answer| answer["id"] == 2 && answer["result"]["tools"].is_array()), "{text}");
}

#[test]
fn a_client_that_never_reads_holds_up_nobody_else() {
    let deck = Deck::new();
    let mut other = Agent::new(&deck, "other");
    other.ok("flightdeck.terminal.list", &json!({}));
    let hub = deck.hub_pid();
    let memory = || -> u64 {
        let statm = std::fs::read_to_string(format!("/proc/{hub}/statm")).unwrap();
        statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
    };
    let before = memory();
    let mut command = by_client(&deck.command(&["mcp"]));
    let mut deaf = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = deaf.stdin.take().unwrap();
    // Far more than all pipes and buffers hold: the writer gets stuck, which is as it should be.
    let writer = std::thread::spawn(move || {
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello("2025-11-25") });
        let _ = writeln!(stdin, "{hello}");
        for id in 1..100_000 {
            let ask = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" });
            let junk = "nonsense";
            if writeln!(stdin, "{ask}\n{junk}").is_err() {
                return id;
            }
        }
        0
    });
    for _ in 0..50 {
        other.ok("flightdeck.terminal.run", &json!({ "command": "echo hi" }));
    }
    let grown = memory().saturating_sub(before);
    assert!(grown < 64 << 20, "the hub grew by {} MiB", grown >> 20);
    assert!(!writer.is_finished(), "somebody keeps what nobody reads");
    deaf.kill().unwrap();
    deaf.wait().unwrap();
    assert_ne!(writer.join().unwrap(), 0);
    deck.wait_until("it is gone", SOON, || (deck.status()["agents"].as_array()?.len() == 1).then_some(()));
}

#[test]
fn two_clients_see_the_same_terminals() {
    let deck = Deck::new();
    let (mut one, mut two) = (Agent::new(&deck, "one"), Agent::new(&deck, "two"));
    let id = one.ok("flightdeck.terminal.new", &json!({}))["data"]["id"].as_str().unwrap().to_owned();
    // It is told of what changes from when the hub has taken in its greeting, and nobody sees when that is.
    let is_told = || two.messages().iter().any(|it| it["method"] == "notifications/resources/list_changed");
    deck.wait_until("the news of a terminal", SOON, || {
        let told = try_until(Duration::from_secs(2), || is_told().then_some(()));
        told.or_else(|| {
            one.ok("flightdeck.terminal.new", &json!({}));
            None
        })
    });
    let listed = two.ok("flightdeck.terminal.list", &json!({}));
    // The newest is the first.
    let seen = listed["data"]["terminals"].as_array().unwrap().iter().find(|it| it["id"] == id);
    assert!(seen.is_some_and(|it| it["createdBy"].as_str().unwrap().starts_with("one#")), "{listed}");
    one.ok("flightdeck.terminal.run", &json!({ "id": id, "command": "echo from one" }));
    let read = two.request("resources/read", &json!({ "uri": format!("terminal://{id}/log") }));
    assert!(read["result"]["contents"][0]["text"].as_str().unwrap().contains("from one"), "{read}");
}
