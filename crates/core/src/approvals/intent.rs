//! What a call would run: the part of its arguments that the policy decides about.

use std::path::PathBuf;

use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_policy::{Deed, Dialect, SurfaceKind};

use crate::hub::Hub;

/// What a call would run, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Intent {
    /// A line for a shell as far as it is known, or a program with its arguments.
    pub deed: Deed,
    /// In whose sight.
    pub sight: Sight,
    /// The folder, when it is known.
    pub cwd: Option<PathBuf>,
    /// Variables that the caller sets.
    pub env: Vec<(String, String)>,
    /// The terminal, when it exists already.
    pub terminal: Option<TerminalId>,
    /// How sure it is that a shell gets it.
    pub certainty: Certainty,
    /// Whose language the line is in, when a shell is known to read it from its beginning to its end.
    pub shell: Option<Dialect>,
}

/// How sure it is that what is to run reaches whoever would run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// It does.
    Certain,
    /// It is typed into a program, which may leave it to the shell below. `raw`: or any end of a line of it.
    Perhaps {
        /// The program takes single keys.
        raw: bool,
    },
}

/// Who can see what runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Nobody: only what is proven safe runs, in a sandbox.
    Headless,
    /// Whoever looks: the terminal is there for people too.
    Shared(SurfaceKind),
}

impl Intent {
    /// Something that runs for certain, with nothing else known of it.
    pub(crate) fn certain(deed: Deed, sight: Sight, cwd: Option<PathBuf>) -> Self {
        Intent { deed, sight, cwd, env: Vec::new(), terminal: None, certainty: Certainty::Certain, shell: None }
    }

    /// Whether just this would run. A yes to anything else is no yes to the next such thing.
    pub(crate) fn is_certain(&self) -> bool {
        self.certainty == Certainty::Certain && !matches!(self.deed, Deed::Part(_))
    }

    /// The command as text, for people and for the audit log.
    pub(crate) fn text(&self) -> String {
        match &self.deed {
            // The Enter behind it is no part of it.
            Deed::Line(line) => line.trim_end_matches(['\r', '\n']).to_owned(),
            Deed::Part(known) => format!("{known}(edited with keys: see the terminal)"),
            Deed::Argv(words) => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
        }
    }
}

/// A word as a shell would have to be given it.
pub(crate) fn quoted(word: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(bare) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A request that runs what its caller says.
pub(crate) trait Executes {
    /// What it would run; `None` when that is nothing to decide about, such as a new shell.
    fn intent(&self, hub: &Hub) -> Result<Option<Intent>, Error>;

    /// Whether another command can be put in its place.
    fn editable(&self) -> bool {
        true
    }

    /// Puts another command in its place.
    fn edit(&mut self, _command: &str) -> Result<(), Error> {
        Err(not_editable())
    }
}

/// Nobody is offered to edit it; what comes all the same is refused.
pub(crate) fn not_editable() -> Error {
    Error::new(ErrorCode::InvalidArgument, "what this call runs can't be edited: approve or decline it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_shown_as_a_shell_would_need_them() {
        let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
        for (argv, shown) in [
            (&["ls", "-l"][..], "ls -l"),
            (&["echo", "two words"], "echo 'two words'"),
            (&["echo", ""], "echo ''"),
            (&["echo", "it's"], "echo 'it'\\''s'"),
            (&["sh", "-c", "rm $x"], "sh -c 'rm $x'"),
        ] {
            assert_eq!(Intent::certain(Deed::Argv(words(argv)), Sight::Headless, None).text(), shown);
        }
    }

    #[test]
    fn the_enter_behind_a_line_is_no_part_of_it() {
        for (typed, shown) in [("make\n", "make"), ("touch a\\ \n", "touch a\\ "), ("a\nb\n", "a\nb")] {
            assert_eq!(Intent::certain(Deed::Line(typed.to_owned()), Sight::Headless, None).text(), shown);
        }
    }
}
