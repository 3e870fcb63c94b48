//! Reading a repository with git.
//!
//! A repository's own settings can name programs that git runs while it only reads: `core.fsmonitor` and the hook
//! `post-index-change` on `git status`, `diff.external`, drivers and filters named by attributes on `git diff`, `git show` and
//! `git blame`, `gpg.program` for signatures, and the remote of a partial clone for objects that are missing. So a command
//! of git is proven only with [`GIT_ENVIRONMENT`], whose settings outrank those of the repository, and with the flags of
//! [`without_diff_helpers`](super::without_diff_helpers). They are for commands that are run because they are proven; others
//! need their hooks.
//!
//! It takes git 2.45 or newer; older ones do not know all of these variables, and run the filters that attributes name. One
//! way to a filter stays: `.git/info/attributes` is read whatever is set. Who can write there has been in `.git` already, and
//! writing there is a danger of its own.

use super::flags::{Flags, Parsed};
use super::git_grep;
use super::paths::{at_home, leads_to, readable, secret_name};
use crate::Place;

/// The variables with which git runs no helper while it reads. Those of the caller with the same names must not stay, nor
/// `GIT_EXTERNAL_DIFF`, which wins over the setting.
pub const GIT_ENVIRONMENT: &[(&str, &str)] = &[
    ("GIT_CONFIG_COUNT", "12"),
    ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
    ("GIT_CONFIG_VALUE_0", "false"),
    ("GIT_CONFIG_KEY_1", "core.hooksPath"),
    ("GIT_CONFIG_VALUE_1", "/dev/null"),
    ("GIT_CONFIG_KEY_2", "core.pager"),
    ("GIT_CONFIG_VALUE_2", "cat"),
    ("GIT_CONFIG_KEY_3", "diff.external"),
    ("GIT_CONFIG_VALUE_3", ""),
    ("GIT_CONFIG_KEY_4", "core.attributesFile"),
    ("GIT_CONFIG_VALUE_4", "/dev/null"),
    ("GIT_CONFIG_KEY_5", "core.askPass"),
    ("GIT_CONFIG_VALUE_5", ""),
    ("GIT_CONFIG_KEY_6", "log.showSignature"),
    ("GIT_CONFIG_VALUE_6", "false"),
    ("GIT_CONFIG_KEY_7", "format.pretty"),
    ("GIT_CONFIG_VALUE_7", "medium"),
    ("GIT_CONFIG_KEY_8", "branch.sort"),
    ("GIT_CONFIG_VALUE_8", "refname"),
    ("GIT_CONFIG_KEY_9", "tag.sort"),
    ("GIT_CONFIG_VALUE_9", "refname"),
    ("GIT_CONFIG_KEY_10", "protocol.ext.allow"),
    ("GIT_CONFIG_VALUE_10", "never"),
    ("GIT_CONFIG_KEY_11", "submodule.recurse"),
    ("GIT_CONFIG_VALUE_11", "false"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    // The empty tree: attributes are read from there, so no driver and no filter is named. A repository of another hash has no
    // such tree, and git refuses to work in it.
    ("GIT_ATTR_SOURCE", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// A subcommand that only reads.
struct Reader {
    names: &'static [&'static str],
    flags: Flags,
}

const fn reader(
    names: &'static [&'static str],
    short: &'static str,
    valued: &'static str,
    long: &'static [&'static str],
    long_valued: &'static [&'static str],
) -> Reader {
    Reader { names, flags: Flags { short, valued, long, long_valued, number: true } }
}

/// Flags of `log`, `show` and `diff` alike. Missing on purpose: `--output`, `--ext-diff`, `--textconv`, `--no-index`,
/// `--show-signature`.
const DIFF: &[&str] = &[
    "patch",
    "no-patch",
    "stat",
    "numstat",
    "shortstat",
    "dirstat",
    "summary",
    "name-only",
    "name-status",
    "color",
    "no-color",
    "word-diff",
    "cached",
    "staged",
    "raw",
    "minimal",
    "patience",
    "histogram",
    "check",
    "full-index",
    "binary",
    "abbrev",
    "no-ext-diff",
    "no-textconv",
    "ignore-space-change",
    "ignore-all-space",
    "ignore-blank-lines",
    "find-renames",
    "no-renames",
    "exit-code",
    "quiet",
    "no-prefix",
    "compact-summary",
    "function-context",
    "text",
    "merge-base",
    "relative",
    "oneline",
    "graph",
    "decorate",
    "no-decorate",
    "all",
    "branches",
    "tags",
    "remotes",
    "merges",
    "no-merges",
    "first-parent",
    "reverse",
    "follow",
    "abbrev-commit",
    "no-abbrev-commit",
    "date-order",
    "topo-order",
    "author-date-order",
    "left-right",
    "cherry-pick",
    "cherry",
    "parents",
    "children",
    "simplify-by-decoration",
    "full-history",
    "no-walk",
    "cc",
    "source",
    "relative-date",
    "regexp-ignore-case",
    "invert-grep",
    "all-match",
    "pickaxe-regex",
    "pickaxe-all",
    "walk-reflogs",
    "boundary",
    "no-notes",
    "log-size",
    "pretty",
    "format",
    "combined-all-paths",
    "unified",
];
const DIFF_VALUED: &[&str] = &[
    "max-count",
    "skip",
    "since",
    "after",
    "until",
    "before",
    "author",
    "committer",
    "grep",
    "date",
    "diff-filter",
    "diff-algorithm",
    "stat-width",
    "inter-hunk-context",
    "word-diff-regex",
];

