//! Work that git throws away.

use super::value::{Scope, Value};
use super::{Call, Here, Search};
use crate::DangerKind;

/// Flags of git itself that take the next word.
const VALUED: &[&str] = &[
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--exec-path",
    "--config-env",
    "--super-prefix",
    "--attr-source",
];

/// The subcommand and its arguments.
pub(super) fn subcommand<'a>(call: &Call<'a>) -> Option<(&'a str, &'a [Value])> {
    let args = call.args.0;
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        if !arg.text.starts_with('-') {
            return Some((arg.text.as_str(), &args[at + 1..]));
        }
        at += if VALUED.contains(&arg.text.as_str()) { 2 } else { 1 };
    }
    None
}

pub(super) fn check(search: &mut Search<'_>, call: &Call<'_>, _scope: &Scope, here: &Here) {
    if !matches!(call.name, "git" | "hub" | "yadm") {
        return other(search, call, here);
    }
    let Some((name, args)) = subcommand(call) else { return };
    let args = super::Args(args);
    let texts = args.texts();
    if let Some(reason) = changes(name, args, &texts).or_else(|| commits(name, args, &texts)) {
        search.add(DangerKind::DiscardsWork, here, reason);
    }
}

/// What throws away changes that are not committed.
fn changes(name: &str, args: super::Args<'_>, texts: &[&str]) -> Option<&'static str> {
    let everything =
        |texts: &[&str]| texts.iter().any(|text| matches!(*text, "." | "./" | ":/" | "*" | ":" | ".." | ":/*"));
    match name {
        "reset" if args.long("hard") || args.long("merge") || args.has("--keep") => {
            Some("git reset --hard throws away changes that are not committed")
        }
        "clean" if (args.short('f') || args.long("force")) && !args.short('n') && !args.long("dry-run") => {
            Some("git clean -f deletes files that are not in the repository")
        }
        "checkout" if args.short('f') || args.long("force") => {
            Some("git checkout -f throws away changes that are not committed")
        }
        "checkout" if args.has("--") || everything(texts) => {
            Some("git checkout of files throws away changes that are not committed")
        }
        "switch" if args.long("discard-changes") || args.short('f') || args.long("force") => {
            Some("git switch -f throws away changes that are not committed")
        }
        "restore" if !(args.long("staged") || args.short('S')) || args.long("worktree") || args.short('W') => {
            Some("git restore throws away changes that are not committed")
        }
        _ => None,
    }
}

/// What throws away commits, or the way to them.
fn commits(name: &str, args: super::Args<'_>, texts: &[&str]) -> Option<&'static str> {
    match name {
        "push" if pushes_over(args) => Some("git push overwrites or deletes what others see"),
        "branch"
            if args.short('D')
                || (args.long("delete") && args.long("force"))
                || (args.short('d') && args.short('f')) =>
        {
            Some("git branch -D deletes a branch with its commits")
        }
        "branch" if args.short('f') || args.long("force") || args.short('M') || args.short('C') => {
            Some("git branch -f moves a branch away from its commits")
        }
        "tag" if args.short('d') || args.long("delete") || args.short('f') || args.long("force") => {
            Some("git tag -d takes away a name of commits")
        }
        "stash" if texts.first().is_some_and(|sub| matches!(*sub, "drop" | "clear")) => {
            Some("git stash drop throws away stashed work")
        }
        "reflog" if texts.first().is_some_and(|sub| matches!(*sub, "expire" | "delete")) => {
            Some("git reflog expire gives up the way back")
        }
        "gc" if texts.iter().any(|text| text.starts_with("--prune"))
            || args.long("aggressive") && args.long("prune") =>
        {
            Some("git gc --prune deletes commits that nothing names")
        }
        "prune" if !args.short('n') && !args.long("dry-run") => Some("git prune deletes commits that nothing names"),
        "filter-branch" | "filter-repo" => Some("it rewrites all commits"),
        "update-ref" if args.short('d') || args.long("stdin") => Some("git update-ref -d deletes a name of commits"),
        "worktree" if texts.first() == Some(&"remove") && (args.short('f') || args.long("force")) => {
            Some("git worktree remove -f deletes a folder with changes")
        }
        "submodule" if texts.first() == Some(&"deinit") && (args.short('f') || args.long("force")) => {
            Some("git submodule deinit -f deletes changes in the module")
        }
        "rm" if args.short('f') || args.long("force") || args.short('r') => {
            let kept = args.long("cached");
            (!kept).then_some("git rm deletes files with their changes")
        }
        "checkout-index" if args.short('f') && args.short('a') => {
            Some("git checkout-index -f overwrites changed files")
        }
        "read-tree" if args.long("reset") => Some("git read-tree --reset throws away changes"),
        "replace" if args.short('d') => Some("git replace -d changes history"),
        "lfs" if texts.first() == Some(&"prune") => Some("git lfs prune deletes stored files"),
        "symbolic-ref" if args.short('d') || args.long("delete") => {
            Some("git symbolic-ref -d deletes a name of commits")
        }
        _ => None,
    }
}

fn pushes_over(args: super::Args<'_>) -> bool {
    let force = args.short('f') || args.short('d') || args.long("mirror") || args.long("delete") || args.long("prune");
    force
        || args.0.iter().any(|arg| {
            let text = arg.text.as_str();
            text.starts_with("--force") || text.starts_with('+') || (text.starts_with(':') && text.len() > 1)
        })
}

/// Other systems for versions.
fn other(search: &mut Search<'_>, call: &Call<'_>, here: &Here) {
    if !matches!(call.name, "hg" | "svn" | "jj") {
        return;
    }
    let sub = call.args.subcommands();
    let reason = match (call.name, sub.first().copied().unwrap_or_default()) {
        ("hg", "revert" | "strip" | "purge") => "hg throws away changes",
        ("svn", "revert") => "svn revert throws away changes",
        ("jj", "abandon") => "jj abandon throws away commits",
        _ => return,
    };
    search.add(DangerKind::DiscardsWork, here, reason);
}
