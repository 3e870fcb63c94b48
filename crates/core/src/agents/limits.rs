//! What one agent may do at once, in a turn, and in a second. Beyond it there is an error that says when to go on.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use flightdeck_contract::{Error, ErrorCode};
use parking_lot::Mutex;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::call::Cancelled;
use crate::settings::LimitSettings;

/// The limits of one agent, shared by all of its calls.
#[derive(Debug)]
pub struct Limits {
    settings: LimitSettings,
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
    bucket: Mutex<Bucket>,
    turns: Mutex<VecDeque<Turn>>,
}

/// How many turns are remembered: an agent may have helpers, each with turns of its own.
const TURNS: usize = 16;

/// A call that would have to wait for longer is refused, so that its client can do something else.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// A call's place among those that run. It is free again when this goes.
#[derive(Debug)]
pub(crate) struct Place(#[expect(dead_code, reason = "it is held, not looked at")] OwnedSemaphorePermit);

#[derive(Debug)]
struct Bucket {
    tokens: f64,
    filled: Instant,
}

#[derive(Debug, Default)]
struct Turn {
    id: String,
    calls: usize,
}

/// One that waits for a place.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Limits {
    pub(crate) fn new(settings: LimitSettings) -> Self {
        Limits {
            running: Arc::new(Semaphore::new(settings.at_once)),
            waiting: AtomicUsize::new(0),
            bucket: Mutex::new(Bucket { tokens: settings.burst, filled: Instant::now() }),
            turns: Mutex::default(),
            settings,
        }
    }

    /// Lets a call in, at once or when earlier ones have ended, in their order.
    pub(crate) async fn admit(&self, turn: Option<&str>, cancelled: Cancelled) -> Result<Place, Error> {
        let wait = self.take_token(Instant::now())?;
        if !wait.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = cancelled.clone().wait() => return Err(given_up()),
            }
        }
        if let Some(turn) = turn {
            self.count_in_turn(turn)?;
        }
        if let Ok(permit) = Arc::clone(&self.running).try_acquire_owned() {
            return Ok(Place(permit));
        }
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting(&self.waiting);
        let bound = self.settings.queue;
        if before >= bound {
            tracing::warn!(waiting = before, "an agent's queue of calls is full");
            let text = format!("{} calls run and {before} wait already: wait for some to end", self.settings.at_once);
            return Err(Error::new(ErrorCode::TooManyCalls, text)
                .hint("send fewer calls at once")
                .details(json!({ "running": self.settings.at_once, "waiting": before })));
        }
        let permit = tokio::select! {
            permit = Arc::clone(&self.running).acquire_owned() => permit,
            () = cancelled.wait() => return Err(given_up()),
        };
        drop(waiting);
        permit.map(Place).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
    }

    fn count_in_turn(&self, id: &str) -> Result<(), Error> {
        let mut turns = self.turns.lock();
        let place = turns.iter().position(|turn| turn.id == id).unwrap_or_else(|| {
            if turns.len() == TURNS {
                turns.pop_front();
            }
            turns.push_back(Turn { id: id.to_owned(), calls: 0 });
            turns.len() - 1
        });
        let turn = &mut turns[place];
        let bound = self.settings.per_turn;
        if turn.calls >= bound {
            tracing::warn!(turn = id, "an agent made as many calls in a turn as it may");
            let text = format!("{bound} calls were made in this turn, which is the limit");
            return Err(Error::new(ErrorCode::TurnLimit, text)
                .hint("say what you have found so far; the next turn starts from zero")
                .details(json!({ "limit": bound })));
        }
        turn.calls += 1;
        Ok(())
    }

    /// Takes the next token, which may be there only after some time; the callers' order is kept. One that is too far away
    /// is not taken.
    fn take_token(&self, now: Instant) -> Result<Duration, Error> {
        let mut bucket = self.bucket.lock();
        let rate = self.settings.per_second;
        let gained = now.saturating_duration_since(bucket.filled).as_secs_f64() * rate;
        bucket.tokens = (bucket.tokens + gained).min(self.settings.burst);
        bucket.filled = now;
        let wait = ((1.0 - bucket.tokens) / rate).max(0.0);
        if wait >= LONGEST_WAIT.as_secs_f64() {
            let wait = (wait * 1000.0).ceil() as u64;
            let text = format!("more than {rate} calls a second: try again in {wait} ms");
            return Err(Error::new(ErrorCode::RateLimited, text).details(json!({ "retryAfterMs": wait })));
        }
        bucket.tokens -= 1.0;
        Ok(Duration::from_secs_f64(wait))
    }
}

