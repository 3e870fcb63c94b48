//! Commands that are proven to be harmless: they read inside of the workspace, and start nothing else.
//!
//! The list is small and closed. Each program has a list of the flags that are known; any other flag, and any path outside
//! of the workspace or to a file that usually holds secrets, makes a command unproven. A program must be named by its bare
//! name: `./ls` can be anything.
//!
//! With a look at the disk, links are followed too. What is not seen here: secrets in files with ordinary names, and what
//! is put on the disk between the look and the run.

mod archive;
mod awk;
mod condition;
mod flags;
mod git;
mod git_diff;
mod git_grep;
mod jq;
mod machine;
mod packages;
mod paths;
mod read;
mod repository;
mod search;
mod sed;

pub use git::GIT_ENVIRONMENT;
pub(crate) use git_diff::hidden;
pub use git_diff::without_diff_helpers;
pub use packages::PACKAGES_ENVIRONMENT;
pub(crate) use paths::{is_secret, lexical, readable};

use crate::environment::harmless_setting;
use crate::{BuiltinRule, Place};

/// The rule that proves a simple command harmless, or `None` when there is no proof.
///
/// Commands of git are proven only when they run with [`GIT_ENVIRONMENT`] and as [`without_diff_helpers`] has them.
pub fn builtin(words: &[String], place: &Place) -> Option<BuiltinRule> {
    let (program, args) = words.split_first()?;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    if words.iter().any(|word| word.contains('\0')) || !place.env.iter().all(|(name, value)| harmless(name, value)) {
        return None;
    }
    match program.as_str() {
        "true" | "false" | ":" | "echo" => Some(BuiltinRule::Shell),
        "pwd" => args.iter().all(|arg| matches!(*arg, "-L" | "-P")).then_some(BuiltinRule::Shell),
        // `-v` writes to a variable, and what it names there can be run.
        "printf" => args.first().is_some_and(|first| !first.starts_with('-')).then_some(BuiltinRule::Shell),
        // What the shell would run under a name; only with this flag nothing is run.
        "command" => {
            matches!(args.as_slice(), ["-v" | "-V", names @ ..] if !names.is_empty() && names.iter().all(|name| is_name(name)))
                .then_some(BuiltinRule::Shell)
        }
        "type" => (!args.is_empty() && args.iter().all(|name| is_name(name))).then_some(BuiltinRule::Shell),
        // All of the environment would tell secrets; these hold none.
        "printenv" => matches!(args.as_slice(), ["HOME" | "LANG" | "PATH" | "PWD" | "SHELL" | "TERM" | "USER"])
            .then_some(BuiltinRule::Shell),
        "test" | "[" => condition::proven(program, &args, place).then_some(BuiltinRule::Shell),
        "git" if version(program, &args) => Some(BuiltinRule::Version),
        "git" => git::reads(&args, place).then_some(BuiltinRule::GitRead),
        "cargo" | "rustc" | "rustup" if version(program, &args) => {
            (place.disk.is_none() || packages::usual_toolchain(place)).then_some(BuiltinRule::Version)
        }
        _ if version(program, &args) => Some(BuiltinRule::Version),
        "awk" => awk::proven(&args, place).then_some(BuiltinRule::Read),
        "jq" => jq::proven(&args, place).then_some(BuiltinRule::Read),
        "sed" => sed::proven(&args, place).then_some(BuiltinRule::Read),
        "tar" | "unzip" | "gzip" | "zcat" => archive::proven(program, &args, place).then_some(BuiltinRule::Read),
        "ps" | "pgrep" => machine::proven(program, &args).then_some(BuiltinRule::Machine),
        "cargo" | "npm" => packages::proven(program, &args, place).then_some(BuiltinRule::Packages),
        _ if read::proven(program, &args, place) => Some(BuiltinRule::Read),
        _ if search::proven(program, &args, place) => Some(BuiltinRule::Search),
        _ => None,
    }
}

fn harmless(name: &str, value: &str) -> bool {
    harmless_setting(name, value) || GIT_ENVIRONMENT.contains(&(name, value))
}

/// Whether a word is a name and neither a flag nor a path.
fn is_name(word: &str) -> bool {
    !word.starts_with('-') && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.+".contains(c))
}

/// Programs whose version can be asked without running code of the folder. Missing on purpose: `yarn`, `pnpm`, `mvn`,
/// `gradle` and `dotnet`, which run or load what the folder's settings name.
const VERSIONED: &[&str] = &[
    "rustc",
    "cargo",
    "node",
    "npm",
    "python",
    "python3",
    "pip",
    "pip3",
    "go",
    "git",
    "java",
    "javac",
    "gcc",
    "g++",
    "cc",
    "clang",
    "make",
    "cmake",
    "ninja",
    "docker",
    "ruby",
    "perl",
    "php",
    "lua",
    "rg",
    "jq",
    "curl",
    "wget",
    "tar",
    "psql",
    "sqlite3",
    "bash",
    "zsh",
    "fish",
    "rustup",
    "uv",
    "deno",
    "bun",
    "ls",
    "grep",
    "sed",
    "awk",
    "find",
    "gh",
    "podman",
    "ffmpeg",
    "openssl",
    "ssh",
    "vim",
    "tmux",
    "zig",
    "swift",
    "ghc",
    "flightdeck",
];

/// Whether only a version is asked for.
fn version(program: &str, args: &[&str]) -> bool {
    let [flag] = args else { return false };
    if !VERSIONED.contains(&program) {
        return false;
    }
    match (program, *flag) {
        (_, "--version") => !matches!(program, "ssh" | "java"),
        ("java" | "javac" | "ffmpeg", "-version")
        | ("node" | "npm" | "ruby" | "perl" | "php" | "lua" | "make", "-v")
        | (
            "ssh" | "rustc" | "cargo" | "python" | "python3" | "pip" | "pip3" | "curl" | "rg" | "rustup" | "deno",
            "-V",
        )
        | ("go" | "docker" | "git" | "zig" | "openssl", "version") => true,
        _ => false,
    }
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
