//! What a look answers when there is no hub: that none is there and how one is started, in the form of an empty answer.

use std::process::ExitCode;

use flightdeck_contract::approval::Approvals;
use flightdeck_contract::openspace::Writes;
use flightdeck_contract::terminal::Found;
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::Workspace;
use serde_json::{Value, json};

use super::print_json;
use crate::args::Command;
use crate::find;

/// Says that no hub is there, and how to get one.
pub fn words(workspace: &Workspace) -> String {
    format!("no hub serves {}: {}", workspace.root().display(), advice(workspace))
}

/// The answer to a command that is about what a hub holds.
pub fn answer(workspace: &Workspace, command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Ls(args) => nothing(workspace, args.json.then(|| json!([]))),
        Command::Agents(args) => nothing(workspace, args.json.then(|| json!([]))),
        // A list of lines is empty without any.
        Command::Audit(args) if args.action.is_none() && !args.follow => nothing(workspace, None),
        Command::Undo(args) => {
            nothing(workspace, args.json.then(|| serde_json::to_value(Writes { writes: Vec::new() })).transpose()?)
        }
        Command::Search(args) => {
            let found = Found::default();
            nothing(workspace, args.json.then(|| serde_json::to_value(found)).transpose()?)?;
            Ok(ExitCode::FAILURE)
        }
        _ => Err(failed(workspace, ErrorCode::TerminalNotFound, "so that there is nothing to see or to change")),
    }
}

/// The list of what waits for a person.
pub fn approvals(workspace: &Workspace, json: bool) -> anyhow::Result<ExitCode> {
    let none = Approvals { approvals: Vec::new(), attended: 0 };
    nothing(workspace, json.then(|| serde_json::to_value(none)).transpose()?)
}

/// Why an answer reaches nothing.
pub fn approval(workspace: &Workspace) -> anyhow::Error {
    failed(workspace, ErrorCode::ApprovalNotFound, "so that nothing waits for an answer")
}

fn nothing(workspace: &Workspace, json: Option<Value>) -> anyhow::Result<ExitCode> {
    if let Some(json) = json {
        print_json(&json)?;
    }
    eprintln!("{}", words(workspace));
    Ok(ExitCode::SUCCESS)
}

fn failed(workspace: &Workspace, code: ErrorCode, what_follows: &str) -> anyhow::Error {
    let text = format!("no hub serves {}, {what_follows}", workspace.root().display());
    Error::new(code, text).hint(advice(workspace)).into()
}

/// How a hub is got, and what runs on without one.
fn advice(workspace: &Workspace) -> String {
    let start = match left(workspace) {
        Some(left) => format!("{left}, and `{}` brings it back", restart(workspace)),
        None => start(workspace),
    };
    match find::served_above(workspace) {
        Some(above) => format!("{start}. One serves {0} above: `--workspace {0}` asks that", above.root().display()),
        None => start,
    }
}

fn start(workspace: &Workspace) -> String {
    // What would be refused is not proposed.
    if let Some(why) = find::not_started(workspace) {
        return why;
    }
    let before =
        if workspace.state().is_dir() { ", and `flightdeck restart` brings back what was here before" } else { "" };
    format!("`flightdeck new` or `flightdeck run` starts one{before}")
}

fn restart(workspace: &Workspace) -> String {
    match find::not_started(workspace) {
        Some(_) => format!("flightdeck restart --workspace {}", workspace.root().display()),
        None => "flightdeck restart".to_owned(),
    }
}

/// Says how many terminals a hub that was stopped has left, if it has.
pub fn left(workspace: &Workspace) -> Option<String> {
    match running_on(workspace) {
        0 => None,
        1 => Some("1 terminal runs on without it".to_owned()),
        many => Some(format!("{many} terminals run on without it")),
    }
}

/// How many terminals a hub that was stopped has left.
pub fn running_on(workspace: &Workspace) -> usize {
    find::hub_of(workspace).map_or(0, |hub| hub.left_running())
}
