//! Words of PowerShell and of `cmd`, whatever their case.

use super::shells::nested;
use super::target::{Spot, spot};
use super::value::{Scope, UNKNOWN, Value};
use super::{Call, Here, Input, Search, shells};
use crate::DangerKind;

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    let texts: Vec<String> = call.args.texts().iter().map(|text| text.to_ascii_lowercase()).collect();
    let has = |flag: &str| texts.iter().any(|text| text == flag);
    let shortened = |name: &str| {
        texts.iter().any(|text| text.len() >= 3 && name.starts_with(text.as_str()) && text.starts_with('-'))
    };
    match call.name {
        "remove-item" | "ri" | "erase" | "del" | "rd" | "rmdir" | "clear-content" | "clear-recyclebin" => {
            let recursive = shortened("-recurse")
                || has("-r")
                || has("/s")
                || texts.iter().any(|text| text.starts_with("/s/") || text.ends_with("/s/q") || text == "/q/s");
            if recursive || call.name == "clear-recyclebin" {
                deletes(search, call, scope, here);
            } else if call.name == "del" && has("/f") && texts.iter().any(|text| text.contains('*')) {
                search.add(DangerKind::DeletesTree, here, "del deletes many files");
            }
        }
        "rm" if shortened("-recurse") && !texts.iter().any(|text| text.starts_with("-r") && text.len() < 4) => {
            deletes(search, call, scope, here);
        }
        "format"
            // `format C:`, not a script that is called format.
            if call.args.0.iter().any(|arg| arg.text.len() == 2 && arg.text.ends_with(':')) => {
                search.never(DangerKind::RawDevice, here, "format makes a file system and destroys what was there");
            }
        "format-volume" | "clear-disk" | "initialize-disk" | "remove-partition" | "diskpart" => {
            search.never(DangerKind::RawDevice, here, format!("{} destroys what is on a disk", call.name));
        }
        "cipher" if texts.iter().any(|text| text.starts_with("/w")) => {
            search.add(DangerKind::RawCopy, here, "cipher /w wipes what was deleted");
        }
        "stop-computer" | "restart-computer" | "stop-process" | "spps" | "stop-service" | "logoff" => {
            search.add(DangerKind::StopsOthers, here, format!("{} ends what others use", call.name));
        }
        "iex" | "invoke-expression" | "invoke-command" | "icm" if !elixir(call, here) => {
            search.add(DangerKind::RunsInput, here, format!("{} runs a text", call.name));
            nested(search, &call.args.texts().join(" ").replace(UNKNOWN, "$UNKNOWN"), &mut scope.clone(), here);
        }
        "powershell" | "pwsh" => powershell(search, call, scope, here),
        "cmd" => {
            if let Some(at) = texts
                .iter()
                .position(|text| text.starts_with("/c") || text.starts_with("/k") || text.starts_with("//c"))
            {
                nested(search, &call.args.texts()[at + 1..].join(" "), &mut scope.clone(), here);
            }
        }
        "reg" if has("delete") || has("add") || has("import") => {
            search.add(DangerKind::Irreversible, here, "reg changes the registry");
        }
        "regedit" if has("/s") => search.add(DangerKind::Irreversible, here, "regedit changes the registry"),
        "vssadmin" | "wbadmin" if has("delete") => {
            search.add(DangerKind::Irreversible, here, format!("{} deletes backups", call.name));
        }
        "bcdedit" | "bootrec" if !texts.is_empty() => {
            search.add(DangerKind::Privilege, here, format!("{} changes how the machine starts", call.name));
        }
        "set-executionpolicy" | "set-mppreference" | "add-mppreference" | "set-acl" => {
            search.add(DangerKind::Permissions, here, format!("{} takes a guard away", call.name));
        }
        "runas" | "start-process" if call.name == "runas" || has("runas") => {
            search.add(DangerKind::Privilege, here, format!("{} acts with the rights of somebody else", call.name));
        }
        "new-scheduledtask" | "register-scheduledtask" | "new-service" | "set-itemproperty" => {
            search.add(DangerKind::Persists, here, format!("{} stays after this session", call.name));
        }
        "net" | "net1" if texts.len() > 2 && matches!(texts[0].as_str(), "user" | "localgroup") => {
            search.add(DangerKind::Privilege, here, "net changes users and their rights");
        }
        "certutil" if has("-urlcache") || has("-decode") => {
            search.add(DangerKind::RunsInput, here, "certutil brings files from elsewhere");
        }
        "mshta" | "regsvr32" | "rundll32" | "wmic" if !texts.is_empty() => {
            search.add(DangerKind::Helpers, here, format!("{} runs other programs", call.name));
        }
        "%0" => search.never(DangerKind::ForkBomb, here, "%0 starts itself again"),
        _ => {}
    }
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
        let text = if arg.text.eq_ignore_ascii_case("~") { scope.home.clone() } else { arg.text.replace('\\', "/") };
        let home = ["$env:userprofile", "%userprofile%", "$home"].iter().any(|name| {
            arg.raw.to_ascii_lowercase().trim_matches(['"', '\'']).trim_end_matches(['/', '\\', '*']) == *name
        });
        let text = if home { scope.home.clone() } else { text };
        let value = Value { glob: arg.glob, text, raw: arg.raw.clone() };
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
