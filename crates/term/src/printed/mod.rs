//! What programs printed, in a log that also has what Flightdeck needs to run commands in a shell: the marks that the shell
//! prints for us, and the lines that have it read a command from a file. Nobody has asked for these, so callers read the log
//! without them.

mod echo;
mod lines;
mod marks;
mod painted;
mod sequence;
mod typed_lines;

pub use lines::{Line, Lines};
pub use marks::{Head, Marks};
pub use sequence::{LONGEST_SEQUENCE, sequence, whole_sequences};
pub use typed_lines::{Commands, LONGEST, TypedLines};
