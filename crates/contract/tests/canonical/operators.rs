//! `docs/operators.md`: its failures are what the error table makes of them, and it names every variable there is.

use std::fmt::Write as _;
use std::path::PathBuf;

use flightdeck_contract::canonical::{Identity, Outcome, fail};
use flightdeck_contract::{Error, ErrorCode, pm};
use serde_json::{Value, json};

use super::sent;

const BEGIN: &str = "<!-- failures: written by `make generate` from the error table -->";

/// A failure: what it is, how it shows, what it means and what to do.
struct Case {
    title: &'static str,
    error: Error,
    running: bool,
    means: &'static str,
    cure: &'static str,
}

fn case(title: &'static str, error: Error, means: &'static str, cure: &'static str) -> Case {
    Case { title, error, running: false, means, cure }
}

fn attempts(outcome: &str, detail: &str) -> Value {
    let attempt = json!({ "host": "host.containers.internal", "port": 45459, "outcome": outcome, "detail": detail });
    json!({ "adapter": "container_bridge", "attempts": [attempt], "started": false })
}

fn cases() -> Vec<Case> {
    use ErrorCode as E;
    let error = |code, text: &str, details: Value| Error::new(code, text).details(details);
    vec![
        case(
            "No window could be opened",
            error(
                E::ApprovalUnavailable,
                "nobody is attached to see it, and no window could be opened: /usr/bin/interactive-terminal: it ended before it \
                 was ready (exit status: 69): no display",
                json!({
                    "adapter": "local_or_bundled_auto",
                    "attempted_candidates": [{ "source": "path", "path": "/usr/bin/interactive-terminal", "outcome": "failed",
                        "detail": "it ended before it was ready (exit status: 69): no display" }],
                    "spawn_errors": [{ "path": "/usr/bin/interactive-terminal", "attempt": 1,
                        "error": "it ended before it was ready (exit status: 69): no display" }],
                }),
            ),
            "No front end is attached, and each program that could be the window was unfit or did not get ready.",
            "Open a front end: `flightdeck open`, `flightdeck approve --watch`, or `interactive-terminal`. What keeps the window from \
             opening is in `spawn_errors`; [desktop.md](desktop.md) has its exit codes.",
        ),
        case(
            "No window is installed",
            error(
                E::ApprovalUnavailable,
                "nobody is attached to see it, and no window is installed that could be opened",
                json!({
                    "adapter": "local_or_bundled_auto",
                    "attempted_candidates": [
                        { "source": "configured", "path": null, "outcome": "not_found",
                            "detail": "neither PM_INTERACTIVE_TERMINAL_BINARY nor the setting window.binary names a program" },
                        { "source": "bundled", "path": "/usr/bin/interactive-terminal", "outcome": "not_found",
                            "detail": "there is no such program beside Flightdeck's own" },
                        { "source": "path", "path": "interactive-terminal", "outcome": "not_found",
                            "detail": "no folder of PATH has it, or it is the one above" },
                    ],
                    "spawn_errors": [],
                }),
            ),
            "No front end is attached, and each place where the window could be has none: `outcome` is `not_found` for every source.",
            "Open a front end: `flightdeck open` or `flightdeck approve --watch`. Or install the window beside `flightdeck`, or name it \
             in `window.binary`; [desktop.md](desktop.md) says how.",
        ),
        case(
            "The host can't be reached",
            error(
                E::ApprovalUnavailable,
                "the host's hub can't be reached from this container: host.containers.internal:45459: 10.88.0.1:45459 refuses \
                 connections",
                attempts("refused", "10.88.0.1:45459 refuses connections"),
            ),
            "No name of the host led to a listener. `outcome` is `unresolved`, `unreachable`, `refused` or `connect_timed_out` \
             for each.",
            "Run `flightdeck serve --bridge=ADDRESS` on the host with an address that the container reaches, map the host's name \
             (`--add-host`), or set `PM_INTERACTIVE_TERMINAL_HOST_ALIAS` and `PM_INTERACTIVE_TERMINAL_HOST_PORT`.",
        ),
        case(
            "The bridge is not set up",
            error(
                E::InvalidMode,
                "the bridge out of the container is not set up: neither PM_INTERACTIVE_TERMINAL_TOKEN_FILE nor \
                 PM_INTERACTIVE_TERMINAL_TOKEN is set",
                json!({ "adapter": "container_bridge", "missing":
                    ["neither PM_INTERACTIVE_TERMINAL_TOKEN_FILE nor PM_INTERACTIVE_TERMINAL_TOKEN is set"] }),
            ),
            "The way is `container_bridge`, and a variable that it needs is missing or wrong.",
            "Set what `missing` names in the container, and start its hub again.",
        ),
        case(
            "An adapter that there is none of",
            error(E::InvalidArgument, "PM_TERM_ADAPTER_MODE is \"remote\", which is no adapter", json!({})),
            "`runtime.adapter_override` or `PM_TERM_ADAPTER_MODE` is none of `local`, `bundled`, `container_bridge`, `auto`; or the \
             window's program is set to a relative path.",
            "Correct the word, or leave it out.",
        ),
        case(
            "A program that is no window of the user",
            error(
                E::NotAllowed,
                "runtime.binary_path: /tmp/x is no window that your user has set up; it was not started",
                json!({}),
            ),
            "A request named a program that is neither configured nor beside `flightdeck` nor on the `PATH`.",
            "Leave `runtime.binary_path` out, or have the user set `window.binary` or `PM_INTERACTIVE_TERMINAL_BINARY`.",
        ),
        case(
            "The host does not answer",
            error(
                E::TimedOut,
                "the host took the connection and did not answer: host.containers.internal:45459: no answer to the greeting within \
                 3000 ms",
                attempts("handshake_timed_out", "no answer to the greeting within 3000 ms"),
            ),
            "Something listens at the port and says nothing; or the host did not accept a request within \
             `PM_INTERACTIVE_TERMINAL_REQUEST_TIMEOUT_MS`.",
            "See how the host's hub is: `flightdeck status`, `flightdeck doctor`.",
        ),
        Case {
            running: true,
            ..case(
                "The command takes longer than the call",
                error(E::TimedOut, "the command did not end within 30000 ms and goes on", json!({})),
                "The command was started and runs on.",
                "`read_output` gets what it prints, `terminate` ends it. Executing it again would run it twice.",
            )
        },
        case(
            "The tokens differ",
            error(
                E::Disconnected,
                "the host and this container do not have the same token: host.containers.internal:45459: your token is not that of \
                 the host",
                attempts("wrong_token", "your token is not that of the host"),
            ),
            "One side could not prove that it has the other's token; or somebody changes what goes between them.",
            "Give the container the file that `flightdeck status` on the host names.",
        ),
        case(
            "The versions differ",
            error(
                E::Disconnected,
                "the host's hub and this one are of versions that do not understand each other: host.containers.internal:45459: the \
                 host speaks version 2 of the bridge's protocol, and you version 1",
                attempts("version_mismatch", "the host speaks version 2 of the bridge's protocol, and you version 1"),
            ),
            "The two programs are of different ages.",
            "Install the same version on both sides.",
        ),
        case(
            "The connection broke, and did not come back",
            error(
                E::Disconnected,
                "the connection to the host broke (the host hung up): the host has the request, and a command that was started goes \
                 on there; a question to a person is withdrawn",
                json!({ "adapter": "container_bridge", "attempts": null, "reconnects": 4, "accepted": true }),
            ),
            "It was tried for 15 seconds to connect anew, `reconnects` times. `attempts` tells how the last of these failed; it is \
             null when each has made a connection, which broke again. The same is told when the host's hub was killed in the middle.",
            "When the host is back, look with `list`; or send the same `request_id` again, which is never run twice.",
        ),
        case(
            "The connection broke while a person decided",
            error(
                E::Disconnected,
                "the connection was lost while a person decided: the question was withdrawn, and nothing was run",
                json!({ "started": false }),
            ),
            "The question is gone from the host's front ends, and nothing was run.",
            "Send it again.",
        ),
        case(
            "The keeper stands still",
            error(
                E::KeeperLost,
                "the keeper (process 4711) has not answered within 2.0 s, and what it was asked for is not done any more: it was \
                 stopped (SIGSTOP), and `kill -CONT 4711` lets it go on, or the machine is overloaded",
                json!({}),
            ),
            "The process that holds the terminals did not answer within `runtime.timeout_ms`. Terminals and what runs in them are \
             still there.",
            "`kill -CONT` with the number that the message names; or take load from the machine. Then send the request again.",
        ),
        case(
            "A person said no",
            error(
                E::Declined,
                "the user declined `git push`: not today",
                json!({ "by": "cli:anna", "reason": "not today", "rule": "default" }),
            ),
            "It was not run.",
            "Do it in another way, or ask the user. It is never tried again by itself.",
        ),
        case(
            "An id that was used for another request",
            Error::invalid("correlation.request_id", "another request had this id: give each request one of its own"),
            "The host has carried out another request under this `request_id` within a day.",
            "Give each request an id of its own, or none.",
        ),
    ]
}

