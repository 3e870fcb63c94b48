//! The shell of those who name none.

use std::path::Path;

use flightdeck_term::shell::ShellKind;

use crate::actor::Actor;

/// Where systems have bash, and the shell that each has.
const BASH: &str = "/bin/bash";
const SH: &str = "/bin/sh";

/// The user's own.
pub(crate) fn of_user() -> String {
    std::env::var("SHELL").ok().filter(|shell| !shell.is_empty()).unwrap_or_else(|| BASH.to_owned())
}

/// Shells with a syntax of their own, beside fish.
const OTHERS: [&str; 7] = ["nu", "xonsh", "elvish", "pwsh", "csh", "tcsh", "ion"];

/// That of agents. They write for a Bourne shell, and the policy reads nothing else, so one of another kind is not for them.
pub(crate) fn of_agents() -> String {
    let own = of_user();
    let name = Path::new(&own).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_other = ShellKind::of(Path::new(&own)) == ShellKind::Fish || OTHERS.contains(&name);
    if is_other { bourne().to_owned() } else { own }
}

/// That of a caller.
pub(crate) fn of(actor: &Actor) -> String {
    if actor.is_human() { of_user() } else { of_agents() }
}

/// One that reads Bourne syntax, whatever the user's is.
pub(crate) fn bourne() -> &'static str {
    if Path::new(BASH).exists() { BASH } else { SH }
}
