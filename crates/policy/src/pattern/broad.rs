//! Patterns that would allow nearly everything, and therefore allow nothing.
//!
//! A program that runs what its arguments say is only as narrow as the words behind it: `sudo *` is everything,
//! `sudo apt update` is one thing. In doubt (an option that may or may not take a value) both readings have to be narrow.

use super::{Part, Pattern, program};

/// Programs that run the command that follows them.
const WRAPPERS: &[&str] = &[
    "sudo",
    "su",
    "doas",
    "pkexec",
    "run0",
    "env",
    "nice",
    "nohup",
    "timeout",
    "stdbuf",
    "setsid",
    "ionice",
    "chroot",
    "unshare",
    "nsenter",
    "time",
    "xargs",
    "parallel",
    "watch",
    "command",
    "builtin",
    "exec",
    "eval",
    "busybox",
    "toybox",
    "ssh",
    "script",
    "flock",
    "strace",
    "ltrace",
    "gdb",
    "chrt",
    "taskset",
    "prlimit",
    "systemd-run",
    "entr",
    "npx",
    "bunx",
    "pnpx",
    "uvx",
    "pipx",
    "firejail",
    "bwrap",
    "proot",
    "fakeroot",
    "dbus-run-session",
    "xvfb-run",
    "wsl",
    "start",
    "caffeinate",
    "arch",
    "setarch",
    "linux32",
    "linux64",
    "unbuffer",
    "expect",
    "rlwrap",
    "trap",
    "coproc",
];

/// Programs that run the code in a file, in an argument or in their input.
const INTERPRETERS: &[&str] = &[
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "mksh",
    "ash",
    "fish",
    "csh",
    "tcsh",
    "rbash",
    "elvish",
    "nu",
    "xonsh",
    "pwsh",
    "powershell",
    "cmd",
    "python",
    "pypy",
    "perl",
    "ruby",
    "node",
    "nodejs",
    "deno",
    "bun",
    "php",
    "lua",
    "luajit",
    "tclsh",
    "wish",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "osascript",
    "rscript",
    "julia",
    "ghci",
    "irb",
    "jshell",
    "groovy",
    "scala",
    "source",
    ".",
    "ts-node",
    "tsx",
    "racket",
    "guile",
    "sbcl",
    "iex",
    "invoke-expression",
    "wscript",
    "cscript",
    "mshta",
];

/// Programs that run the command that follows one of their subcommands.
const RUNNERS: &[(&str, &str)] = &[
    ("npm", "exec"),
    ("npm", "x"),
    ("pnpm", "exec"),
    ("pnpm", "dlx"),
    ("yarn", "dlx"),
    ("yarn", "exec"),
    ("uv", "run"),
    ("poetry", "run"),
    ("pipenv", "run"),
    ("bundle", "exec"),
    ("docker", "run"),
    ("docker", "exec"),
    ("podman", "run"),
    ("podman", "exec"),
    ("kubectl", "exec"),
    ("nix", "run"),
    ("nix", "shell"),
    ("direnv", "exec"),
    ("mise", "exec"),
];

impl Pattern {
    /// Why an allow rule may not have this pattern.
    pub fn overbroad(&self) -> Option<String> {
        overbroad(&self.parts)
    }
}

/// Whether a program runs what its arguments say.
pub(crate) fn runs_arguments(word: &str) -> bool {
    let name = plain_name(word);
    WRAPPERS.contains(&name.as_str()) || INTERPRETERS.contains(&name.as_str())
}

/// Whether a program runs the command that follows it.
pub(crate) fn is_wrapper(word: &str) -> bool {
    WRAPPERS.contains(&plain_name(word).as_str())
}

/// `/usr/bin/Python3.12` is `python`.
fn plain_name(word: &str) -> String {
    let name = program(word).rsplit('\\').next().unwrap_or(word).to_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    // Not for `.` itself, nor for `linux32`.
    if bare.is_empty() || WRAPPERS.contains(&name) { name.to_owned() } else { bare.to_owned() }
}

fn overbroad(parts: &[Part]) -> Option<String> {
    let (first, rest) = match parts {
        [] => return Some("nothing says which program it is about".to_owned()),
        [Part::Word(first), rest @ ..] => (first, rest),
        [..] => return Some("its program is a wildcard, so it takes every program".to_owned()),
    };
    let broad = |name: String| format!("{name} runs whatever stands behind it, and the pattern does not say what");
    if let [Part::Word(second), rest @ ..] = rest
        && RUNNERS.contains(&(plain_name(first).as_str(), second))
    {
        return wrapped_broad(rest).then(|| broad(format!("{} {second}", program(first))));
    }
    let is_broad = if is_wrapper(first) { wrapped_broad(rest) } else { runs_arguments(first) && code_broad(rest) };
    is_broad.then(|| broad(program(first).to_owned()))
}

/// Whether the words behind a wrapper leave open which command it runs.
fn wrapped_broad(rest: &[Part]) -> bool {
    let mut after_option = false;
    for (at, part) in rest.iter().enumerate() {
        match part {
            Part::Word(word) if says_nothing(word) => after_option |= word.starts_with('-'),
            // Behind an option it may be the command, or only the option's value.
            Part::Word(_) => {
                let behind = &rest[at + 1..];
                return overbroad(&rest[at..]).is_some() || (after_option && open(behind));
            }
            Part::Gaps(_) | Part::One | Part::Rest => return true,
        }
    }
    true
}

/// Whether the words behind an interpreter leave open which code it runs.
fn code_broad(rest: &[Part]) -> bool {
    let mut after_option = None;
    for (at, part) in rest.iter().enumerate() {
        match part {
            Part::Word(word) if says_nothing(word) => after_option = Some(word.as_str()).filter(|_| word != "--"),
            // `python -m pytest` names its code; behind other options it may be only the option's value.
            Part::Word(_) => return after_option.is_some_and(|option| option != "-m") && open(&rest[at + 1..]),
            Part::Gaps(pieces) => return pieces[0].is_empty() || pieces[0].starts_with('-'),
            Part::One | Part::Rest => return true,
        }
    }
    true
}

/// Whether the next word may be any word.
fn open(rest: &[Part]) -> bool {
    matches!(rest.first(), Some(Part::One | Part::Rest | Part::Gaps(_)))
}

/// Options, assignments and numbers: they do not say what is run.
fn says_nothing(word: &str) -> bool {
    let number = word.trim_end_matches(['s', 'm', 'h', 'd', 'k', 'M', 'G']);
    word.is_empty()
        || word.starts_with('-')
        || (word.contains('=') && !word.contains('/'))
        || (!number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '+' | ',')))
}
