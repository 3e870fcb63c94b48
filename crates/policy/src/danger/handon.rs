//! Programs that hand a command on to another program: `sudo`, `env`, `xargs`, `find -exec`, `docker run`, …

use std::collections::HashMap;
use std::sync::LazyLock;

use super::args::Args;
use super::shells::{is_shell, nested, nested_value, quote};
use super::value::{Scope, UNKNOWN, Value};
use super::{Call, Here, Input, Search, code, delete, tmux};
use crate::DangerKind;
use crate::environment::dangerous_setting;

/// How the command is found among the arguments.
struct Wrapper {
    names: &'static [&'static str],
    /// Short flags that take the next word.
    short: &'static str,
    /// Long flags that take the next word.
    long: &'static [&'static str],
    /// How many words stand before the command.
    before: usize,
}

const fn wrapper(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static [&'static str],
    before: usize,
) -> Wrapper {
    Wrapper { names, short, long, before }
}

const WRAPPERS: &[Wrapper] = &[
    wrapper(
        &["sudo", "sudoedit"],
        "ugpCcrtThUDR",
        &[
            "--user",
            "--group",
            "--prompt",
            "--host",
            "--chdir",
            "--chroot",
            "--role",
            "--type",
            "--close-from",
            "--command-timeout",
            "--other-user",
        ],
        0,
    ),
    wrapper(&["doas"], "uCa", &[], 0),
    wrapper(&["pkexec"], "", &["--user"], 0),
    wrapper(&["env"], "uC", &["--unset", "--chdir"], 0),
    wrapper(&["nice"], "n", &["--adjustment"], 0),
    wrapper(&["timeout", "gtimeout"], "sk", &["--signal", "--kill-after"], 1),
    wrapper(&["stdbuf"], "ioe", &["--input", "--output", "--error"], 0),
    wrapper(&["ionice"], "cnpPu", &["--class", "--classdata", "--pid"], 0),
    wrapper(&["chrt"], "TPD", &[], 1),
    wrapper(&["taskset"], "", &[], 1),
    wrapper(&["chroot"], "", &["--userspec", "--groups"], 1),
    wrapper(
        &["unshare"],
        "SGR",
        &["--map-user", "--map-group", "--root", "--wd", "--setuid", "--setgid", "--propagation"],
        0,
    ),
    wrapper(&["nsenter"], "tSG", &["--target", "--setuid", "--setgid"], 0),
    wrapper(&["time", "gtime"], "fo", &["--format", "--output"], 0),
    wrapper(&["exec"], "a", &[], 0),
    wrapper(&["strace", "ltrace"], "oepsuEPIO", &["--output", "--trace"], 0),
    wrapper(&["proxychains", "proxychains4"], "f", &[], 0),
    wrapper(&["bwrap"], "", &[], 0),
    wrapper(
        &["systemd-run"],
        "puMHGd",
        &["--unit", "--property", "--uid", "--gid", "--on-calendar", "--on-active", "--description", "--slice"],
        0,
    ),
    wrapper(&["faketime", "rustup-run", "setarch", "sg", "with"], "f", &[], 1),
    wrapper(&["runuser", "setpriv", "capsh"], "ugGc", &["--user", "--reuid", "--regid"], 0),
    wrapper(&["hyperfine"], "wrmMpcSn", &["--warmup", "--runs", "--prepare", "--shell"], 0),
    wrapper(&["xvfb-run"], "enpsaf", &["--server-args"], 0),
    wrapper(&["npx", "bunx", "pnpx"], "pc", &["--package", "--call"], 0),
    wrapper(&["softlimit", "chpst"], "umdofcrtl", &[], 0),
    wrapper(
        &[
            "nohup",
            "setsid",
            "command",
            "builtin",
            "busybox",
            "toybox",
            "catchsegv",
            "valgrind",
            "caffeinate",
            "torsocks",
            "torify",
            "firejail",
            "entr",
            "unbuffer",
            "winpty",
            "fakeroot",
            "eatmydata",
            "dbus-run-session",
            "chronic",
            "noglob",
            "nocorrect",
            "-",
            "doppler",
            "gdb",
            "start",
            "rlwrap",
            "linux32",
            "linux64",
            "coproc",
        ],
        "",
        &[],
        0,
    ),
];

/// The wrappers by their names.
static BY_NAME: LazyLock<HashMap<&str, &Wrapper>> = LazyLock::new(|| {
    let each = |wrapper: &'static Wrapper| wrapper.names.iter().map(move |name| (*name, wrapper));
    WRAPPERS.iter().flat_map(each).collect()
});

pub(super) fn follow(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    if matches!(call.name, "command" | "type") && (call.args.short('v') || call.args.short('V')) {
        return;
    }
    match call.name {
        "xargs" | "gxargs" => xargs(search, call, scope, here),
        "parallel" => parallel(search, call, scope, here),
        "find" | "gfind" | "fd" | "fdfind" => find(search, call, scope, here),
        "su" => {
            if let Some(text) = call.args.value("-c", "--command") {
                nested_value(search, &text, "su", &mut scope.clone(), here);
            }
        }
        "script" | "flock" | "runuser" | "nix-shell" | "sg" | "npx" | "npm" | "pnpm" | "yarn" => {
            texts(search, call, scope, here);
        }
        "watch" | "ssh" | "mosh" | "autossh" | "hyperfine" => joined(search, call, scope, here),
        "docker" | "podman" | "nerdctl" | "kubectl" | "oc" | "lxc" | "docker-compose" | "incus" => {
            container(search, call, scope, here);
        }
        "poetry" | "uv" | "pipenv" | "bundle" | "conda" | "mamba" | "rustup" | "direnv" | "mise" | "asdf" | "nix"
        | "pdm" | "hatch" | "rye" | "dotenv" | "op" | "aws-vault" | "volta" | "pyenv" | "rbenv" | "mvnd" => {
            runner(search, call, scope, here);
        }
        "tmux" => tmux::check(search, call, scope, here),
        // Inside of a text for tmux. There are no programs of these names.
        name if tmux::is_command(name) => tmux::check(search, call, scope, here),
        _ => {}
    }
    if let Some(text) = (call.name == "env").then(|| call.args.value("-S", "--split-string")).flatten() {
        let rest: Vec<String> = call
            .args
            .0
            .iter()
            .skip_while(|arg| !arg.text.contains(&text.text))
            .skip(1)
            .map(|arg| quote(&arg.text))
            .collect();
        nested(search, &format!("{} {}", text.text, rest.join(" ")), &mut scope.clone(), here);
        return;
    }
    if let Some(wrapper) = BY_NAME.get(call.name).copied() {
        let start = start(search, call, wrapper, scope, here);
        hand_on(search, &call.args.0[start..], scope, here);
        // A flag that is not known here may have taken the first word.
        if start > 0 && start < call.args.0.len() && call.args.0[start - 1].text.starts_with('-') {
            search.command(&call.args.0[start + 1..], scope, here);
        }
    }
}

/// Where the command begins.
fn start(search: &mut Search<'_>, call: &Call<'_>, wrapper: &Wrapper, scope: &mut Scope, here: &Here) -> usize {
    let args = call.args.0;
    let mut at = 0;
    let mut before = wrapper.before;
    while let Some(arg) = args.get(at) {
        let text = arg.text.as_str();
        if text == "--" {
            at += 1;
            return (at + before).min(args.len());
        }
        if text.starts_with('-') && text.len() > 1 {
            let long = text.starts_with("--");
            let takes = if long {
                wrapper.long.contains(&text)
            } else {
                text[1..].chars().last().is_some_and(|c| wrapper.short.contains(c))
            };
            at += if takes { 2 } else { 1 };
            continue;
        }
        if matches!(call.name, "env" | "sudo" | "doas")
            && let Some((name, value)) =
                text.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains('/'))
        {
            if dangerous_setting(name, value) {
                search.add(
                    DangerKind::Environment,
                    here,
                    format!("setting {name} changes what programs are found or started"),
                );
            }
            scope.assign(name, value.to_owned());
            at += 1;
            continue;
        }
        if before == 0 {
            break;
        }
        before -= 1;
        at += 1;
    }
    at.min(args.len())
}

