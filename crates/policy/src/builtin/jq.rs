//! `jq` with a filter that sees its input only.

use super::flags::Flags;
use super::paths::readable;
use crate::Place;

const FLAGS: Flags = Flags {
    short: "rcsnSeajMCRh",
    valued: "",
    long: &[
        "raw-output",
        "compact-output",
        "slurp",
        "null-input",
        "sort-keys",
        "exit-status",
        "ascii-output",
        "join-output",
        "monochrome-output",
        "color-output",
        "raw-input",
        "tab",
    ],
    long_valued: &["indent"],
    number: false,
};

/// Names that reach beyond the input: the environment, modules and where they are searched for.
const BEYOND: &[&str] =
    &["env", "ENV", "import", "include", "modulemeta", "get_search_list", "input_filename", "__prog_args"];

/// Whether a call of jq reads nothing but its files. Names are searched for in texts too, which can hold filters.
pub(super) fn proven(args: &[&str], place: &Place) -> bool {
    let Some(args) = without_values(args) else { return false };
    let Some(parsed) = FLAGS.parse(&args) else { return false };
    let Some((filter, files)) = parsed.operands.split_first() else { return false };
    let mut names = filter.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    names.all(|name| !BEYOND.contains(&name)) && files.iter().all(|file| readable(file, place))
}

/// Takes out `--arg NAME VALUE` and `--argjson NAME VALUE`, whose values are text.
fn without_values<'a>(args: &[&'a str]) -> Option<Vec<&'a str>> {
    let mut left = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        if matches!(*arg, "--arg" | "--argjson") {
            rest.next()?;
            rest.next()?;
        } else {
            left.push(*arg);
        }
    }
    Some(left)
}
