//! Programs that run configured helpers, and flags that name one.

use super::shells::{nested, nested_value};
use super::value::{Scope, Value};
use super::{Args, Call, Here, Search, git, handon};
use crate::DangerKind;

/// Settings of git that name a program to run.
fn runs_program(key: &str) -> bool {
    const KEYS: &[&str] = &[
        "core.sshcommand",
        "core.pager",
        "core.editor",
        "core.fsmonitor",
        "core.hookspath",
        "core.askpass",
        "core.gitproxy",
        "core.alternaterefscommand",
        "core.attributesfile",
        "core.worktree",
        "sequence.editor",
        "gpg.program",
        "gpg.ssh.program",
        "gpg.x509.program",
        "diff.external",
        "interactive.difffilter",
        "credential.helper",
        "uploadpack.packobjectshook",
        "init.templatedir",
        "http.proxy",
        "protocol.ext.allow",
        "sendemail.smtpserver",
        "web.browser",
        "help.browser",
        "receive.procreceiverefs",
        "ssh.variant",
        "include.path",
    ];
    let key = key.to_ascii_lowercase();
    let last = key.rsplit('.').next().unwrap_or_default();
    KEYS.contains(&key.as_str())
        || ["alias.", "pager.", "includeif.", "url."].iter().any(|start| key.starts_with(start))
        || (key.starts_with("filter.") && matches!(last, "clean" | "smudge" | "process"))
        || (key.starts_with("diff.") && matches!(last, "command" | "textconv"))
        || (["merge.", "mergetool.", "difftool.", "browser.", "man.", "credential.", "trailer."]
            .iter()
            .any(|start| key.starts_with(start))
            && matches!(last, "driver" | "cmd" | "path" | "helper" | "command"))
        || (key.starts_with("submodule.") && last == "update")
        || (key.starts_with("remote.") && matches!(last, "uploadpack" | "receivepack" | "proxy" | "vcs"))
}

/// Whether a setting of git has it ask nobody: no pages are turned, and no message is edited.
fn names_harmless(key: &str, program: &str) -> bool {
    match key.to_ascii_lowercase().as_str() {
        "core.pager" => program == "cat",
        "core.editor" | "sequence.editor" => matches!(program, "true" | ":"),
        _ => false,
    }
}

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    match call.name {
        "git" | "hub" => of_git(search, call, scope, here),
        "tar" | "bsdtar" | "gtar" => of_tar(search, call, scope, here),
        "rsync" => {
            if let Some(text) = call.args.value("-e", "--rsh").or_else(|| call.args.value("", "--rsync-path")) {
                helper(search, "rsync", &text, scope, here);
            }
            if call.args.0.iter().any(|arg| arg.text.starts_with("--del") || arg.text == "--remove-source-files") {
                search.add(DangerKind::DeletesTree, here, "rsync --delete deletes what is not at the source");
            }
        }
        "ssh" | "scp" | "sftp" | "mosh" => {
            for arg in call.args.0 {
                let text = arg.text.strip_prefix("-o").unwrap_or(&arg.text);
                let (key, value) = text.split_once(['=', ' ']).unwrap_or((text, ""));
                if matches!(
                    key.trim().to_ascii_lowercase().as_str(),
                    "proxycommand" | "localcommand" | "knownhostscommand" | "permitlocalcommand"
                ) {
                    search.add(DangerKind::Helpers, here, format!("{} runs a program for its connection", call.name));
                    nested(search, value, &mut scope.clone(), here);
                }
            }
        }
        "make" | "gmake" | "ninja" | "just" => {
            for arg in call.args.0 {
                if arg.text.starts_with("SHELL=")
                    || arg.text.starts_with("--eval")
                    || arg.text.starts_with(".SHELLFLAGS")
                {
                    search.add(DangerKind::Helpers, here, format!("{} changes what make runs", arg.text));
                    nested(search, arg.text.split_once('=').map_or("", |(_, value)| value), &mut scope.clone(), here);
                }
            }
            if let Some(text) = call.args.value("", "--eval") {
                nested(search, &text.text.replace("$(shell ", "$("), &mut scope.clone(), here);
            }
        }
        "awk" | "gawk" | "mawk" | "nawk" | "busybox-awk" => of_awk(search, call, scope, here),
        "sed" | "gsed" => of_sed(search, call, scope, here),
        "vim" | "vi" | "nvim" | "view" | "ex" | "emacs" | "ed" | "less" | "more" | "man" | "gdb" | "lldb"
        | "expect" => {
            of_editor(search, call, scope, here);
        }
        "find" | "gfind" if call.args.any(&["-exec", "-execdir", "-ok", "-okdir"]) && !reads(call) => {
            search.add(DangerKind::Helpers, here, "find runs a program for what it finds");
        }
        "cargo" => of_cargo(search, call, scope, here),
        _ => flags(search, call, here),
    }
}

