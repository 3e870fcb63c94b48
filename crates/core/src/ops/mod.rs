//! What can be done with terminals: one operation in one file.

pub(crate) mod attach;
pub(crate) mod exec;
pub(crate) mod follow;
pub(crate) mod history;
pub(crate) mod kill;
pub(crate) mod list;
pub(crate) mod new;
pub(crate) mod read;
pub(crate) mod remove;
pub(crate) mod resize;
pub(crate) mod run;
pub(crate) mod screen;
pub(crate) mod send;
pub(crate) mod signal;
pub(crate) mod stop;
pub(crate) mod wait;

use std::time::Duration;

/// How long a bounded wait lasts when the caller sets no time.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

fn timeout(asked: Option<u64>) -> Duration {
    asked.map_or(DEFAULT_TIMEOUT, Duration::from_millis)
}
