//! What agents do: the calls that are under way, and how the last one ended.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use flightdeck_contract::{Error, ErrorCode, TerminalId};
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::actor::Actor;
use crate::audit::{mask, now_ms};

/// What all agents do.
#[derive(Debug, Default)]
pub(crate) struct Doings {
    inner: Mutex<Inner>,
    /// Grows when something of it changes.
    changes: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Inner {
    last: u64,
    agents: HashMap<u32, Doing>,
}

/// What one agent does.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Doing {
    /// Calls under way, oldest first.
    pub calls: BTreeMap<u64, UnderWay>,
    /// When it came, or its last call ended.
    pub since_ms: i64,
    /// How its last call failed, if it did.
    pub failed: Option<Failed>,
}

/// A call under way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UnderWay {
    pub command: Cow<'static, str>,
    pub since_ms: i64,
    /// The terminal that it is about.
    pub terminal: Option<TerminalId>,
}

/// A call that failed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failed {
    pub command: Cow<'static, str>,
    pub why: String,
}

/// A call, for as long as it is under way.
#[derive(Debug)]
pub(crate) struct Work {
    doings: Arc<Doings>,
    agent: u32,
    call: u64,
    failed: Option<Failed>,
}

impl Work {
    /// How it ended. One that was given up has not failed, nor one that a person declined: they know.
    pub(crate) fn ended<T>(mut self, command: Cow<'static, str>, result: &Result<T, Error>) {
        self.failed = result
            .as_ref()
            .err()
            .filter(|error| !matches!(error.code, ErrorCode::Cancelled | ErrorCode::Declined))
            .map(|error| Failed { command, why: mask::text(&error.message).into_owned() });
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.doings.change(self.agent, |doing| {
            doing.calls.remove(&self.call);
            doing.since_ms = now_ms();
            doing.failed = self.failed.take();
        });
    }
}

impl Doings {
    pub(crate) fn arrived(&self, agent: u32) {
        self.inner.lock().agents.insert(agent, Doing { since_ms: now_ms(), ..Doing::default() });
        self.tell();
    }

    pub(crate) fn left(&self, agent: u32) {
        self.inner.lock().agents.remove(&agent);
        self.tell();
    }

    /// An agent's call begins. People's are nobody's concern here.
    pub(crate) fn begin(
        self: &Arc<Self>,
        actor: &Actor,
        command: Cow<'static, str>,
        terminal: Option<TerminalId>,
    ) -> Option<Work> {
        let Actor::Agent { number, .. } = actor else { return None };
        let call = {
            let mut inner = self.inner.lock();
            inner.last += 1;
            inner.last
        };
        self.change(*number, |doing| {
            doing.calls.insert(call, UnderWay { command, since_ms: now_ms(), terminal });
        });
        Some(Work { doings: Arc::clone(self), agent: *number, call, failed: None })
    }

    /// What an agent does.
    pub(crate) fn of(&self, agent: u32) -> Doing {
        self.inner.lock().agents.get(&agent).cloned().unwrap_or_default()
    }

    /// Grows when an agent comes, goes, begins or ends a call, or is asked about.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Something else has changed that agents wait for.
    pub(crate) fn tell(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// Nothing is noted of one that has left.
    fn change(&self, agent: u32, change: impl FnOnce(&mut Doing)) {
        if let Some(doing) = self.inner.lock().agents.get_mut(&agent) {
            change(doing);
        }
        self.tell();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_come_and_go_and_the_last_one_tells_whether_it_failed() {
        const RUN: Cow<'static, str> = Cow::Borrowed("flightdeck.terminal.run");
        let doings = Arc::new(Doings::default());
        let agent = Actor::Agent { number: 3, name: "codex".into() };
        let mut changes = doings.changes();
        doings.arrived(3);
        assert!(changes.has_changed().unwrap());
        changes.mark_unchanged();
        let work = doings.begin(&agent, RUN, Some(TerminalId::new(1))).unwrap();
        assert!(changes.has_changed().unwrap());
        assert_eq!(doings.of(3).calls.values().map(|call| call.command.clone()).collect::<Vec<_>>(), [RUN]);
        work.ended(RUN, &Err::<(), _>(Error::new(ErrorCode::Blocked, "no")));
        assert_eq!(doings.of(3).failed, Some(Failed { command: RUN, why: "no".into() }));
        doings.begin(&agent, RUN, None).unwrap().ended(RUN, &Err::<(), _>(Error::new(ErrorCode::Cancelled, "no")));
        assert_eq!(doings.of(3).failed, None, "what was given up has not failed");
        doings.begin(&agent, RUN, None).unwrap().ended(RUN, &Err::<(), _>(Error::new(ErrorCode::Declined, "no")));
        assert_eq!(doings.of(3).failed, None, "whoever declined it knows");
        // A caller that goes away drops its call without an end.
        drop(doings.begin(&agent, RUN, None));
        assert!(doings.of(3).calls.is_empty());
        assert!(doings.begin(&Actor::Human("cli:anna".into()), RUN, None).is_none());
        doings.left(3);
        drop(doings.begin(&agent, RUN, None));
        assert_eq!(doings.of(3), Doing::default());
    }
}
