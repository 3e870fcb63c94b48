//! Numbers of windows: a new server counts from zero, and what was a tab's number once is never another's.

use std::sync::atomic::Ordering;

use flightdeck_keeper::Requests;

use super::call::Words;
use super::server::SESSION;
use super::{Tmux, TmuxError};

/// How many numbers are used up in one call. tmux takes some 16 KB of arguments.
const AT_ONCE: u32 = 150;

impl Tmux {
    /// Lets the server count on until the next window is above this number.
    ///
    /// A pane that leaves its window gets a new one, and a pane without a program needs no process. So such a pane goes
    /// to and fro between a window of its own and one that is there for that.
    pub(super) fn count_to(&self, requests: &Requests, number: u32) -> Result<(), TmuxError> {
        if self.counted.load(Ordering::Relaxed) >= number {
            return Ok(());
        }
        let base = match self.open_base() {
            Err(TmuxError::Failed { .. }) if self.lacks_session() => {
                self.start(requests)?;
                self.open_base()?
            }
            other => other?,
        };
        let counted = self.count_from(&base, number);
        // It is the last one that is closed, also when the counting failed. The first error is the one to tell.
        let closed = self.call("count", Words::default().then(["kill-window", "-t", &base.window]));
        let at = counted?;
        closed?;
        self.counted.store(at, Ordering::Relaxed);
        Ok(())
    }

    /// A window with a program that stays, beside which there is a pane with none.
    fn open_base(&self) -> Result<Base, TmuxError> {
        let format = "#{window_id} #{pane_id}";
        let target = format!("={SESSION}:");
        let holder = self.setup.holder.to_str().unwrap_or("cat");
        let new = ["new-window", "-d", "-P", "-F", format, "-t", &target, "--", holder, "tmux-home"];
        let printed = self.call("count", Words::default().then(new))?;
        let (window, pane) = printed.trim().split_once(' ').ok_or_else(|| said(&printed))?;
        let base =
            Base { at: number_of(window)?, window: window.to_owned(), pane: pane.to_owned(), empty: String::new() };
        let split = ["split-window", "-d", "-P", "-F", "#{pane_id}", "-t", pane, ""];
        match self.call("count", Words::default().then(split)) {
            Ok(empty) => Ok(Base { empty: empty.trim().to_owned(), ..base }),
            Err(error) => {
                let _closed = self.call("count", Words::default().then(["kill-window", "-t", window]));
                Err(error)
            }
        }
    }

    /// The number that was used up last.
    fn count_from(&self, base: &Base, number: u32) -> Result<u32, TmuxError> {
        let session = format!("={SESSION}:");
        let away = |words: Words, format: &str| {
            words.then(["break-pane", "-d", "-P", "-F", format, "-s", &base.empty, "-t", &session])
        };
        let back = |words: Words| words.then(["join-pane", "-d", "-s", &base.empty, "-t", &base.pane]);
        let mut at = base.at;
        while at < number {
            let several = (number - at).min(AT_ONCE);
            let words = (1..several).fold(Words::default(), |words, _| back(away(words, "")));
            let printed = self.call("count", back(away(words, "#{window_id}")))?;
            let last = number_of(printed.trim())?;
            if last <= at {
                return Err(said(&printed));
            }
            at = last;
        }
        Ok(at)
    }
}

/// Where a pane without a program goes to and fro.
struct Base {
    at: u32,
    window: String,
    pane: String,
    empty: String,
}

fn number_of(window: &str) -> Result<u32, TmuxError> {
    window.strip_prefix('@').and_then(|number| number.parse().ok()).ok_or_else(|| said(window))
}

fn said(printed: &str) -> TmuxError {
    TmuxError::Failed { doing: "count", said: format!("it printed {printed:?}") }
}
