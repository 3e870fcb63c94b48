//! What a person who interrupts a program need not sit through: what it had printed by then.
//!
//! A terminal's driver does the same with what it has not handed on yet when an interrupt is typed. What comes after the
//! key is shown as ever, so an answer to it is never left out.

use std::sync::atomic::{AtomicU64, Ordering};

use flightdeck_term::log::Offset;
use flightdeck_term::session::Session;

/// Ctrl-C, Ctrl-Z and Ctrl-\.
const KEYS: [u8; 3] = [0x03, 0x1a, 0x1c];
/// So little is shown in no time, and a viewer who is no further behind misses nothing.
const NEAR: u64 = 64 * 1024;

/// How far a viewer's last interrupt reaches.
#[derive(Debug, Default)]
pub(crate) struct Interrupt(AtomicU64);

impl Interrupt {
    /// The viewer has typed this.
    pub(crate) fn typed(&self, bytes: &[u8], session: &Session) {
        if !bytes.iter().any(|byte| KEYS.contains(byte)) {
            return;
        }
        // The log may be ahead of what the hub has seen. One that can't be read is told of by who reads it.
        let end = session.log().bounds().map_or(session.progress().seen, |(_, end)| end);
        self.0.store(end.0, Ordering::Relaxed);
    }

    /// Whether what lies between these two is not waited for.
    pub(crate) fn skips(&self, at: Offset, seen: Offset) -> bool {
        at.0 < self.0.load(Ordering::Relaxed) && seen.since(at) > NEAR
    }
}
