//! A call of the audit log in the words of a person: ran `npm test` in t3.

use flightdeck_contract::hub::AuditCall;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::rows::Row;
use crate::shown::visible;
use crate::words::{self, Actor, short};

/// One entry as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    pub at_ms: i64,
    pub actor: Actor,
    /// What was done, and the part of it that is code.
    pub deed: String,
    pub code: String,
    pub after: String,
    pub terminal: Option<String>,
    /// How it ended: a mark, a word and a tone.
    pub mark: &'static str,
    pub result: String,
    pub tone: &'static str,
    /// What the policy said, where it had something to say.
    pub ruling: String,
    pub error: String,
    pub duration_ms: Option<f64>,
}

/// Whether a person has only looked: front ends do that all the time.
pub fn is_look(call: &AuditCall) -> bool {
    let looks = [
        ".show",
        ".list",
        ".audit",
        ".status",
        ".watch",
        ".changes",
        ".commands",
        ".wait",
        ".history",
        ".attach",
        ".resize",
        ".view",
    ];
    let agent = call.surface.starts_with("mcp") || call.surface.starts_with("acp");
    !agent && looks.iter().any(|look| call.command.ends_with(look))
}

/// The row of a call.
pub fn row(call: &AuditCall, me: &str, agents: &[String]) -> Row {
    Row::new(call.seq, &entry(call, me, agents))
}

/// What a call that goes on does, for a line beside who does it: `npm test in t3`.
pub fn under_way(call: &AuditCall) -> String {
    let args: Map<String, Value> = serde_json::from_str(&call.args).unwrap_or_default();
    let (deed, code, after) = told(call, &args);
    let deed = if code.is_empty() || deed != "ran" { format!("{deed} ") } else { String::new() };
    format!("{deed}{code}{after}").trim().to_owned()
}

fn entry(call: &AuditCall, me: &str, agents: &[String]) -> Entry {
    let args: Map<String, Value> = serde_json::from_str(&call.args).unwrap_or_default();
    let (deed, code, after) = told(call, &args);
    let exit_code = call.run.as_ref().and_then(|run| run.exit_code);
    let goes_on = call.run.as_ref().is_some_and(|run| run.running);
    let (mark, tone) = match call.result.as_str() {
        "ok" if goes_on => ("●", "dim"),
        "ok" if exit_code.is_some_and(|code| code != 0) => ("✗", "danger"),
        "ok" => ("✓", "ok"),
        "running" => ("●", "agent"),
        "declined" | "approval_expired" | "cancelled" | "interrupted" => ("–", "warn"),
        _ => ("✗", "danger"),
    };
    let said = !matches!(call.decision.as_str(), "" | "allowed") || call.rule.starts_with("rule:");
    let ruling = if said {
        format!("{} · {}", words::short_decision(&call.decision), visible(&call.rule))
    } else {
        String::new()
    };
    let actor = words::actor(&call.actor, me, agents);
    // A hub serves one user: every person in its log is the one who reads it.
    let actor = if actor.person { Actor { name: "you".to_owned(), ..actor } } else { actor };
    Entry {
        at_ms: call.at_ms,
        actor,
        deed,
        code: short(&visible(&code), 160),
        after,
        terminal: call.terminal.clone(),
        mark,
        result: match exit_code.filter(|code| *code != 0) {
            _ if goes_on => "goes on".to_owned(),
            Some(code) => format!("exit {code}"),
            None => call.result.replace('_', " "),
        },
        tone,
        ruling,
        error: call.error.as_deref().map(visible).unwrap_or_default(),
        duration_ms: call.duration_ms,
    }
}

/// What was done, or was not: words, code, words.
fn told(call: &AuditCall, args: &Map<String, Value>) -> (String, String, String) {
    let (deed, code, after) = done(call, args);
    let start = match call.result.as_str() {
        // What did not come to its end may have been done all the same.
        "ok" | "running" | "cancelled" | "interrupted" | "timed_out" | "disconnected" | "hub_stopping" => {
            return (deed, code, after);
        }
        "blocked" | "declined" | "approval_expired" | "approval_unavailable" | "consent_declined" => "wanted",
        _ => "failed",
    };
    let (verb, rest) =
        deed.split_once(' ').map_or((deed.as_str(), String::new()), |(verb, rest)| (verb, format!(" {rest}")));
    (format!("{start} to {}{rest}", present(verb)), code, after)
}

/// A verb without its past.
fn present(verb: &str) -> &str {
    match verb {
        "ran" => "run",
        "took" => "take",
        "kept" => "keep",
        "wrote" => "write",
        "denied" => "deny",
        "typed" | "closed" | "removed" => verb.trim_end_matches('d'),
        _ => verb.strip_suffix("ed").unwrap_or(verb),
    }
}

