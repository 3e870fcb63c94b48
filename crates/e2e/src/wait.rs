//! Waiting for a condition with a deadline.

use std::time::{Duration, Instant};

/// Between two looks: short beside what is waited for, long beside what a look costs.
const PAUSE: Duration = Duration::from_millis(5);

/// Looks until there is something, or panics with what was waited for.
#[track_caller]
pub fn wait_until<T>(what: &str, deadline: Duration, look: impl FnMut() -> Option<T>) -> T {
    try_until(deadline, look).unwrap_or_else(|| panic!("not within {deadline:?}: {what}"))
}

/// Looks until there is something, or the time is up.
pub fn try_until<T>(deadline: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let until = Instant::now() + deadline;
    loop {
        if let Some(found) = look() {
            return Some(found);
        }
        if Instant::now() > until {
            return None;
        }
        std::thread::sleep(PAUSE);
    }
}
