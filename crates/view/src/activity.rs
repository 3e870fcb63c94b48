//! A call of the audit log in the words of a person: ran `npm test` in t3.

use std::collections::BTreeSet;

use flightdeck_contract::hub::{AuditCall, SummaryPart};
use serde::Serialize;

use crate::reads;
use crate::rows::Row;
use crate::shown::visible;
use crate::words::{self, Actor, short};

/// One entry as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// When its last entry in the log was written: calls stand in that order.
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

/// What agents that the hub runs do by their own protocol: no tool, and theirs all the same.
const PROTOCOL_DEEDS: [&str; 1] = ["flightdeck.chat.file.read"];
/// What front ends tell of by themselves all the time.
const HUM: [&str; 5] = [
    "flightdeck.workbench.view",
    "flightdeck.terminal.attach",
    "flightdeck.terminal.follow",
    "flightdeck.terminal.resize",
    "flightdeck.workbench.edit",
];

/// Whether it is nobody's deed: what front ends and agents' own connections ask by themselves. The page has the same rule.
pub fn is_background(call: &AuditCall) -> bool {
    let command = call.command.as_str();
    if reads::INTERNAL.contains(&command) && !PROTOCOL_DEEDS.contains(&command) {
        return true;
    }
    words::is_person(&call.actor)
        && (reads::INTERNAL.contains(&command)
            || reads::TOOLS.contains(&command)
            || HUM.contains(&command)
            || shows_terminal(call))
}

/// A person looks at a terminal: a new one was opened before, by a call of its own.
fn shows_terminal(call: &AuditCall) -> bool {
    let args = || serde_json::from_str::<serde_json::Value>(&call.args).unwrap_or_default();
    call.command == "openspace.pane.open" && args()["type"] == "terminal"
}

/// The names that more than one agent has, by the actors of calls.
pub fn shared_names<'a>(actors: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let all: BTreeSet<_> = actors.filter_map(|actor| Some((actor.rsplit_once('#')?.0, actor))).collect();
    let mut once = BTreeSet::new();
    all.into_iter().map(|(name, _)| name).filter(|name| !once.insert(*name)).collect()
}

/// The row of a call. An agent's number tells it from others of its name.
pub fn row(call: &AuditCall, agents: &[String], shared: &BTreeSet<&str>) -> Row {
    let mut entry = entry(call, agents);
    if call.actor.rsplit_once('#').is_some_and(|(name, _)| shared.contains(name)) {
        entry.actor.name = visible(&call.actor);
    }
    Row::new(call.seq, &entry)
}

/// What a call under way does, for a line beside its caller: `npm test in t3`.
pub fn under_way(call: &AuditCall) -> String {
    // A command needs no verb.
    let command =
        call.summary.iter().position(|part| matches!(part, SummaryPart::Command { .. } | SummaryPart::Code { .. }));
    text_of(&call.summary[command.unwrap_or(0)..])
}

fn entry(call: &AuditCall, agents: &[String]) -> Entry {
    let (deed, code, after) = around_code(call);
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
    Entry {
        at_ms: call.at_ms + call.duration_ms.unwrap_or_default() as i64,
        actor: words::actor(&call.actor, agents),
        deed,
        code: short(&visible(&code), 160),
        after,
        terminal: call.terminal.clone(),
        mark,
        result: match exit_code.filter(|code| *code != 0) {
            _ if goes_on => "kept running".to_owned(),
            Some(code) => format!("exit {code}"),
            None => call.result.replace('_', " "),
        },
        tone,
        ruling,
        error: call.error.as_deref().map(visible).unwrap_or_default(),
        duration_ms: call.duration_ms,
    }
}

/// The summary in three parts: words, what is literal in it, words.
fn around_code(call: &AuditCall) -> (String, String, String) {
    let is_literal = |part: &SummaryPart| !matches!(part, SummaryPart::Text { .. } | SummaryPart::Terminal { .. });
    let (before, rest) = call.summary.split_at(call.summary.iter().position(is_literal).unwrap_or(call.summary.len()));
    let (code, after) = rest.split_at(rest.len().min(1));
    let was_edited = call.run.as_ref().is_some_and(|run| run.edited.is_some());
    let after = visible(&text_of(after)) + if was_edited { ", as you changed it" } else { "" };
    (visible(text_of(before).trim_end()), text_of(code), after)
}