/// What was done, if it was: words, code, words.
fn done(call: &AuditCall, args: &Map<String, Value>) -> (String, String, String) {
    let text = |name: &str| args.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let place = call.terminal.as_deref().map_or_else(String::new, |id| format!(" in {id}"));
    let about = |verb: &str, without: &str| match &call.terminal {
        Some(id) => (format!("{verb} {id}"), String::new(), String::new()),
        None => (without.to_owned(), String::new(), String::new()),
    };
    // What a person has put in its place is what ran.
    let edited = call.run.as_ref().and_then(|run| run.edited.clone());
    let place = if edited.is_some() { format!("{place}, as you changed it") } else { place };
    let ran = |asked: String| ("ran".to_owned(), edited.clone().unwrap_or(asked), place.clone());
    let plain = |words: &str| (words.to_owned(), String::new(), String::new());
    match call.command.as_str() {
        "flightdeck.terminal.run" | "flightdeck.terminal.exec" | "execute_command" | "start_process" => {
            ran(text("command"))
        }
        "memory_terminal" | "memory_terminal_interactive" | "memory_terminal_vscode" => match canonical_command(args) {
            Some(command) => ran(command),
            None => (format!("{} a terminal", action(args)), String::new(), place.clone()),
        },
        "flightdeck.terminal.keys" | "openspace.terminal.send" | "flightdeck.terminal.send" => {
            about("typed into", "typed")
        }
        "flightdeck.terminal.new" | "openspace.terminal.create" | "create_tab" | "flightdeck.terminal.attach" => {
            about("opened", "opened a terminal")
        }
        "flightdeck.terminal.kill" => about("ended", "ended a terminal"),
        "openspace.terminal.close" | "close_tab" | "flightdeck.terminal.remove" => about("closed", "closed a terminal"),
        "flightdeck.terminal.lease" => match text("action").as_str() {
            "take" => about("took the controls of", "took the controls"),
            "release" => about("handed back", "handed back the controls"),
            _ => about("asked who holds", "asked who holds the controls"),
        },
        "flightdeck.approval.answer" => match (text("choice").as_str(), text("scope").as_str()) {
            ("approve", "" | "once") => plain(&format!("allowed {}", text("id"))),
            ("approve", scope) => plain(&format!("allowed {} ({scope})", text("id"))),
            _ => plain(&format!("denied {}", text("id"))),
        },
        "flightdeck.consent.set" => match args.get("allow").and_then(Value::as_bool) {
            Some(true) => plain("let agents control the workbench"),
            _ => plain("kept agents from the workbench"),
        },
        "flightdeck.policy.add" => {
            let patterns = args.get("patterns").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let patterns: Vec<_> = patterns.iter().filter_map(Value::as_str).collect();
            ("added a rule for".to_owned(), patterns.join(", "), String::new())
        }
        "flightdeck.policy.remove" => ("removed the rule".to_owned(), text("name"), String::new()),
        "flightdeck.policy.test" => ("asked the policy about".to_owned(), text("command"), String::new()),
        "flightdeck.policy.rehearse" => plain("asked what a rule would have changed"),
        "openspace.file.write" => ("wrote".to_owned(), text("path"), String::new()),
        "openspace.file.read" | "openspace.editor.read_file" => ("read".to_owned(), text("path"), String::new()),
        "openspace.editor.open" => ("opened".to_owned(), text("path"), String::new()),
        other => ("called".to_owned(), other.to_owned(), String::new()),
    }
}

/// The canonical contract has the command one level deeper.
fn canonical_command(args: &Map<String, Value>) -> Option<String> {
    let execution = args.get("execution").and_then(Value::as_object).unwrap_or(args);
    let command = execution.get("command")?.as_str()?.to_owned();
    let further = execution.get("args").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    Some(further.iter().filter_map(Value::as_str).fold(command, |line, word| format!("{line} {word}")))
}

fn action(args: &Map<String, Value>) -> &'static str {
    match args.get("action").and_then(Value::as_str) {
        Some("terminate" | "kill" | "close") => "ended",
        Some("list") => "listed",
        Some("read_output") => "read",
        _ => "opened",
    }
}

#[cfg(test)]
mod tests {
    use flightdeck_contract::hub::AuditRun;

    use super::*;

    fn call(command: &str, args: &str) -> AuditCall {
        AuditCall {
            seq: 7,
            at_ms: 1,
            actor: "codex#2".to_owned(),
            surface: "mcp-stdio".to_owned(),
            command: command.to_owned(),
            args: args.to_owned(),
            decision: "allowed".to_owned(),
            rule: "default".to_owned(),
            reason: String::new(),
            result: "ok".to_owned(),
            error: None,
            duration_ms: Some(3.0),
            trace: None,
            terminal: Some("t3".to_owned()),
            run: None,
        }
    }

