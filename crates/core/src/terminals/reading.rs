//! How far each caller has read a terminal, and which ends of commands it knows, so that a wait misses nothing that came
//! between two calls.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use flightdeck_contract::TerminalId;
use flightdeck_term::log::Offset;
use flightdeck_term::session::{RecordNumber, Session};
use parking_lot::Mutex;

/// So many callers of one terminal are remembered, those that were there last.
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
    callers: Latest<Offset>,
    /// The newest command of whose end each caller was told.
    ends: Latest<RecordNumber>,
    /// When somebody typed last, and how far the log was.
    typed: Option<(Instant, Offset)>,
}

impl Reading {
    /// A caller has read up to here.
    pub(crate) fn noted(&self, id: TerminalId, reader: &str, at: Offset) {
        self.0.lock().entry(id).or_default().callers.put(reader, at);
    }

    /// A caller was told how this command has ended.
    pub(crate) fn told(&self, id: TerminalId, reader: &str, command: RecordNumber) {
        self.0.lock().entry(id).or_default().ends.put(reader, command);
    }

    /// Whether a caller was told how this command has ended.
    pub(crate) fn knows(&self, id: TerminalId, reader: &str, command: RecordNumber) -> bool {
        self.0.lock().get(&id).and_then(|read| read.ends.get(reader)) == Some(command)
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
        let begin = begin(session, session.progress().seen);
        let read = self.0.lock().get(&id).and_then(|read| read.callers.get(reader));
        read.map_or(begin, |read| read.max(begin))
    }

    /// The terminal is gone.
    pub(crate) fn forget(&self, id: TerminalId) {
        self.0.lock().remove(&id);
    }
}

/// Where the last command began, unless that is too far back from here.
pub(crate) fn begin(session: &Session, here: Offset) -> Offset {
    let last = session.records().pop().map_or(Offset::ZERO, |record| record.start);
    last.max(Offset(here.0.saturating_sub(LOOK_BACK)))
}

/// Something of each caller that was there last.
#[derive(Debug)]
struct Latest<T>(HashMap<String, (Instant, T)>);

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Latest(HashMap::new())
    }
}

impl<T: Copy> Latest<T> {
    fn get(&self, caller: &str) -> Option<T> {
        self.0.get(caller).map(|(_, it)| *it)
    }

    fn put(&mut self, caller: &str, it: T) {
        if self.0.len() >= CALLERS && !self.0.contains_key(caller) {
            let oldest = self.0.iter().min_by_key(|(_, (when, _))| *when).map(|(name, _)| name.clone());
            oldest.and_then(|oldest| self.0.remove(&oldest));
        }
        self.0.insert(caller.to_owned(), (Instant::now(), it));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_were_there_last_are_remembered() {
        let mut latest = Latest::default();
        latest.put("first", 0);
        for number in 1..CALLERS {
            latest.put(&number.to_string(), number);
        }
        latest.put("first", 1);
        latest.put("new", 2);
        assert_eq!([latest.get("first"), latest.get("new"), latest.get("1")], [Some(1), Some(2), None]);
        assert_eq!(latest.0.len(), CALLERS);
    }
}
