//! The tables of the documents, row by row and word for word.

use flightdeck_contract::canonical::{
    Action, Class, LegacyAction, Mode, Phase, PmTerm, State, ToolName, fail, fallback, normalise, pm_term,
};
use flightdeck_contract::{Error, ErrorCode};
use serde_json::{Value, json};

use super::{all_codes, refused, sent, taken};

/// The taxonomy of the contract, 3.1.
const TAXONOMY: [(&str, &str, bool, &str); 10] = [
    ("PM_TERM_INVALID_ACTION", "validation", false, "reject_no_retry"),
    ("PM_TERM_INVALID_PAYLOAD", "validation", false, "reject_no_retry"),
    ("PM_TERM_INVALID_MODE", "validation", false, "reject_no_retry"),
    ("PM_TERM_DECLINED", "user_decision", false, "report_decline"),
    ("PM_TERM_TIMEOUT", "runtime_timeout", true, "suggest_retry_headless_or_interactive"),
    ("PM_TERM_DISCONNECTED", "transport", true, "suggest_reconnect_retry"),
    ("PM_TERM_GUI_UNAVAILABLE", "runtime_unavailable", true, "fallback_to_headless_if_allowed"),
    ("PM_TERM_BLOCKED_DESTRUCTIVE", "authorization", false, "reject_with_safety_hint"),
    ("PM_TERM_NOT_FOUND", "identity", false, "refresh_list_then_retry"),
    ("PM_TERM_INTERNAL", "internal", true, "deterministic_internal_fallback"),
];

#[test]
fn the_taxonomy_is_that_of_the_document() {
    assert_eq!(PmTerm::NAMES, TAXONOMY.map(|row| row.0));
    for (name, category, retriable, strategy) in TAXONOMY {
        let code = PmTerm::parse(name).expect("a code");
        assert_eq!(code.category().name(), category, "{name}");
        assert_eq!(code.retriable(), retriable, "{name}");
        assert_eq!(code.strategy().name(), strategy, "{name}");
    }
}

/// The aliases of the contract, 1 and 9.2, and of the consolidation, 1.2, in the canonical tool.
#[test]
fn each_alias_becomes_its_canonical_action() {
    let rows = [
        (
            json!({ "action": "run", "command": "ls", "args": ["-l"], "cwd": "/tmp", "timeout": 5000, "workspace_id": "w" }),
            json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "execute_command" },
                    "runtime": { "workspace_id": "w", "cwd": "/tmp", "timeout_ms": 5000 },
                    "execution": { "command": "ls", "args": ["-l"] } }),
        ),
        (
            json!({ "action": "kill", "session_id": "s1" }),
            json!({ "action": "terminate", "runtime": { "timeout_ms": 30000 }, "target": { "session_id": "s1" } }),
        ),
        (
            json!({ "action": "send", "terminal_id": "t1", "command": "ls" }),
            json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "execute_command" },
                    "runtime": { "timeout_ms": 30000 }, "execution": { "command": "ls" },
                    "target": { "terminal_id": "t1" } }),
        ),
        (
            json!({ "action": "close", "terminal_id": "t1" }),
            json!({ "action": "terminate", "runtime": { "timeout_ms": 30000 }, "target": { "terminal_id": "t1" } }),
        ),
        (
            json!({ "action": "create", "name": "build", "cwd": "/tmp", "env": { "A": "b" } }),
            json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "open_only" },
                    "runtime": { "cwd": "/tmp", "timeout_ms": 30000, "name": "build" },
                    "execution": { "env": { "A": "b" } } }),
        ),
        (json!({ "action": "list" }), json!({ "action": "list", "runtime": { "timeout_ms": 30000 } })),
    ];
    for (args, canonical) in rows {
        let legacy = args["action"].as_str().expect("an action").to_owned();
        let normalised = sent(args);
        let mut request = json!(normalised.request.expect("a request in order"));
        request.as_object_mut().expect("an object").shift_remove("correlation");
        assert_eq!(request, canonical, "{legacy}");
        let resolved = normalised.context.resolved;
        assert_eq!(resolved.alias_applied, legacy != "list", "{legacy}");
        assert_eq!(resolved.legacy_action.map(LegacyAction::name), (legacy != "list").then_some(&*legacy));
        assert_eq!(json!(resolved.canonical_action), canonical["action"]);
    }
}