/// Looks at a command that is handed on, as a piece of its own.
pub(super) fn hand_on(search: &mut Search<'_>, values: &[Value], scope: &mut Scope, here: &Here) {
    let text: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
    let text = text.join(" ");
    if values.is_empty() || !search.spend(values.len() * 24 + text.len() + 16, here) {
        return;
    }
    let mut inner = here.clone();
    inner.depth += 1;
    let inner = search.piece(values, &inner, &text.replace(UNKNOWN, "…"));
    search.command(values, scope, &inner);
}

fn xargs(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    const SPEC: Wrapper = wrapper(
        &["xargs"],
        "InPLdaEseR",
        &["--max-args", "--max-procs", "--max-lines", "--delimiter", "--arg-file", "--replace", "--max-chars", "--eof"],
        0,
    );
    let start = start(search, call, &SPEC, scope, here);
    let mut values = call.args.0[start..].to_vec();
    let given: Vec<Value> = match &here.input {
        Input::Text(text) => text.split_whitespace().take(64).map(Value::literal).collect(),
        _ => vec![Value::unknown()],
    };
    if !matches!(here.input, Input::Text(_)) {
        // What is added may be nothing.
        search.command(&values, scope, &Here { input: Input::Open, ..here.clone() });
    }
    let replaced = call
        .args
        .value("-I", "--replace")
        .map(|value| value.text)
        .or_else(|| call.args.short('i').then(|| "{}".to_owned()));
    match replaced {
        Some(mark) if !mark.is_empty() => {
            let with = given.first().map_or_else(String::new, |value| value.text.clone());
            for value in &mut values {
                value.text = value.text.replace(&mark, &with);
            }
        }
        _ => values.extend(given),
    }
    if values.first().is_some_and(|program| is_shell(&program.text)) && !matches!(here.input, Input::Text(_)) {
        search.add(DangerKind::RunsInput, here, "xargs hands what it reads to a shell");
    }
    hand_on(search, &values, scope, &Here { input: Input::Open, ..here.clone() });
}

