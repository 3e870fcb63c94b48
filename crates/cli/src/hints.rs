//! Advice of the hub in the words of the command line. The hub speaks to agents and people alike, and names its commands by their
//! ids and arguments; somebody at a prompt knows neither. Whatever is advice on its way to them passes here.

use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_core::Registry;

/// What is typed for a command of the hub. `ID` stands for the terminal, and a part in brackets is left out without one.
const COMMANDS: [(&str, &str); 22] = [
    ("flightdeck.terminal.run", "run[ --in ID]"),
    ("flightdeck.terminal.new", "new"),
    ("flightdeck.terminal.list", "ls"),
    ("flightdeck.terminal.attach", "attach[ ID]"),
    ("flightdeck.terminal.read", "logs[ ID]"),
    ("flightdeck.terminal.follow", "logs -f[ ID]"),
    ("flightdeck.terminal.keys", "send[ ID]"),
    ("flightdeck.terminal.wait", "wait[ ID]"),
    ("flightdeck.terminal.screen", "screen[ ID]"),
    ("flightdeck.terminal.history", "history[ ID]"),
    ("flightdeck.terminal.search", "search"),
    ("flightdeck.terminal.signal", "signal[ ID INT]"),
    ("flightdeck.terminal.kill", "kill[ ID]"),
    ("flightdeck.terminal.remove", "rm[ ID]"),
    ("flightdeck.terminal.lease", "lease[ ID]"),
    ("flightdeck.terminal.pin", "keep[ ID]"),
    ("flightdeck.policy.test", "policy test"),
    ("flightdeck.hub.status", "status"),
    ("flightdeck.chat.restart", "agent --resume"),
    ("flightdeck.chat.stop", "agent --stop"),
    ("flightdeck.chat.budget", "agent --budget"),
    ("openspace.file.undo", "undo"),
];

/// Words about arguments, and what they are at the command line.
const WORDS: [(&str, &str); 6] = [
    ("flightdeck.terminal.list with all: true (or `flightdeck ls --all`)", "`flightdeck ls --all`"),
    ("run it without `id` in a terminal of its own", "`flightdeck run` without --in runs it in a terminal of its own"),
    ("flightdeck.terminal.read and .screen", "flightdeck.terminal.read and flightdeck.terminal.screen"),
    (" and `from` reads what is left out in the middle", " --all prints all of it"),
    ("give `fresh`", "give --fresh"),
    ("run this in a terminal's shell by its id", "run this in a shell with --in"),
];

/// What a search says goes on with arguments that the command line has not.
const MORE: &str = "there is more: search on";

/// What is advised to somebody at the command line, if it is of use to them.
pub fn of(error: &Error, terminal: Option<TerminalId>) -> Option<String> {
    let hint = error.hint.as_deref()?;
    match (error.code, terminal) {
        (ErrorCode::NothingToUndo, _) => Some("`flightdeck undo --list` lists what can be taken back".to_owned()),
        (ErrorCode::LeaseHeld, Some(id)) if !hint.contains("`flightdeck lease") => {
            Some(format!("reading still works; `flightdeck lease {id} take` takes the controls"))
        }
        _ => words(hint, terminal),
    }
}

/// Advice in the words of the command line.
pub fn words(hint: &str, terminal: Option<TerminalId>) -> Option<String> {
    if hint.starts_with(MORE) {
        return Some("there is more: narrow the search, name a terminal with --in, or raise --max".to_owned());
    }
    let known = Registry::new();
    let mut hint = hint.to_owned();
    for (agents, peoples) in WORDS {
        hint = hint.replace(agents, peoples);
    }
    let (hint, named) = without_id(&hint);
    let terminal = named.or(terminal);
    let clauses = hint.split("; ").filter_map(|clause| spelled(clause, terminal, &known));
    Some(clauses.collect::<Vec<_>>().join("; ")).filter(|words| !words.is_empty())
}

/// A text without the `with id t1` that agents are told, and which that is.
fn without_id(text: &str) -> (String, Option<TerminalId>) {
    const WITH: &str = " with id ";
    let Some((before, after)) = text.split_once(WITH) else { return (text.to_owned(), None) };
    let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '"').unwrap_or(after.len());
    let id = after[..end].trim_matches('"').parse().ok();
    (format!("{before}{}", &after[end..]), id)
}

