//! `tmux` runs texts in many ways, some of them in the terminal of a person, where they would count as the person's.

use super::handon::hand_on;
use super::shells::nested_value;
use super::value::Scope;
use super::{Call, Here, Search};
use crate::DangerKind;

/// Commands of tmux that take a text for a shell, or further commands of tmux, with their usual short names.
pub(super) fn is_command(name: &str) -> bool {
    matches!(
        name,
        "run-shell"
            | "if-shell"
            | "new-window"
            | "neww"
            | "new-session"
            | "split-window"
            | "splitw"
            | "respawn-pane"
            | "respawnp"
            | "respawn-window"
            | "respawnw"
            | "pipe-pane"
            | "pipep"
            | "display-popup"
            | "popup"
            | "detach-client"
            | "send-keys"
            | "confirm-before"
            | "set-hook"
            | "bind-key"
            | "set-option"
            | "lock-session"
            | "lock-client"
            | "lock-server"
    )
}

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, scope: &Scope, here: &Here) {
    let words = call.args.0;
    let is_flag = |text: &str, flag: char| text.starts_with('-') && !text.starts_with("--") && text.contains(flag);
    // tmux takes any beginning of a command's name that is one command's alone.
    let detaches = std::iter::once(call.name).chain(call.texts.iter().copied()).any(|text| text.starts_with("det"));
    let replaces = detaches && words.iter().any(|word| is_flag(&word.text, 'E'));
    let locks = std::iter::once(call.name).chain(call.texts.iter().copied()).any(|text| text.starts_with("lock"));
    if replaces || locks {
        search.add(DangerKind::Helpers, here, "tmux lets the terminal of whoever is attached run a command");
    }
    for (at, word) in words.iter().enumerate() {
        let is_format =
            at > 0 && words[at - 1].text == "-F" && !matches!(call.texts.first(), Some(&("if-shell" | "if")));
        if word.text.contains([' ', '\t', '\n', ';']) && word.text != ";" && !is_format {
            nested_value(search, word, "tmux", &mut scope.clone(), here);
        }
        if word.text.contains("flightdeck stop") {
            search.never(DangerKind::SelfApproval, here, "only a person may stop the hub");
        }
        if word.text.rsplit('/').next() == Some("flightdeck") {
            hand_on(search, &words[at..], &mut scope.clone(), here);
        }
    }
}
