//! Each rule of validation, 2.3, by its name: what it lets through and what it does not.

use flightdeck_contract::ErrorCode;
use flightdeck_contract::canonical::{
    CallerSurface, Context, Intent, LegacyAction, Mode, Normalised, Phase, PmTerm, ToolName, fail, normalise,
};
use serde_json::{Value, json};

use super::{refused, sent, taken, wrong_fields};

/// A request that is in order, to be spoilt.
fn execute() -> Value {
    json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "execute_command" },
            "execution": { "command": "ls" } })
}

/// It is refused for these fields alone, as a payload that can't be taken.
#[expect(clippy::needless_pass_by_value, reason = "so that a call reads as one request")]
fn payload(args: Value, fields: &[&str]) {
    let response = refused(args.clone());
    assert_eq!(wrong_fields(&response), fields, "{args}");
    let error = response.error.expect("an error");
    assert_eq!(error.code, PmTerm::InvalidPayload, "{args}");
    for field in error.details["fields"].as_array().expect("fields") {
        assert!(!field["problem"].as_str().unwrap_or_default().is_empty(), "{args}");
        assert!(!field["hint"].as_str().unwrap_or_default().is_empty(), "{args}");
    }
}

#[test]
fn execute_without_a_mode_is_interactive() {
    let mut args = execute();
    args["invocation"] = json!({ "intent": "execute_command" });
    assert_eq!(taken(args).invocation.mode, Some(Mode::Interactive));
}

#[test]
fn execute_requires_an_intent() {
    let mut args = execute();
    args["invocation"] = json!({ "mode": "interactive" });
    payload(args.clone(), &["invocation.intent"]);
    args.as_object_mut().unwrap().shift_remove("invocation");
    payload(args, &["invocation.intent"]);
}

#[test]
fn execute_command_requires_a_command() {
    for execution in [json!(null), json!({}), json!({ "args": ["-l"] })] {
        let mut args = execute();
        args["execution"] = execution;
        payload(args, &["execution.command"]);
    }
    for command in [json!(""), json!("  \n"), json!(7), json!("a\u{0}b")] {
        let mut args = execute();
        args["execution"]["command"] = command;
        payload(args, &["execution.command"]);
    }
}

#[test]
fn open_only_forbids_a_command() {
    let mut args = execute();
    args["invocation"]["intent"] = json!("open_only");
    payload(args.clone(), &["execution.command"]);
    args["execution"] = json!({ "args": ["-l"] });
    payload(args.clone(), &["execution.args"]);
    args["execution"] = json!({ "env": { "A": "b" } });
    assert_eq!(taken(args).invocation.intent, Some(Intent::OpenOnly));
}

#[test]
fn read_output_and_terminate_require_a_target() {
    for action in ["read_output", "terminate"] {
        payload(json!({ "action": action }), &["target"]);
        payload(json!({ "action": action, "target": {} }), &["target"]);
        payload(json!({ "action": action, "target": { "session_id": "" } }), &["target.session_id"]);
        for target in [
            json!({ "session_id": "s" }),
            json!({ "terminal_id": "t" }),
            json!({ "session_id": "s", "terminal_id": "t" }),
        ] {
            assert_eq!(json!(taken(json!({ "action": action, "target": target })).target), target);
        }
    }
}

#[test]
fn list_forbids_execution_and_target() {
    payload(json!({ "action": "list", "execution": { "command": "ls" } }), &["execution"]);
    payload(json!({ "action": "list", "target": { "session_id": "s" } }), &["target"]);
    payload(
        json!({ "action": "list", "execution": { "args": [] }, "target": { "terminal_id": "t" } }),
        &["execution", "target"],
    );
    // Nothing in it is the same as nothing.
    taken(json!({ "action": "list", "execution": {}, "target": null }));
}

#[test]
fn headless_execute_forbids_a_target() {
    for field in ["terminal_id", "session_id"] {
        let mut args = execute();
        args["invocation"]["mode"] = json!("headless");
        args["target"] = json!({ field: "x" });
        payload(args, &[&format!("target.{field}")]);
    }
}

