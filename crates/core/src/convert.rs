//! How engine types and contract types turn into each other: each pair in one place.

mod files;
mod workbench;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flightdeck_contract::hub::{AuditCall, AuditPage, AuditRun, AuditVerified, DatabaseProblem, DatabaseProblemKind};
use flightdeck_contract::terminal::{CommandRecord, InputState, TerminalKind, WindowSize};
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use flightdeck_keeper::{ClientError, Exit, Refusal, SessionId, Size};
use flightdeck_term::SpawnError;
use flightdeck_term::exec::RunError;
use flightdeck_term::facts::Input;
use flightdeck_term::log::Offset;
use flightdeck_term::session::{InputError, Kind, Lost, Record, RecordNumber};

pub(crate) use files::file_error;
pub(crate) use workbench::{guest, workbench_error};

use crate::audit::summary::{SummarySource, may_have_happened, summary_of};
use crate::store::{self, StoreError};
use crate::terminals::ground;

pub(crate) fn session_id(id: TerminalId) -> SessionId {
    SessionId::new(id.to_string()).expect("a terminal id is a valid session id")
}

pub(crate) fn terminal_id(id: &SessionId) -> Option<TerminalId> {
    id.as_str().parse().ok()
}

pub(crate) fn size(size: WindowSize) -> Result<Size, Error> {
    Size::new(size.rows, size.cols).map_err(|error| Error::invalid("size", error))
}

pub(crate) fn window_size(size: Size) -> WindowSize {
    WindowSize { rows: size.rows(), cols: size.cols() }
}

pub(crate) fn terminal_kind(kind: &Kind) -> TerminalKind {
    match kind {
        Kind::Shell(_) => TerminalKind::Shell,
        Kind::Command => TerminalKind::Command,
        Kind::Piped => TerminalKind::Pipes,
    }
}

pub(crate) fn input_state(input: Input) -> InputState {
    match input {
        Input::Password => InputState::Password,
        Input::Line => InputState::Line,
        Input::Raw => InputState::Raw,
        Input::Busy => InputState::Busy,
        Input::None => InputState::None,
    }
}

pub(crate) fn signal_of(exit: Exit) -> Option<String> {
    match exit {
        Exit::Code(_) => None,
        Exit::Signal(number) => Some(signal_name(number)),
    }
}

/// The signals that people name, with their Linux numbers.
const SIGNALS: [(&str, i32); 14] = [
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", 3),
    ("ILL", 4),
    ("ABRT", 6),
    ("FPE", 8),
    ("KILL", 9),
    ("USR1", 10),
    ("SEGV", 11),
    ("USR2", 12),
    ("PIPE", 13),
    ("TERM", 15),
    ("CONT", 18),
    ("STOP", 19),
];

fn signal_name(number: i32) -> String {
    SIGNALS.iter().find(|(_, n)| *n == number).map_or_else(|| number.to_string(), |(name, _)| format!("SIG{name}"))
}

/// A signal by name (`INT`, `SIGINT`, `int`) or number.
pub(crate) fn signal_number(text: &str) -> Result<i32, Error> {
    let upper = text.to_ascii_uppercase();
    let name = upper.strip_prefix("SIG").unwrap_or(&upper);
    if let Some((_, number)) = SIGNALS.iter().find(|(known, _)| *known == name) {
        return Ok(*number);
    }
    if let Ok(number @ 1..=64) = text.parse() {
        return Ok(number);
    }
    let known: Vec<_> = SIGNALS.iter().map(|(name, _)| *name).collect();
    Err(Error::invalid("signal", format!("{text:?} is not a signal"))
        .hint(format!("use one of {} or a number from 1 to 64", known.join(", "))))
}

pub(crate) fn record(record: &Record) -> CommandRecord {
    CommandRecord {
        number: record.number.0,
        text: record.text.clone(),
        actor: record.actor.clone(),
        cwd: record.cwd.as_ref().map(|cwd| cwd.to_string_lossy().into_owned()),
        start: record.start.0,
        end: record.end.map(|end| end.0),
        exit_code: record.exit,
        // One stage says nothing that the exit code does not; a POSIX shell tells of no more.
        stages: if record.stages.len() > 1 { record.stages.clone() } else { Vec::new() },
        started_at: record.started_at,
        duration_ms: record.duration.map(|duration| duration.as_millis() as u64),
    }
}

pub(crate) fn record_from(record: CommandRecord) -> Record {
    Record {
        number: RecordNumber(record.number),
        text: record.text,
        actor: record.actor,
        cwd: record.cwd.map(PathBuf::from),
        start: Offset(record.start),
        end: record.end.map(Offset),
        exit: record.exit_code,
        stages: record.stages,
        started_at: record.started_at,
        duration: record.duration_ms.map(Duration::from_millis),
        run: None,
    }
}