fn text_of(parts: &[SummaryPart]) -> String {
    parts.iter().map(ToString::to_string).collect()
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
            summary: Vec::new(),
            took_effect: true,
        }
    }

    fn ran(command: &str) -> Vec<SummaryPart> {
        vec![
            SummaryPart::Text { text: "ran ".to_owned() },
            SummaryPart::Command { text: command.to_owned() },
            SummaryPart::Text { text: " in ".to_owned() },
            SummaryPart::Terminal { id: "t3".to_owned() },
        ]
    }

    fn sentence(call: &AuditCall) -> String {
        let entry = entry(call, &[]);
        [entry.actor.name, entry.deed, entry.code].join(" ").trim().to_owned() + &entry.after
    }

    #[test]
    fn a_summary_is_shown_around_its_literal_part() {
        let text = |text: &str| SummaryPart::Text { text: text.to_owned() };
        let terminal = || SummaryPart::Terminal { id: "t3".to_owned() };
        let file = SummaryPart::File { path: "a.rs".to_owned(), line: Some(4) };
        for (summary, expected) in [
            (ran("npm test"), "codex ran npm test in t3"),
            (vec![text("typed into "), terminal()], "codex typed into t3"),
            (vec![text("opened "), file], "codex opened a.rs:4"),
            (vec![text("listed terminals")], "codex listed terminals"),
        ] {
            assert_eq!(sentence(&AuditCall { summary, ..call("flightdeck.terminal.run", "{}") }), expected);
        }
        let running = AuditCall { summary: ran("npm test"), ..call("flightdeck.terminal.run", "{}") };
        assert_eq!(under_way(&running), "npm test in t3");
        let typing = AuditCall { summary: vec![text("typed into "), terminal()], ..running };
        assert_eq!(under_way(&typing), "typed into t3");
    }

    #[test]
    fn what_watches_by_itself_is_nobodys_deed() {
        let by = |actor: &str, surface: &str, command: &str| {
            let call = AuditCall { actor: actor.to_owned(), surface: surface.to_owned(), ..call(command, "{}") };
            is_background(&call)
        };
        for (actor, surface) in [("codex#2", "mcp-stdio"), ("gemini#1", "acp"), ("web:1", "ws"), ("cli:0", "cli")] {
            assert!(by(actor, surface, "flightdeck.hub.watch"), "{actor}");
            assert!(by(actor, surface, "flightdeck.approval.watch"), "{actor}");
            assert!(!by(actor, surface, "flightdeck.terminal.run"), "{actor}");
        }
        // A look is a deed of an agent's, which has a tool for it, and none of a person's.
        assert!(
            !by("codex#2", "mcp-stdio", "flightdeck.terminal.list") && by("web:1", "ws", "flightdeck.terminal.list")
        );
        assert!(!by("gemini#1", "acp", "flightdeck.chat.file.read"));
        assert!(
            by("web:1", "ws", "flightdeck.terminal.resize")
                && !by("codex#2", "mcp-stdio", "flightdeck.terminal.resize")
        );
    }

    #[test]
    fn a_terminal_that_a_person_opens_is_one_deed() {
        let shown = |actor: &str| {
            let args = r#"{"type":"terminal","contentId":"t10"}"#;
            AuditCall { actor: actor.to_owned(), ..call("openspace.pane.open", args) }
        };
        assert!(is_background(&shown("web:1")) && !is_background(&shown("codex#2")));
    }

    #[test]
    fn a_call_is_told_when_it_has_ended_and_by_number_where_two_have_the_name() {
        let ended = AuditCall { at_ms: 1000, duration_ms: Some(5000.0), ..call("flightdeck.terminal.run", "{}") };
        assert_eq!(entry(&ended, &[]).at_ms, 6000);
        let shared = shared_names(["codex#2", "codex#2", "claude#1", "codex#3", "web:1"].into_iter());
        assert_eq!(shared, BTreeSet::from(["codex"]));
        assert!(row(&ended, &[], &shared).json.contains("\"codex#2\""));
        assert!(row(&ended, &[], &BTreeSet::new()).json.contains("\"codex\""));
    }

    #[test]
    fn what_ran_is_shown_and_how_it_ended() {
        let of = |command: &str, run: AuditRun| {
            let ran = AuditCall { run: Some(run), summary: ran(command), ..call("flightdeck.terminal.run", "{}") };
            let entry = entry(&ran, &[]);
            (entry.mark, entry.result, [entry.deed, entry.code].join(" ") + &entry.after)
        };
        let ended = |code| AuditRun { exit_code: Some(code), ..AuditRun::default() };
        assert_eq!(of("git push", ended(0)), ("✓", "ok".to_owned(), "ran git push in t3".to_owned()));
        assert_eq!(of("git push", ended(128)), ("✗", "exit 128".to_owned(), "ran git push in t3".to_owned()));
        let running = AuditRun { running: true, ..AuditRun::default() };
        assert_eq!(of("git push", running), ("●", "kept running".to_owned(), "ran git push in t3".to_owned()));
        let edited = AuditRun { edited: Some("git status".to_owned()), ..ended(0) };
        assert_eq!(
            of("git status", edited),
            ("✓", "ok".to_owned(), "ran git status in t3, as you changed it".to_owned())
        );
    }

    #[test]
    fn what_the_policy_said_is_told_when_it_matters() {
        let quiet = entry(&call("flightdeck.terminal.run", "{}"), &[]);
        assert_eq!(quiet.ruling, "");
        let blocked = AuditCall {
            decision: "blocked".into(),
            rule: "danger:root".into(),
            result: "blocked".into(),
            ..call("flightdeck.terminal.run", "{}")
        };
        let entry = entry(&blocked, &[]);
        assert_eq!((entry.ruling.as_str(), entry.tone), ("blocked · danger:root", "danger"));
    }
}
