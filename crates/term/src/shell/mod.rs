//! Commands in a live shell with exactly known start, end and exit code: the shell says so itself, in private marks.
//!
//! A shell started by [`prepare`] prints OSC marks that carry the terminal's random [`Nonce`]; [`MarkScanner`] finds
//! them in the raw log, and [`deliver`] says which bytes to type so that a command runs in that shell.
//!
//! # Mark grammar
//!
//! `ESC ] 7733 ; nonce ; kind { ; key = value } BEL`
//!
//! | kind | meaning | keys |
//! |---|---|---|
//! | `A` | prompt starts | |
//! | `B` | prompt ends, input begins | |
//! | `C` | a command line starts to execute | `n` `t` `c` |
//! | `R` | a delivered file starts to execute | `n` `r` `t` |
//! | `E` | the output of command `n` ends here (before what the shell prints ahead of its hooks) | `n` |
//! | `D` | the command ended | `n` `x` `p` `r` `t` `d` `s` `o` `w`, then one of `c` `h` `W` |
//! | `F` | the prompt is shown but for its `B`: how the last command ended, once more | `n` `x` `p` `r` `s` |
//! | `X` | a run in a shell without integration ended | `r` `x` |
//! | `Q` | the command asks for a line with the line editor of the shell (fish) | |
//!
//! `n` number of the command in this shell, `r` run id, `t` time in seconds since 1970 (point or comma), `x` exit
//! status, `p` status of each stage, separated by spaces, `d` duration in ms, `s` exit status that stands above `x`
//! when not empty, `o` 0 when no command ran since the last `D`, `w` working folder, `c` command text. Values are
//! percent-encoded. `W` (working folder) and `h` (a line of bash's `history 1`) are raw, and like `c` they are last
//! and reach to the end of the mark. Unknown keys are skipped.
//!
//! # How a hub matches marks
//!
//! The output of a command may hold genuine old marks (`cat` of the raw log), so a mark counts only if it fits:
//! - typed: the first [`Mark::CommandStart`] after the bytes were written whose `seq` is greater than every earlier
//!   one starts the run; the first [`Mark::CommandEnd`] with the same `seq` ends it.
//! - by file: the first [`Mark::RunStart`] with the run's id starts it (a `CommandStart` comes before it in bash, zsh
//!   and fish; the run's output starts at `RunStart`); the first `CommandEnd` with `run == Some(id)` ends it, and so
//!   does one with the `seq` of that `CommandStart` when no `RunStart` came (the file could not be read).
//! - kind `Other`: `RunStart` and [`Mark::RunEnd`] with the id.
//!
//! Output is the bytes from the `end` of the starting mark to the `start` of the ending one. `PromptStart` and
//! `PromptEnd` say that the shell is ready only while no run is open. A `CommandStart` with a newer `seq` while one
//! is open (several commands in one paste) ends the open one with an unknown status.

mod append;
mod deliver;
mod hidden;
mod ids;
mod kind;
mod launch;
mod line;
mod mark;
mod plain;
mod preview;
mod quote;
mod scanner;

pub(crate) use deliver::{CLEAR_LINE_KEY, MEND};
pub use deliver::{DeliverError, Delivery, deliver};
pub(crate) use hidden::{Asking, asks_openly};
pub use ids::{Nonce, ParseIdError, RunId};
pub use kind::ShellKind;
pub use launch::{Launch, prepare};
pub use line::{NAME, NAMED, SHOWN, end_name, foreign_line, own_line};
pub use mark::{Mark, ScannedMark};
pub use scanner::MarkScanner;
