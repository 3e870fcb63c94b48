//! What holds for any request.

use flightdeck_contract::Error;
use flightdeck_contract::canonical::{
    Action, Class, Context, Identity, Mode, Normalised, Outcome, Phase, PmTerm, State, Status, ToolName, fail,
    fallback, is_passing, normalise, pm_term,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::all_codes;

/// Any JSON, not too deep.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        select(WORDS).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop_oneof![select(KEYS).prop_map(str::to_owned), ".{0,8}"], inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

const WORDS: &[&str] = &[
    "execute",
    "read_output",
    "terminate",
    "list",
    "run",
    "kill",
    "send",
    "close",
    "create",
    "interactive",
    "headless",
    "open_only",
    "execute_command",
    "auto",
    "local",
    "server",
    "ls -l",
    "s1",
    "t1",
    "req_1",
    "",
];
const KEYS: &[&str] = &[
    "action",
    "invocation",
    "correlation",
    "runtime",
    "execution",
    "target",
    "compat",
    "mode",
    "intent",
    "request_id",
    "trace_id",
    "command",
    "args",
    "env",
    "cwd",
    "timeout",
    "timeout_ms",
    "session_id",
    "terminal_id",
    "legacy_action",
    "text",
    "name",
    "workspace_id",
    "caller_surface",
];

/// A field that is there or not.
fn maybe(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop_oneof![Just(Value::Null), value]
}

fn one_of(words: &'static [&'static str]) -> impl Strategy<Value = Value> {
    maybe(select(words).prop_map(Value::from))
}

/// Requests that are often in order.
fn likely() -> impl Strategy<Value = Value> {
    let id = || maybe(select(&["s1", "t1", "ü x"][..]).prop_map(Value::from));
    let command = || one_of(&["ls -l", "make"]);
    let fields = (
        (one_of(&["interactive", "headless"]), one_of(&["open_only", "execute_command"])),
        (id(), id(), id()),
        (
            one_of(&["/tmp", "src"]),
            maybe((1_u64..400_000).prop_map(Value::from)),
            maybe(any::<bool>().prop_map(Value::from)),
        ),
        (command(), maybe(Just(json!(["-l"]))), maybe(Just(json!({ "A": "b" })))),
        (id(), id()),
        (command(), command(), id(), id(), maybe((1_u64..400_000).prop_map(Value::from))),
        one_of(&["run", "kill", "send", "close", "create", "list"]),
        select(&["execute", "read_output", "terminate", "list", "run", "kill", "send", "close", "create"][..]),
    );
    fields.prop_map(|(invocation, correlation, runtime, execution, target, flat, legacy, action)| {
        json!({
            "action": action,
            "invocation": { "mode": invocation.0, "intent": invocation.1 },
            "correlation": { "request_id": correlation.0, "trace_id": correlation.1, "client_request_id": correlation.2 },
            "runtime": { "cwd": runtime.0, "timeout_ms": runtime.1, "shared": runtime.2 },
            "execution": { "command": execution.0, "args": execution.1, "env": execution.2 },
            "target": { "session_id": target.0, "terminal_id": target.1 },
            "command": flat.0, "text": flat.1, "session_id": flat.2, "terminal_id": flat.3, "timeout": flat.4,
            "compat": { "legacy_action": legacy },
        })
    })
    .prop_flat_map(|full| {
        // Most fields have to be absent for anything to be in order.
        let keys: Vec<String> = full.as_object().expect("an object").keys().cloned().collect();
        prop::sample::subsequence(keys, 0..=5).prop_map(move |kept| {
            let fields = full.as_object().expect("an object");
            let kept = |key: &str| key == "action" || kept.iter().any(|kept| kept == key);
            Value::Object(fields.iter().filter(|(key, _)| kept(key)).map(|(key, value)| (key.clone(), value.clone())).collect())
        })
    })
}

fn tools() -> impl Strategy<Value = ToolName> {
    select(ToolName::ALL)
}

fn phases() -> impl Strategy<Value = Phase> {
    select(&[Phase::Accept, Phase::Warn, Phase::Strict][..])
}

fn generated() -> String {
    "01TEST".to_owned()
}

/// Everything that a failure must have.
fn whole(context: &Context, error: &Error) -> Result<(), TestCaseError> {
    let response = json!(fail(context, error));
    prop_assert_eq!(&response["success"], &json!(false));
    prop_assert_eq!(&response["status"], &json!("failed"));
    for key in ["request_id", "trace_id"] {
        prop_assert!(response["correlation"][key].as_str().is_some_and(|id| !id.is_empty()));
    }
    for key in ["canonical_action", "alias_applied", "legacy_action", "mode"] {
        prop_assert!(response["resolved"].get(key).is_some(), "{}", key);
    }
    for key in ["code", "category", "message", "retriable", "details"] {
        prop_assert!(response["error"].get(key).is_some_and(|value| !value.is_null()), "{}", key);
    }
    for key in ["strategy", "next_action", "recommended_mode", "user_message", "can_auto_retry"] {
        prop_assert!(response["fallback"].get(key).is_some_and(|value| !value.is_null()), "{}", key);
    }
    Ok(())
}