fn parallel(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    const SPEC: Wrapper = wrapper(
        &["parallel"],
        "jaISNnPLdX",
        &["--jobs", "--arg-file", "--colsep", "--delay", "--timeout", "--joblog"],
        0,
    );
    let start = start(search, call, &SPEC, scope, here);
    let words = &call.args.0[start..];
    let split = words.iter().position(|word| word.text.starts_with(":::")).unwrap_or(words.len());
    let given: Vec<&str> = words[split..].iter().skip(1).map(|word| word.text.as_str()).collect();
    let template: Vec<&str> = words[..split].iter().map(|word| word.text.as_str()).collect();
    if template.is_empty() {
        // The words themselves are the commands.
        for text in given {
            nested(search, text, scope, here);
        }
        if let Input::Program(name) = &here.input {
            search.add(DangerKind::RunsInput, here, format!("parallel runs what {name} prints"));
        }
        return;
    }
    let template = template.join(" ");
    let text = if template.contains("{}") {
        template.replace("{}", &given.join(" "))
    } else {
        format!("{template} {}", given.join(" "))
    };
    nested(search, &text, scope, here);
}

fn find(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    let args = call.args.0;
    let starts: Vec<Value> = args
        .iter()
        .skip_while(|arg| matches!(arg.text.as_str(), "-L" | "-H" | "-P"))
        .take_while(|arg| !arg.text.starts_with(['-', '(', '!']))
        .cloned()
        .collect();
    let starts = if starts.is_empty() || call.name.starts_with("fd") { vec![Value::literal(".")] } else { starts };
    let narrow = args.iter().any(|arg| {
        matches!(
            arg.text.as_str(),
            "-name"
                | "-iname"
                | "-path"
                | "-regex"
                | "-mtime"
                | "-size"
                | "-empty"
                | "-newer"
                | "-wholename"
                | "-mmin"
                | "-user"
                | "-iregex"
                | "-perm"
                | "-ipath"
                | "-atime"
                | "-ctime"
        )
    });
    for (index, arg) in args.iter().enumerate() {
        if search.exhausted {
            return;
        }
        match arg.text.as_str() {
            "-delete" => delete::found(search, &starts, narrow, scope, here),
            "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec" | "--exec-batch" => {
                if arg.text.starts_with("-x") && !call.name.starts_with("fd") {
                    continue;
                }
                let end = args[index + 1..]
                    .iter()
                    .position(|arg| matches!(arg.text.as_str(), ";" | "+"))
                    .map_or(args.len(), |end| index + 1 + end);
                executed(search, &args[index + 1..end], &starts, narrow, scope, here);
            }
            "-fprint" | "-fprintf" | "-fls" | "-fprint0" => {
                if let Some(file) = args.get(index + 1) {
                    super::write::redirection(search, file, scope, here);
                }
            }
            _ => {}
        }
    }
}