#[test]
fn headless_follow_ups_take_a_session() {
    for action in ["read_output", "terminate"] {
        let args = json!({ "action": action, "invocation": { "mode": "headless" }, "target": { "session_id": "s" } });
        assert_eq!(taken(args).target.session_id.as_deref(), Some("s"));
    }
}

#[test]
fn headless_opens_no_terminal() {
    payload(
        json!({ "action": "execute", "invocation": { "mode": "headless", "intent": "open_only" } }),
        &["invocation.intent"],
    );
}

#[test]
fn interactive_takes_a_terminal_to_send_to() {
    let mut args = execute();
    args["target"] = json!({ "terminal_id": "t1" });
    let request = taken(args);
    assert!(request.attaches());
    assert_eq!(request.target.terminal_id.as_deref(), Some("t1"));
}

#[test]
fn interactive_takes_open_only() {
    let request = taken(json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "open_only" } }));
    assert!(request.execution.is_empty() && !request.attaches());
}

#[test]
fn a_request_without_an_id_gets_one_before_it_is_carried_out() {
    let request = taken(json!({ "action": "list" }));
    assert_eq!(request.correlation.request_id, "req_01TEST");
    assert_eq!(request.correlation.trace_id, "trace_01TEST");
    assert_eq!(request.correlation.client_request_id, None);
    assert!(json!(request)["correlation"].get("client_request_id").is_none());
    // The same prefix is not put there twice.
    let normalised =
        normalise(ToolName::Interactive, json!({ "action": "list" }), Phase::Accept, || "req_7".to_owned());
    assert_eq!(normalised.context.correlation.request_id, "req_7");
}

#[test]
fn ids_of_the_caller_are_not_changed_not_even_in_a_failure() {
    let ids = json!({ "request_id": "my request", "trace_id": "trace-ü", "client_request_id": "c" });
    assert_eq!(json!(taken(json!({ "action": "list", "correlation": ids })).correlation), ids);
    assert_eq!(json!(refused(json!({ "action": "nonsense", "correlation": ids })).correlation), ids);
    // A trace is told from the request when it is missing.
    let request = taken(json!({ "action": "list", "correlation": { "request_id": "req_abc" } }));
    assert_eq!(request.correlation.trace_id, "trace_abc");
    // It stays an id that can be sent back.
    let request = taken(json!({ "action": "list", "correlation": { "request_id": "x".repeat(128) } }));
    assert_eq!(request.correlation.trace_id.len(), 128);
    assert_eq!(taken(json!(request)), request);
}

#[test]
fn ids_are_short_printable_text() {
    let long = "x".repeat(129);
    for id in [json!(""), json!("a\nb"), json!(long), json!(5), json!({})] {
        let response = refused(json!({ "action": "list", "correlation": { "request_id": id } }));
        assert_eq!(wrong_fields(&response), ["correlation.request_id"]);
        assert_eq!(response.correlation.request_id, "req_01TEST");
        payload(json!({ "action": "terminate", "target": { "terminal_id": id } }), &["target.terminal_id"]);
    }
    taken(json!({ "action": "list", "correlation": { "request_id": "x".repeat(128) } }));
}

#[test]
fn an_older_action_in_compat_must_be_one_and_agree() {
    let with = |action: Value, legacy: Value| json!({ "action": action, "target": { "terminal_id": "t" }, "compat": { "legacy_action": legacy } });
    let normalised = sent(with(json!("terminate"), json!("close")));
    assert!(normalised.context.resolved.alias_applied);
    assert_eq!(normalised.context.resolved.legacy_action, Some(LegacyAction::Close));
    assert_eq!(normalised.request.unwrap().compat.legacy_action, None);
    // It does not stand for the action.
    payload(with(json!(null), json!("close")), &["action"]);

    payload(with(json!("terminate"), json!("send")), &["compat.legacy_action"]);
    payload(with(json!("kill"), json!("close")), &["compat.legacy_action"]);
    for unknown in [json!("stop"), json!("terminate"), json!(3)] {
        let error = refused(with(json!("terminate"), unknown)).error.unwrap();
        assert_eq!(error.code, PmTerm::InvalidAction);
        assert!(error.details["aliases"]["close"].is_string());
    }
}