/// A clause with the names that people know. What it says of a command that they have not is left out: it ends before that, or
/// is not said at all.
fn spelled(clause: &str, terminal: Option<TerminalId>, known: &Registry) -> Option<String> {
    let mut said = String::new();
    let mut rest = clause;
    while let Some(start) = rest.find(is_of_name) {
        said.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
        let name = rest[..end].trim_end_matches('.');
        if known.get(name).is_none() {
            said.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let Some((_, typed)) = COMMANDS.iter().find(|(id, _)| *id == name) else {
            return said.rfind([',', ':']).map(|end| said[..end].to_owned());
        };
        rest = &rest[name.len()..];
        let mark = if said.ends_with('`') { "" } else { "`" };
        said.extend([mark, "flightdeck ", &with_terminal(typed, terminal), mark]);
    }
    said.push_str(rest);
    Some(said)
}

fn with_terminal(typed: &str, terminal: Option<TerminalId>) -> String {
    let Some((command, of)) = typed.split_once('[') else { return typed.to_owned() };
    match terminal {
        Some(id) => format!("{command}{}", of.trim_end_matches(']').replace("ID", &id.to_string())),
        None => command.to_owned(),
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn said(hint: &str) -> Option<String> {
        words(hint, Some(TerminalId::new(2)))
    }

    #[test]
    fn advice_names_what_can_be_typed() {
        for (hint, expected) in [
            (
                "flightdeck.terminal.read shows what it printed; flightdeck.terminal.new starts another one",
                "`flightdeck logs t2` shows what it printed; `flightdeck new` starts another one",
            ),
            (
                "flightdeck.terminal.wait waits for its end, flightdeck.terminal.signal interrupts it; run it without `id` in \
                 a terminal of its own",
                "`flightdeck wait t2` waits for its end, `flightdeck signal t2 INT` interrupts it; `flightdeck run` without \
                 --in runs it in a terminal of its own",
            ),
            (
                "it asks for a line and goes on: flightdeck.terminal.keys with id t7 types the answer and Enter",
                "it asks for a line and goes on: `flightdeck send t7` types the answer and Enter",
            ),
            (
                "wait until it is ready: flightdeck.chat.watch tells; try `flightdeck.terminal.list`.",
                "wait until it is ready; try `flightdeck ls`.",
            ),
            ("look at its screen and try again", "look at its screen and try again"),
        ] {
            assert_eq!(said(hint).as_deref(), Some(expected));
        }
        assert_eq!(said("openspace.pane.list lists what is there"), None);
        assert_eq!(words("end some with flightdeck.terminal.kill", None).unwrap(), "end some with `flightdeck kill`");
    }

    /// All advice in the sources that names a command of the hub. Whole sentences are descriptions of commands.
    fn texts() -> Vec<String> {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut found = Vec::new();
        let mut folders: Vec<_> =
            ["core/src", "workbench/src", "files/src", "server/src/acp"].iter().map(|name| crates.join(name)).collect();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs") {
                    found.extend(literals(&std::fs::read_to_string(&path).unwrap()));
                }
            }
        }
        let names = |text: &String| {
            text.contains(' ')
                && !text.ends_with('.')
                && !text.contains("\\n")
                && (text.contains("flightdeck.") || text.contains("openspace."))
        };
        found.into_iter().filter(names).collect()
    }

    /// The texts in quotes, with lines that go on joined.
    fn literals(source: &str) -> Vec<String> {
        let code: Vec<_> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n").replace("'\"'", "").replace("'\\\"'", "");
        let mut found = Vec::new();
        let mut rest = code.as_str();
        while let Some(start) = rest.find('"') {
            rest = &rest[start + 1..];
            let mut escaped = false;
            let end = rest.find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            let Some(end) = end else { break };
            let joined: Vec<_> = rest[..end].split("\\\n").map(str::trim_start).collect();
            found.push(joined.join(""));
            rest = &rest[end + 1..];
        }
        found
    }

    #[test]
    fn no_advice_of_the_hub_names_its_commands_to_people() {
        let texts = texts();
        assert!(texts.len() > 20, "the sources are found: {texts:#?}");
        for text in texts {
            let text = text.replace("{id}", "t7").replace("{id:?}", "\"t7\"");
            let Some(said) = said(&text) else { continue };
            for agents in ["flightdeck.terminal", "openspace.", " with id ", "`id`", "`from`", "all: true"] {
                assert!(!said.contains(agents), "{text:?} is told as {said:?}");
            }
        }
    }
}
