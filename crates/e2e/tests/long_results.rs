//! Long results, as clients with limits of their own leave them: what matters is in what is left.

use flightdeck_e2e::{Agent, Deck};
use serde_json::{Value, json};

/// Codex keeps the first and the last 5,000 bytes of a result, and is the strictest.
const CODEX: usize = 10_000;
/// Qwen Code cuts what has more characters, Gemini CLI what has 40,000, opencode what has 50 KiB.
const QWEN_CODE: usize = 25_000;
/// What Codex keeps for a model that it knows. It tells neither how much is missing nor where.
const CODEX_KNOWN: usize = 48_000;
/// Claude Code puts what has more characters into a file and shows the first 2 KB, unless the tool says how long its
/// results may be.
const CLAUDE_CODE: usize = 50_000;

/// The text of a result, as a client that shows text has it.
fn text(agent: &mut Agent, tool: &str, args: &Value) -> String {
    let id = agent.begin(tool, args);
    agent.answer(id)["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn what_matters_comes_first_and_the_end_of_the_output_last() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let shell = deck.shell("bash");
    let tab = agent.call("create_tab", &json!({}))["window_id"].clone();
    let command = "seq 1 1000000; (exit 3)";
    for (tool, args, wanted) in [
        (
            "flightdeck.terminal.run",
            json!({ "command": command }),
            &["\"exitCode\":3", "\"id\":\"t", "\"omittedBytes\":", "\"start\":", "\"end\":"][..],
        ),
        (
            "flightdeck.terminal.run",
            json!({ "id": shell, "command": command }),
            &["\"exitCode\":3", "\"id\":\"t", "\"omittedBytes\":"],
        ),
        (
            "execute_command",
            json!({ "window_id": tab, "command": command, "timeout_ms": 60_000 }),
            &["\"exit_code\":3", "\"omitted_bytes\":"],
        ),
    ] {
        let text = text(&mut agent, tool, &args);
        let head = &text[..text.floor_char_boundary(1000)];
        for field in wanted {
            assert!(head.contains(field), "{tool}: no {field} in {head}");
        }
        // opencode keeps whole lines.
        let lines: Vec<_> = text.lines().collect();
        assert!(lines.len() > 1 && lines[..lines.len() - 1].iter().all(|line| line.len() < 1000), "{tool}: {head}");
        serde_json::from_str::<Value>(&text).unwrap();
        let cut = &text[text.ceil_char_boundary(text.len() - CODEX / 2)..];
        assert!(cut.contains("999999") && cut.contains("1000000"), "{tool}: {cut}");
        let most = if tool == "execute_command" { 100_000 } else { QWEN_CODE };
        assert!(text.len() < most, "{tool}: {} bytes", text.len());
    }
}

fn headless(command: &str) -> Value {
    json!({
        "action": "execute",
        "invocation": { "mode": "headless", "intent": "execute_command" },
        "execution": { "command": command },
    })
}

/// The streams of a headless command have a beginning and an end too, and the answer says how to read what is between.
#[test]
fn headless_output_has_both_ends_and_the_rest_can_be_read() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let lines: String = (0..20_000).map(|number| format!("line {number}\n")).collect();
    std::fs::write(deck.workspace().join("long"), &lines).unwrap();
    let ran = agent.call("memory_terminal_interactive", &headless("cat long missing"));
    let id = ran["identity"]["session_id"].clone();
    let read =
        agent.call("memory_terminal_interactive", &json!({ "action": "read_output", "target": { "session_id": id } }));
    for answer in [&ran, &read] {
        let result = &answer["result"];
        assert_eq!(result["exit_code"], 1, "{answer}");
        assert!(result["stderr"].as_str().unwrap().starts_with("cat: missing"), "{answer}");
        let stdout = result["stdout"].as_str().unwrap();
        assert!(stdout.starts_with("line 0\nline 1\n") && stdout.ends_with("\nline 19998\nline 19999\n"), "{answer}");
        assert!(result["warning"].as_str().unwrap().contains("flightdeck.terminal.read"), "{answer}");
        let (head, rest) = stdout.split_once("[... ").unwrap();
        let (note, tail) = rest.split_once(" ...]\n").unwrap();
        let numbers: Vec<u64> =
            note.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
        assert_eq!(numbers[0], result["omitted_bytes"], "{note}");
        let between = json!({ "id": id, "from": numbers[1], "to": numbers[2], "maxBytes": 1_000_000 });
        let between = agent.ok("flightdeck.terminal.read", &between)["output"].as_str().unwrap().to_owned();
        assert_eq!(format!("{head}{between}{tail}"), lines);
    }
}