#[test]
fn an_unknown_action_says_what_was_meant() {
    for (action, hint) in [
        ("Execute", "did you mean execute?"),
        ("read-output", "did you mean read_output?"),
        ("termniate", "did you mean terminate?"),
        ("frobnicate", "send one of execute, read_output, terminate, list"),
    ] {
        let response = refused(json!({ "action": action }));
        let error = response.error.unwrap();
        assert_eq!((error.code, error.details["hint"].as_str()), (PmTerm::InvalidAction, Some(hint)), "{action}");
        assert_eq!((response.action, response.resolved.canonical_action), (None, None));
    }
}

#[test]
fn an_unknown_field_says_what_was_meant() {
    let rows = [
        (json!({ "action": "list", "mode": "headless" }), "mode", "did you mean invocation.mode?"),
        (json!({ "action": "list", "comand": "ls" }), "comand", "did you mean execution.command?"),
        (json!({ "action": "list", "runtme": {} }), "runtme", "did you mean runtime?"),
        (
            json!({ "action": "list", "runtime": { "timout_ms": 1 } }),
            "runtime.timout_ms",
            "did you mean runtime.timeout_ms?",
        ),
        (
            json!({ "action": "list", "runtime": { "command": "ls" } }),
            "runtime.command",
            "did you mean execution.command?",
        ),
        (
            json!({ "action": "list", "invocation": { "zzz": 1 } }),
            "invocation.zzz",
            "leave it out; invocation has mode, intent",
        ),
    ];
    for (args, field, hint) in rows {
        let response = refused(args);
        assert_eq!(wrong_fields(&response), [field]);
        assert_eq!(response.error.unwrap().details["fields"][0]["hint"], hint);
    }
}

#[test]
fn wrong_types_are_named_with_their_place() {
    for (section, fields) in [
        (json!({ "invocation": "interactive" }), vec!["invocation"]),
        (json!({ "runtime": { "cwd": 5, "shared": "yes" } }), vec!["runtime.cwd", "runtime.shared"]),
        (json!({ "runtime": { "timeout_ms": "30000" } }), vec!["runtime.timeout_ms"]),
        (json!({ "compat": { "caller_surface": "toaster" } }), vec!["compat.caller_surface"]),
        (json!({ "runtime": { "adapter_override": "remote" } }), vec!["runtime.adapter_override"]),
        (json!({ "runtime": { "binary_path": "bin/x" } }), vec!["runtime.binary_path"]),
    ] {
        let mut args = json!({ "action": "list" });
        args.as_object_mut().unwrap().extend(section.as_object().unwrap().clone());
        payload(args, &fields);
    }
    let mut args = execute();
    args["execution"] =
        json!({ "command": "ls", "args": ["-l", 5, "a\u{0}"], "env": { "A": 1, "B=C": "d", "": "x", "E": null } });
    payload(
        args,
        &["execution.args[1]", "execution.args[2]", "execution.env.A", "execution.env.B=C", "execution.env."],
    );
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let args = json!({ "action": "execute", "invocation": { "mode": "gui" }, "execution": { "args": "-l" },
        "runtime": { "timeout_ms": 0 }, "surprise": 1 });
    let response = refused(args);
    let fields = ["invocation.mode", "runtime.timeout_ms", "execution.args", "surprise", "invocation.intent"];
    assert_eq!(wrong_fields(&response), fields);
    assert_eq!(response.error.unwrap().code, PmTerm::InvalidMode);
    let response = refused(json!({ "action": "nonsense", "invocation": { "mode": "gui" } }));
    assert_eq!(wrong_fields(&response), ["action", "invocation.mode"]);
    assert_eq!(response.error.unwrap().code, PmTerm::InvalidAction);
}

#[test]
fn a_field_in_two_places_must_say_the_same() {
    let mut args = execute();
    args["command"] = json!("ls");
    assert_eq!(taken(args.clone()).execution.command.as_deref(), Some("ls"));
    args["command"] = json!("rm");
    payload(args, &["command"]);
    payload(json!({ "action": "send", "terminal_id": "t", "command": "a", "text": "b" }), &["text"]);
    payload(json!({ "action": "list", "timeout": 1, "timeout_ms": 2 }), &["timeout"]);
}