/// The command of `find -exec`, for what is found.
fn executed(search: &mut Search<'_>, words: &[Value], starts: &[Value], narrow: bool, scope: &mut Scope, here: &Here) {
    let deletes =
        words.iter().any(|word| matches!(word.text.rsplit('/').next(), Some("rm" | "unlink" | "shred" | "rmdir")));
    if deletes {
        delete::found(search, starts, narrow, scope, here);
    }
    let filled: Vec<Value> = words
        .iter()
        .map(|word| {
            if word.text.contains("{}") {
                word.with(&word.text.replace("{}", &format!("./{UNKNOWN}")))
            } else {
                word.clone()
            }
        })
        .collect();
    hand_on(search, &filled, scope, here);
    if words.first().is_some_and(|word| code::interpreter(&word.text)) {
        search.add(DangerKind::Helpers, here, "find runs code for each file that it finds");
    }
}

/// Programs that take a text for a shell behind a flag.
fn texts(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    let text = match call.name {
        "nix-shell" => call.args.value("", "--run").or_else(|| call.args.value("", "--command")),
        "npx" | "npm" | "pnpm" | "yarn" => call.args.value("-c", "--call"),
        _ => call.args.value("-c", "--command"),
    };
    if let Some(text) = text {
        nested_value(search, &text, call.name, &mut scope.clone(), here);
    } else if call.name == "flock" {
        let words: Vec<Value> =
            call.args.0.iter().skip_while(|arg| arg.text.starts_with('-')).skip(1).cloned().collect();
        hand_on(search, &words, scope, here);
    } else if let Some(at) = call.args.0.iter().position(|arg| matches!(arg.text.as_str(), "exec" | "x" | "dlx")) {
        let rest: Vec<Value> =
            call.args.0[at + 1..].iter().skip_while(|arg| arg.text.starts_with('-')).cloned().collect();
        hand_on(search, &rest, scope, here);
    }
}

/// Programs that join their words to a text for a shell.
fn joined(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    let (short, before) = match call.name {
        "watch" => ("nqs", 0),
        "hyperfine" => ("wrmMpcSn", 0),
        _ => ("bcDEeFIiJLlmOopQRSWwBMP", 1),
    };
    let spec = Wrapper { names: &[], short, long: &["--interval", "--ssh", "--warmup", "--runs"], before };
    let start = start(search, call, &spec, scope, here);
    let rest = &call.args.0[start..];
    if rest.is_empty() {
        // Without a command the shell at the other end reads it from here.
        if before == 1 {
            super::shells::input(search, call.name, scope, here);
        }
        return;
    }
    let text = rest.iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>().join(" ");
    // Elsewhere it starts in the home folder.
    let mut inner = scope.clone();
    if before == 1 {
        inner.cwd.clone_from(&inner.home);
    }
    nested(search, &text.replace(UNKNOWN, "$UNKNOWN"), &mut inner, here);
}

fn container(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    let args = call.args.0;
    let Some(at) = args.iter().position(|arg| matches!(arg.text.as_str(), "exec" | "run")) else { return };
    let rest = &args[at + 1..];
    let open = args.iter().any(|arg| arg.text == "--privileged" || arg.text == "--pid=host")
        || call.args.value("-v", "--volume").is_some_and(|mount| mount.text.starts_with("/:"));
    if open && call.name != "kubectl" {
        search.add(DangerKind::Privilege, here, "the container gets the rights of the machine");
    }
    // A command stands after `--`, or it begins with the first word that a shell or a known program is.
    let begin = rest.iter().position(|arg| arg.text == "--").map(|at| at + 1).or_else(|| {
        let known = |arg: &Value| {
            let name = arg.text.rsplit('/').next().unwrap_or_default();
            is_shell(name)
                || matches!(
                    name,
                    "rm" | "dd"
                        | "find"
                        | "env"
                        | "sudo"
                        | "busybox"
                        | "python"
                        | "python3"
                        | "node"
                        | "perl"
                        | "git"
                        | "flightdeck"
                )
        };
        rest.iter().skip(1).position(known).map(|at| at + 1)
    });
    if let Some(begin) = begin {
        hand_on(search, &rest[begin..], &mut scope.clone(), here);
    }
}

/// `poetry run CMD`, `bundle exec CMD`, `rustup run TOOLCHAIN CMD`.
fn runner(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    let args = call.args.0;
    let at = args.iter().position(|arg| matches!(arg.text.as_str(), "run" | "exec" | "x" | "-c" | "--command" | "--"));
    let Some(at) = at else { return };
    let mut rest: Vec<Value> = args[at + 1..].iter().skip_while(|arg| arg.text.starts_with('-')).cloned().collect();
    if matches!(call.name, "rustup" | "direnv" | "aws-vault") && !rest.is_empty() {
        rest.remove(0);
    }
    let args = Args(&rest);
    hand_on(search, args.0, scope, here);
}