/// Programs with one flag that names a program.
fn flags(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    match call.name {
        "sort" if call.args.0.iter().any(|arg| arg.text.starts_with("--compress-prog")) => {
            helper_flag(search, "sort --compress-program", here);
        }
        "rg" if call.args.0.iter().any(|arg| {
            arg.text == "--pre" || arg.text.starts_with("--pre=") || arg.text.starts_with("--hostname-bin")
        }) =>
        {
            helper_flag(search, "rg --pre", here);
        }
        "zip"
            if call.args.short('T')
                && call
                    .args
                    .0
                    .iter()
                    .any(|arg| arg.text.starts_with("-TT") || arg.text.starts_with("--unzip-command")) =>
        {
            helper_flag(search, "zip -TT", here);
        }
        "split" if call.args.0.iter().any(|arg| arg.text.starts_with("--filter")) => {
            helper_flag(search, "split --filter", here);
        }
        "tcpdump" if call.args.short('z') => helper_flag(search, "tcpdump -z", here),
        _ => {}
    }
}

fn of_cargo(search: &mut Search<'_>, call: &Call<'_>, scope: &Scope, here: &Here) {
    if let Some(text) = call
        .args
        .value("", "--config")
        .filter(|text| ["runner", "linker", "rustc", "wrapper", "alias"].iter().any(|key| text.text.contains(key)))
    {
        helper_flag(search, &format!("cargo --config {}", text.text), here);
    }
    if let Some(text) =
        (call.args.subcommands().first() == Some(&"watch")).then(|| call.args.value("-s", "--shell")).flatten()
    {
        nested(search, &text.text, &mut scope.clone(), here);
    }
}

/// Whether all that `find` runs only reads.
fn reads(call: &Call<'_>) -> bool {
    let texts = call.texts;
    texts.windows(2).filter(|pair| matches!(pair[0], "-exec" | "-execdir" | "-ok" | "-okdir")).all(|pair| {
        matches!(
            pair[1],
            "grep"
                | "egrep"
                | "fgrep"
                | "rg"
                | "cat"
                | "head"
                | "tail"
                | "wc"
                | "ls"
                | "file"
                | "stat"
                | "echo"
                | "basename"
                | "dirname"
                | "md5sum"
                | "sha256sum"
                | "sha1sum"
                | "du"
                | "test"
                | "printf"
                | "realpath"
                | "sed"
                | "chmod"
                | "mv"
                | "cp"
                | "touch"
                | "gzip"
                | "rustfmt"
                | "black"
                | "ruff"
                | "gofmt"
                | "clang-format"
                | "prettier"
                | "dos2unix"
                | "readlink"
        )
    })
}

fn helper_flag(search: &mut Search<'_>, flag: &str, here: &Here) {
    search.add(DangerKind::Helpers, here, format!("{flag} runs another program"));
}

fn helper(search: &mut Search<'_>, by: &str, text: &Value, scope: &Scope, here: &Here) {
    if by == "rsync" && text.known() && text.text.split_whitespace().next() == Some("ssh") {
        // The usual way to give a port; its own flags are looked at.
        return nested(search, &format!("{} host", text.text), &mut scope.clone(), here);
    }
    search.add(DangerKind::Helpers, here, format!("{by} runs {} as a helper", text.text));
    nested_value(search, text, by, &mut scope.clone(), here);
}

