//! Code of other languages on a command line: `python -c`, `perl -e`, `node -e`.

use super::shells::nested;
use super::target::{Spot, spot};
use super::value::{Scope, UNKNOWN, Value};
use super::{Call, Here, Input, Search};
use crate::DangerKind;

/// Whether a program runs code that it is given.
pub(super) fn interpreter(name: &str) -> bool {
    let name = name.rsplit('/').next().unwrap_or_default();
    language(name).is_some() || super::shells::is_shell(name)
}

/// The flags of a language that take code.
fn language(name: &str) -> Option<&'static [&'static str]> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    match stem {
        "python" | "pypy" | "ipython" => Some(&["-c"]),
        "perl" => Some(&["-e", "-E"]),
        "ruby" | "lua" | "luajit" | "osascript" | "rscript" | "groovy" | "elixir" | "julia" | "scala" | "crystal"
        | "tclsh" => Some(&["-e"]),
        "node" | "nodejs" | "bun" => Some(&["-e", "-p", "--eval", "--print", "-pe"]),
        "deno" => Some(&["eval"]),
        "php" => Some(&["-r"]),
        _ => None,
    }
}

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, scope: &mut Scope, here: &Here) {
    let Some(flags) = language(call.name) else { return };
    let args = call.args.0;
    let mut given = false;
    for (index, arg) in args.iter().enumerate() {
        let text = arg.text.as_str();
        let code = if flags.contains(&text) {
            args.get(index + 1).map(|code| code.text.clone())
        } else if let Some((_, code)) = text.split_once('=').filter(|(flag, _)| flags.contains(flag)) {
            Some(code.to_owned())
        } else if cluster(text, flags) {
            // `-ne`, `-pi -e`, `-Bc`: the flag for code stands last among others.
            args.get(index + 1).map(|code| code.text.clone())
        } else if flags[0].len() == 2 && text.starts_with(flags[0]) && text.len() > 2 {
            Some(text[2..].to_owned())
        } else {
            None
        };
        if let Some(code) = code {
            given = true;
            search_code(search, call.name, &code, scope, here);
        }
        if !text.starts_with('-') {
            break;
        }
    }
    let file = call.args.operands().next();
    let stdin = !given && file.is_none_or(|file| matches!(file.text.as_str(), "-" | "/dev/stdin"));
    let shows = args.iter().any(|arg| matches!(arg.text.as_str(), "--version" | "-V" | "-v" | "--help" | "-h" | "-m"));
    if stdin && !shows {
        match &here.input {
            Input::Open => {}
            Input::Text(text) => search_code(search, call.name, &text.clone(), scope, here),
            Input::Program(name) => {
                search.add(DangerKind::RunsInput, here, format!("{} runs what {name} prints", call.name));
            }
        }
    } else if !given && file.is_some_and(|file| file.text.starts_with("/dev/fd/")) {
        search.add(DangerKind::RunsInput, here, format!("{} runs what comes from elsewhere", call.name));
    }
}

fn cluster(text: &str, flags: &[&str]) -> bool {
    let Some(letters) = text
        .strip_prefix('-')
        .filter(|letters| letters.len() > 1 && letters.chars().all(|c| c.is_ascii_alphanumeric()))
    else {
        return false;
    };
    flags.iter().any(|flag| flag.len() == 2 && letters.ends_with(&flag[1..]))
}

/// The strings that stand in code, between quotes of any kind.
pub(super) fn strings(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = code.chars().peekable();
    while let Some(open) = chars.next() {
        if !matches!(open, '"' | '\'' | '`') {
            continue;
        }
        let mut text = String::new();
        while let Some(c) = chars.next() {
            match c {
                '\\' => text.extend(chars.next()),
                c if c == open => break,
                c => text.push(c),
            }
        }
        if !text.is_empty() && found.len() < 64 {
            found.push(text);
        }
    }
    // `qx(…)`, `%x(…)`, `q{…}` of perl and ruby.
    for mark in ["qx", "%x", "qq", "system"] {
        for part in code.split(mark).skip(1).take(8) {
            let mut chars = part.trim_start().chars();
            let close = match chars.next() {
                Some('(') => ')',
                Some('{') => '}',
                Some('[') => ']',
                Some('/') => '/',
                _ => continue,
            };
            found.push(chars.take_while(|c| *c != close).collect());
        }
    }
    found
}

/// Code that runs other programs.
const RUNS: &[&str] = &[
    "os.system",
    "subprocess",
    "os.popen",
    "os.exec",
    "os.spawn",
    "pty.spawn",
    "commands.getoutput",
    "system(",
    "system ",
    "exec(",
    "exec ",
    "execSync",
    "spawn(",
    "spawnSync",
    "child_process",
    "popen",
    "qx",
    "%x",
    "`",
    "shell_exec",
    "passthru",
    "proc_open",
    "Bun.$",
    "Deno.Command",
    "Deno.run",
    "os.execute",
    "do shell script",
    "IO.popen",
    "Open3",
    "Kernel.",
    "runInNewContext",
    "io.popen",
    "__import__",
    "importlib",
    "execfile",
];
/// The same for words that are also the end of harmless ones: what stands before those.
const RUNS_UNLESS: &[(&str, &[&str])] = &[("eval(", &["literal_"]), ("compile(", &["re.", "regex."])];

