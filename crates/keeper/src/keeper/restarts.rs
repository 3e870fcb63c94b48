//! When a hub that was lost is started again: at once at first, then ever later, and not for ever.

use std::time::Duration;

const FIRST_DELAY: Duration = Duration::from_millis(50);
const MAX_DELAY: Duration = Duration::from_secs(2);
/// A hub that has served for so long was lost by an accident, and not by what it always does.
const STEADY_AFTER: Duration = Duration::from_mins(1);
/// So many hubs in a row may be lost that served for a shorter time.
const MAX_UNSTEADY: u32 = 30;
/// So many in a row may end before they serve.
const MAX_UNSERVED: u32 = 5;

/// The hubs that were lost in a row.
#[derive(Debug, Default)]
pub struct Restarts {
    lost: u32,
    unserved: u32,
}

impl Restarts {
    /// Counts a hub that was lost, which served for this time if it came so far. Gives the pause before the next start;
    /// `None`: the next one is started only when somebody asks for it.
    pub fn after_loss(&mut self, served: Option<Duration>) -> Option<Duration> {
        match served {
            Some(time) if time >= STEADY_AFTER => *self = Self::default(),
            Some(_) => self.unserved = 0,
            None => self.unserved += 1,
        }
        self.lost += 1;
        if self.lost > MAX_UNSTEADY || self.unserved >= MAX_UNSERVED {
            return None;
        }
        Some(match self.lost {
            1 => Duration::ZERO,
            lost => FIRST_DELAY.saturating_mul(1 << (lost - 2).min(10)).min(MAX_DELAY),
        })
    }

    /// How many were lost in a row.
    pub fn lost(&self) -> u32 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Option<Duration> = Some(Duration::from_secs(1));

    #[test]
    fn the_first_one_comes_back_at_once_and_later_ones_after_a_pause() {
        let mut restarts = Restarts::default();
        let pauses: Vec<_> = (0..9).map(|_| restarts.after_loss(SHORT).expect("a restart").as_millis()).collect();
        assert_eq!(pauses, [0, 50, 100, 200, 400, 800, 1600, 2000, 2000]);
        assert_eq!(restarts.after_loss(Some(STEADY_AFTER)), Some(Duration::ZERO), "a steady one makes good for them");
    }

    #[test]
    fn a_hub_that_is_lost_over_and_over_is_given_up() {
        let mut restarts = Restarts::default();
        let started = (0..100).take_while(|_| restarts.after_loss(SHORT).is_some()).count();
        assert_eq!(started, MAX_UNSTEADY as usize);
        let mut restarts = Restarts::default();
        let started = (0..100).take_while(|_| restarts.after_loss(None).is_some()).count();
        assert_eq!(started, MAX_UNSERVED as usize - 1);
    }
}