/// The decisions of routing, consolidation 2.2: each action can be had in each mode.
#[test]
fn each_row_of_the_routing_matrix_can_be_asked_for() {
    for action in Action::NAMES {
        for mode in Mode::NAMES {
            let mut args = json!({ "action": action, "invocation": { "mode": mode } });
            match *action {
                "execute" => {
                    args["invocation"]["intent"] = json!("execute_command");
                    args["execution"] = json!({ "command": "ls" });
                }
                "list" => {}
                _ => args["target"] = json!({ "session_id": "s1" }),
            }
            let normalised = sent(args);
            let request = normalised.request.expect("a request in order");
            assert_eq!((request.action.name(), request.invocation.mode.map(Mode::name)), (*action, Some(*mode)));
            assert_eq!(normalised.context.resolved.mode.map(Mode::name), Some(*mode));
        }
    }
}

/// The payload of an error as the contract shows it, 3.2, with its placeholders filled in.
#[test]
fn the_sample_of_an_error_comes_out_word_for_word() {
    let args = json!({ "action": "send", "terminal_id": "t1", "text": "ls",
        "correlation": { "request_id": "req_1", "trace_id": "trace_1", "client_request_id": "mine" } });
    let context = sent(args).context;
    let error = Error::new(ErrorCode::TimedOut, "Interactive terminal request timed out while waiting for response.");
    let mut response = json!(fail(&context, &error));
    // Ours, beside what the document has.
    response.as_object_mut().expect("an object").shift_remove("compat");
    response["error"]["details"].as_object_mut().expect("details").shift_remove("reason");
    let expected = r#"{
        "success": false,
        "action": "execute",
        "status": "failed",
        "correlation": { "request_id": "req_1", "trace_id": "trace_1", "client_request_id": "mine" },
        "resolved": {
            "canonical_action": "execute", "alias_applied": true, "legacy_action": "send", "mode": "interactive"
        },
        "error": {
            "code": "PM_TERM_TIMEOUT",
            "category": "runtime_timeout",
            "message": "Interactive terminal request timed out while waiting for response.",
            "retriable": true,
            "details": { "timeout_ms": 30000, "target": "t1" }
        },
        "fallback": {
            "strategy": "suggest_retry_headless_or_interactive",
            "next_action": "execute",
            "recommended_mode": "headless",
            "user_message": "The interactive path timed out. You can retry now or run in headless mode.",
            "can_auto_retry": false
        }
    }"#;
    let expected: Value = serde_json::from_str(expected).expect("JSON");
    // As text, because the order of the keys counts.
    assert_eq!(response.to_string(), expected.to_string());
}

/// The canonical response, 2.2, key by key in its order.
#[test]
fn the_form_of_a_success_is_that_of_the_document() {
    use flightdeck_contract::canonical::{Authorization, Identity, Outcome, Status};
    let args = json!({ "action": "execute", "invocation": { "mode": "headless", "intent": "execute_command" },
        "execution": { "command": "ls" },
        "correlation": { "request_id": "req_1", "trace_id": "trace_1", "client_request_id": "mine" } });
    let identity = Identity { session_id: Some("s1".into()), terminal_id: Some("t1".into()) };
    let result = Outcome {
        authorization: Some(Authorization::Allowed),
        warning: Some("careful".into()),
        stdout: Some("out".into()),
        stderr: Some("err".into()),
        exit_code: Some(0),
        running: Some(false),
        items: Some(Vec::new()),
        ..Outcome::default()
    };
    let response = json!(sent(args).context.succeed(Status::Completed, identity, result));
    let expected = json!({
        "success": true,
        "action": "execute",
        "status": "completed",
        "correlation": { "request_id": "req_1", "trace_id": "trace_1", "client_request_id": "mine" },
        "resolved": {
            "canonical_action": "execute", "alias_applied": false, "legacy_action": null, "mode": "headless"
        },
        "identity": { "session_id": "s1", "terminal_id": "t1" },
        "result": {
            "authorization": "allowed", "warning": "careful", "stdout": "out", "stderr": "err", "exit_code": 0,
            "running": false, "items": []
        },
        "error": null
    });
    assert_eq!(response.to_string(), expected.to_string());
}

/// What the consolidation, 1.5, promises for each code.
#[test]
fn validation_says_what_could_be_sent() {
    let response = refused(json!({ "action": "start" }));
    let error = response.error.expect("an error");
    assert_eq!(error.code, PmTerm::InvalidAction);
    assert_eq!(error.details["allowed_actions"], json!(["execute", "read_output", "terminate", "list"]));
    for alias in ["run", "kill", "send", "close", "create", "list"] {
        assert!(error.details["aliases"][alias].is_string(), "{alias}");
    }
    let response = refused(json!({ "action": "list", "invocation": { "mode": "gui" } }));
    let error = response.error.expect("an error");
    assert_eq!(error.code, PmTerm::InvalidMode);
    assert_eq!(error.details["allowed_modes"], json!(["interactive", "headless"]));
}

