//! What is in archives, without unpacking them.

use super::flags::Flags;
use super::paths::readable;
use crate::Place;

/// Missing on purpose, among many: `-I`, `-F`, `--to-command` and `--checkpoint-action`, which start programs, and `-T`, whose
/// file can hold options.
const TAR: Flags = Flags {
    short: "tvzjJa",
    valued: "f",
    long: &["list", "verbose", "gzip", "bzip2", "xz", "zstd", "auto-compress", "full-time"],
    long_valued: &["file"],
    number: false,
};
const UNZIP: Flags = Flags { short: "lvqZ1", valued: "", long: &[], long_valued: &[], number: false };
const GZIP: Flags = Flags { short: "lvq", valued: "", long: &["list", "verbose"], long_valued: &[], number: false };

/// Whether an archive is only listed.
pub(super) fn proven(program: &str, args: &[&str], place: &Place) -> bool {
    match program {
        "tar" => tar(args, place),
        "unzip" => UNZIP.parse(args).is_some_and(|parsed| {
            let lists = parsed.has(&["-l", "-v", "-Z"]);
            let archive = parsed.operands.first();
            lists && archive.is_some_and(|archive| !archive.contains(['*', '?', '[']) && readable(archive, place))
        }),
        "gzip" => GZIP.parse(args).is_some_and(|parsed| {
            parsed.has(&["-l", "--list"]) && parsed.operands.iter().all(|file| readable(file, place))
        }),
        "zcat" => args.iter().all(|file| !file.starts_with('-') && readable(file, place)),
        _ => false,
    }
}

fn tar(args: &[&str], place: &Place) -> bool {
    // The old way: the first word is flags without a dash, and their values come behind it.
    let mut spelled: Vec<&str> = Vec::new();
    let first;
    match args.split_first() {
        Some((flags, rest)) if !flags.starts_with('-') => {
            // Only with `f` as the last one is the order of the values plain.
            if flags.find('f').is_some_and(|at| at + 1 != flags.len()) {
                return false;
            }
            first = format!("-{flags}");
            spelled.push(&first);
            spelled.extend(rest);
        }
        _ => spelled.extend(args),
    }
    let Some(parsed) = TAR.parse(&spelled) else { return false };
    let mut archives = parsed.given.iter().filter(|(flag, _)| matches!(flag.as_str(), "-f" | "--file"));
    let (Some((_, Some(archive))), None) = (archives.next(), archives.next()) else { return false };
    // A colon makes it a file on another machine.
    parsed.has(&["-t", "--list"]) && !archive.contains(':') && readable(archive, place)
}