fn classes() -> impl Strategy<Value = Class> {
    let actions = prop::option::of(select(Action::ALL));
    let states =
        select(&[State::Usual, State::Running, State::Later, State::Final, State::Unseen, State::Unstarted][..]);
    (actions, select(Mode::ALL), states).prop_map(|(action, mode, state)| Class { action, mode, state })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_is_answered(args in anything(), tool in tools(), phase in phases()) {
        let Normalised { context, request } = normalise(tool, args, phase, generated);
        if let Err(error) = request {
            whole(&context, &error)?;
        }
    }

    #[test]
    fn any_object_of_known_names_is_answered(
        fields in prop::collection::vec((select(KEYS), anything()), 0..8),
        tool in tools(),
        phase in phases(),
    ) {
        let args: Map<String, Value> = fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        let Normalised { context, request } = normalise(tool, Value::Object(args), phase, generated);
        if let Err(error) = request {
            whole(&context, &error)?;
        }
    }

    /// The canonical form of a request is a request, is itself, and has nothing old about it.
    #[test]
    fn normalising_twice_is_normalising_once(args in likely(), tool in tools()) {
        if let Ok(once) = normalise(tool, args, Phase::Accept, generated).request {
            let twice = normalise(ToolName::Interactive, json!(once), Phase::Strict, || panic!("it has an id"));
            prop_assert_eq!(twice.request.as_ref(), Ok(&once));
            prop_assert!(!twice.context.resolved.alias_applied);
            prop_assert_eq!(twice.context.resolved.legacy_action, None);
            prop_assert_eq!(twice.context.compat, None);
            prop_assert_eq!(twice.context.warnings, Vec::<String>::new());
        }
    }

    /// The migration of phase C is the request that phase A makes.
    #[test]
    fn what_is_refused_says_what_works(args in likely(), tool in tools()) {
        let accepted = normalise(tool, args.clone(), Phase::Accept, generated).request;
        let refused = normalise(tool, args, Phase::Strict, generated).request;
        match (accepted, refused) {
            (Ok(accepted), Err(error)) => {
                let details = error.details.expect("details");
                prop_assert_eq!(&details["migration"], &json!(accepted));
            }
            (Ok(accepted), Ok(strict)) => prop_assert_eq!(accepted, strict),
            (Err(_), refused) => prop_assert!(refused.is_err()),
        }
    }

    #[test]
    fn ids_of_the_caller_come_out_unchanged(
        args in likely(),
        request_id in "[ -~äß]{1,128}",
        trace_id in "[ -~äß]{1,128}",
        tool in tools(),
        phase in phases(),
    ) {
        let mut args = args;
        args["correlation"] = json!({ "request_id": request_id, "trace_id": trace_id });
        let Normalised { context, request } = normalise(tool, args, phase, || panic!("it has an id"));
        let response = match request {
            Ok(request) => {
                prop_assert_eq!(&request.correlation, &context.correlation);
                context.succeed(Status::Completed, Identity::default(), Outcome::default())
            }
            Err(error) => fail(&context, &error),
        };
        prop_assert_eq!(response.correlation.request_id, request_id);
        prop_assert_eq!(response.correlation.trace_id, trace_id);
    }

    /// The strategy is the code's alone, and only what can be done twice is ever done twice by a program.
    #[test]
    fn the_same_class_has_the_same_fallback(code in select(PmTerm::ALL), class in classes(), other in classes()) {
        let way = fallback(code, class);
        prop_assert_eq!(&way, &fallback(code, class));
        prop_assert_eq!(way.strategy, fallback(code, other).strategy);
        if way.can_auto_retry {
            prop_assert!(code.retriable());
            prop_assert!(!matches!(class.action, None | Some(Action::Execute)));
        }
    }

    /// What a cause says inside never comes out.
    #[test]
    fn any_error_is_told_whole_and_the_inside_stays_inside(
        args in likely(),
        code in select(all_codes()),
        running in prop::option::of(any::<bool>()),
        details in prop::option::of(anything()),
    ) {
        const SECRET: &str = "thread 'main' panicked at src/secret.rs";
        let Normalised { mut context, .. } = normalise(ToolName::Interactive, args, Phase::Accept, generated);
        context.result = running.map(|running| Outcome { running: Some(running), ..Outcome::default() });
        let mut error = Error::new(code, SECRET).hint(SECRET);
        error.details = details.map(|details| Box::new(json!({ "more": details, "cause": SECRET })));
        whole(&context, &error)?;
        let response = fail(&context, &error);
        let text = json!(response).to_string();
        prop_assert_eq!(text.contains("secret.rs"), pm_term(code) != PmTerm::Internal || is_passing(code));
        if pm_term(code) == PmTerm::Internal {
            prop_assert_eq!(&response.error.expect("an error").details["trace_id"], &json!(context.correlation.trace_id));
        }
    }
}

/// Requests that are in order must be among those that are tried, or the properties say nothing.
#[test]
fn likely_requests_are_often_in_order() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = likely();
    let mut good = 0;
    for _ in 0..1000 {
        let args = strategy.new_tree(&mut runner).expect("a request").current();
        good += usize::from(normalise(ToolName::Interactive, args, Phase::Accept, generated).request.is_ok());
    }
    assert!(good > 100, "{good} of 1000");
}
