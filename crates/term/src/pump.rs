//! The pump: one thread that follows all logs of a workspace.
//!
//! The keeper says that a log grew; the pump reads it, brings the session's view forward and asks for the next
//! notification. It asks only when it has caught up, so there is at most one message per session under way. While
//! a session floods, the pump looks at it every few milliseconds instead of at every write: the more there is, the
//! larger the steps, and the cheaper each byte. Idle sessions cost nothing.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_keeper::{ClientError, Event, Events, SessionId};

use crate::session::{Lost, Session, Settled};
use crate::terminals::Table;

/// How much of one session is taken in before the next one gets its turn.
const STEP: usize = 1 << 20;
/// A step of at least this much is part of a flood.
const FLOOD: usize = 64 * 1024;
/// How long a flooding session rests between two steps.
const REST: Duration = Duration::from_millis(8);
/// How soon it is looked again whether a shell is at its prompt that has told the end of a command, or whether a program reads
/// what it has asked for; and how seldom at last.
const SOON: Duration = Duration::from_micros(100);
const SELDOM: Duration = Duration::from_millis(100);

/// Follows the logs until the keeper goes away.
pub(crate) fn run(mut events: Events, table: &Table) {
    let mut pump = Pump { table, buf: vec![0; STEP], resting: VecDeque::new(), settling: Vec::new() };
    loop {
        let due = pump.resting.front().map(|(due, _)| *due);
        let due = pump.settling.iter().map(|settling| settling.due).chain(due).min();
        let timeout = due.map(|due| due.saturating_duration_since(Instant::now()));
        match events.next(timeout) {
            Ok(Some(event)) => pump.handle(event),
            Ok(None) => {}
            Err(error) => {
                pump.keeper_lost(&error);
                return;
            }
        }
        pump.wake_rested();
        pump.settle_due();
    }
}

/// A session in which the end of a command was told that nobody has borne out yet, or an answer is owed.
struct Settling {
    due: Instant,
    pause: Duration,
    session: Arc<Session>,
}

struct Pump<'a> {
    table: &'a Table,
    buf: Vec<u8>,
    /// Sessions that flood, with the time of their next turn, soonest first: all rest equally long or not at all.
    resting: VecDeque<(Instant, Arc<Session>)>,
    settling: Vec<Settling>,
}

impl Pump<'_> {
    fn handle(&mut self, event: Event) {
        let Some(session) = self.table.session_of(&event) else { return };
        match event {
            Event::Grew { .. } => self.turn(session),
            Event::Exited { exit, log_end, .. } => {
                // Everything that the process printed is in the log by now; whoever learns of the exit sees it all.
                self.catch_up_to(&session, log_end);
                session.publish(|progress| progress.exit = Some(exit));
                self.table.ended(&session);
            }
            Event::Eof { end, .. } => {
                self.catch_up_to(&session, end);
                session.publish(|progress| progress.eof = true);
                self.table.ended(&session);
            }
            Event::Lost { .. } => {
                self.catch_up(&session);
                session.publish(|progress| progress.lost = Some(Lost::Window));
                self.table.ended(&session);
            }
            Event::Stalled { reason, .. } => session.publish(|progress| progress.stalled = reason.is_some()),
        }
    }

    /// One step for one session; then it either rests or asks to be woken again. What came during a short step is taken
    /// at once: to ask for it takes longer than to look.
    fn turn(&mut self, session: Arc<Session>) {
        let mut advanced = session.advance(&mut self.buf);
        if matches!(advanced, Ok(1..FLOOD)) {
            advanced = session.advance(&mut self.buf);
        }
        if session.has_ended_commands() {
            self.table.commands_ended();
        }
        self.settle(&session);
        match advanced {
            // More is waiting: its next turn comes as soon as the others have had theirs.
            Ok(bytes) if bytes >= STEP => self.resting.push_front((Instant::now(), session)),
            Ok(bytes) if bytes >= FLOOD => self.resting.push_back((Instant::now() + REST, session)),
            // Asking again from where it stands: what has come meanwhile is told at once.
            Ok(_) => ask(&session),
            Err(error) => session.set_trouble(&error),
        }
    }

    /// Looks whether an end that was told is true, and answers what was asked, now and then again and again: who waits for its
    /// terminal tells nobody.
    fn settle(&mut self, session: &Arc<Session>) {
        let known = self.settling.iter().position(|settling| Arc::ptr_eq(&settling.session, session));
        if let Some(at) = known {
            self.settling.swap_remove(at);
        }
        if self.is_unsettled(session) {
            self.settling.push(Settling { due: Instant::now() + SOON, pause: SOON, session: session.clone() });
        }
    }

    fn settle_due(&mut self) {
        let now = Instant::now();
        let (due, later): (Vec<_>, Vec<_>) = self.settling.drain(..).partition(|settling| settling.due <= now);
        self.settling = later;
        for Settling { pause, session, .. } in due {
            if self.is_unsettled(&session) {
                let pause = (pause * 2).min(SELDOM);
                self.settling.push(Settling { due: Instant::now() + pause, pause, session });
            }
        }
    }

    fn is_unsettled(&self, session: &Session) -> bool {
        let is_settled = !session.is_settling() || session.settle() == Settled::Nothing;
        if is_settled && session.has_ended_commands() {
            self.table.commands_ended();
        }
        session.answer() || !is_settled
    }

    fn wake_rested(&mut self) {
        let now = Instant::now();
        let due = self.resting.partition_point(|(due, _)| *due <= now);
        let rested: Vec<_> = self.resting.drain(..due).collect();
        for (_, session) in rested {
            self.turn(session);
        }
    }

    /// Everything that there is, when no more will come.
    fn catch_up(&mut self, session: &Session) {
        if let Err(error) = session.catch_up(&mut self.buf) {
            session.set_trouble(&error);
        }
    }

    /// The same where the keeper tells the end, which has been reached as a rule.
    fn catch_up_to(&mut self, session: &Session, end: u64) {
        if session.progress().seen.0 < end {
            self.catch_up(session);
        }
    }

    fn keeper_lost(&mut self, error: &ClientError) {
        self.table.record_loss(error);
        for session in self.table.all() {
            self.catch_up(&session);
            if session.progress().running() {
                session.publish(|progress| progress.lost = Some(Lost::Keeper));
            }
        }
        self.table.lost(error);
    }
}

/// Asks to be told of what comes next.
pub(crate) fn ask(session: &Session) {
    if let Err(error) = session.arm() {
        session.set_trouble(&error);
    }
}

/// The session that an event is about.
pub(crate) fn subject(event: &Event) -> &SessionId {
    match event {
        Event::Grew { id, .. }
        | Event::Exited { id, .. }
        | Event::Eof { id, .. }
        | Event::Lost { id, .. }
        | Event::Stalled { id, .. } => id,
    }
}
