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

use crate::session::{Lost, Session};
use crate::terminals::Table;

/// How much of one session is taken in before the next one gets its turn.
const STEP: usize = 1 << 20;
/// A step of at least this much is part of a flood.
const FLOOD: usize = 64 * 1024;
/// How long a flooding session rests between two steps.
const REST: Duration = Duration::from_millis(8);

/// Follows the logs until the keeper goes away.
pub(crate) fn run(mut events: Events, table: &Table) {
    let mut pump = Pump { table, buf: vec![0; STEP], resting: VecDeque::new() };
    loop {
        let timeout = pump.resting.front().map(|(due, _)| due.saturating_duration_since(Instant::now()));
        match events.next(timeout) {
            Ok(Some(event)) => pump.handle(event),
            Ok(None) => {}
            Err(error) => {
                pump.keeper_lost(&error);
                return;
            }
        }
        pump.wake_rested();
    }
}

struct Pump<'a> {
    table: &'a Table,
    buf: Vec<u8>,
    /// Sessions that flood, with the time of their next turn, soonest first: all rest equally long or not at all.
    resting: VecDeque<(Instant, Arc<Session>)>,
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
        match advanced {
            // More is waiting: its next turn comes as soon as the others have had theirs.
            Ok(bytes) if bytes >= STEP => self.resting.push_front((Instant::now(), session)),
            Ok(bytes) if bytes >= FLOOD => self.resting.push_back((Instant::now() + REST, session)),
            // Asking again from where it stands: what has come meanwhile is told at once.
            Ok(_) => ask(&session),
            Err(error) => session.set_trouble(&error),
        }
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