#[test]
fn the_timeout_has_a_default_a_range_and_a_cap() {
    assert_eq!(taken(json!({ "action": "list" })).runtime.timeout_ms, 30_000);
    for (given, taken_as) in [(1, 1), (300_000, 300_000), (300_001, 300_000), (u64::MAX, 300_000)] {
        let normalised = sent(json!({ "action": "list", "runtime": { "timeout_ms": given } }));
        assert_eq!(normalised.request.unwrap().runtime.timeout_ms, taken_as);
        assert_eq!(normalised.context.warnings.len(), usize::from(given > taken_as), "{given}");
    }
    for given in [json!(0), json!(-1), json!(1.5), json!(true)] {
        payload(json!({ "action": "list", "runtime": { "timeout_ms": given } }), &["runtime.timeout_ms"]);
    }
    // The older field is in milliseconds too.
    assert_eq!(taken(json!({ "action": "list", "timeout": 1234 })).runtime.timeout_ms, 1234);
}

#[test]
fn what_is_not_used_is_told() {
    let mut args = execute();
    args["target"] = json!({ "terminal_id": "t" });
    args["runtime"] = json!({ "cwd": "/tmp" });
    args["execution"]["env"] = json!({ "A": "b" });
    let normalised = sent(args);
    assert_eq!(
        normalised.context.warnings,
        ["Not used for a terminal that is open already: runtime.cwd, execution.env."]
    );
    let request = normalised.request.unwrap();
    assert!(request.runtime.cwd.is_none() && request.execution.env.is_empty());
    let normalised = sent(json!({ "action": "kill", "session_id": "s", "command": "ls" }));
    assert_eq!(normalised.context.warnings, ["Not used for terminate: execution."]);
}

#[test]
fn an_alias_keeps_to_its_meaning() {
    payload(
        json!({ "action": "create", "invocation": { "intent": "execute_command" }, "command": "ls" }),
        &["invocation.intent"],
    );
    payload(json!({ "action": "create", "command": "ls" }), &["execution.command"]);
    payload(json!({ "action": "send", "command": "ls" }), &["target.terminal_id"]);
    payload(json!({ "action": "send", "command": "ls", "session_id": "s" }), &["target.terminal_id"]);
    payload(json!({ "action": "run" }), &["execution.command"]);
    // What it leaves open can be chosen.
    let request = taken(json!({ "action": "run", "command": "ls", "invocation": { "mode": "headless" } }));
    assert_eq!(request.invocation.mode, Some(Mode::Headless));
    let request = taken(json!({ "action": "close", "terminal_id": "t", "compat": { "caller_surface": "extension" } }));
    assert_eq!(request.compat.caller_surface, Some(CallerSurface::Extension));
}

#[test]
fn what_is_no_object_is_answered_in_full() {
    for args in [json!([]), json!("run ls"), json!(5), json!(true)] {
        let response = refused(args);
        assert_eq!(wrong_fields(&response), ["arguments"]);
        assert_eq!(response.correlation.request_id, "req_01TEST");
        assert!(response.fallback.is_some());
    }
    for args in [json!(null), json!({}), json!({ "action": null })] {
        payload(args, &["action"]);
    }
}

#[test]
fn an_answer_is_short_however_much_is_wrong() {
    let mut args = json!({ "action": "list", "execution": { "args": vec![5; 20_000] } });
    for n in 0..20_000 {
        args[format!("{n}{}", "x".repeat(100))] = json!(n);
    }
    let response = refused(args);
    assert_eq!(wrong_fields(&response).len(), 50);
    assert!(json!(response).to_string().len() < 20_000);
    let response = refused(json!({ "action": "x".repeat(100_000) }));
    assert!(json!(response).to_string().len() < 4_000);
}