    fn sentence(command: &str, args: &str) -> String {
        let entry = entry(&call(command, args), "window:me", &[]);
        [entry.actor.name, entry.deed, entry.code].join(" ").trim().to_owned() + &entry.after
    }

    #[test]
    fn calls_read_as_sentences() {
        for (command, args, expected) in [
            ("flightdeck.terminal.run", r#"{"command":"npm test"}"#, "codex ran npm test in t3"),
            (
                "memory_terminal_interactive",
                r#"{"action":"execute","execution":{"command":"git","args":["push","-f"]}}"#,
                "codex ran git push -f in t3",
            ),
            ("memory_terminal_interactive", r#"{"action":"terminate"}"#, "codex ended a terminal in t3"),
            ("flightdeck.terminal.keys", r#"{"id":"t3"}"#, "codex typed into t3"),
            ("flightdeck.terminal.lease", r#"{"action":"take"}"#, "codex took the controls of t3"),
            (
                "flightdeck.approval.answer",
                r#"{"id":"a1","choice":"approve","scope":"always"}"#,
                "codex allowed a1 (always)",
            ),
            ("flightdeck.approval.answer", r#"{"id":"a1","choice":"decline"}"#, "codex denied a1"),
            ("flightdeck.policy.add", r#"{"patterns":["cargo test *"]}"#, "codex added a rule for cargo test *"),
            ("something.else", "not json", "codex called something.else"),
        ] {
            assert_eq!(sentence(command, args), expected);
        }
    }

    #[test]
    fn what_ran_is_told_and_how_it_ended() {
        let of = |run: AuditRun| {
            let entry = entry(
                &AuditCall { run: Some(run), ..call("flightdeck.terminal.run", r#"{"command":"git push"}"#) },
                "window:me",
                &[],
            );
            (entry.mark, entry.result, [entry.deed, entry.code].join(" ") + &entry.after)
        };
        let ended = |code| AuditRun { exit_code: Some(code), ..AuditRun::default() };
        assert_eq!(of(ended(0)), ("✓", "ok".to_owned(), "ran git push in t3".to_owned()));
        assert_eq!(of(ended(128)), ("✗", "exit 128".to_owned(), "ran git push in t3".to_owned()));
        let goes_on = AuditRun { running: true, ..AuditRun::default() };
        assert_eq!(of(goes_on), ("●", "goes on".to_owned(), "ran git push in t3".to_owned()));
        let edited = AuditRun { edited: Some("git status".to_owned()), ..ended(0) };
        assert_eq!(of(edited), ("✓", "ok".to_owned(), "ran git status in t3, as you changed it".to_owned()));
    }

    #[test]
    fn what_failed_is_not_told_as_done() {
        for (command, args, result, expected) in [
            ("openspace.terminal.create", "{}", "cwd_missing", "failed to open t3"),
            ("flightdeck.terminal.kill", "{}", "terminal_not_found", "failed to end t3"),
            ("close_tab", "{}", "terminal_not_found", "failed to close t3"),
            ("flightdeck.terminal.keys", "{}", "lease_held", "failed to type into t3"),
            ("flightdeck.terminal.lease", r#"{"action":"take"}"#, "lease_held", "failed to take the controls of t3"),
            ("openspace.file.read", r#"{"path":"none"}"#, "file_not_found", "failed to read none"),
            ("memory_terminal", r#"{"action":"list"}"#, "not_allowed", "failed to list a terminal in t3"),
            ("flightdeck.policy.remove", r#"{"name":"x"}"#, "policy_invalid", "failed to remove the rule x"),
            ("something.else", "{}", "internal", "failed to call something.else"),
            ("flightdeck.terminal.run", r#"{"command":"make"}"#, "terminal_busy", "failed to run make in t3"),
            ("flightdeck.terminal.run", r#"{"command":"make"}"#, "declined", "wanted to run make in t3"),
            ("flightdeck.terminal.run", r#"{"command":"make"}"#, "interrupted", "ran make in t3"),
        ] {
            let entry = entry(&AuditCall { result: result.to_owned(), ..call(command, args) }, "", &[]);
            assert_eq!([entry.deed, entry.code].join(" ").trim().to_owned() + &entry.after, expected);
        }
    }

    #[test]
    fn what_the_policy_said_is_told_when_it_matters() {
        let quiet = entry(&call("flightdeck.terminal.run", "{}"), "", &[]);
        assert_eq!(quiet.ruling, "");
        let blocked = AuditCall {
            decision: "blocked".into(),
            rule: "danger:root".into(),
            result: "blocked".into(),
            ..call("flightdeck.terminal.run", r#"{"command":"rm -rf /"}"#)
        };
        let entry = entry(&blocked, "", &[]);
        assert_eq!((entry.ruling.as_str(), entry.tone), ("blocked · danger:root", "danger"));
        assert_eq!((entry.deed.as_str(), entry.code.as_str()), ("wanted to run", "rm -rf /"));
    }
}
