//! Writing outside of the workspace, to start-up files and to devices.

use super::target::{Spot, resolve, written};
use super::value::{Scope, UNKNOWN, Value};
use super::{Call, Here, Search};
use crate::DangerKind;

/// Files of the home folder that a shell, a login or a program runs or uses later.
const NAMES: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".xinitrc",
    ".xsession",
    ".xprofile",
    ".inputrc",
    ".vimrc",
    ".gitconfig",
    ".npmrc",
    ".pypirc",
    ".tmux.conf",
    ".screenrc",
    ".netrc",
    ".emacs",
    ".irbrc",
    ".pryrc",
    ".gdbinit",
    ".lldbinit",
    ".Rprofile",
    ".curlrc",
    ".wgetrc",
    ".config/fish",
    ".config/autostart",
    ".config/systemd",
    ".config/git",
    ".config/nvim",
    ".config/environment.d",
    ".ssh",
    ".gnupg",
    ".local/bin",
    ".cargo/config.toml",
    ".cargo/config",
    ".cargo/bin",
    ".local/share/systemd",
    "Library/LaunchAgents",
    ".aws",
    ".kube",
    ".docker/config.json",
];
/// The same in the system.
const SYSTEM: &[&str] = &[
    "/etc/profile",
    "/etc/profile.d",
    "/etc/bash.bashrc",
    "/etc/zsh",
    "/etc/cron.d",
    "/etc/cron.daily",
    "/etc/crontab",
    "/etc/systemd",
    "/etc/init.d",
    "/etc/rc.local",
    "/var/spool/cron",
    "/lib/systemd",
    "/usr/lib/systemd",
    "/etc/ld.so.preload",
    "/etc/xdg/autostart",
    "/Library/LaunchDaemons",
];

/// Files that a shell or a login runs later.
fn starts_later(path: &str, scope: &Scope) -> bool {
    let home = path.strip_prefix(&*scope.home).and_then(|rest| rest.strip_prefix('/'));
    let hidden = |rest: &&str| rest.starts_with(['.', 'L']);
    let early = ["/etc/", "/var/", "/lib/", "/usr/", "/Lib"].iter().any(|start| path.starts_with(start));
    home.filter(hidden).is_some_and(|rest| NAMES.iter().any(|name| super::target::below(rest, name)))
        || early && SYSTEM.iter().any(|name| super::target::below(path, name))
}

/// Output that goes to a file.
pub(super) fn redirection(search: &mut Search<'_>, value: &Value, scope: &Scope, here: &Here) {
    output(search, value, "output", scope, here);
}

fn output(search: &mut Search<'_>, value: &Value, what: &str, scope: &Scope, here: &Here) {
    let path = resolve(&value.text, &scope.cwd);
    if starts_later(&path, scope) {
        search.add(DangerKind::Persists, here, format!("{path} is run or used later, after this session"));
    }
    match written(value, search.place, scope) {
        Spot::Device => search.never(DangerKind::RawDevice, here, format!("{what} overwrites the device {path}")),
        Spot::Outside(path) => {
            search.add(DangerKind::WritesOutside, here, format!("{what} goes to {path}, outside of the workspace"));
        }
        Spot::Unknown => {
            let shown = if value.raw().is_empty() { "a file" } else { value.raw() };
            search.add(DangerKind::WritesOutside, here, format!("{what} goes to {shown}, which is not known"));
        }
        Spot::Inside | Spot::Temporary | Spot::Nothing | Spot::Vital(_) => {}
    }
    // Hooks and settings of a repository run programs later.
    if path.contains("/.git/hooks/") || path.ends_with("/.git/config") || path.contains("/.git/info/attributes") {
        search.add(DangerKind::Helpers, here, format!("{path} decides what git runs"));
    }
}

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, scope: &Scope, here: &Here) {
    let operands = || call.args.operands().collect::<Vec<_>>();
    match call.name {
        "tee" | "gtee" | "sponge" | "touch" | "mkdir" | "mkfifo" => {
            for value in call.args.operands() {
                output(search, value, call.name, scope, here);
            }
        }
        "cp" | "mv" | "install" | "ln" | "gcp" | "gmv" | "ginstall" | "gln" | "rsync" | "scp" | "ditto" => {
            let operands = operands();
            let into = call.args.value("-t", "--target-directory");
            let target = into.as_ref().or(operands.last().copied());
            let enough = into.is_some() || operands.len() > 1;
            if let Some(target) = target.filter(|target| enough && !remote(&target.text)) {
                output(search, target, call.name, scope, here);
            }
        }
        "sed" | "gsed" | "perl" | "ruby" if call.args.short('i') || call.args.long("in-place") => {
            for value in operands().iter().skip(usize::from(!call.args.short('e') && call.name.ends_with("sed"))) {
                // Code of perl and ruby stands among the operands; a path outside begins with a slash.
                if value.text.starts_with(['/', '~', UNKNOWN]) {
                    output(search, value, call.name, scope, here);
                }
            }
        }
        "curl" | "wget" | "aria2c" => {
            let file = match call.name {
                "curl" => call.args.value("-o", "--output"),
                "wget" => {
                    call.args.value("-O", "--output-document").or_else(|| call.args.value("-P", "--directory-prefix"))
                }
                _ => call.args.value("-d", "--dir"),
            };
            if let Some(file) = file.filter(|file| file.text != "-") {
                output(search, &file, call.name, scope, here);
            }
        }
        "tar" | "bsdtar" | "gtar" | "unzip" | "7z" => {
            let folder =
                if call.name == "unzip" { call.args.value("-d", "") } else { call.args.value("-C", "--directory") };
            let extracts = call.name == "unzip"
                || call.args.short('x')
                || call.args.long("extract")
                || call.args.0.first().is_some_and(|arg| arg.text.contains('x'));
            if let Some(folder) = folder.filter(|_| extracts) {
                output(search, &folder, call.name, scope, here);
            }
        }
        _ => {}
    }
}

/// `host:path`, as `scp` and `rsync` write it.
pub(super) fn remote(text: &str) -> bool {
    let head = text.split('/').next().unwrap_or_default();
    // `C:\x` and `C:/x` are paths of Windows.
    let drive = head.find(':') == Some(1)
        && text[2..].starts_with(['/', '\\'])
        && head.starts_with(|c: char| c.is_ascii_uppercase());
    (head.contains(':') && !head.starts_with(':') && !drive) || text.starts_with("rsync://")
}
