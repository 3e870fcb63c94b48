//! Words of PowerShell and of `cmd`, whatever their case.

use super::shells::nested;
use super::target::{Spot, spot};
use super::value::{Scope, UNKNOWN, Value};
use super::{Call, Here, Input, Search, shells};
use crate::DangerKind;

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    match call.name {
        "remove-item" | "ri" | "erase" | "del" | "rd" | "rmdir" | "clear-content" | "clear-recyclebin" | "rm" => {
            removes(search, call, scope, here);
        }
        "iex" | "invoke-expression" | "invoke-command" | "icm" if !elixir(call, here) => {
            search.add(DangerKind::RunsInput, here, format!("{} runs a text", call.name));
            nested(search, &call.texts.join(" ").replace(UNKNOWN, "$UNKNOWN"), &mut scope.clone(), here);
        }
        "powershell" | "pwsh" => powershell(search, call, scope, here),
        "cmd" => {
            if let Some(at) =
                call.texts.iter().position(|text| ["/c", "/k", "//c"].iter().any(|flag| begins(text, flag)))
            {
                nested(search, &call.texts[at + 1..].join(" "), &mut scope.clone(), here);
            }
        }
        "%0" => search.never(DangerKind::ForkBomb, here, "%0 starts itself again"),
        _ => machine(search, call, here),
    }
}

/// Whether a text begins so, whatever its case.
fn begins(text: &str, with: &str) -> bool {
    text.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with))
}

/// Whether a flag is given, in full or shortened.
fn shortened(call: &Call<'_>, name: &str) -> bool {
    call.texts.iter().any(|text| text.len() >= 3 && text.starts_with('-') && begins(name, text))
}

fn removes(search: &mut Search<'_>, call: &Call<'_>, scope: &Scope, here: &Here) {
    let recurse = shortened(call, "-recurse");
    if call.name == "rm" {
        // `-r` and `-rf` are flags of the other rm.
        if recurse && !call.texts.iter().any(|text| begins(text, "-r") && text.len() < 4) {
            deletes(search, call, scope, here);
        }
        return;
    }
    let slashes = |text: &str| begins(text, "/s/") || text.to_ascii_lowercase().ends_with("/s/q");
    let recursive = recurse || call.args.any(&["-r", "/s", "/q/s"]) || call.texts.iter().any(|text| slashes(text));
    if recursive || call.name == "clear-recyclebin" {
        deletes(search, call, scope, here);
    } else if call.name == "del" && call.args.any(&["/f"]) && call.texts.iter().any(|text| text.contains('*')) {
        search.add(DangerKind::DeletesTree, here, "del deletes many files");
    }
}

/// Disks, services, users and the registry.
fn machine(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    let (texts, name) = (call.texts, call.name);
    let has = |words: &[&str]| call.args.any(words);
    let (kind, reason) = match name {
        // `format C:`, not a script that is called format.
        "format" if texts.iter().any(|text| text.len() == 2 && text.ends_with(':')) => {
            let reason = "format makes a file system and destroys what was there";
            return search.never(DangerKind::RawDevice, here, reason);
        }
        "format-volume" | "clear-disk" | "initialize-disk" | "remove-partition" | "diskpart" => {
            return search.never(DangerKind::RawDevice, here, format!("{name} destroys what is on a disk"));
        }
        "cipher" if texts.iter().any(|text| begins(text, "/w")) => (DangerKind::RawCopy, "/w wipes what was deleted"),
        "stop-computer" | "restart-computer" | "stop-process" | "spps" | "stop-service" | "logoff" => {
            (DangerKind::StopsOthers, "ends what others use")
        }
        "reg" if has(&["delete", "add", "import"]) => (DangerKind::Irreversible, "changes the registry"),
        "regedit" if has(&["/s"]) => (DangerKind::Irreversible, "changes the registry"),
        "vssadmin" | "wbadmin" if has(&["delete"]) => (DangerKind::Irreversible, "deletes backups"),
        "bcdedit" | "bootrec" if !texts.is_empty() => (DangerKind::Privilege, "changes how the machine starts"),
        "set-executionpolicy" | "set-mppreference" | "add-mppreference" | "set-acl" => {
            (DangerKind::Permissions, "takes a guard away")
        }
        "runas" | "start-process" if name == "runas" || has(&["runas"]) => {
            (DangerKind::Privilege, "acts with the rights of somebody else")
        }
        "new-scheduledtask" | "register-scheduledtask" | "new-service" | "set-itemproperty" => {
            (DangerKind::Persists, "stays after this session")
        }
        "net" | "net1"
            if texts.len() > 2 && ["user", "localgroup"].iter().any(|word| texts[0].eq_ignore_ascii_case(word)) =>
        {
            (DangerKind::Privilege, "changes users and their rights")
        }
        "certutil" if has(&["-urlcache", "-decode"]) => (DangerKind::RunsInput, "brings files from elsewhere"),
        "mshta" | "regsvr32" | "rundll32" | "wmic" if !texts.is_empty() => (DangerKind::Helpers, "runs other programs"),
        _ => return,
    };
    search.add(kind, here, format!("{name} {reason}"));
}

