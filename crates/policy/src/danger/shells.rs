//! Shells, and the words of a shell that run text: `sh -c`, `eval`, `source`, aliases, functions, a pipe into a shell.

use std::rc::Rc;

use super::args::Args;
use super::value::{Scope, UNKNOWN, Value};
use super::{Call, Here, Input, Search, delete};
use crate::DangerKind;
use crate::environment::dangerous_setting;

/// Programs that run the text that they are given.
pub(super) fn is_shell(name: &str) -> bool {
    matches!(
        name,
        "sh" | "bash"
            | "zsh"
            | "dash"
            | "ksh"
            | "mksh"
            | "fish"
            | "ash"
            | "rbash"
            | "rzsh"
            | "tcsh"
            | "csh"
            | "yash"
            | "elvish"
            | "nu"
            | "xonsh"
    )
}

/// A command whose program is not known.
pub(super) fn unknown_program(search: &mut Search<'_>, program: &Value, call: &Call<'_>, scope: &Scope, here: &Here) {
    let written = if program.raw().is_empty() { "it" } else { program.raw() };
    search.add(DangerKind::RunsInput, here, format!("which program runs depends on {written}, which is not known"));
    // `$x -rf /` has one honest reading less than none.
    if (call.args.short('r') || call.args.short('R')) && call.args.short('f') {
        delete::recursive(search, call.args, "rm", scope, here);
    }
    if call.args.has("-c")
        && let Some(text) = call.args.value("-c", "").filter(Value::known)
    {
        nested(search, &text.text, &mut scope.clone(), here);
    }
}

/// Follows a text that a command runs.
pub(super) fn nested(search: &mut Search<'_>, text: &str, scope: &mut Scope, here: &Here) {
    let mut here = here.deeper();
    here.nested += 1;
    here.fixed = Some(here.span.clone());
    search.text(text, scope, &here);
}

/// Follows a text that is not fully known: what is known of it, and that the rest is not.
pub(super) fn nested_value(search: &mut Search<'_>, text: &Value, by: &str, scope: &mut Scope, here: &Here) {
    if text.known() {
        return nested(search, &text.text, scope, here);
    }
    search.add(DangerKind::RunsInput, here, format!("{by} runs a text that is not known before it runs"));
    nested(search, &text.text.replace(UNKNOWN, "$UNKNOWN"), scope, here);
}

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    let texts = call.texts;
    match call.name {
        name if is_shell(name) => shell(search, call, scope, here),
        "eval" => {
            let known = call.args.0.iter().all(Value::known);
            let joined = texts.join(" ");
            let value = Value::new(joined, false, "");
            if !known {
                search.add(DangerKind::RunsInput, here, "eval runs a text that is not known before it runs");
            }
            nested_value(search, &value, "eval", scope, here);
            if known {
                search.add(DangerKind::RunsInput, here, "eval runs its words as a new text");
            }
        }
        "source" | "." => {
            let file = texts.first().copied().unwrap_or_default();
            if file.contains(UNKNOWN) || matches!(file, "/dev/stdin" | "-") {
                search.add(DangerKind::RunsInput, here, format!("{} runs what comes from elsewhere", call.name));
                input(search, call.name, scope, here);
            }
        }
        "alias" => {
            for word in texts {
                if let Some((name, value)) = word.split_once('=') {
                    Rc::make_mut(&mut scope.aliases).insert(name.to_owned(), value.to_owned());
                    nested(search, value, &mut scope.clone(), here);
                }
            }
        }
        "trap" => {
            if let Some(text) = call.args.operands().next().filter(|_| texts.len() > 1) {
                nested_value(search, text, "trap", &mut scope.clone(), here);
            }
        }
        "export" | "declare" | "typeset" | "local" | "readonly" | "setenv" | "set" => {
            settings(search, call, scope, here);
        }
        "cd" | "pushd" | "chdir" => {
            let to = call.args.operands().next();
            scope.cwd = match to {
                None => scope.home.clone(),
                Some(to) if to.exact() && to.text != "-" => super::target::resolve(&to.text, &scope.cwd).into(),
                Some(_) => super::value::SOMEWHERE.into(),
            };
        }
        "read" | "mapfile" | "readarray" | "getopts" => {
            for word in call.args.operands() {
                scope.assign(&word.text, UNKNOWN.to_string());
            }
        }
        _ => {}
    }
    defined(search, call, scope, here);
}