fn of_git(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    for (index, arg) in call.args.0.iter().enumerate() {
        let setting = match arg.text.as_str() {
            "-c" | "--config-env" | "--config" => call.args.0.get(index + 1).map(|next| next.text.as_str()),
            text => text.strip_prefix("--config-env=").or_else(|| text.strip_prefix("--config=")),
        };
        if let Some((key, value)) = setting.map(|setting| setting.split_once('=').unwrap_or((setting, "")))
            && runs_program(key)
            && !(arg.text == "-c" && names_harmless(key, value))
        {
            search.add(DangerKind::Helpers, here, format!("git -c {key} names a program that git runs"));
            nested(search, value.trim_start_matches('!'), &mut scope.clone(), here);
        }
        let text = arg.text.as_str();
        if text.contains("ext::") {
            search.add(DangerKind::Helpers, here, "an ext:: address is a program that git runs");
            nested(search, text.split("ext::").nth(1).unwrap_or_default(), &mut scope.clone(), here);
        }
        if ["--upload-pack", "--receive-pack", "--exec-path=", "--open-files-in-pager", "--ext-diff", "--textconv"]
            .iter()
            .any(|flag| text.starts_with(flag))
        {
            search.add(DangerKind::Helpers, here, format!("git {text} runs another program"));
        }
    }
    let Some((name, rest)) = git::subcommand(call) else { return };
    let args = Args(rest);
    match name {
        "config" => config(search, args, scope, here),
        "rebase" => {
            if let Some(text) = args.value("-x", "--exec") {
                helper(search, "git rebase --exec", &text, scope, here);
            }
        }
        "submodule" if rest.first().is_some_and(|sub| sub.text == "foreach") => {
            let words: Vec<&str> = rest[1..]
                .iter()
                .map(|arg| arg.text.as_str())
                .filter(|text| *text != "--recursive" && *text != "--quiet")
                .collect();
            nested(search, &words.join(" "), &mut scope.clone(), here);
        }
        "bisect" if rest.first().is_some_and(|sub| sub.text == "run") => {
            handon::hand_on(search, &rest[1..], scope, here);
        }
        "filter-branch" | "difftool" | "mergetool" | "grep" => {
            if let Some(text) = args.value("-x", "--extcmd").or_else(|| args.value("-O", "--open-files-in-pager")) {
                helper(search, "git", &text, scope, here);
            }
        }
        _ => {}
    }
}

/// `git config`.
fn config(search: &mut Search<'_>, args: Args<'_>, scope: &Scope, here: &Here) {
    let operands: Vec<&Value> = args.operands().filter(|value| !matches!(value.text.as_str(), "set" | "get")).collect();
    let reads = args.0.iter().any(|arg| {
        arg.text.starts_with("--get")
            || matches!(arg.text.as_str(), "-l" | "--list" | "get" | "list" | "--unset" | "unset")
    });
    if let [key, value, ..] = operands.as_slice()
        && !reads
        && runs_program(&key.text)
    {
        search.add(DangerKind::Helpers, here, format!("git config {} names a program that git runs", key.text));
        nested(search, value.text.trim_start_matches('!'), &mut scope.clone(), here);
    }
    if !reads && (args.long("global") || args.long("system")) {
        search.add(DangerKind::Persists, here, "git config --global changes git for every repository");
    }
}

fn of_tar(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    for flag in [
        "--to-command",
        "--checkpoint-action",
        "--use-compress-program",
        "--rsh-command",
        "--info-script",
        "--new-volume-script",
    ] {
        if let Some(text) = call.args.value("", flag) {
            let packer = text.text.split_whitespace().next().is_some_and(|name| {
                matches!(
                    name,
                    "gzip" | "pigz" | "zstd" | "xz" | "bzip2" | "lz4" | "zstdmt" | "pzstd" | "pixz" | "lbzip2"
                )
            });
            if !packer && text.text != "dot" {
                helper(search, &format!("tar {flag}"), &text.with(text.text.trim_start_matches("exec=")), scope, here);
            }
        }
    }
    if let Some(text) = call
        .args
        .value("-I", "")
        .filter(|text| !["gzip", "pigz", "zstd", "xz", "bzip2", "lz4"].iter().any(|name| text.text.starts_with(name)))
    {
        helper(search, "tar -I", &text, scope, here);
    }
    if call.args.long("remove-files") {
        search.add(DangerKind::DeletesTree, here, "tar --remove-files deletes what it has packed");
    }
}

