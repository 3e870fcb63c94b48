//! A call on its way through the hub, as its command sees it: who makes it, whether they still want it, what they send.

use std::sync::Arc;

use flightdeck_contract::TerminalId;
use flightdeck_contract::hub::AuditRun;
use flightdeck_contract::terminal::Ran;
use flightdeck_term::session::RecordNumber;
use parking_lot::Mutex;
use tokio::sync::{mpsc, watch};

use crate::actor::Caller;
use crate::approvals::permit::Permit;
use crate::audit::mask;
use crate::progress::Progress;
use crate::stream::{Event, Received};

/// The caller's side of a call, as the command sees it.
#[derive(Debug)]
pub(crate) struct Call {
    /// Who calls.
    pub caller: Caller,
    /// Whether the caller still wants it.
    pub cancelled: Cancelled,
    /// Where a command's events go; [`Emit`](crate::stream::Emit) gives them their type.
    pub events: mpsc::Sender<Event>,
    /// What the caller sends while the command runs.
    pub input: Received,
    /// Says what the command does now.
    pub progress: Progress,
    /// What the gate said.
    pub permit: Permit,
    /// What the audit log is told of the command that it runs.
    pub report: RunReport,
}

impl Call {
    /// The caller's name, for records.
    pub(crate) fn actor(&self) -> String {
        self.caller.actor.to_string()
    }
}

/// What a call tells the audit log beside its arguments. Its command fills it in, and the gate takes it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunReport(Arc<Mutex<Option<Reported>>>);

/// What a call did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reported {
    /// Where.
    pub terminal: Option<TerminalId>,
    /// What it ran or decided about.
    pub run: Option<AuditRun>,
}

impl RunReport {
    /// It ran, and came as far as this; the record is that of the shell which ran it.
    pub(crate) fn ran(&self, ran: &Ran, record: Option<RecordNumber>) {
        let run = AuditRun {
            exit_code: ran.exit_code,
            running: ran.running,
            command: record.map(|number| number.0),
            ..AuditRun::default()
        };
        self.set(Reported { terminal: Some(ran.id), run: Some(run) });
    }

    /// A shell has begun with a command, for whose end nobody waits.
    pub(crate) fn started(&self, terminal: TerminalId, record: RecordNumber) {
        let run = AuditRun { running: true, command: Some(record.0), ..AuditRun::default() };
        self.set(Reported { terminal: Some(terminal), run: Some(run) });
    }

    /// A terminal was made.
    pub(crate) fn opened(&self, terminal: TerminalId) {
        self.set(Reported { terminal: Some(terminal), run: None });
    }

    /// Something was decided that somebody had asked for.
    pub(crate) fn answered(&self, asked: &str) {
        let run = AuditRun { asked: Some(mask::text(asked).into_owned()), ..AuditRun::default() };
        self.set(Reported { terminal: None, run: Some(run) });
    }

    fn set(&self, reported: Reported) {
        *self.0.lock() = Some(reported);
    }

    pub(crate) fn take(&self) -> Option<Reported> {
        self.0.lock().take()
    }
}

/// Gives a call up. When it is dropped the caller is gone, which is the same.
#[derive(Debug)]
pub struct Cancel(watch::Sender<bool>);

impl Cancel {
    /// A pair of one who may give up and whoever learns of it.
    pub(crate) fn pair() -> (Self, Cancelled) {
        let (cancel, cancelled) = watch::channel(false);
        (Cancel(cancel), Cancelled(cancelled))
    }

    /// Tells the command to stop.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }
}

/// Learns that a call was given up.
#[derive(Clone, Debug)]
pub(crate) struct Cancelled(watch::Receiver<bool>);

impl Cancelled {
    /// Resolves when the caller gives up, or is gone.
    pub(crate) async fn wait(mut self) {
        // An error means that the source is gone, and with it the caller.
        let _ = self.0.wait_for(|given_up| *given_up).await;
    }
}