/// Code that deletes folders with all that is in them.
const DELETES: &[&str] = &[
    "rmtree",
    "rm_rf",
    "rm_r",
    "remove_dir",
    "rmSync",
    "rm(",
    "rmdirSync",
    "remove_tree",
    "rimraf",
    "FileUtils.rm",
    "removeSync",
    "Deno.remove",
    "rmdir(",
    "remove_entry",
];
/// Code that deletes files.
const UNLINKS: &[&str] =
    &["os.remove", "os.unlink", ".unlink(", "unlink(", "unlink ", "unlinkSync", "File.delete", "os.rmdir"];

/// Looks for what code can do.
fn search_code(search: &mut Search<'_>, name: &str, code: &str, scope: &mut Scope, here: &Here) {
    if !search.spend(code.len() * 4, here) {
        return;
    }
    let has = |words: &[&str]| words.iter().any(|word| code.contains(word));
    if fork_bomb(code) {
        search.never(DangerKind::ForkBomb, here, format!("the {name} code starts itself without end"));
    }
    let strings = strings(code);
    if has(DELETES) {
        deletes(search, name, code, &strings, scope, here);
    } else if has(UNLINKS) {
        search.add(DangerKind::DeletesTree, here, format!("the {name} code deletes files"));
    }
    let is_harmless = |at: usize, before: &[&str]| before.iter().any(|before| code[..at].ends_with(before));
    let has_unless =
        |(word, before): &(&str, &[&str])| code.match_indices(word).any(|(at, _)| !is_harmless(at, before));
    if has(RUNS) || RUNS_UNLESS.iter().any(has_unless) {
        search.add(DangerKind::Helpers, here, format!("the {name} code runs other programs"));
        let joined = strings.join(" ");
        for string in strings.iter().take(16).chain([&joined]) {
            nested(search, string, &mut scope.clone(), here);
        }
    }
    writes(search, code, &strings, scope, here);
    if code.contains(UNKNOWN) {
        search.add(DangerKind::RunsInput, here, format!("{name} runs code that is not known before it runs"));
    }
    if code.contains("/dev/tcp/")
        || (code.contains("socket")
            && (code.contains("connect") || code.contains("bind"))
            && (code.contains("dup2") || code.contains("/bin/sh")))
    {
        search.add(DangerKind::Exposes, here, format!("the {name} code opens a connection to a shell"));
    }
}

/// Code that deletes folders: what matters is which.
fn deletes(search: &mut Search<'_>, name: &str, code: &str, strings: &[String], scope: &Scope, here: &Here) {
    let mut vital = false;
    for text in strings.iter().map(String::as_str).chain(home(code)) {
        let text = text.replacen('~', &scope.home, usize::from(text.starts_with('~')));
        let glob = text.contains('*');
        if let Spot::Vital(what) = spot(&Value::new(text, glob, ""), search.place, scope) {
            vital = true;
            search.never(DangerKind::DeletesRoot, here, format!("the {name} code deletes {what}"));
        }
    }
    if !vital {
        let reason = format!("the {name} code deletes folders with all that is in them");
        search.add(DangerKind::DeletesTree, here, reason);
    }
}

/// Code that writes to a device or to a file of the system.
fn writes(search: &mut Search<'_>, code: &str, strings: &[String], scope: &Scope, here: &Here) {
    let opens = code.contains("open(")
        && ["'w", "\"w", "'a", "\"a", "'r+", "\"r+", "wb"].iter().any(|mode| code.contains(mode));
    if opens || ["writeFile", "File.write", "write_text"].iter().any(|word| code.contains(word)) {
        for string in strings.iter().filter(|string| string.starts_with("/dev/") || string.starts_with("/etc/")) {
            super::write::redirection(search, &Value::literal(string), scope, here);
        }
    }
}

/// Expressions that stand for the home folder.
fn home(code: &str) -> Option<&'static str> {
    [
        "Path.home()",
        "expanduser",
        "os.homedir()",
        "Dir.home",
        "$ENV{HOME}",
        "process.env.HOME",
        "environ['HOME']",
        "ENV['HOME']",
    ]
    .iter()
    .any(|text| code.contains(text))
    .then_some("~")
}

fn fork_bomb(code: &str) -> bool {
    let packed: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let forks = packed.matches("fork").count();
    let endless =
        ["while1", "whileTrue", "while(1)", "while(true)", "whiletrue", "for(;;)", "loop{", "loopdo", "untilfalse"];
    (forks > 0
        && (packed.contains("forkwhilefork")
            || packed.contains("forkwhile1")
            || endless.iter().any(|text| packed.contains(text))))
        || (packed.contains("fork()whilefork") || packed.contains("fork()while"))
        || (endless.iter().any(|text| packed.contains(text))
            && (packed.contains("Popen(") || packed.contains("spawn("))
            && packed.contains("argv"))
}
