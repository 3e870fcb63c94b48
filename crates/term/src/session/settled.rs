//! Waiting for a terminal to stand still after something was typed.

use std::time::Duration;

use tokio::time::{Instant, timeout, timeout_at};

use super::Session;
use crate::log::Offset;

/// How long that may take.
#[derive(Clone, Copy, Debug)]
pub struct Settling {
    /// A program may take so long to begin its answer.
    answer: Duration,
    /// It has answered when it prints nothing for so long,
    quiet: Duration,
    /// or at the latest after this.
    latest: Duration,
}

impl Settling {
    /// For somebody who wants to see the answer.
    pub const SEEN: Settling = Settling {
        answer: Duration::from_millis(400),
        quiet: Duration::from_millis(80),
        latest: Duration::from_secs(2),
    };
    /// For a signal that has more keys behind it. It may show nothing, or more and more.
    pub(super) const SIGNAL: Settling = Settling {
        answer: Duration::from_millis(200),
        quiet: Duration::from_millis(30),
        latest: Duration::from_millis(400),
    };
}

impl Session {
    /// Waits for the answer to what was typed when the log ended here.
    pub async fn settled(&self, typed_at: Offset, times: Settling) {
        let latest = Instant::now() + times.latest;
        let mut progress = self.follow();
        let began = progress.wait_for(|now| now.seen > typed_at || !now.running());
        if timeout(times.answer, began).await.is_err() {
            return;
        }
        while Instant::now() < latest {
            progress.borrow_and_update();
            if timeout_at(latest.min(Instant::now() + times.quiet), progress.changed()).await.is_err() {
                return;
            }
        }
    }
}
