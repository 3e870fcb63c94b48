//! How far each caller has read a terminal, and which ends of commands it knows, so that a wait misses nothing that came
//! between two calls.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use flightdeck_contract::TerminalId;
use flightdeck_term::log::Offset;
use flightdeck_term::session::{RecordNumber, Session};
use parking_lot::Mutex;

/// So many callers of one terminal are remembered; who comes after them waits from the last command on.
const CALLERS: usize = 256;
/// A wait looks back no further than this: a flood would be searched for as long as it took.
const LOOK_BACK: u64 = 1 << 20;
/// What was typed so recently may not have been answered yet.
const JUST: Duration = Duration::from_secs(1);

/// Where callers were last.
#[derive(Debug, Default)]
pub(crate) struct Reading(Mutex<HashMap<TerminalId, Read>>);

#[derive(Debug, Default)]
struct Read {
    callers: HashMap<String, Offset>,
    /// The newest command of whose end each caller was told.
    ends: HashMap<String, RecordNumber>,
    /// When somebody typed last, and how far the log was.
    typed: Option<(Instant, Offset)>,
}

impl Reading {
    /// A caller has read up to here.
    pub(crate) fn noted(&self, id: TerminalId, reader: &str, at: Offset) {
        let mut all = self.0.lock();
        let callers = &mut all.entry(id).or_default().callers;
        if callers.len() < CALLERS || callers.contains_key(reader) {
            callers.insert(reader.to_owned(), at);
        }
    }

    /// A caller was told how this command has ended.
    pub(crate) fn told(&self, id: TerminalId, reader: &str, command: RecordNumber) {
        let mut all = self.0.lock();
        let ends = &mut all.entry(id).or_default().ends;
        if ends.len() < CALLERS || ends.contains_key(reader) {
            ends.insert(reader.to_owned(), command);
        }
    }

    /// Whether a caller was told how this command has ended.
    pub(crate) fn knows(&self, id: TerminalId, reader: &str, command: RecordNumber) -> bool {
        self.0.lock().get(&id).and_then(|read| read.ends.get(reader)) == Some(&command)
    }

    /// A caller has typed when the log ended here: the answer comes after it.
    pub(crate) fn typed(&self, id: TerminalId, reader: &str, at: Offset) {
        self.noted(id, reader, at);
        self.0.lock().entry(id).or_default().typed = Some((Instant::now(), at));
    }

    /// Where the log ended when somebody typed, if that was just now.
    pub(crate) fn just_typed(&self, id: TerminalId) -> Option<Offset> {
        let (when, at) = self.0.lock().get(&id)?.typed?;
        (when.elapsed() < JUST).then_some(at)
    }

    /// Where a caller's wait begins: at the start of the last command, or where it was after that, unless that is too far.
    pub(crate) fn from(&self, id: TerminalId, reader: &str, session: &Session) -> Offset {
        let last = session.records().pop().map_or(Offset::ZERO, |record| record.start);
        let read = self.0.lock().get(&id).and_then(|read| read.callers.get(reader)).copied();
        let nearest = Offset(session.progress().seen.0.saturating_sub(LOOK_BACK));
        read.map_or(last, |read| read.max(last)).max(nearest)
    }

    /// The terminal is gone.
    pub(crate) fn forget(&self, id: TerminalId) {
        self.0.lock().remove(&id);
    }
}
