//! One process per command: it has ended when the process has, whatever its children do with the terminal.

use std::time::{Duration, Instant};

use flightdeck_keeper::Target;
use rustix::process::Signal;

use super::{CANCEL_GRACE, Cancel, Ending, Outcome, Patience, SIGINT, asked, log_end, stalled};
use crate::log::Offset;
use crate::session::{Lost, Session};

/// Waits for the session's process to exit, as long as there is patience.
pub async fn wait_for_exit(session: &Session, patience: Patience, cancel: Cancel) -> Outcome {
    let began = Instant::now();
    let ending = tokio::select! {
        ending = exited(session) => ending,
        () = sleep_for(patience.time) => Ending::TimedOut,
        input = asked(session, patience, None) => Ending::Asks(input),
        () = stalled(session, patience) => Ending::Stalled,
        () = cancel => stop(session).await,
    };
    Outcome {
        ending,
        start: Offset::ZERO,
        end: log_end(session),
        stages: Vec::new(),
        duration: began.elapsed(),
        record: None,
    }
}

async fn exited(session: &Session) -> Ending {
    let mut progress = session.follow_milestones();
    match progress.wait_for(|p| !p.running()).await {
        Ok(progress) => {
            let lost = Ending::Lost(progress.lost.unwrap_or(Lost::Keeper));
            progress.exit.map_or(lost, Ending::Process)
        }
        Err(_) => Ending::Lost(Lost::Keeper),
    }
}

pub(super) async fn sleep_for(timeout: Option<Duration>) {
    match timeout {
        Some(timeout) => tokio::time::sleep(timeout).await,
        None => std::future::pending().await,
    }
}

/// Asks the command to end as Ctrl-C would, then ends whatever is left of it.
async fn stop(session: &Session) -> Ending {
    // Gone already is what we want.
    let _ = session.signal(SIGINT, Target::Group);
    let _ = tokio::time::timeout(CANCEL_GRACE / 2, exited(session)).await;
    let tree = session.tree();
    let left = tokio::task::spawn_blocking(move || tree.kill(Signal::TERM, CANCEL_GRACE / 2)).await;
    let running = left.map_or(true, |left| !left.is_empty());
    if !running {
        exited(session).await;
    }
    Ending::Cancelled { running }
}
