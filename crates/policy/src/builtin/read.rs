//! Programs that show files, folders and facts.

use super::flags::Flags;
use super::paths::{at_home, readable};
use crate::Place;

/// What the operands of a program are.
#[derive(Clone, Copy)]
enum Operands {
    /// Paths; without one, standard input.
    Paths,
    /// Paths; without one, the folder.
    PathsOrFolder,
    /// At most so many paths.
    AtMost(usize),
    /// Only text.
    Text,
    /// None at all.
    None,
}

struct Reader {
    names: &'static [&'static str],
    flags: Flags,
    operands: Operands,
}

const fn reader(
    names: &'static [&'static str],
    short: &'static str,
    valued: &'static str,
    long: &'static [&'static str],
    long_valued: &'static [&'static str],
    operands: Operands,
) -> Reader {
    Reader { names, flags: Flags { short, valued, long, long_valued, number: false }, operands }
}

use Operands::{AtMost, None as Nothing, Paths, PathsOrFolder, Text};

const READERS: &[Reader] = &[
    reader(
        &["ls"],
        "aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1",
        "IwT",
        &[
            "all",
            "almost-all",
            "human-readable",
            "recursive",
            "reverse",
            "color",
            "classify",
            "directory",
            "group-directories-first",
            "full-time",
            "inode",
            "size",
            "si",
            "no-group",
            "numeric-uid-gid",
        ],
        &["sort", "time", "time-style", "format", "ignore", "hide", "width", "indicator-style"],
        PathsOrFolder,
    ),
    reader(
        &["cat"],
        "AbeEnstTuv",
        "",
        &["number", "show-all", "number-nonblank", "squeeze-blank", "show-ends", "show-tabs"],
        &[],
        Paths,
    ),
    Reader {
        names: &["head", "tail"],
        flags: Flags {
            short: "qvz",
            valued: "nc",
            long: &["quiet", "silent", "verbose"],
            long_valued: &["lines", "bytes"],
            number: true,
        },
        operands: Paths,
    },
    reader(&["wc"], "clmLw", "", &["bytes", "chars", "lines", "words", "max-line-length"], &["total"], Paths),
    reader(&["stat"], "fLtx", "c", &["dereference", "terse", "file-system"], &["format", "printf"], Paths),
    reader(
        &["file"],
        "bhiLkNprsz0",
        "F",
        &["brief", "mime", "mime-type", "mime-encoding", "dereference"],
        &["separator"],
        Paths,
    ),
    reader(
        &["du"],
        "abchHkLmsSx0",
        "dB",
        &["all", "total", "human-readable", "summarize", "si", "apparent-size"],
        &["max-depth", "block-size", "threshold"],
        PathsOrFolder,
    ),
    reader(&["nl"], "p", "bdfhilnsvw", &[], &["body-numbering"], Paths),
    reader(
        &["cut"],
        "snz",
        "bcdf",
        &["only-delimited", "complement"],
        &["bytes", "characters", "delimiter", "fields", "output-delimiter"],
        Paths,
    ),
    reader(
        &["sort"],
        "bdfghiMnRrVcCmsuz",
        "kt",
        &["reverse", "unique", "numeric-sort", "human-numeric-sort", "version-sort", "stable", "check", "ignore-case"],
        &["key", "field-separator", "sort"],
        Paths,
    ),
    reader(
        &["uniq"],
        "cdDiuz",
        "fsw",
        &["count", "repeated", "unique", "ignore-case"],
        &["skip-fields", "skip-chars", "check-chars"],
        AtMost(1),
    ),
    reader(
        &["diff"],
        "abBcdeEilnNpqstTuwyZ",
        "CU",
        &[
            "brief",
            "unified",
            "side-by-side",
            "ignore-all-space",
            "ignore-space-change",
            "ignore-blank-lines",
            "ignore-case",
            "color",
            "report-identical-files",
            "text",
            "minimal",
            "suppress-common-lines",
        ],
        &["width"],
        AtMost(2),
    ),
    reader(&["cmp"], "bls", "n", &["silent", "quiet", "verbose", "print-bytes"], &["bytes"], AtMost(2)),
    reader(&["basename"], "az", "s", &["multiple"], &["suffix"], Text),
    reader(&["dirname"], "z", "", &[], &[], Text),
    reader(
        &["realpath", "readlink"],
        "efmnqsvzLP",
        "",
        &["canonicalize", "canonicalize-existing", "no-symlinks"],
        &["relative-to", "relative-base"],
        Paths,
    ),
    reader(
        &["tree"],
        "adfghilnprstuvxACDFNQRS",
        "LIP",
        &["dirsfirst", "noreport", "gitignore", "prune"],
        &["filelimit", "charset", "sort"],
        PathsOrFolder,
    ),
    reader(
        &["md5sum", "sha1sum", "sha256sum", "sha512sum", "b2sum", "cksum"],
        "btz",
        "",
        &["binary", "text", "tag"],
        &[],
        Paths,
    ),
    reader(&["tac", "rev"], "br", "s", &[], &["separator"], Paths),
    reader(&["tr"], "cCdst", "", &["complement", "delete", "squeeze-repeats"], &[], Text),
    reader(&["seq"], "w", "fs", &["equal-width"], &["format", "separator"], Text),
    reader(&["which"], "as", "", &["all"], &[], Text),
    reader(
        &["uname"],
        "amnioprsv",
        "",
        &["all", "kernel-name", "kernel-release", "machine", "operating-system"],
        &[],
        Nothing,
    ),
    reader(&["id"], "agGnruzZ", "", &["group", "groups", "name", "real", "user"], &[], Text),
    reader(&["whoami", "groups", "nproc", "arch", "tty", "logname"], "", "", &["all"], &["ignore"], Nothing),
    reader(&["column"], "te", "sNo", &["table"], &["separator", "output-separator"], Paths),
    reader(&["paste"], "sz", "d", &["serial"], &["delimiters"], Paths),
    reader(&["comm"], "123z", "", &["total"], &["output-delimiter"], Paths),
    reader(&["join"], "i", "12joteav", &["header"], &[], Paths),
    reader(&["fold"], "bs", "w", &["spaces"], &["width"], Paths),
    reader(&["expand", "unexpand"], "ai", "t", &["initial", "all"], &["tabs"], Paths),
    reader(&["od"], "abcdfiloxsv", "AjNtSw", &[], &["address-radix", "format", "read-bytes", "skip-bytes"], AtMost(1)),
    // The second operand of xxd is a file to write.
    reader(&["xxd"], "bpiu", "lscg", &[], &[], AtMost(1)),
    reader(&["hexdump", "hd"], "bcCdovx", "ns", &["canonical"], &["length", "skip"], Paths),
    reader(&["strings"], "a", "nte", &["all", "print-file-name"], &["bytes", "radix"], Paths),
    reader(&["base64", "base32"], "di", "w", &["decode", "ignore-garbage"], &["wrap"], AtMost(1)),
    reader(&["iconv"], "lc", "ft", &["list"], &["from-code", "to-code"], Paths),
    reader(&["nm"], "aAClgnoprSuD", "", &["demangle", "dynamic", "defined-only", "undefined-only"], &[], Paths),
    reader(&["size"], "ABdox", "", &[], &[], Paths),
    reader(&["readelf"], "ahlSesnrdVW", "", &["all", "file-header", "sections", "symbols", "wide"], &[], Paths),
    reader(
        &["df"],
        "ahHiklmPTx",
        "Bt",
        &["all", "human-readable", "si", "inodes", "local", "portability", "print-type", "total"],
        &["block-size", "type"],
        PathsOrFolder,
    ),
    reader(&["free"], "bkmghtwvl", "", &["human", "total", "wide", "mega", "giga", "si"], &[], Nothing),
    reader(&["uptime"], "psV", "", &["pretty", "since"], &[], Nothing),
    reader(&["lscpu"], "abceJxy", "", &["json", "all"], &[], Nothing),
    reader(&["expr"], "", "", &[], &[], Text),
    reader(&["numfmt"], "z", "d", &["header"], &["from", "to", "field", "format", "padding", "suffix"], Text),
    reader(&["locale"], "a", "", &["all-locales"], &[], Nothing),
    reader(&["whereis"], "bmsu", "", &[], &[], Text),
    reader(&["hostname"], "fsidI", "", &["fqdn", "short", "long"], &[], Nothing),
];

