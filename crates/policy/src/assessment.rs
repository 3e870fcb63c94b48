//! What is known of a command before anybody decides about it.

use std::ops::Range;

use crate::plain::Step;

/// All that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// The simple commands in the order of the text, with those inside of substitutions and nested shells.
    pub pieces: Vec<Piece>,
    /// The words of each command when the whole text is nothing but simple commands of literal words, joined by `&&`,
    /// `||`, `;`, `|` or line ends, with no redirection other than between descriptors and to `/dev/null`.
    pub plain: Result<Vec<Vec<String>>, NotPlain>,
    /// The commands as the shell of headless runs reads them, `/bin/sh -c`, which has no history, aliases or start-up files:
    /// patterns of names, files as input and changes of folder are followed there.
    pub steps: Result<Vec<Step>, NotPlain>,
    /// What is dangerous about it, the worst first.
    pub dangers: Vec<Danger>,
}

/// Why nothing can be proven of a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NotPlain {
    /// In words: `it holds the expansion $HOME`.
    pub reason: String,
    /// Where in the text.
    pub span: Range<usize>,
}

/// One simple command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its text.
    pub text: String,
    /// Where it stands in the whole text. A piece of a nested text (`sh -c '…'`) has the place of the word that holds it.
    pub span: Range<usize>,
    /// How deep it is nested: 0 for what stands in the text itself.
    pub depth: usize,
    /// Its words, assignments in front of it left out.
    pub words: Vec<Word>,
}

/// A word of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// What the program gets, quotes taken off.
    Literal(String),
    /// It depends on an expansion, a substitution or a pattern; here is its text as it was written.
    Unknown(String),
}

/// Something dangerous.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Danger {
    /// What kind of danger.
    pub kind: DangerKind,
    /// Whether a person can allow it.
    pub severity: Severity,
    /// Which piece, by its place in [`Assessment::pieces`].
    pub piece: Option<usize>,
    /// Where in the text.
    pub span: Range<usize>,
    /// Why it is dangerous, in a sentence without an end mark: `rm -rf deletes build and everything below it`.
    pub reason: String,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// A person can allow it.
    Ask,
    /// Nobody can: what it destroys can't be brought back, and no honest task needs it.
    Never,
}

/// The kinds of danger. Each is a rule of its own, with a stable name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DangerKind {
    /// Deletes `/`, the home folder, the workspace or a system folder. Never allowed.
    DeletesRoot,
    /// A program that starts itself without end. Never allowed.
    ForkBomb,
    /// Writes to a block device, or makes a file system on one. Never allowed.
    RawDevice,
    /// An agent that would answer for a person: `flightdeck approve`, `flightdeck policy add`. Never allowed.
    SelfApproval,
    /// Deletes folders with all that is in them, or many files.
    DeletesTree,
    /// Acts with the rights of somebody else: `sudo`, `su`, `doas`, `pkexec`.
    Privilege,
    /// Gives away rights: `chmod 777`, `chmod -R`, `chown -R`, set-user-id.
    Permissions,
    /// Copies or wipes raw data: `dd if=`, `shred`, `truncate -s 0`.
    RawCopy,
    /// Runs what comes from elsewhere: a pipe into a shell, `curl | sh`, `base64 -d | sh`, `eval`, `source <(…)`.
    RunsInput,
    /// Throws away work in version control: `git reset --hard`, `git clean -f`, `git push --force`.
    DiscardsWork,
    /// Writes outside of the workspace and the folders for temporary files.
    WritesOutside,
    /// Changes what programs are found or loaded: `PATH=`, `LD_PRELOAD=`, `GIT_SSH_COMMAND=`.
    Environment,
    /// Lets a program run configured helpers: `git -c core.pager=…`, `tar --checkpoint-action`, `find -exec`.
    Helpers,
    /// Ends processes that are not its own, or the machine: `kill -9 -1`, `pkill`, `shutdown`.
    StopsOthers,
    /// Stays after the session: `crontab`, `at`, `systemd-run`, shell start-up files.
    Persists,
    /// Takes data elsewhere or lets others in: uploads of files, `nc -l`, `ssh -R`.
    Exposes,
    /// Can't be undone in the world outside: `npm publish`, `terraform destroy`, `drop database`, `kubectl delete`.
    Irreversible,
    /// It could not be read to the end: no valid shell text, nested too deep, too long.
    Unreadable,
}

impl DangerKind {
    /// Every kind.
    pub const ALL: [DangerKind; 18] = [
        DangerKind::DeletesRoot,
        DangerKind::ForkBomb,
        DangerKind::RawDevice,
        DangerKind::SelfApproval,
        DangerKind::DeletesTree,
        DangerKind::Privilege,
        DangerKind::Permissions,
        DangerKind::RawCopy,
        DangerKind::RunsInput,
        DangerKind::DiscardsWork,
        DangerKind::WritesOutside,
        DangerKind::Environment,
        DangerKind::Helpers,
        DangerKind::StopsOthers,
        DangerKind::Persists,
        DangerKind::Exposes,
        DangerKind::Irreversible,
        DangerKind::Unreadable,
    ];

    /// The name of its rule, for the audit log and for `flightdeck policy explain`.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            DangerKind::DeletesRoot => "danger:deletes-root",
            DangerKind::ForkBomb => "danger:fork-bomb",
            DangerKind::RawDevice => "danger:raw-device",
            DangerKind::SelfApproval => "danger:self-approval",
            DangerKind::DeletesTree => "danger:deletes-tree",
            DangerKind::Privilege => "danger:privilege",
            DangerKind::Permissions => "danger:permissions",
            DangerKind::RawCopy => "danger:raw-copy",
            DangerKind::RunsInput => "danger:runs-input",
            DangerKind::DiscardsWork => "danger:discards-work",
            DangerKind::WritesOutside => "danger:writes-outside",
            DangerKind::Environment => "danger:environment",
            DangerKind::Helpers => "danger:helpers",
            DangerKind::StopsOthers => "danger:stops-others",
            DangerKind::Persists => "danger:persists",
            DangerKind::Exposes => "danger:exposes",
            DangerKind::Irreversible => "danger:irreversible",
            DangerKind::Unreadable => "danger:unreadable",
        }
    }
}
