//! Reading shell text, twice.
//!
//! The danger search reads with a reader of its own ([`read`]): it never fails, reads every text to its end in linear
//! time, and keeps what a word consists of. Beside it stands the grammar of tree-sitter ([`tree`]): it says whether a text is
//! valid, confirms what is plain, and whatever command it finds at a place where the reader saw none is looked at as well.
//!
//! Why this grammar, measured on hostile texts (10,000 nested `(`, `$(`, `{`, `"$(`, `if`, `case`; open quotes and
//! here-documents; zero bytes; lines of 100 kB) against `bash -n`:
//!
//! - `brush-parser` 0.4 takes exponential time on 32 open parentheses or `case` words (`(` × 24: 0.5 s, × 32: no end in
//!   5 s) and can't be stopped; 10,000 nested `$(`, `{` or `if` overflow the stack, which ends the process. It brings 76
//!   crates, a snapshot-test library among them. Its readings were right wherever it ended; `select` is unknown to it.
//! - `tree-sitter-bash` 0.25 crashed on nothing and used no stack; nested texts of 10,000 levels take 4 to 90 ms. Its worst
//!   are 10,000 × `a=(` and 65,000 × `<`, several seconds, so only texts below 16 KiB and 300 words that the reader found
//!   valid are given to it, the work is counted, and it is stopped soon after an error. Within that it needs about 0.4 ms;
//!   a dense line of 4 kB would take 0.7 ms of the millisecond that a decision may take, so longer texts are judged by the
//!   reader alone and never proven. It brings 4 crates that
//!   were not here before, and the C compiler that the database needs anyway.
//! - It misreads some valid texts: `echo 2>/dev/null x` makes `x` a target, `cat <<A <<B`, `{rm,-rf,/}` and `((a);b)` are
//!   errors; and it accepts `ls;; rm`. So nothing is proven by it alone, and no command's words are taken from it alone.

mod compound;
mod reader;
pub(crate) mod script;
pub(crate) mod tree;
mod words;

pub(crate) use reader::{declares, read};

/// How long a text may be. Longer ones are not read to their end.
pub(crate) const MAX_LENGTH: usize = 1024 * 1024;
/// How long a text may be for the grammar.
pub(crate) const MAX_CONFIRMED: usize = 16 * 1024;
/// How many words, quotes and expansions a text may hold for the grammar, which needs one to two microseconds for each.
pub(crate) const MAX_TOKENS: usize = 300;
/// How deep a text may be nested.
pub(crate) const MAX_DEPTH: usize = 64;
/// How many commands a text may hold.
pub(crate) const MAX_PIECES: usize = 2_000;
