//! One process per command: it has ended when the process has, whatever its children do with the terminal.

use std::time::{Duration, Instant};

use flightdeck_keeper::Target;

use super::{CANCEL_GRACE, Cancel, Ending, Outcome, drain};
use crate::log::Offset;
use crate::session::Session;

const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

/// Waits for the session's process to exit, at most `timeout`.
pub async fn wait_for_exit(session: &Session, timeout: Option<Duration>, cancel: Cancel) -> Outcome {
    let began = Instant::now();
    let ending = tokio::select! {
        ending = exited(session) => ending,
        () = sleep_for(timeout) => Ending::TimedOut,
        () = cancel => stop(session).await,
    };
    let end = match ending {
        Ending::Process(_) | Ending::Cancelled { running: false } => drain(session).await,
        _ => session.log().bounds().map_or(Offset::ZERO, |(_, end)| end),
    };
    Outcome { ending, start: Offset::ZERO, end, stages: Vec::new(), duration: began.elapsed(), record: None }
}

async fn exited(session: &Session) -> Ending {
    let mut progress = session.follow();
    match progress.wait_for(|p| !p.running()).await {
        Ok(progress) => progress.exit.map_or(Ending::Lost, Ending::Process),
        Err(_) => Ending::Lost,
    }
}

pub(super) async fn sleep_for(timeout: Option<Duration>) {
    match timeout {
        Some(timeout) => tokio::time::sleep(timeout).await,
        None => std::future::pending().await,
    }
}

/// Asks the command to end, first as Ctrl-C would, then more plainly.
async fn stop(session: &Session) -> Ending {
    for signal in [SIGINT, SIGTERM] {
        // Gone already is what we want.
        let _ = session.signal(signal, Target::Group);
        if tokio::time::timeout(CANCEL_GRACE / 2, exited(session)).await.is_ok() {
            return Ending::Cancelled { running: false };
        }
    }
    Ending::Cancelled { running: session.progress().running() }
}
