//! Why something does not run headless, in words that name the true reason, and what would help.

use crate::builtin::{is_secret, lexical, readable};
use crate::decide::{Unproven, cited, shell_quoted};
use crate::offer::pattern_for;
use crate::plain::CHANGES;
use crate::{Place, Remedy, builtin};

/// Options with which some commands write nothing.
const WRITES_NOTHING: [&str; 2] = ["--locked", "--offline"];

/// Why it may not run, and what would change that.
pub(super) fn why(unproven: &Unproven, place: &Place) -> (Remedy, String) {
    match unproven {
        Unproven::Command(words) | Unproven::Expanded(words) if outside(words, place).is_some() => {
            (Remedy::Said, outside(words, place).unwrap_or_default())
        }
        Unproven::Command(words) if runs_with(words, &WRITES_NOTHING, place) => {
            let options = WRITES_NOTHING.join(" ");
            (Remedy::Said, format!("{unproven}, which may write; with {options} it runs"))
        }
        Unproven::Command(words) => match pattern_for(words) {
            Some(pattern) => {
                let network = if needs_network(words) { "--network " } else { "" };
                let pattern = shell_quoted(pattern.text());
                let reason = format!("{unproven}; a person can: flightdeck policy add {network}{pattern}");
                (Remedy::Said, reason)
            }
            None => (Remedy::Person, format!("{unproven}, and no narrow rule could")),
        },
        Unproven::Expanded(_) => {
            let reason = "and no rule could, because of its patterns, its input or its variables";
            (Remedy::Person, format!("{unproven}, {reason}"))
        }
        Unproven::OnlyWatched(_) => (Remedy::Person, unproven.to_string()),
        // These say themselves what to do.
        Unproven::Unfit(_) => (Remedy::Said, unproven.to_string()),
        Unproven::NotPlain(reason) => (Remedy::Said, format!("{unproven}; {}", instead(reason))),
        Unproven::Variable(_) | Unproven::Empty => (Remedy::Said, format!("{unproven}; {}", unproven.remedy())),
    }
}

/// What to write instead of what is not plain, by what its reason names.
fn instead(reason: &str) -> &'static str {
    const WAYS: &[(&str, &str)] = &[
        ("redirects", "leave that out, since what it prints comes back to you"),
        ("background", "leave the & out"),
        ("expansion", "write what it stands for"),
        ("substitution", "write what it stands for"),
        ("home folder", "headless commands read nothing outside of the workspace, so write the path of what is in it"),
        ("only sets a variable", "write its value where it is used"),
    ];
    if let Some(name) = reason.strip_suffix(CHANGES).map(|name| name.trim_matches('`')) {
        return if COMPOUND.contains(&name) {
            "send the commands in it by themselves"
        } else {
            "leave it out, since every headless command has a shell of its own, and what it changes ends with it"
        };
    }
    let way = WAYS.iter().find(|(named, _)| reason.contains(named));
    way.map_or("write it as plain commands with literal words", |(_, way)| way)
}

/// Words that begin a command which holds others.
const COMPOUND: &[&str] = &[
    "!", "[[", "begin", "case", "coproc", "for", "foreach", "function", "if", "repeat", "select", "time", "until",
    "while", "{",
];

/// The reason of a command that would run but for a path in it.
fn outside(words: &[String], place: &Place) -> Option<String> {
    let unreadables: Vec<usize> = (1..words.len()).filter(|at| !readable(&words[*at], place)).collect();
    let first = *unreadables.first()?;
    let mut inside = words.to_vec();
    for at in unreadables {
        ".".clone_into(&mut inside[at]);
    }
    builtin(&inside, place).map(|_| unreadable(&words[first], place))
}

/// What is wrong with a path that is not read, and what to do.
pub(super) fn unreadable(path: &str, place: &Place) -> String {
    let shown = cited(path);
    match lexical(path, place) {
        Some(whole) if !whole.starts_with(&place.workspace) => {
            let workspace = place.workspace.display();
            format!("{shown} is outside of the workspace {workspace}, and headless commands read nothing else")
        }
        Some(whole) if is_secret(&whole, &place.workspace) => {
            format!("{shown} usually holds secrets, which headless commands do not read")
        }
        _ => format!("{shown} leads out of the workspace by a link, or to something that usually holds secrets"),
    }
}

fn runs_with(words: &[String], options: &[&str], place: &Place) -> bool {
    let more: Vec<String> = words.iter().cloned().chain(options.iter().map(ToString::to_string)).collect();
    builtin(&more, place).is_some()
}

/// Whether a command is of no use without the network, which is closed to headless commands unless their rule opens it.
fn needs_network(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.starts_with('-')).take(2).collect();
    match *words.as_slice() {
        ["git", verb] => matches!(verb, "clone" | "fetch" | "ls-remote" | "pull" | "push"),
        ["npm" | "pnpm" | "yarn" | "bun", verb] => matches!(verb, "add" | "ci" | "i" | "install" | "update" | "view"),
        ["pip" | "pip3" | "uv" | "poetry", verb] => matches!(verb, "add" | "download" | "install" | "sync"),
        ["cargo", verb] => matches!(verb, "add" | "fetch" | "install" | "search" | "update"),
        ["curl" | "wget" | "ssh" | "scp" | "ping" | "gh", ..]
        | ["go", "get" | "install"]
        | ["apt" | "apt-get", "install" | "update"] => true,
        _ => false,
    }
}
