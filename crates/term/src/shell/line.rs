//! The line that has a shell read a command from a file, and what the shell shows of that command. Nobody has typed the line,
//! so whoever reads a terminal must be able to know it again: it is made and described here only.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::ShellKind;
use super::quote::quote;

/// What stands before the first line of a command that is shown.
pub const SHOWN: &str = "▸ ";
/// The variable in the lines of shells that have our start-up files.
pub const NAMED: &str = "FLIGHTDECK_RUN";
/// How many digits the name of such a file has.
pub const NAME: usize = 16;

/// Before and after the name of the file, in bash and the like.
const SOURCED: (&str, &str) = (" . $FLIGHTDECK_RUN/", "");
/// The same in fish, where an `exit` in a sourced file only ends the file.
const EVALUATED: (&str, &str) = (" eval (string collect <$FLIGHTDECK_RUN/", ")");

/// Before and after the name of the file in the line of a shell that has our start-up files.
pub fn own_line(kind: ShellKind) -> (&'static str, &'static str) {
    if kind == ShellKind::Fish { EVALUATED } else { SOURCED }
}

/// What comes before, between and after the two names of the file in the line of a shell that knows nothing of us. The second
/// file sees to the end of the run.
pub fn foreign_line(dir: &Path) -> [Vec<u8>; 3] {
    // A quote that is left open, to be closed after the name.
    let mut folder = quote(ShellKind::Other, dir.join("run").as_os_str().as_bytes());
    folder.pop();
    folder.push(b'/');
    let begin = [b" . ", folder.as_slice()].concat();
    let between = [b"'; . ", folder.as_slice()].concat();
    [begin, between, format!("{END}'").into_bytes()]
}

const END: &str = ".end";

/// The file in which a shell without hooks finds what to print at the end of a run.
pub fn end_name(name: &str) -> String {
    format!("{name}{END}")
}
