//! Who and what, in the words of a glance. The same words as the page of the browser has.

use flightdeck_contract::agents::Standing;
use flightdeck_contract::approval::{Approval, Origin, Outcome, Scope, Subject};
use flightdeck_contract::policy::RuleAction;
use serde::Serialize;

use crate::shown::visible;

/// The colours of agents.
pub const HUES: usize = 4;

/// Who did something: always a name, and always the same colour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Actor {
    pub name: String,
    pub person: bool,
    /// Which of the agents' four colours.
    pub hue: usize,
}

/// Whether a person goes by this name: `web:2`, `cli:anna`, `window:anna`.
pub fn is_person(name: &str) -> bool {
    ["web:", "cli:", "window:"].iter().any(|door| name.starts_with(door))
}

/// `claude-code#3` is the agent `claude-code`. A hub serves one user: every person is the one who looks.
pub fn actor(name: &str, agents: &[String]) -> Actor {
    if is_person(name) {
        return Actor { name: "you".to_owned(), person: true, hue: 0 };
    }
    let (short, number) = name.rsplit_once('#').unwrap_or((name, ""));
    let short = if number.chars().all(|c| c.is_ascii_digit()) { short } else { name };
    let hue = agents.iter().position(|agent| agent == short).unwrap_or(0) % HUES;
    Actor { name: visible(short), person: false, hue }
}

/// Whose window the size of a terminal follows.
pub fn window_of(name: &str, agents: &[String]) -> String {
    let actor = actor(name, agents);
    if actor.person { "another window of yours".to_owned() } else { format!("the window of {}", actor.name) }
}

/// A mark, a word and a tone: the mark never stands alone.
pub fn standing(standing: Standing) -> (&'static str, &'static str, &'static str) {
    match standing {
        Standing::Working => ("●", "working", "agent"),
        Standing::WaitsForApproval => ("◐", "waits for you", "warn"),
        Standing::WaitsForInput => ("◐", "waits for input", "warn"),
        Standing::Idle => ("○", "idle", "dim"),
        Standing::Done => ("✓", "done", "ok"),
        Standing::Failed => ("✗", "failed", "danger"),
        Standing::Gone => ("◌", "gone", "dim"),
    }
}

/// What an approval is about, in a few words.
pub fn subject(approval: &Approval) -> String {
    let text = match &approval.subject {
        Subject::Command(command) => command.text.clone(),
        Subject::Permission(permission) => permission.title.clone(),
        Subject::FileWrite(write) => format!("Writing {}", write.path),
    };
    short(&visible(&text.split_whitespace().collect::<Vec<_>>().join(" ")), 60)
}

/// What it wants.
pub fn heading(approval: &Approval) -> &'static str {
    match approval.subject {
        Subject::Command(_) => "wants to run",
        Subject::Permission(_) => "asks",
        Subject::FileWrite(_) => "wants to write",
    }
}

/// Why it asks; of what comes from elsewhere, first where that is.
pub fn reason(approval: &Approval) -> String {
    let reason = visible(&approval.reason);
    let Some(Origin { container, workspace, address }) = &approval.origin else { return reason };
    let from = format!("{} ({}, {})", visible(container), visible(workspace), visible(address));
    format!("From the container {from}; it would run on this machine. {reason}")
}

/// How far a yes reaches, and what that means.
pub fn scope(scope: Scope, approval: &Approval) -> (&'static str, String) {
    let agent = approval.agent.rsplit_once('#').map_or(approval.agent.as_str(), |(name, _)| name);
    match scope {
        Scope::Once => ("Once", "this one time".to_owned()),
        Scope::Terminal => {
            let whose = approval.terminal.map_or_else(|| "it".to_owned(), |id| id.to_string());
            ("In this terminal", format!("the same command in {whose}"))
        }
        Scope::Session => ("This session", format!("the same command, until {} leaves", visible(agent))),
        Scope::Always => ("Always…", "by a rule, which is shown first".to_owned()),
    }
}

/// How a request ended that was answered elsewhere, or by nobody.
pub fn settled(what: &str, outcome: Outcome, by: Option<&str>, edited: Option<&str>) -> (&'static str, String) {
    let by = match by {
        None => "somebody else".to_owned(),
        Some(by) if is_person(by) => "you in another window".to_owned(),
        Some(by) => visible(by),
    };
    match (outcome, edited) {
        (Outcome::Approved, Some(edited)) => {
            ("info", format!("{what}: changed to {} by {by}", short(&visible(edited), 60)))
        }
        (Outcome::Approved, None) => ("info", format!("{what}: allowed by {by}")),
        (Outcome::Declined, _) => ("info", format!("{what}: denied by {by}")),
        (Outcome::Dismissed, _) => ("info", format!("{what}: put away by {by}, so it was not done")),
        (Outcome::Expired, _) => ("warn", format!("{what}: nobody answered in time, so it was not done")),
        (Outcome::Withdrawn, _) => ("info", format!("{what}: the agent has given it up")),
    }
}