/// Each older form: the call, and what is canonical about it.
fn older_forms() -> Vec<(ToolName, Value)> {
    vec![
        (ToolName::Interactive, json!({ "action": "run", "command": "ls" })),
        (ToolName::Interactive, json!({ "action": "kill", "session_id": "s" })),
        (ToolName::Interactive, json!({ "action": "send", "terminal_id": "t", "text": "ls" })),
        (ToolName::Interactive, json!({ "action": "close", "terminal_id": "t" })),
        (ToolName::Interactive, json!({ "action": "create", "name": "n" })),
        (ToolName::Interactive, json!({ "action": "read_output", "session_id": "s" })),
        (ToolName::Headless, json!({ "action": "list" })),
        (ToolName::Headless, json!({ "action": "run", "command": "ls" })),
        (ToolName::Vscode, json!({ "action": "list" })),
        (ToolName::Vscode, json!({ "action": "create" })),
    ]
}

fn in_phase(phase: Phase, tool: ToolName, args: &Value) -> Normalised {
    normalise(tool, args.clone(), phase, || "01TEST".to_owned())
}

#[test]
fn phase_a_accepts_and_says_so() {
    for (tool, args) in older_forms() {
        let Normalised { context, request } = in_phase(Phase::Accept, tool, &args);
        assert!(request.is_ok(), "{tool} {args}");
        let note = context.compat.expect("a note");
        assert_eq!(note.alias_applied, context.resolved.alias_applied);
        assert_eq!((note.warning, context.warnings.len()), (None, 0), "{tool} {args}");
    }
}

#[test]
fn phase_b_warns_in_the_same_words_each_time() {
    for (tool, args) in older_forms() {
        let [one, other]: [Context; 2] = [1, 2].map(|_| in_phase(Phase::Warn, tool, &args).context);
        let warning = one.compat.clone().and_then(|note| note.warning).expect("a warning");
        assert!(warning.starts_with("Deprecated: "), "{warning}");
        assert_eq!(one.warnings, [warning]);
        assert_eq!(one, other);
        assert_eq!(in_phase(Phase::Warn, tool, &args).request, in_phase(Phase::Accept, tool, &args).request);
    }
}

#[test]
fn phase_c_refuses_with_the_very_request_to_send() {
    for (tool, args) in older_forms() {
        let accepted = in_phase(Phase::Accept, tool, &args).request.unwrap();
        let Normalised { context, request } = in_phase(Phase::Strict, tool, &args);
        let error = request.expect_err("an older form");
        let by_name = args["action"] != "read_output";
        assert_eq!(
            error.code,
            if by_name { ErrorCode::InvalidAction } else { ErrorCode::InvalidArgument },
            "{tool} {args}"
        );
        let response = fail(&context, &error);
        let migration = response.error.unwrap().details["migration"].clone();
        assert_eq!(migration, json!(accepted), "{tool} {args}");
        // What was advised works.
        let Normalised { context, request } = in_phase(Phase::Strict, ToolName::Interactive, &migration);
        assert_eq!(request.unwrap(), accepted);
        assert!(!context.resolved.alias_applied && context.compat.is_none());
    }
}

#[test]
fn phase_c_tells_what_is_missing_besides() {
    let args = json!({ "action": "run", "cwd": "/tmp" });
    let Normalised { context, request } = in_phase(Phase::Strict, ToolName::Interactive, &args);
    let response = fail(&context, &request.unwrap_err());
    assert_eq!(wrong_fields(&response), ["execution.command"]);
    let details = response.error.unwrap().details;
    let draft = json!({ "action": "execute", "invocation": { "mode": "interactive", "intent": "execute_command" },
        "runtime": { "cwd": "/tmp" } });
    assert_eq!(details["migration"], draft);
}

#[test]
fn canonical_requests_are_the_same_in_every_phase() {
    let mut bridged = execute();
    bridged["compat"] = json!({ "legacy_action": "run", "caller_surface": "server" });
    for args in [execute(), json!({ "action": "list" }), bridged] {
        let accepted = in_phase(Phase::Accept, ToolName::Interactive, &args);
        for phase in [Phase::Warn, Phase::Strict] {
            assert_eq!(in_phase(phase, ToolName::Interactive, &args), accepted);
        }
    }
}