fn written() -> String {
    let mut text = format!("{BEGIN}\n");
    for Case { title, error, running, means, cure } in cases() {
        let request = json!({
            "action": "execute",
            "invocation": { "mode": "interactive", "intent": "execute_command" },
            "execution": { "command": "git push" },
            "correlation": { "request_id": "req_1", "trace_id": "trace_1" },
        });
        let mut context = sent(request).context;
        if running {
            context.identity = Some(Identity { session_id: Some("t3".into()), terminal_id: Some("t3".into()) });
            context.result = Some(Outcome { running: Some(true), timed_out: true, ..Outcome::default() });
        }
        let response = fail(&context, &error);
        let shown = json!({ "error": response.error, "fallback": response.fallback });
        let code = response.error.map(|error| error.code).expect("it failed");
        let shown = serde_json::to_string_pretty(&shown).expect("JSON");
        let _ = write!(text, "\n### {title}: `{code}`\n\n{means}\n\n**Do:** {cure}\n\n```json\n{shown}\n```\n");
    }
    text
}

fn document() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/operators.md")
}

#[test]
fn the_failures_are_those_of_the_error_table() {
    let text = std::fs::read_to_string(document()).expect("the document");
    let (before, found) = text.split_at(text.find(BEGIN).expect("the place of the failures"));
    let wanted = written();
    if std::env::var_os("FLIGHTDECK_GENERATE").is_some() {
        std::fs::write(document(), format!("{before}{wanted}")).expect("the document can be written");
        return;
    }
    let first = wanted.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
    assert!(found == wanted, "docs/operators.md is old: run `make generate`. The first line that differs: {first:?}");
}

#[test]
fn every_variable_is_documented_and_no_other() {
    let text = std::fs::read_to_string(document()).expect("the document");
    for name in pm::ALL {
        assert!(text.contains(&format!("`{name}")), "{name} is not documented");
    }
    let container = document().with_file_name("../container");
    let files = ["Containerfile", "entrypoint.sh", "run-container.sh", "run-container.ps1", "compose.yaml"];
    let texts = files.map(|file| std::fs::read_to_string(container.join(file)).expect(file));
    for text in texts.iter().chain([&text]) {
        let words = text.split(|char: char| !(char.is_ascii_uppercase() || char == '_' || char.is_ascii_digit()));
        for word in words.filter(|word| word.starts_with("PM_") && !word.starts_with("PM_TERM_") && *word != "PM_") {
            assert!(pm::ALL.contains(&word), "there is no variable {word}");
        }
    }
}