fn given_up() -> Error {
    Error::new(ErrorCode::Cancelled, "the call was given up before it began")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Cancel;

    fn limits(burst: f64) -> Arc<Limits> {
        Arc::new(Limits::new(LimitSettings {
            at_once: 2,
            queue: 3,
            per_turn: 4,
            burst,
            per_second: 10.0,
            ..LimitSettings::default()
        }))
    }

    #[tokio::test]
    async fn two_run_three_wait_the_sixth_is_refused() {
        let limits = limits(100.0);
        let (_source, cancelled) = Cancel::pair();
        let first = limits.admit(Some("a"), cancelled.clone()).await.unwrap();
        let _second = limits.admit(Some("a"), cancelled.clone()).await.unwrap();
        let mut queued: Vec<_> = (0..3)
            .map(|turn| {
                let (limits, cancelled) = (Arc::clone(&limits), cancelled.clone());
                tokio::spawn(async move { limits.admit(Some(&turn.to_string()), cancelled).await })
            })
            .collect();
        while limits.waiting.load(Ordering::Relaxed) < 3 {
            tokio::task::yield_now().await;
        }
        let refused = limits.admit(Some("b"), cancelled.clone()).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::TooManyCalls);
        drop(first);
        let third = queued.remove(0).await.unwrap().unwrap();
        assert!(queued.iter().all(|task| !task.is_finished()), "the others wait in order");
        drop(third);
        queued.remove(0).await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn who_gives_up_leaves_the_queue() {
        let limits = limits(100.0);
        let (source, cancelled) = Cancel::pair();
        let _places = [
            limits.admit(Some("a"), cancelled.clone()).await.unwrap(),
            limits.admit(Some("a"), cancelled.clone()).await.unwrap(),
        ];
        source.cancel();
        let error = limits.admit(Some("a"), cancelled.clone()).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::Cancelled);
        assert_eq!(limits.waiting.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_turn_has_an_end_and_the_next_begins_anew() {
        let limits = limits(100.0);
        for _ in 0..4 {
            limits.count_in_turn("one").unwrap();
        }
        assert_eq!(limits.count_in_turn("one").unwrap_err().code, ErrorCode::TurnLimit);
        limits.count_in_turn("two").unwrap();
    }

    #[test]
    fn the_rate_says_when_to_go_on() {
        let limits = limits(5.0);
        let now = Instant::now();
        for _ in 0..5 {
            assert_eq!(limits.take_token(now).unwrap(), Duration::ZERO);
        }
        // Those that come a little too early wait, one after the other.
        for number in 1..10 {
            let wait = limits.take_token(now).unwrap().as_secs_f64();
            assert!((wait - f64::from(number) * 0.1).abs() < 1e-6, "{number}: {wait}");
        }
        let error = limits.take_token(now).unwrap_err();
        assert_eq!((error.code, *error.details.unwrap()), (ErrorCode::RateLimited, json!({ "retryAfterMs": 1000 })));
        limits.take_token(now + Duration::from_millis(101)).unwrap();
    }

    #[tokio::test]
    async fn a_call_that_is_a_little_too_early_waits_and_can_be_given_up() {
        let limits = limits(1.0);
        let (source, cancelled) = Cancel::pair();
        let began = Instant::now();
        drop(limits.admit(None, cancelled.clone()).await.unwrap());
        drop(limits.admit(None, cancelled.clone()).await.unwrap());
        assert!(began.elapsed() >= Duration::from_millis(99), "{:?}", began.elapsed());
        source.cancel();
        assert_eq!(limits.admit(None, cancelled).await.unwrap_err().code, ErrorCode::Cancelled);
    }
}