#[test]
fn what_is_read_fits_into_an_answer() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "agent");
    let lines: String = (0..20_000).map(|number| format!("\tlet value_{number} = \"{number}\";\n")).collect();
    std::fs::write(deck.workspace().join("long.rs"), lines).unwrap();
    std::fs::write(deck.workspace().join("quotes.csv"), "\"a\",\"b\"\n".repeat(4000)).unwrap();
    let id = deck.new_terminal(&["--", "sh", "-c", "seq 1 1000000; sleep 1000"]);
    deck.cli(&["wait", &id, "--pattern", "^1000000$", "--from", "0"]).expect(0);
    for (tool, args) in [
        ("openspace.file.read", json!({ "path": "long.rs" })),
        ("openspace.file.read", json!({ "path": "quotes.csv" })),
        ("openspace.file.search", json!({ "query": "value_" })),
        ("openspace.file.search", json!({ "query": "a" })),
        ("flightdeck.terminal.read", json!({ "id": id, "lines": 100_000 })),
        ("openspace.terminal.read_output", json!({ "terminalId": id })),
        ("memory_terminal_interactive", headless("cat long.rs")),
    ] {
        let text = text(&mut agent, tool, &args);
        assert!(text.len() < CODEX_KNOWN, "{tool}: {} bytes", text.len());
        assert!(text[..300].contains("\"success\":true"), "{tool}: {}", &text[..300]);
    }
    // Few lines may be long. Who asks for so many lines gets them.
    let tab = agent.call("create_tab", &json!({}))["window_id"].clone();
    let long = "for i in $(seq 200); do head -c 2000 /dev/zero | tr '\\0' x; echo; done";
    agent.call("execute_command", &json!({ "window_id": tab, "command": long, "timeout_ms": 60_000 }));
    let read = agent.call("read_logs_from_tab", &json!({ "window_id": tab }));
    assert!((30_000..=32_768).contains(&read["content"].as_str().unwrap().len()), "{}", read["returned_lines"]);
    assert_eq!(read["truncated"], true);
    let read = agent.call("read_logs_from_tab", &json!({ "window_id": tab, "lines": 150 }));
    assert_eq!(read["returned_lines"], 150);
    let many = json!({ "window_id": tab, "command": "seq 1 1000000", "timeout_ms": 60_000 });
    for (tool, args) in [("execute_command", many), ("stream_logs_from_tab", json!({ "window_id": tab }))] {
        let text = text(&mut agent, tool, &args);
        assert!((30_000..CODEX_KNOWN).contains(&text.len()), "{tool}: {} bytes", text.len());
    }
}

/// The longest answers are those that somebody asked for.
#[test]
fn claude_code_is_told_how_long_results_may_be() {
    let deck = Deck::new();
    let mut agent = Agent::new(&deck, "claude-code");
    let tools = agent.request("tools/list", &json!({}))["result"]["tools"].clone();
    let (tool, args) = ("flightdeck_terminal_run", json!({ "command": "seq 1 1000000", "maxBytes": 200_000 }));
    let listed = tools.as_array().unwrap().iter().find(|listed| listed["name"] == tool).unwrap();
    let most = listed["_meta"]["anthropic/maxResultSizeChars"].as_u64().unwrap() as usize;
    let length = text(&mut agent, tool, &args).len();
    assert!((CLAUDE_CODE..most).contains(&length), "{length} characters, {most} said");
}