pub(crate) fn keeper_error(error: &ClientError) -> Error {
    let code = match error.refusal() {
        Some(Refusal::CwdMissing { .. } | Refusal::CwdNotDirectory { .. }) => ErrorCode::CwdMissing,
        Some(Refusal::ProgramNotFound { .. }) => ErrorCode::ProgramNotFound,
        Some(Refusal::ProgramNotExecutable { .. }) => ErrorCode::ProgramNotExecutable,
        Some(Refusal::TooManyFiles) => ErrorCode::ResourceLimit,
        Some(Refusal::UnknownSession { .. } | Refusal::NoProcess { .. }) => ErrorCode::TerminalEnded,
        Some(Refusal::StillRunning { .. }) => ErrorCode::StillRunning,
        Some(Refusal::NoTerminal { .. }) => ErrorCode::NoTerminal,
        Some(Refusal::Protocol { .. } | Refusal::Unsupported { .. }) => ErrorCode::VersionMismatch,
        Some(Refusal::Invalid { .. }) => ErrorCode::InvalidArgument,
        Some(Refusal::NoSandbox { .. }) => ErrorCode::NotAllowed,
        Some(_) => ErrorCode::Internal,
        None if matches!(error, ClientError::TooLong { .. }) => ErrorCode::InvalidArgument,
        None => ErrorCode::KeeperLost,
    };
    let told = Error::new(code, error.to_string());
    match error.refusal() {
        // What it says tells what to do.
        _ if matches!(error, ClientError::NoAnswer { .. }) => told,
        _ if code == ErrorCode::KeeperLost => told.hint(KEEPER_LOST),
        Some(Refusal::ProgramNotFound { program }) => match for_a_shell(program) {
            Some(hint) => told.hint(hint),
            None => told,
        },
        _ => told,
    }
}

/// What to do about a command line that was given as the name of a program.
fn for_a_shell(program: &str) -> Option<String> {
    let is_line = program.contains(|c: char| c.is_whitespace() || "|&;<>()$`\\\"'*?".contains(c));
    let quoted = program.replace('\'', r"'\''");
    is_line.then(|| format!("that is a command line in one word: `sh -c '{quoted}'` lets a shell read it"))
}

/// The terminals went with it, and so did the hub's way to new ones.
const KEEPER_LOST: &str = "the process that held the terminals is gone: `flightdeck restart` starts a new one; what was \
                           printed is still there (`flightdeck ls --all`, `flightdeck logs`)";

/// What held a terminal is gone.
pub(crate) fn lost(id: TerminalId, lost: Lost) -> Error {
    match lost {
        Lost::Keeper => {
            Error::new(ErrorCode::KeeperLost, format!("the keeper is gone, and {id} with it")).hint(KEEPER_LOST)
        }
        Lost::Window => {
            let text = format!("the tmux window of {id} is gone, and nobody told how what ran there ended");
            Error::new(ErrorCode::TerminalEnded, text).hint(
                "somebody closed it in tmux, or its tmux server has ended: create_tab makes another, and \
                 read_logs_from_tab still reads what it printed",
            )
        }
    }
}

pub(crate) fn spawn_error(error: &SpawnError) -> Error {
    match error {
        SpawnError::Keeper(error) => keeper_error(error),
        SpawnError::Ground(error) => ground::error(error),
        SpawnError::Prepare { .. } => Error::new(ErrorCode::Storage, error.to_string()),
    }
}

/// What can still be done with a terminal that is over.
pub(crate) const ENDED: &str =
    "flightdeck.terminal.read shows what it printed; flightdeck.terminal.new starts another one";

pub(crate) fn ended(text: &str) -> Error {
    Error::new(ErrorCode::TerminalEnded, text).hint(ENDED)
}

pub(crate) fn input_error(error: &InputError) -> Error {
    let code = match error {
        InputError::Ended => return ended(&error.to_string()),
        InputError::NoTerminal | InputError::Closed => ErrorCode::NoTerminal,
        InputError::NotRead { .. } => ErrorCode::InputNotRead,
        InputError::UnknownKey(_) => ErrorCode::InvalidArgument,
        InputError::Io(error) if error.kind() == std::io::ErrorKind::ResourceBusy => ErrorCode::TerminalBusy,
        InputError::Io(_) => ErrorCode::Internal,
    };
    Error::new(code, error.to_string())
}

/// What to do about a shell in which something runs.
pub(crate) const BUSY: &str = "flightdeck.terminal.wait waits for its end, flightdeck.terminal.keys types into it, \
                               flightdeck.terminal.signal interrupts it; run it without `id` in a terminal of its own";

pub(crate) fn run_error(error: &RunError) -> Error {
    let code = match error {
        RunError::Refused => ErrorCode::LeaseHeld,
        RunError::NotAShell => ErrorCode::NotAShell,
        RunError::Busy { .. } => return Error::new(ErrorCode::TerminalBusy, error.to_string()).hint(BUSY),
        RunError::NoPrompt { .. } => ErrorCode::NoPrompt,
        RunError::Ended => return ended(&error.to_string()),
        RunError::Deliver(_) => ErrorCode::InvalidArgument,
        RunError::Input(error) => return input_error(error),
        RunError::File { .. } => ErrorCode::Storage,
    };
    Error::new(code, error.to_string())
}

