//! Waiting for a screen to stand still after something was typed.

use std::time::Duration;

use flightdeck_term::log::Offset;
use flightdeck_term::session::Session;
use tokio::time::{Instant, timeout, timeout_at};

/// How long a program may take to begin its answer.
const ANSWER: Duration = Duration::from_millis(400);
/// It has answered when it prints nothing for so long,
const QUIET: Duration = Duration::from_millis(80);
/// or at the latest after this.
const LATEST: Duration = Duration::from_secs(2);

/// Waits for the answer to what was typed when the log ended here.
pub(crate) async fn settled(session: &Session, typed_at: Offset) {
    let latest = Instant::now() + LATEST;
    let mut progress = session.follow();
    let began = progress.wait_for(|now| now.seen > typed_at || !now.running());
    if timeout(ANSWER, began).await.is_err() {
        return;
    }
    while Instant::now() < latest {
        progress.borrow_and_update();
        if timeout_at(latest.min(Instant::now() + QUIET), progress.changed()).await.is_err() {
            return;
        }
    }
}