const READERS: &[Reader] = &[
    reader(
        // Missing on purpose: `-v`, which shows differences and knows no flag against conversions.
        &["status"],
        "sbuz",
        "",
        &[
            "short",
            "branch",
            "porcelain",
            "long",
            "untracked-files",
            "ignored",
            "null",
            "show-stash",
            "ahead-behind",
            "no-ahead-behind",
            "renames",
            "no-renames",
            "column",
            "no-column",
        ],
        &[],
    ),
    reader(&["log", "show", "diff", "whatchanged", "reflog"], "pswbuczgRWaMCDiEFPmtr0", "nSGULB", DIFF, DIFF_VALUED),
    reader(
        &["rev-parse"],
        "q",
        "",
        &[
            "short",
            "abbrev-ref",
            "show-toplevel",
            "git-dir",
            "verify",
            "is-inside-work-tree",
            "show-prefix",
            "show-cdup",
            "quiet",
            "symbolic-full-name",
            "is-bare-repository",
            "is-shallow-repository",
            "absolute-git-dir",
            "git-common-dir",
            "show-current",
            "all",
            "branches",
            "tags",
            "remotes",
        ],
        &[],
    ),
    reader(
        &["ls-files"],
        "cdmoistuvzkf",
        "x",
        &[
            "cached",
            "deleted",
            "modified",
            "others",
            "ignored",
            "stage",
            "exclude-standard",
            "full-name",
            "error-unmatch",
            "unmerged",
            "directory",
            "deduplicate",
            "eol",
        ],
        &["exclude", "abbrev"],
    ),
    reader(&["ls-tree"], "drtlz", "", &["name-only", "name-status", "full-name", "full-tree", "long", "abbrev"], &[]),
    reader(
        &["blame", "annotate"],
        "bcefhlnpstwMC",
        "L",
        &["root", "show-stats", "porcelain", "line-porcelain", "date", "show-name", "show-number", "show-email"],
        &["since"],
    ),
    reader(
        &["describe"],
        "",
        "",
        &["all", "tags", "contains", "always", "long", "exact-match", "abbrev", "first-parent", "dirty", "broken"],
        &["match", "exclude", "candidates"],
    ),
    reader(
        &["shortlog"],
        "nsec",
        "",
        &["numbered", "summary", "email", "no-merges", "all", "since"],
        &["since", "until", "author"],
    ),
    reader(
        &["rev-list"],
        "n",
        "n",
        &[
            "count",
            "all",
            "oneline",
            "no-merges",
            "merges",
            "first-parent",
            "left-right",
            "reverse",
            "branches",
            "tags",
            "abbrev-commit",
            "objects",
        ],
        &["max-count", "since", "until", "author", "skip"],
    ),
    reader(&["merge-base"], "a", "", &["all", "is-ancestor", "fork-point", "octopus", "independent"], &[]),
    reader(
        &["show-ref"],
        "dshq",
        "",
        &["head", "heads", "tags", "hash", "verify", "quiet", "abbrev", "dereference", "branches"],
        &[],
    ),
    reader(
        &["name-rev", "show-branch", "count-objects", "diff-tree", "cherry"],
        "avHrpst",
        "",
        &[
            "name-only",
            "tags",
            "all",
            "verbose",
            "human-readable",
            "stat",
            "no-commit-id",
            "name-status",
            "no-ext-diff",
            "no-textconv",
        ],
        &[],
    ),
];