pub(crate) fn io_error(doing: &str, error: &std::io::Error) -> Error {
    Error::new(ErrorCode::Storage, format!("{doing}: {error}"))
}

pub(crate) fn store_error(error: &StoreError) -> Error {
    Error::new(ErrorCode::Storage, error.to_string())
}

pub(crate) fn audit_page(page: store::AuditPage) -> AuditPage {
    AuditPage { calls: page.calls.into_iter().map(audit_call).collect(), next: page.next.0 }
}

fn audit_call(store::AuditCall { seq, entry, .. }: store::AuditCall) -> AuditCall {
    // One that can't be read was written by another version.
    let run: Option<AuditRun> = entry.run.and_then(|run| serde_json::from_str(&run).ok());
    let summary = summary_of(&SummarySource {
        command: &entry.command,
        args: &entry.args,
        terminal: entry.terminal.as_deref(),
        result: &entry.result,
        edited: run.as_ref().and_then(|run| run.edited.as_deref()),
        asked: run.as_ref().and_then(|run| run.asked.as_deref()),
    });
    AuditCall {
        seq: seq.0,
        at_ms: entry.at_ms,
        actor: entry.actor,
        surface: entry.surface,
        command: entry.command,
        args: entry.args,
        decision: entry.decision,
        rule: entry.rule,
        reason: entry.reason,
        took_effect: may_have_happened(&entry.result),
        result: entry.result,
        error: entry.error,
        duration_ms: entry.duration_us.map(|us| us as f64 / 1000.0),
        trace: entry.trace,
        terminal: entry.terminal,
        run,
        summary,
    }
}

pub(crate) fn audit_verdict(verdict: store::Verdict) -> AuditVerified {
    match verdict {
        store::Verdict::Intact(found) => AuditVerified {
            intact: true,
            entries: found.entries,
            first_seq: found.first_seq.0,
            last_seq: found.last_seq.0,
            head: Some(found.head.to_string()),
            problem: None,
            database: Vec::new(),
        },
        store::Verdict::Tampered(found) => AuditVerified {
            intact: false,
            entries: 0,
            first_seq: 0,
            last_seq: found.seq.0,
            head: None,
            problem: Some(found.to_string()),
            database: Vec::new(),
        },
    }
}

/// What happened to the database at `path`, for people.
pub(crate) fn database_problem(path: &Path, incident: &store::Incident) -> DatabaseProblem {
    let at = path.display();
    let detail = incident.detail.as_deref().map_or_else(String::new, |detail| format!(" ({detail})"));
    let aside = incident.aside.as_deref().map(Path::display);
    let (kind, text) = match (incident.kind, &aside) {
        (store::IncidentKind::Lost, _) => (
            DatabaseProblemKind::Lost,
            format!(
                "the database {at} was gone, and a new one was begun: the audit log, command records, conversations and accepted rules of before are missing"
            ),
        ),
        (store::IncidentKind::Damaged, Some(aside)) => (
            DatabaseProblemKind::Damaged,
            format!(
                "the database was damaged{detail} and is kept as {aside}; a new one was begun: the audit log, command records, conversations and accepted rules of before are missing"
            ),
        ),
        (store::IncidentKind::Damaged, None) => (
            DatabaseProblemKind::Damaged,
            format!(
                "a part of the database {at} can't be read{detail}: entries of the audit log or command records are missing"
            ),
        ),
        (store::IncidentKind::Replaced, _) => (
            DatabaseProblemKind::Replaced,
            format!("{at} is not the database that the hub has written: another one was put in its place"),
        ),
        (store::IncidentKind::RolledBack, _) => (
            DatabaseProblemKind::RolledBack,
            format!(
                "the database {at} is older than what the hub has written: an older copy was put in its place, or the end of the audit log was cut off{detail}"
            ),
        ),
        (store::IncidentKind::Rewritten, _) => (
            DatabaseProblemKind::Rewritten,
            format!("the audit log in {at} is not the one that the hub has written{detail}"),
        ),
        (store::IncidentKind::Unwitnessed, _) => (
            DatabaseProblemKind::Unwitnessed,
            format!(
                "the file beside {at} that shows whether the database is complete was removed or overwritten: it may have been replaced or rolled back"
            ),
        ),
        (store::IncidentKind::Removed, _) => (
            DatabaseProblemKind::Removed,
            format!(
                "the database {at} was removed or replaced while the hub runs: what the hub notes now is lost when it ends"
            ),
        ),
    };
    let mut hint = String::new();
    if kind == DatabaseProblemKind::Removed {
        hint += "run `flightdeck restart`: the hub begins a new database, and terminals go on; ";
    }
    if kind == DatabaseProblemKind::Damaged && aside.is_none() {
        let _ = write!(hint, "stop the hub and move {at} away to begin a new one; ");
    }
    hint += "`flightdeck policy accept` shows the rules that wait for you, `flightdeck audit acknowledge` ends this warning";
    DatabaseProblem { kind, text, hint, noticed_at_ms: incident.at_ms, set_aside: aside.map(|aside| aside.to_string()) }
}
