//! How a session stands, for `list` and `read_output` alike.

use flightdeck_keeper::Exit;
use flightdeck_term::session::{Kind, Record, Session};

/// A session as it stands.
pub(super) struct State {
    /// Of a shell, the last command is what was executed; everything before it was read already.
    pub last: Option<Record>,
    /// Whether that command, or what was started, still runs. A shell that was only opened does.
    pub running: bool,
    pub exit_code: Option<i32>,
    /// Whether it takes commands, or still runs.
    pub open: bool,
}

pub(super) fn state(session: &Session) -> State {
    let progress = session.progress();
    let open = progress.running();
    let exit = progress.exit.map(Exit::shell_code);
    let last = matches!(session.kind(), Kind::Shell(_)).then(|| session.records().pop()).flatten();
    let (running, exit_code) = match &last {
        Some(record) => (record.end.is_none() && open, record.exit.or_else(|| exit.filter(|_| record.end.is_none()))),
        None => (open, exit),
    };
    State { last, running, exit_code, open }
}