/// Code, action, mode and state; then the next action, its mode, and whether a program may send it again.
const FALLBACKS: &str = "
    INVALID_ACTION       none         interactive  Usual    none         interactive  false
    INVALID_PAYLOAD      terminate    headless     Usual    terminate    headless     false
    INVALID_MODE         execute      interactive  Usual    execute      interactive  false
    DECLINED             execute      interactive  Usual    none         interactive  false
    DECLINED             list         headless     Usual    none         headless     false
    TIMEOUT              execute      interactive  Usual    execute      headless     false
    TIMEOUT              execute      headless     Usual    execute      interactive  false
    TIMEOUT              execute      interactive  Running  read_output  interactive  false
    TIMEOUT              execute      headless     Running  read_output  headless     false
    TIMEOUT              list         interactive  Usual    list         interactive  true
    DISCONNECTED         execute      headless     Usual    list         headless     false
    DISCONNECTED         execute      headless     Running  read_output  headless     false
    DISCONNECTED         read_output  headless     Running  read_output  headless     true
    DISCONNECTED         execute      interactive  Unstarted execute     interactive  false
    DISCONNECTED         terminate    interactive  Unstarted terminate   interactive  true
    DISCONNECTED         terminate    interactive  Usual    terminate    interactive  true
    DISCONNECTED         list         interactive  Usual    list         interactive  true
    GUI_UNAVAILABLE      execute      interactive  Usual    execute      interactive  false
    GUI_UNAVAILABLE      execute      interactive  Unseen   execute      headless     false
    BLOCKED_DESTRUCTIVE  execute      headless     Usual    execute      headless     false
    BLOCKED_DESTRUCTIVE  execute      headless     Attended execute      interactive  false
    BLOCKED_DESTRUCTIVE  execute      headless     Unattended none       interactive  false
    BLOCKED_DESTRUCTIVE  execute      headless     Later    none         headless     false
    BLOCKED_DESTRUCTIVE  execute      headless     Final    none         headless     false
    BLOCKED_DESTRUCTIVE  execute      interactive  Usual    none         interactive  false
    BLOCKED_DESTRUCTIVE  terminate    headless     Usual    none         headless     false
    NOT_FOUND            read_output  headless     Usual    list         headless     false
    INTERNAL             execute      interactive  Usual    list         interactive  false
    INTERNAL             execute      interactive  Running  read_output  interactive  false
    INTERNAL             list         interactive  Usual    list         interactive  false
    INTERNAL             execute      interactive  Later    execute      interactive  false
    INTERNAL             read_output  headless     Later    read_output  headless     false
";

#[test]
fn each_code_has_the_fallback_of_its_class() {
    for row in FALLBACKS.lines().filter(|row| !row.trim().is_empty()) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let [code, action, mode, state, next, other, auto] = words[..] else { panic!("{row}") };
        let code = PmTerm::parse(&format!("PM_TERM_{code}")).expect(row);
        let states = [
            State::Usual,
            State::Running,
            State::Later,
            State::Final,
            State::Unseen,
            State::Unstarted,
            State::Attended,
            State::Unattended,
        ];
        let state = states.into_iter().find(|known| format!("{known:?}") == state).expect(row);
        let way = fallback(code, Class { action: Action::parse(action), mode: Mode::parse(mode).expect(row), state });
        let got = (way.next_action.name(), way.recommended_mode.name(), way.can_auto_retry);
        assert_eq!(got, (next, other, auto == "true"), "{row}");
        assert_eq!(way.strategy, code.strategy());
    }
}

/// Every code of ours, so that a change of its place is seen.
#[test]
fn each_of_our_codes_has_its_place() {
    let rows = [
        (PmTerm::InvalidAction, "invalid_action unknown_command"),
        (PmTerm::InvalidMode, "invalid_mode"),
        (
            PmTerm::InvalidPayload,
            "invalid_argument cwd_missing program_not_found program_not_executable not_a_shell no_terminal bad_path \
             not_a_file not_a_folder binary_file unknown_encoding too_large layout_impossible not_supported \
             syntax_error port_taken",
        ),
        (PmTerm::Declined, "declined consent_declined cancelled"),
        (PmTerm::Timeout, "timed_out approval_expired no_prompt input_not_read still_running"),
        (PmTerm::Disconnected, "bridge_gone disconnected hub_stopping keeper_lost version_mismatch not_served"),
        (PmTerm::GuiUnavailable, "approval_unavailable"),
        (
            PmTerm::BlockedDestructive,
            "blocked not_allowed policy_invalid outside_workspace sensitive_file protected_file permission_denied",
        ),
        (
            PmTerm::NotFound,
            "terminal_not_found terminal_ended ambiguous approval_not_found approval_settled file_not_found \
             nothing_to_undo pane_not_found editor_not_open highlight_not_found chat_not_found",
        ),
        (
            PmTerm::Internal,
            "terminal_busy lease_held rate_limited too_many_calls turn_limit stale_version unsaved_changes edit_too_old \
             bridge_taken resource_limit storage tmux_missing tmux_too_old tmux_failed bridge_failed internal \
             chat_not_ready budget_exhausted agent_failed",
        ),
    ];
    let count: usize = rows.iter().map(|(_, names)| names.split_whitespace().count()).sum();
    assert_eq!(count, all_codes().len());
    for (code, names) in rows {
        for name in names.split_whitespace() {
            let own: ErrorCode = serde_json::from_value(json!(name)).expect(name);
            assert_eq!(pm_term(own), code, "{name}");
        }
    }
}

