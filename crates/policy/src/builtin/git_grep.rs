//! `git grep`, which reads as `git` does in general and has flags of its own.

use super::flags::Flags;
use super::git::operand;
use super::paths::readable;
use crate::Place;

/// Missing on purpose: `-O`, which starts a program with what was found, `-f`, `--no-index`, `--textconv` and
/// `--recurse-submodules`.
const GREP: Flags = Flags {
    short: "aIivwhHEGFPnlLzocqW",
    valued: "eABCm",
    long: &[
        "cached",
        "untracked",
        "text",
        "ignore-case",
        "word-regexp",
        "invert-match",
        "full-name",
        "extended-regexp",
        "basic-regexp",
        "perl-regexp",
        "fixed-strings",
        "line-number",
        "column",
        "files-with-matches",
        "name-only",
        "files-without-match",
        "count",
        "color",
        "no-color",
        "break",
        "heading",
        "show-function",
        "function-context",
        "only-matching",
        "all-match",
        "and",
        "or",
        "not",
        "quiet",
        "no-textconv",
    ],
    long_valued: &["max-depth", "threads", "context", "after-context", "before-context", "max-count"],
    number: true,
};

/// Whether a search through what git knows of only reads.
pub(super) fn searches(args: &[&str], place: &Place) -> bool {
    let Some(parsed) = GREP.parse(args) else { return false };
    let pattern = usize::from(!parsed.has(&["-e"]));
    if parsed.operands.len() < pattern || (parsed.before < pattern && parsed.operands.len() > parsed.before) {
        return false;
    }
    let (revisions, paths) = parsed.operands.split_at(parsed.before.max(pattern));
    revisions[pattern..].iter().all(|word| operand(word, place)) && paths.iter().all(|path| readable(path, place))
}
