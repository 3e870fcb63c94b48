//! Acceptance: the tools are exposed as their document defines them, and results are the documented objects.

use flightdeck_e2e::Agent;
use serde_json::{Value, json};

use super::{Backend, listed, ok, refused, run, tab};

on_both_backends!(
    tools_list_has_exactly_the_documented_tools_and_schemas,
    results_are_the_documented_objects_and_nothing_more,
    names_of_any_kind_are_listed_and_the_tab_that_was_used_last_is_active,
    a_tab_has_the_folder_the_variables_and_the_profile_that_were_asked_for,
);

/// The document's request schemas: each field with its type, the required ones first and marked.
const TOOLS: [(&str, &[(&str, &str)]); 9] = [
    ("close_tab", &[("window_id!", "string")]),
    ("create_tab", &[("name", "string"), ("cwd", "string"), ("env", "object"), ("login", "boolean")]),
    (
        "execute_command",
        &[("window_id!", "string"), ("command!", "string"), ("timeout_ms", "number"), ("strip_ansi", "boolean")],
    ),
    ("list_tabs", &[]),
    ("read_logs_from_tab", &[("window_id!", "string"), ("lines", "number"), ("strip_ansi", "boolean")]),
    ("set_history_limit", &[("lines", "number"), ("bytes", "number")]),
    ("start_process", &[("window_id!", "string"), ("command!", "string"), ("append_newline", "boolean")]),
    ("stop_process", &[("window_id!", "string"), ("signal", "string")]),
    (
        "stream_logs_from_tab",
        &[("window_id!", "string"), ("from_byte", "number"), ("max_bytes", "number"), ("strip_ansi", "boolean")],
    ),
];

fn tools_list_has_exactly_the_documented_tools_and_schemas(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::with(&deck, "codex", &["--tools", "tabs"]);
    let tools = agent.request("tools/list", &json!({}))["result"]["tools"].as_array().unwrap().clone();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, TOOLS.map(|(name, _)| name));
    for (tool, (name, fields)) in tools.iter().zip(TOOLS) {
        let schema = &tool["inputSchema"];
        let properties = schema["properties"].as_object().unwrap();
        assert_eq!(properties.len(), fields.len(), "{name}: {schema}");
        for (field, kind) in fields {
            let plain = field.trim_end_matches('!');
            assert_eq!(properties[plain]["type"], *kind, "{name}.{plain}");
            let required = schema["required"].as_array().is_some_and(|all| all.contains(&json!(plain)));
            assert_eq!(required, field.ends_with('!'), "{name}.{plain} is required");
            assert!(properties[plain]["description"].is_string(), "{name}.{plain}");
        }
        assert_eq!(tool["outputSchema"]["type"], "object", "{name}");
    }
}

fn results_are_the_documented_objects_and_nothing_more(backend: Backend) {
    // "Normal MCP payload": clients of the document parse the text and expect these fields at the top.
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    let fields = |object: &Value| {
        let mut names: Vec<_> = object.as_object().unwrap().keys().cloned().collect();
        names.sort();
        names.join(" ")
    };
    let created = ok(&mut agent, "create_tab", &json!({}));
    assert_eq!(fields(&created), "name window_id");
    assert_eq!(created, json!({ "window_id": "@1", "name": "bash" }), "the shell's name is the default");
    let id = &created["window_id"];
    for (tool, args, expected) in [
        ("list_tabs", json!({}), "tabs"),
        ("execute_command", json!({ "window_id": id, "command": "true" }), "exit_code output timed_out"),
        ("read_logs_from_tab", json!({ "window_id": id }), "content returned_lines truncated"),
        ("stream_logs_from_tab", json!({ "window_id": id }), "chunk eof next_byte"),
        ("start_process", json!({ "window_id": id, "command": "sleep 1000" }), "started"),
        ("stop_process", json!({ "window_id": id }), "success"),
        ("set_history_limit", json!({ "lines": 4096 }), "bytes lines"),
        ("close_tab", json!({ "window_id": id }), "closed"),
    ] {
        let object = ok(&mut agent, tool, &args);
        assert_eq!(fields(&object), expected, "{tool}: {object}");
    }
}

fn names_of_any_kind_are_listed_and_the_tab_that_was_used_last_is_active(backend: Backend) {
    let deck = backend.deck();
    let mut agent = Agent::new(&deck, "codex");
    assert_eq!(listed(&mut agent), (Vec::new(), None));
    // Names with what separates fields and formats elsewhere: spaces, tabs, quotes, tmux's `#`, other alphabets.
    let names = [
        "web server",
        "a\tb",
        "it's \"quoted\"",
        "#{window_id} #S",
        "日本語 🦀",
        "@7",
        "$(touch x)",
        " spaces around ",
    ];
    let mut expected = Vec::new();
    for name in names {
        expected.push((tab(&mut agent, name), name.to_owned()));
        assert_eq!(listed(&mut agent), (expected.clone(), expected.last().map(|(id, _)| id.clone())));
    }
    let first = expected[0].0.clone();
    run(&mut agent, &first, "true");
    assert_eq!(listed(&mut agent).1.as_ref(), Some(&first), "running a command makes a tab the active one");
    // When the active tab goes, the one that was used before it is active again.
    ok(&mut agent, "close_tab", &json!({ "window_id": first }));
    let last = expected.last().unwrap().0.clone();
    assert_eq!(listed(&mut agent), (expected[1..].to_vec(), Some(last)));
    // Numbers are never used twice.
    let fresh = tab(&mut agent, "fresh");
    assert!(expected.iter().all(|(id, _)| *id != fresh), "{fresh}");
    refused(&mut agent, "create_tab", &json!({ "name": "x".repeat(201) }), "invalid_argument");
}

fn a_tab_has_the_folder_the_variables_and_the_profile_that_were_asked_for(backend: Backend) {
    let deck = backend.deck();
    std::fs::write(deck.home().join(".bash_profile"), "FROM_PROFILE=yes\n").unwrap();
    std::fs::create_dir(deck.workspace().join("sub dir")).unwrap();
    let mut agent = Agent::new(&deck, "codex");
    let env = json!({ "GREETING": "hello \"there\" $HOME `id`" });
    let args = json!({ "cwd": "sub dir", "env": env, "login": true });
    let id = ok(&mut agent, "create_tab", &args)["window_id"].as_str().unwrap().to_owned();
    let (output, code) = run(&mut agent, &id, "pwd; echo \"$GREETING\"; echo $FROM_PROFILE");
    let folder = deck.workspace().join("sub dir");
    assert_eq!((output, code), (format!("{}\nhello \"there\" $HOME `id`\nyes\n", folder.display()), 0));
    // It is a login shell to itself too, and nothing shows how it came to read our file.
    let (output, _) = run(&mut agent, &id, "shopt login_shell; set -o | grep posix; echo ${ENV-none} $HISTFILE");
    let words: Vec<&str> = output.split_whitespace().collect();
    let history = deck.home().join(".bash_history");
    assert_eq!(words, ["login_shell", "on", "posix", "off", "none", history.to_str().unwrap()]);
    let plain = tab(&mut agent, "plain");
    assert_eq!(
        run(&mut agent, &plain, "pwd; echo [$GREETING$FROM_PROFILE]").0,
        format!("{}\n[]\n", deck.workspace().display())
    );
}