/// Whether the arguments of git make it read and nothing else.
pub(super) fn reads(args: &[&str], place: &Place) -> bool {
    let mut args = args;
    let mut place = place.clone();
    // The flags of git itself that are proven.
    loop {
        match args {
            ["--no-pager" | "--no-optional-locks" | "-P", rest @ ..] => args = rest,
            // As if it were started there.
            ["-C", folder, rest @ ..] => {
                if folder.starts_with('-') || !readable(folder, &place) {
                    return false;
                }
                (place.cwd, args) = (leads_to(folder, &place), rest);
            }
            _ => break,
        }
    }
    let place = &place;
    let [name, rest @ ..] = args else { return false };
    if !at_home(place) || rest.iter().any(|arg| formats_signature(arg)) {
        return false;
    }
    match *name {
        "branch" => lists(rest, &BRANCH, &["--list", "-l"]),
        "tag" => lists(rest, &TAG, &["--list", "-l"]),
        "stash" if rest.first() == Some(&"show") => general("diff", &rest[1..], place),
        "grep" => git_grep::searches(rest, place),
        "stash" => rest.first() == Some(&"list") && general("log", &rest[1..], place),
        "reflog" if rest.first().is_some_and(|sub| !sub.starts_with('-') && *sub != "show") => false,
        "remote" => {
            matches!(rest, [] | ["-v" | "--verbose"]) || matches!(rest, ["get-url", name] if !name.starts_with('-'))
        }
        "worktree" => matches!(rest, ["list"] | ["list", "--porcelain"]),
        "config" => config(rest),
        "cat-file" => matches!(rest, ["-t" | "-s" | "-e" | "-p", object] if operand(object, place)),
        "check-ignore" => {
            rest.iter().all(|arg| matches!(*arg, "-v" | "-q" | "-n") || (!arg.starts_with('-') && readable(arg, place)))
        }
        name => general(name, rest, place),
    }
}

fn general(name: &str, args: &[&str], place: &Place) -> bool {
    let Some(reader) = READERS.iter().find(|reader| reader.names.contains(&name)) else { return false };
    // `-uno` joins its value.
    let joined = |arg: &&str| !(name == "status" && matches!(*arg, "-uno" | "-unormal" | "-uall"));
    let args: Vec<&str> = args.iter().copied().filter(joined).collect();
    reader.flags.parse(&args).is_some_and(|parsed| {
        parsed.given.iter().all(|(flag, value)| flag_value(flag, *value)) && operands(&parsed, place)
    })
}

fn operands(parsed: &Parsed<'_>, place: &Place) -> bool {
    let (revisions, paths) = parsed.operands.split_at(parsed.before);
    revisions.iter().all(|word| operand(word, place)) && paths.iter().all(|path| readable(path, place))
}

/// A revision or a path. Git compares files outside of a repository when it is given their paths.
pub(super) fn operand(word: &str, place: &Place) -> bool {
    let path = word.rsplit(':').next().unwrap_or_default();
    let named = path.split('/').any(secret_name);
    let leads_out = word.starts_with('/') || word == ".." || word.contains("../") || word.ends_with("/..");
    !named && (!leads_out || readable(word, place)) && !word.starts_with('-')
}

/// Values that can make git run something: own names of formats, and ranges of functions by a pattern are fine.
fn flag_value(flag: &str, value: Option<&str>) -> bool {
    match (flag, value) {
        ("--pretty" | "--format", Some(format)) => {
            matches!(format, "oneline" | "short" | "medium" | "full" | "fuller" | "reference" | "email" | "raw")
                || format.contains('%')
        }
        // `-L :pattern:file` and `-L 1,2:file` name a file.
        ("-L", Some(range)) => {
            !range.split(':').next_back().unwrap_or_default().split('/').any(secret_name) && !range.contains("..")
        }
        _ => true,
    }
}

/// Placeholders that check signatures start the program that the settings name.
fn formats_signature(arg: &str) -> bool {
    arg.contains("%G") || arg.contains("signature") || arg.contains("%(trailers:key=sign")
}

const BRANCH: Flags = Flags {
    short: "arvl",
    valued: "",
    long: &[
        "all",
        "remotes",
        "verbose",
        "list",
        "show-current",
        "no-color",
        "color",
        "column",
        "no-column",
        "merged",
        "no-merged",
        "ignore-case",
        "abbrev",
        "no-abbrev",
    ],
    long_valued: &["contains", "no-contains", "points-at", "format", "sort"],
    number: false,
};
const TAG: Flags = Flags {
    short: "ln",
    valued: "",
    long: &["list", "merged", "no-merged", "column", "no-column", "ignore-case", "color"],
    long_valued: &["contains", "no-contains", "points-at", "format", "sort"],
    number: false,
};

/// Listing: without an operand, or with a flag that turns operands into patterns.
fn lists(args: &[&str], flags: &Flags, patterns: &[&str]) -> bool {
    let Some(parsed) = flags.parse(args) else { return false };
    parsed.operands.is_empty()
        || parsed.has(patterns)
        || parsed.has(&["--merged", "--no-merged", "--contains", "--no-contains", "--points-at"])
}

/// Single settings that hold no secrets.
fn config(args: &[&str]) -> bool {
    let (["--get" | "--get-all" | "get", key] | ["--local" | "--global" | "--system", "--get", key]) = args else {
        return false;
    };
    let key = key.to_ascii_lowercase();
    [
        "user.", "core.", "branch.", "init.", "color.", "pull.", "push.", "merge.", "rebase.", "fetch.", "diff.",
        "status.",
    ]
    .iter()
    .any(|start| key.starts_with(start))
}
