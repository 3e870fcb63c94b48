//! How many searches run at once: each may take all cores and much memory.

use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::Cancel;
use crate::error::FileError;

const AT_ONCE: usize = 2;

/// Places for searches. Whoever finds none waits.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    taken: Mutex<usize>,
    freed: Condvar,
}

/// A place, free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn<'a>(&'a Turns);

impl Turns {
    /// Nothing if the deadline comes before a place is free.
    pub fn take(&self, cancel: &Cancel, deadline: Instant) -> Result<Option<Turn<'_>>, FileError> {
        let mut taken = self.taken.lock();
        loop {
            if cancel.is_cancelled() {
                return Err(FileError::Cancelled);
            }
            if *taken < AT_ONCE {
                *taken += 1;
                return Ok(Some(Turn(self)));
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            // The deadline and a cancellation wake nobody.
            let wait = Duration::from_millis(20);
            self.freed.wait_for(&mut taken, wait);
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.taken.lock() -= 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_at_once_and_the_rest_waits() {
        let (turns, cancel) = (Turns::default(), Cancel::default());
        let far = || Instant::now() + Duration::from_mins(1);
        let take = || turns.take(&cancel, far()).unwrap().expect("a place is free");
        let (first, _second) = (take(), take());
        assert!(turns.take(&cancel, Instant::now()).unwrap().is_none(), "a third one was let in");
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.take(&cancel, far()).unwrap().is_some());
            drop(first);
            assert!(waiting.join().unwrap());
        });
        let _third = take();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.take(&cancel, far()));
            cancel.cancel();
            assert!(matches!(waiting.join().unwrap(), Err(FileError::Cancelled)));
        });
    }
}
