//! Deleting, and moving away.

use super::args::Args;
use super::target::{Spot, spot};
use super::value::{Scope, UNKNOWN, Value};
use super::{Call, Here, Search};
use crate::DangerKind;

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, scope: &Scope, here: &Here) {
    match call.name {
        "rm" | "grm" | "srm" | "trash" | "trash-put" | "rimraf" | "del-cli" => {
            let always = matches!(call.name, "rimraf" | "trash" | "trash-put" | "del-cli");
            if call.args.long("no-preserve-root") && call.args.0.iter().any(|arg| arg.text.starts_with("--no-p")) {
                search.never(DangerKind::DeletesRoot, here, "rm --no-preserve-root is meant for the whole file system");
            }
            if always || call.args.short('r') || call.args.short('R') || call.args.long("recursive") {
                recursive(search, call.args, call.name, scope, here);
            } else {
                files(search, call.args, scope, here);
            }
        }
        "unlink" | "rmdir" => files(search, call.args, scope, here),
        "mv" | "gmv" => moved(search, call, scope, here),
        _ => {}
    }
}

/// Deletes folders with all that is in them.
pub(super) fn recursive(search: &mut Search<'_>, args: Args<'_>, name: &str, scope: &Scope, here: &Here) {
    let mut named = false;
    for value in args.operands() {
        named = true;
        let shown = shown(value);
        match spot(value, search.place, scope) {
            Spot::Vital(what) => search.never(DangerKind::DeletesRoot, here, format!("{name} {shown} deletes {what}")),
            Spot::Device => search.never(DangerKind::RawDevice, here, format!("{name} {shown} deletes a device")),
            Spot::Outside(path) => {
                search.add(DangerKind::DeletesTree, here, format!("{name} deletes {shown} and everything below it"));
                search.add(DangerKind::WritesOutside, here, format!("{path} is outside of the workspace"));
            }
            Spot::Unknown => {
                search.add(
                    DangerKind::DeletesTree,
                    here,
                    format!("{name} deletes {shown}, which is not known, and everything below it"),
                );
            }
            Spot::Temporary | Spot::Nothing | Spot::Inside => {
                search.add(DangerKind::DeletesTree, here, format!("{name} deletes {shown} and everything below it"));
            }
        }
    }
    if !named && !args.0.iter().all(|arg| matches!(arg.text.as_str(), "--help" | "--version")) {
        search.add(DangerKind::DeletesTree, here, format!("{name} deletes folders with all that is in them"));
    }
}

/// Deletes single files.
fn files(search: &mut Search<'_>, args: Args<'_>, scope: &Scope, here: &Here) {
    for value in args.operands() {
        let shown = shown(value);
        match spot(value, search.place, scope) {
            Spot::Vital(what) if value.glob => {
                search.add(DangerKind::DeletesTree, here, format!("it deletes the files in {what}"));
            }
            Spot::Vital(what) => search.add(DangerKind::DeletesTree, here, format!("it deletes {what}")),
            Spot::Device => search.never(DangerKind::RawDevice, here, format!("it deletes the device {shown}")),
            Spot::Outside(path) => {
                search.add(DangerKind::WritesOutside, here, format!("it deletes {path}, outside of the workspace"));
            }
            Spot::Unknown => {
                search.add(DangerKind::DeletesTree, here, format!("it deletes {shown}, which is not known"));
            }
            Spot::Inside | Spot::Temporary | Spot::Nothing => {
                // The folder was taken for its files only when the pattern stands for all of them.
                let last = value.text.rsplit('/').next().unwrap_or_default();
                if value.glob && matches!(last, "*" | ".*" | "**") {
                    search.add(DangerKind::DeletesTree, here, format!("it deletes all files that {shown} stands for"));
                }
            }
        }
    }
}

/// Deletes what `find` has found.
pub(super) fn found(search: &mut Search<'_>, starts: &[Value], narrow: bool, scope: &Scope, here: &Here) {
    for value in starts {
        let shown = shown(value);
        match spot(value, search.place, scope) {
            Spot::Vital(what) if !narrow => {
                search.never(DangerKind::DeletesRoot, here, format!("find {shown} deletes {what}"));
            }
            _ => search.add(DangerKind::DeletesTree, here, format!("find deletes what it finds below {shown}")),
        }
    }
}

fn moved(search: &mut Search<'_>, call: &Call<'_>, scope: &Scope, here: &Here) {
    let operands: Vec<&Value> = call.args.operands().collect();
    let into = call.args.value("-t", "--target-directory").is_some();
    let sources = if into { &operands[..] } else { &operands[..operands.len().saturating_sub(1)] };
    for value in sources {
        match spot(value, search.place, scope) {
            Spot::Vital(what) => {
                search.never(DangerKind::DeletesRoot, here, format!("mv {} moves {what} away", shown(value)));
            }
            Spot::Outside(path) => {
                search.add(DangerKind::WritesOutside, here, format!("it moves {path} away, outside of the workspace"));
            }
            _ => {}
        }
    }
    // What is moved there is gone.
    if operands.last().is_some_and(|to| to.text == "/dev/null") {
        search.add(DangerKind::DeletesTree, here, "mv to /dev/null loses the files");
    }
}

fn shown(value: &Value) -> String {
    if value.text.contains(UNKNOWN) && !value.raw().is_empty() { value.raw().to_owned() } else { value.text.clone() }
}