/// What a rule does, and its tone.
pub fn action(action: RuleAction) -> (&'static str, &'static str) {
    match action {
        RuleAction::Allow => ("allows", "ok"),
        RuleAction::Ask => ("asks about", "warn"),
        RuleAction::Block => ("blocks", "danger"),
    }
}

/// What the policy says, in words and tone.
pub fn decision(decision: &str) -> (String, &'static str) {
    match decision {
        "allowed" => ("It would run".to_owned(), "ok"),
        "allowed_with_warning" => ("It would run, although it is dangerous".to_owned(), "warn"),
        "needs_approval" => ("You would be asked".to_owned(), "warn"),
        "blocked" => ("It would not run".to_owned(), "danger"),
        other => (other.replace('_', " "), "warn"),
    }
}

/// The same in a word, for a list.
pub fn short_decision(decision: &str) -> String {
    match decision {
        "allowed" | "allowed_with_warning" => "runs".to_owned(),
        "needs_approval" => "asks".to_owned(),
        other => other.replace('_', " "),
    }
}

/// A surface and what its stance means, for people.
pub fn surface(name: &str) -> &str {
    match name {
        "interactive" => "Visible terminal, by contract",
        "terminal" => "Terminals",
        "openspace" => "Workbench",
        "tabs" => "Tabs",
        "acp" => "ACP agents",
        "headless" => "Headless",
        other => other,
    }
}

pub fn stance(name: &str) -> &'static str {
    match name {
        "strict" => "only what is proven safe runs",
        "ask" => "you are asked about all that is not proven safe",
        "guard" => "you are asked about what is dangerous",
        "open" => "everything runs but what nobody can allow",
        _ => "",
    }
}

/// What a rehearsal found, in one sentence.
pub fn rehearsed(looked_at: usize, changed: usize) -> String {
    let all = if looked_at == 1 { "the one command".to_owned() } else { format!("{looked_at} commands") };
    match (looked_at, changed) {
        (0, _) => "Nothing was run yet that it could have changed.".to_owned(),
        (_, 0) => format!("It would have changed nothing about {all} of the log."),
        _ => format!("It would have changed {changed} of {all} of the log:"),
    }
}

/// At most so many characters.
pub fn short(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some(_) => text.chars().take(longest - 1).chain(['…']).collect(),
    }
}

/// A folder from the workspace on.
pub fn folder(path: &str, root: &str) -> String {
    visible(&below(path, root))
}

fn below(path: &str, root: &str) -> String {
    let name = |path: &str| path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path).to_owned();
    if path == root {
        return name(root);
    }
    path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')).map_or_else(|| path.to_owned(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_agents() {
        let agents = ["claude".to_owned(), "codex".to_owned()];
        let who = |name| {
            let actor = actor(name, &agents);
            (actor.name, actor.person, actor.hue)
        };
        for person in ["window:anna", "cli:ben", "cli:0", "web:2"] {
            assert_eq!(who(person), ("you".to_owned(), true, 0));
        }
        assert_eq!(who("codex#4"), ("codex".to_owned(), false, 1));
        assert_eq!(who("c#sharp"), ("c#sharp".to_owned(), false, 0));
        assert_eq!(who("x\u{202e}y#1").0, "x\\u{202e}y");
    }

    #[test]
    fn texts_and_folders_are_short() {
        assert_eq!((short("abcdef", 6).as_str(), short("abcdefg", 6).as_str()), ("abcdef", "abcde…"));
        assert_eq!(folder("/home/a/shop", "/home/a/shop"), "shop");
        assert_eq!(folder("/home/a/shop/web", "/home/a/shop"), "web");
        assert_eq!(folder("/home/a/shopping", "/home/a/shop"), "/home/a/shopping");
        assert_eq!(folder("/home/a/shop/\u{202e}bew", "/home/a/shop"), "\\u{202e}bew");
    }

    #[test]
    fn how_a_request_ended_is_told_with_what_ran_and_who_said_so() {
        let text = |outcome, by, edited| settled("git push", outcome, by, edited).1;
        assert_eq!(text(Outcome::Approved, Some("web:2"), None), "git push: allowed by you in another window");
        assert_eq!(text(Outcome::Declined, Some("cli:0"), None), "git push: denied by you in another window");
        assert_eq!(text(Outcome::Approved, None, None), "git push: allowed by somebody else");
        assert_eq!(
            text(Outcome::Approved, Some("web:2"), Some("git push \u{202e}--dry-run")),
            "git push: changed to git push \\u{202e}--dry-run by you in another window"
        );
    }

    #[test]
    fn a_rehearsal_in_one_sentence() {
        assert!(rehearsed(0, 0).starts_with("Nothing was run"));
        assert_eq!(rehearsed(1, 0), "It would have changed nothing about the one command of the log.");
        assert_eq!(rehearsed(7, 2), "It would have changed 2 of 7 commands of the log:");
    }
}