fn of_awk(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    for arg in call.args.0 {
        let text = arg.text.as_str();
        let pipes = text.contains("| \"")
            || text.contains("|\"")
            || text.contains("|& \"")
            || text.contains("\" | getline")
            || text.contains("\"|getline");
        if text.contains("system(") || pipes {
            search.add(DangerKind::Helpers, here, "the awk program runs other programs");
            for string in super::code::strings(text) {
                nested(search, &string, &mut scope.clone(), here);
            }
        }
        if let Some(file) =
            text.split("> \"").nth(1).or_else(|| text.split(">\"").nth(1)).and_then(|rest| rest.split('"').next())
        {
            super::write::redirection(search, &Value::literal(file), scope, here);
        }
    }
}

/// The commands `e` and `w` of sed, and the flags of `s` with the same names.
fn of_sed(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    let scripts: Vec<Value> = match call.args.value("-e", "--expression") {
        Some(script) => vec![script],
        None => call.args.operands().take(1).cloned().collect(),
    };
    for script in &scripts {
        for command in script.text.split([';', '\n', '{', '}']) {
            let command =
                command.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '$' | ',' | '!'));
            let command = match command.strip_prefix('/') {
                Some(rest) => rest.split_once('/').map_or("", |(_, rest)| rest).trim_start(),
                None => command,
            };
            if let Some(file) = command.strip_prefix("w ").or_else(|| command.strip_prefix("W ")) {
                super::write::redirection(search, &Value::literal(file.trim()), scope, here);
            } else if command == "e" || command.starts_with("e ") {
                search.add(DangerKind::Helpers, here, "the sed command e runs a program");
                nested(search, command[1..].trim(), &mut scope.clone(), here);
            } else if let Some(rest) = command.strip_prefix('s') {
                substitution(search, rest, scope, here);
            }
        }
    }
}

fn substitution(search: &mut Search<'_>, rest: &str, scope: &mut Scope, here: &Here) {
    let Some(mark) = rest.chars().next().filter(|c| !c.is_alphanumeric() && *c != ' ') else { return };
    let parts: Vec<&str> = rest.split(mark).collect();
    if parts.len() < 4 {
        return;
    }
    let flags = parts[parts.len() - 1];
    if flags
        .split(' ')
        .next()
        .is_some_and(|flags| flags.contains('e') && flags.chars().all(|c| "gGpPiImMeE0123456789".contains(c)))
    {
        search.add(DangerKind::Helpers, here, "the sed flag e runs what was replaced");
        nested(search, parts[2], &mut scope.clone(), here);
    } else if let Some((_, file)) = flags.split_once("w ") {
        super::write::redirection(search, &Value::literal(file.trim()), scope, here);
    }
}

fn of_editor(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    for arg in call.args.0 {
        let text = arg.text.trim_start_matches(['+', ':', ' ']);
        let command = text
            .strip_prefix('!')
            .or_else(|| text.strip_prefix("silent !"))
            .or_else(|| text.strip_prefix("%!"))
            .or_else(|| text.strip_prefix("r !"))
            .or_else(|| text.strip_prefix("shell "))
            .or_else(|| text.strip_prefix("spawn "));
        if let Some(command) = command {
            search.add(DangerKind::Helpers, here, format!("{} runs a shell command", call.name));
            nested(search, command, &mut scope.clone(), here);
        } else if text.contains("system(") || text.contains("shell-command") || text.contains("os.execute") {
            search.add(DangerKind::Helpers, here, format!("{} runs a shell command", call.name));
            for string in super::code::strings(text) {
                nested(search, &string, &mut scope.clone(), here);
            }
        }
    }
    if call.name == "man" && call.args.value("-P", "--pager").is_some() {
        helper_flag(search, "man -P", here);
    }
}