/// What the older tools take, and in which mode.
#[test]
fn each_older_tool_takes_its_own_actions() {
    let send = |tool, args| normalise(tool, args, Phase::Accept, || "01TEST".to_owned());
    let rows = [
        (ToolName::Headless, json!({ "action": "run", "command": "ls" }), Some(("execute", "headless", Some("run")))),
        (
            ToolName::Headless,
            json!({ "action": "kill", "session_id": "s" }),
            Some(("terminate", "headless", Some("kill"))),
        ),
        (
            ToolName::Headless,
            json!({ "action": "read_output", "session_id": "s" }),
            Some(("read_output", "headless", None)),
        ),
        (ToolName::Headless, json!({ "action": "list" }), Some(("list", "headless", Some("list")))),
        (ToolName::Headless, json!({ "action": "create" }), None),
        (ToolName::Headless, json!({ "action": "send", "terminal_id": "t", "command": "ls" }), None),
        (ToolName::Vscode, json!({ "action": "create" }), Some(("execute", "interactive", Some("create")))),
        (
            ToolName::Vscode,
            json!({ "action": "send", "terminal_id": "t", "command": "ls" }),
            Some(("execute", "interactive", Some("send"))),
        ),
        (
            ToolName::Vscode,
            json!({ "action": "close", "terminal_id": "t" }),
            Some(("terminate", "interactive", Some("close"))),
        ),
        (ToolName::Vscode, json!({ "action": "list" }), Some(("list", "interactive", Some("list")))),
        (ToolName::Vscode, json!({ "action": "run", "command": "ls" }), None),
    ];
    for (tool, args, expected) in rows {
        let normalised = send(tool, args.clone());
        let resolved = normalised.context.resolved;
        match (normalised.request, expected) {
            (Ok(request), Some((action, mode, legacy))) => {
                assert_eq!((request.action.name(), request.mode().name()), (action, mode), "{tool} {args}");
                assert_eq!(request.invocation.mode.map(Mode::name), Some(mode), "{tool} {args}");
                assert_eq!(resolved.legacy_action.map(LegacyAction::name), legacy, "{tool} {args}");
                assert!(resolved.alias_applied && resolved.tool == Some(tool), "{tool} {args}");
            }
            (Err(error), None) => assert_eq!(error.code, ErrorCode::InvalidAction, "{tool} {args}"),
            (request, _) => panic!("{tool} {args}: {request:?}"),
        }
    }
}

#[test]
fn a_mode_of_the_other_tool_is_refused_with_the_one_that_there_is() {
    for (tool, mode, allowed) in
        [(ToolName::Headless, "interactive", "headless"), (ToolName::Vscode, "headless", "interactive")]
    {
        let args = json!({ "action": "list", "invocation": { "mode": mode } });
        let normalised = normalise(tool, args, Phase::Accept, || "01TEST".to_owned());
        let error = normalised.request.expect_err("a mode that is not there");
        let response = fail(&normalised.context, &error);
        assert_eq!(response.resolved.mode, None);
        assert_eq!(response.fallback.expect("a way out").recommended_mode.name(), allowed);
        let error = response.error.expect("an error");
        assert_eq!((error.code, &error.details["allowed_modes"]), (PmTerm::InvalidMode, &json!([allowed])));
    }
}

#[test]
fn the_default_mode_is_interactive() {
    let args =
        json!({ "action": "execute", "invocation": { "intent": "execute_command" }, "execution": { "command": "ls" } });
    assert_eq!(taken(args).invocation.mode, Some(Mode::Interactive));
    // `list` without a mode lists both, and the response says the default.
    let normalised = sent(json!({ "action": "list" }));
    assert_eq!(normalised.request.expect("a request in order").invocation.mode, None);
    assert_eq!(normalised.context.resolved.mode, Some(Mode::Interactive));
}
