//! Programs that search: `grep`, `rg`, `find`.

use super::flags::{Flags, Parsed};
use super::paths::{at_home, below_root, leads_to, readable, secret_name};
use super::repository::quiet;
use crate::Place;
use crate::headless::{matches, signs};

const GREP: Flags = Flags {
    short: "EFGPivwxcLloqsbHhnTZaIrRUyz",
    valued: "eABCmd",
    long: &[
        "extended-regexp",
        "fixed-strings",
        "basic-regexp",
        "perl-regexp",
        "ignore-case",
        "invert-match",
        "word-regexp",
        "line-regexp",
        "count",
        "color",
        "colour",
        "files-without-match",
        "files-with-matches",
        "only-matching",
        "quiet",
        "silent",
        "no-messages",
        "byte-offset",
        "with-filename",
        "no-filename",
        "line-number",
        "text",
        "recursive",
        "null",
    ],
    long_valued: &[
        "regexp",
        "after-context",
        "before-context",
        "context",
        "max-count",
        "include",
        "exclude",
        "exclude-dir",
        "binary-files",
        "label",
    ],
    number: true,
};

/// Without `--hidden`, `--no-ignore` and `-u`: hidden files, in which secrets usually are, stay unread.
const RIPGREP: Flags = Flags {
    short: "ciFlLnNoqsSvwxHIPUp0ha",
    valued: "eABCmgtTjrMdE",
    long: &[
        "count",
        "count-matches",
        "ignore-case",
        "fixed-strings",
        "files-with-matches",
        "files-without-match",
        "line-number",
        "no-line-number",
        "only-matching",
        "quiet",
        "case-sensitive",
        "smart-case",
        "invert-match",
        "word-regexp",
        "line-regexp",
        "with-filename",
        "no-filename",
        "pcre2",
        "multiline",
        "pretty",
        "null",
        "files",
        "json",
        "stats",
        "heading",
        "no-heading",
        "column",
        "trim",
        "vimgrep",
        "type-list",
        "no-config",
        "text",
        "no-messages",
        "multiline-dotall",
    ],
    long_valued: &[
        "regexp",
        "after-context",
        "before-context",
        "context",
        "max-count",
        "glob",
        "iglob",
        "type",
        "type-not",
        "threads",
        "max-columns",
        "max-depth",
        "encoding",
        "sort",
        "sortr",
        "color",
        "max-filesize",
        "context-separator",
    ],
    number: false,
};

/// Whether a search reads nothing but what may be read.
pub(super) fn proven(program: &str, args: &[&str], place: &Place) -> bool {
    match program {
        "grep" | "egrep" | "fgrep" => grep(args, place),
        "rg" => ripgrep(args, place),
        "find" => find(args, place),
        _ => false,
    }
}

fn grep(args: &[&str], place: &Place) -> bool {
    let Some(parsed) = GREP.parse(args) else { return false };
    let pattern = usize::from(!parsed.has(&["-e", "--regexp"]));
    let Some(paths) = parsed.operands.get(pattern..) else { return false };
    // In the root of the workspace a search through everything reads `.env` and `.git` too.
    let recursive = parsed.has(&["-r", "-R", "--recursive", "-d"]);
    if recursive {
        let searched = |path: &&str| match &place.disk {
            None => below_root(path, place),
            Some(_) => readable(path, place) && spares_secrets(path, &parsed, place),
        };
        // Without a path it is the folder.
        let here = ["."];
        let paths = if paths.is_empty() && place.disk.is_some() { &here[..] } else { paths };
        !paths.is_empty() && !parsed.has(&["-R"]) && paths.iter().all(searched)
    } else {
        paths.iter().all(|path| readable(path, place))
    }
}

/// Whether a search through a folder leaves all files out that usually hold secrets, by what is there and by what the flags
/// leave out.
fn spares_secrets(path: &str, parsed: &Parsed<'_>, place: &Place) -> bool {
    let (Some(disk), Some(folder)) = (&place.disk, leads_to(path, place)) else { return false };
    if !disk.is_folder(&folder) {
        return true;
    }
    let Some(files) = disk.files_below(&folder) else { return false };
    let values = |flag: &str| -> Vec<&str> {
        parsed.given.iter().filter(|(given, _)| given == flag).filter_map(|(_, value)| *value).collect()
    };
    let fits = |globs: &[&str], name: &str| globs.iter().any(|glob| matches(&signs(glob), name));
    let (folders, left_out, chosen) = (values("--exclude-dir"), values("--exclude"), values("--include"));
    // Brackets and backslashes mean something in these patterns that is not known here.
    if folders.iter().chain(&left_out).chain(&chosen).any(|glob| glob.contains(['[', '\\', '/'])) {
        return false;
    }
    files.iter().all(|file| {
        let names: Vec<String> = file.iter().map(|name| name.to_string_lossy().into_owned()).collect();
        let Some((name, above)) = names.split_last() else { return true };
        let spared = above.iter().any(|folder| fits(&folders, folder))
            || fits(&left_out, name)
            || (!chosen.is_empty() && left_out.is_empty() && !fits(&chosen, name));
        spared || !names.iter().any(|name| secret_name(name)) || quiet(&folder, file, disk.as_ref())
    })
}

fn ripgrep(args: &[&str], place: &Place) -> bool {
    let Some(parsed) = RIPGREP.parse(args) else { return false };
    let pattern = usize::from(!parsed.has(&["-e", "--regexp", "--files", "--type-list"]));
    let Some(paths) = parsed.operands.get(pattern..) else { return false };
    // A glob that names a hidden file finds it.
    let globs = parsed
        .given
        .iter()
        .filter(|(flag, _)| matches!(flag.as_str(), "-g" | "--glob" | "--iglob"))
        .filter_map(|(_, value)| *value);
    globs
        .into_iter()
        .all(|glob| !glob.contains("/.") && !glob.trim_start_matches('!').starts_with('.') || glob.starts_with('!'))
        && paths.iter().all(|path| readable(path, place))
        && (!paths.is_empty() || at_home(place))
}

/// Words of find that only choose or print.
const FIND_PLAIN: &[&str] = &[
    "-print",
    "-print0",
    "-ls",
    "-prune",
    "-quit",
    "-o",
    "-or",
    "-a",
    "-and",
    "-not",
    "!",
    "(",
    ")",
    "-empty",
    "-true",
    "-false",
    "-depth",
    "-xdev",
    "-mount",
    "-readable",
    "-writable",
    "-executable",
    "-nouser",
    "-nogroup",
    "-daystart",
    ",",
];
/// The same, with a value.
const FIND_VALUED: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-maxdepth",
    "-mindepth",
    "-perm",
    "-user",
    "-group",
    "-links",
    "-printf",
    "-lname",
];

fn find(args: &[&str], place: &Place) -> bool {
    let mut paths = 0;
    let mut expression = false;
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if FIND_PLAIN.contains(arg) {
            expression = true;
        } else if FIND_VALUED.contains(arg) {
            expression = true;
            if rest.next().is_none() {
                return false;
            }
        } else if arg.starts_with('-') && !(matches!(*arg, "-H" | "-P") && !expression && paths == 0) {
            return false;
        } else if !arg.starts_with('-') {
            if expression || !readable(arg, place) {
                return false;
            }
            paths += 1;
        }
    }
    paths > 0 || at_home(place)
}