/// Variables that a word of the shell sets.
fn settings(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    for word in call.texts {
        if let Some((name, value)) = word.split_once('=') {
            let keeps = name == "PATH"
                && call.args.0.iter().any(|arg| arg.raw().contains("$PATH") || arg.raw().contains("${PATH}"));
            if dangerous_setting(name, value) && !keeps {
                let reason = format!("setting {name} changes what programs are found or started");
                search.add(DangerKind::Environment, here, reason);
            }
            scope.assign(name, value.to_owned());
        }
    }
}

/// Functions and aliases that the text has defined.
fn defined(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    if let Some(body) = scope.functions.get(call.name).cloned()
        // A function that calls itself is followed once.
        && !search.following.iter().any(|other| Rc::ptr_eq(other, &body))
        && search.enters()
        && search.spend(scope.variables.len() * 8 + 16, here)
    {
        let mut inner = scope.clone();
        for (index, value) in call.args.0.iter().enumerate().take(9) {
            inner.set(&(index + 1).to_string(), value.text.clone());
        }
        inner.set("@", call.texts.join("\u{fffb}"));
        inner.set("*", call.texts.join("\u{fffb}"));
        let noting = std::mem::replace(&mut search.noting, false);
        search.following.push(Rc::clone(&body));
        search.stage(&body, &mut inner, &Here { fixed: Some(here.span.clone()), ..here.clone() });
        search.following.pop();
        search.noting = noting;
    }
    if let Some(text) = scope.aliases.get(call.name).cloned() {
        let mut inner = scope.clone();
        Rc::make_mut(&mut inner.aliases).remove(call.name);
        let rest: Vec<String> = call.texts.iter().map(|word| quote(word)).collect();
        nested(search, &format!("{text} {}", rest.join(" ")), &mut inner, here);
    }
}

/// A word in single quotes.
pub(super) fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// `sh …`.
fn shell(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    let args = call.args.0;
    let command = args.iter().position(|arg| {
        let flags = arg.text.strip_prefix('-').unwrap_or_default();
        (!flags.starts_with('-') && flags.contains('c')) || matches!(arg.text.as_str(), "--command" | "--commands")
    });
    if let Some(at) = command {
        let Some(found) = args[at + 1..].iter().position(|arg| !arg.text.starts_with(['-', '+'])) else { return };
        let found = at + 1 + found;
        let mut inner = scope.clone();
        for (index, value) in args[found + 1..].iter().enumerate().take(10) {
            inner.set(&index.to_string(), value.text.clone());
        }
        let rest: Vec<&str> = args[found + 1..].iter().skip(1).map(|value| value.text.as_str()).collect();
        inner.set("@", rest.join("\u{fffb}"));
        return nested_value(search, &args[found], call.name, &mut inner, here);
    }
    if let Some(joined) = args.iter().find_map(|arg| arg.text.strip_prefix("--command=")) {
        return nested(search, joined, &mut scope.clone(), here);
    }
    let file = Args(args).operands().next();
    let stdin =
        call.args.short('s') || file.is_none_or(|file| matches!(file.text.as_str(), "-" | "/dev/stdin" | "/dev/fd/0"));
    if stdin {
        input(search, call.name, scope, here);
    } else if file.is_some_and(|file| file.text.starts_with("/dev/fd/") || file.text.starts_with(UNKNOWN)) {
        search.add(DangerKind::RunsInput, here, format!("{} runs what comes from elsewhere", call.name));
    }
}

/// Text on standard input that a shell runs.
pub(super) fn input(search: &mut Search<'_>, by: &str, scope: &Scope, here: &Here) {
    match &here.input {
        Input::Open => {}
        Input::Text(text) => {
            let value = Value::literal(text);
            nested_value(search, &value, by, &mut scope.clone(), here);
        }
        Input::Program(name) => search.add(DangerKind::RunsInput, here, format!("{by} runs what {name} prints")),
    }
}