/// Whether a program only shows something that may be read.
pub(super) fn proven(program: &str, args: &[&str], place: &Place) -> bool {
    match program {
        "date" => date(args),
        _ => READERS
            .iter()
            .find(|reader| reader.names.contains(&program))
            .is_some_and(|reader| reader.proven(args, place)),
    }
}

impl Reader {
    fn proven(&self, args: &[&str], place: &Place) -> bool {
        let Some(parsed) = self.flags.parse(args) else { return false };
        let readable = parsed.operands.iter().all(|path| readable(path, place));
        match self.operands {
            Text => true,
            Nothing => parsed.operands.is_empty(),
            Paths => readable,
            AtMost(most) => readable && parsed.operands.len() <= most,
            PathsOrFolder => readable && (!parsed.operands.is_empty() || at_home(place)),
        }
    }
}

/// `date` with an operand other than a format sets the clock.
fn date(args: &[&str]) -> bool {
    const FLAGS: Flags = Flags {
        short: "uRI",
        valued: "d",
        long: &["utc", "universal", "iso-8601", "rfc-email"],
        long_valued: &["date", "rfc-3339"],
        number: false,
    };
    // `-Iseconds` joins its value.
    let plain: Vec<&str> = args
        .iter()
        .copied()
        .filter(|arg| !matches!(*arg, "-Iseconds" | "-Iminutes" | "-Ihours" | "-Ins" | "-Idate"))
        .collect();
    FLAGS.parse(&plain).is_some_and(|parsed| {
        parsed.operands.len() <= 1 && parsed.operands.iter().all(|operand| operand.starts_with('+'))
    })
}
