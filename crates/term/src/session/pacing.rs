//! When something that failed is tried again: soon at first, then less and less often.

use std::io;

use std::time::{Duration, Instant};

use super::Session;
use crate::backend::Repaired;

/// The first pause, and the longest.
const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_mins(1);

/// The tries of one thing.
#[derive(Debug, Default)]
pub(super) struct Pacing {
    failures: u32,
    next: Option<Instant>,
}

impl Pacing {
    /// Whether it is time for a try.
    pub(super) fn is_due(&self) -> bool {
        self.next.is_none_or(|next| next <= Instant::now())
    }

    /// It did not work. Gives how often that was so in a row.
    pub(super) fn failed(&mut self) -> u32 {
        let pause = FIRST.saturating_mul(1 << self.failures.min(16)).min(LONGEST);
        self.failures += 1;
        self.next = Some(Instant::now() + pause);
        self.failures
    }

    pub(super) fn succeeded(&mut self) {
        *self = Pacing::default();
    }

    /// When the next try is, if one failed.
    pub(super) fn next(&self) -> Option<Instant> {
        self.next
    }
}

/// How often it is tried to let go of what a backend holds: a server that hangs may answer later.
const FORGETTING: u32 = 10;

/// Whether what the backend holds is given up.
#[derive(Debug)]
pub(super) enum Forgetting {
    Open(Pacing),
    Over,
}

impl Default for Forgetting {
    fn default() -> Self {
        Forgetting::Open(Pacing::default())
    }
}

impl Forgetting {
    fn next(&self) -> Option<Instant> {
        match self {
            Forgetting::Open(pacing) => pacing.next(),
            Forgetting::Over => None,
        }
    }
}

/// What came of a try to take up output that was cut off.
#[derive(Debug)]
pub struct Mended {
    /// What became of it.
    pub repaired: io::Result<Repaired>,
    /// Which try in a row it was.
    pub tries: u32,
}

impl Session {
    /// Takes its output up again after somebody has cut it off. `None` while it is too early for another try.
    pub fn mend(&self) -> Option<Mended> {
        let mut pacing = self.mending.lock();
        if !pacing.is_due() {
            return None;
        }
        let repaired = self.repair();
        let tries = match repaired {
            Ok(Repaired::Mended) => {
                pacing.succeeded();
                1
            }
            _ => pacing.failed(),
        };
        Some(Mended { repaired, tries })
    }

    /// When something that failed is to be tried again.
    pub fn next_try(&self) -> Option<Instant> {
        let mending = self.mending.lock().next();
        let mending = mending.filter(|_| self.is_cut_off());
        let forgetting = self.forgetting.lock().next();
        mending.into_iter().chain(forgetting).min()
    }

    /// Takes its output up again now, however often that has failed: it was cut off, or went elsewhere until now.
    pub fn repair(&self) -> io::Result<Repaired> {
        let Some(backend) = self.backend() else { return Ok(Repaired::Over) };
        let repaired = backend.repair()?;
        if repaired == Repaired::Mended {
            self.publish(|progress| progress.eof = false);
            self.arm()?;
        }
        Ok(repaired)
    }

    /// Gives up what the backend holds. What fails is tried again some times, when it is called again.
    pub(super) fn forget(&self) {
        let mut forgetting = self.forgetting.lock();
        let Forgetting::Open(pacing) = &mut *forgetting else { return };
        if !pacing.is_due() {
            return;
        }
        let forgotten = self.backend.as_ref().map_or(Ok(()), |b| b.forget());
        if forgotten.is_ok() || pacing.failed() == FORGETTING {
            *forgetting = Forgetting::Over;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_a_bound() {
        let mut pacing = Pacing::default();
        assert!(pacing.is_due());
        let mut pauses = Vec::new();
        for failure in 1..=20 {
            assert_eq!(pacing.failed(), failure);
            assert!(!pacing.is_due());
            pauses.push(pacing.next().map_or(Duration::ZERO, |next| next - Instant::now()));
        }
        assert!(pauses[0] <= FIRST && pauses[3] > FIRST * 7, "{pauses:?}");
        assert!(pauses.iter().all(|pause| *pause <= LONGEST), "{pauses:?}");
        pacing.succeeded();
        assert!(pacing.is_due());
    }
}