/// `iex` is the shell of Elixir too; it is started with flags or alone.
fn elixir(call: &Call<'_>, here: &Here) -> bool {
    call.name == "iex"
        && matches!(here.input, Input::Open)
        && call
            .args
            .0
            .iter()
            .all(|arg| arg.text.starts_with('-') || ["mix", "phx.server", "run"].contains(&arg.text.as_str()))
}

fn deletes(search: &mut Search<'_>, call: &Call<'_>, scope: &Scope, here: &Here) {
    let mut vital = false;
    for arg in call.args.0.iter().filter(|arg| {
        let switch = arg.text.starts_with('/') && arg.text.len() <= 4 && call.name.len() <= 5 && call.name != "ri";
        !(switch || arg.text.starts_with('-'))
    }) {
        let text =
            if arg.text.eq_ignore_ascii_case("~") { scope.home.to_string() } else { arg.text.replace('\\', "/") };
        let home = ["$env:userprofile", "%userprofile%", "$home"].iter().any(|name| {
            arg.raw().to_ascii_lowercase().trim_matches(['"', '\'']).trim_end_matches(['/', '\\', '*']) == *name
        });
        let text = if home { scope.home.to_string() } else { text };
        let value = Value::new(text, arg.glob, arg.raw());
        if let Spot::Vital(what) = spot(&value, search.place, scope) {
            vital = true;
            search.never(DangerKind::DeletesRoot, here, format!("{} deletes {what}", call.name));
        }
    }
    if !vital {
        search.add(DangerKind::DeletesTree, here, format!("{} deletes folders with all that is in them", call.name));
    }
}

fn powershell(search: &mut Search<'_>, call: &Call<'_>, scope: &Scope, here: &Here) {
    for (index, arg) in call.args.0.iter().enumerate() {
        let flag = arg.text.to_ascii_lowercase();
        if flag.len() >= 2 && ("-encodedcommand".starts_with(&flag) || flag == "-ec" || flag == "-enc") {
            return search.add(DangerKind::RunsInput, here, "powershell runs a text that can't be read here");
        }
        if flag.len() >= 2 && ("-command".starts_with(&flag) || flag == "/c" || flag == "/command") {
            let text: Vec<&str> = call.args.0[index + 1..].iter().map(|arg| arg.text.as_str()).collect();
            if text == ["-"] {
                break;
            }
            return nested(search, &text.join(" ").replace(UNKNOWN, "$UNKNOWN"), &mut scope.clone(), here);
        }
        if flag.starts_with("-executionpolicy") || flag == "-ep" || flag == "-exec" {
            search.add(DangerKind::Permissions, here, "powershell runs without its guard");
        }
    }
    if !matches!(here.input, Input::Open) {
        shells::input(search, call.name, scope, here);
    } else if let Some(text) = call.args.operands().next().filter(|arg| arg.text.contains(' ')) {
        nested(search, &text.text, &mut scope.clone(), here);
    }
}
