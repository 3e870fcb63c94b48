//! What happens at the hub, for whoever watches: a snapshot and numbered changes.
//!
//! No service tells what it changed. The state is looked at when anything moved, at most every [`PAUSE`], and compared with
//! what it was; so nothing can be forgotten, and a flood of changes is told as its outcome. While nobody watches, nothing is
//! looked at: the numbers go on with the next look.

mod look;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::events::{HubChange, HubSnapshot, NumberedHubChange};
use flightdeck_term::session::Session;
use parking_lot::Mutex;
use tokio::sync::{Notify, broadcast};

use crate::hub::Hub;
use look::State;

/// The least time between two looks.
const PAUSE: Duration = Duration::from_millis(50);
/// How long nothing is looked at although somebody watches.
const AT_LEAST: Duration = Duration::from_secs(1);
/// How many changes are kept for watchers that come back, and may wait for slow ones.
const KEPT: usize = 1024;

/// The changes of a hub.
#[derive(Debug)]
pub(crate) struct Events {
    epoch: u32,
    inner: Mutex<Inner>,
    changes: broadcast::Sender<NumberedHubChange>,
    /// Somebody begins to watch.
    watched: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    seq: u64,
    state: State,
    past: VecDeque<NumberedHubChange>,
}

/// What a watcher has to take to be up to date.
#[derive(Debug)]
pub(crate) enum Missed {
    /// Everything.
    All(HubSnapshot),
    /// Only these.
    Changes(Vec<NumberedHubChange>),
}

impl Events {
    pub(crate) fn new(epoch: u32) -> Self {
        Events { epoch, inner: Mutex::default(), changes: broadcast::Sender::new(KEPT), watched: Notify::new() }
    }

    /// What somebody missed who has seen this, and what comes from now on.
    pub(crate) fn watch(
        &self,
        hub: &Hub,
        seen: Option<(u32, u64)>,
    ) -> (Missed, broadcast::Receiver<NumberedHubChange>) {
        let mut inner = self.inner.lock();
        self.advance(hub, &mut inner);
        let first_kept = inner.past.front().map_or(inner.seq + 1, |change| change.seq);
        let missed = match seen {
            Some((epoch, seq)) if epoch == self.epoch && seq <= inner.seq && seq + 1 >= first_kept => {
                Missed::Changes(inner.past.iter().filter(|change| change.seq > seq).cloned().collect())
            }
            _ => Missed::All(inner.state.snapshot(self.epoch, inner.seq)),
        };
        let receiver = self.changes.subscribe();
        self.watched.notify_one();
        (missed, receiver)
    }

    /// Looks, and tells what is different.
    fn advance(&self, hub: &Hub, inner: &mut Inner) {
        let now = State::of(hub, &inner.state);
        let changes: Vec<HubChange> = now.changes_since(&inner.state);
        inner.state = now;
        for change in changes {
            inner.seq += 1;
            let numbered = NumberedHubChange { seq: inner.seq, change };
            if inner.past.len() >= KEPT {
                inner.past.pop_front();
            }
            inner.past.push_back(numbered.clone());
            // Nobody may be watching. It is sent under the lock, so that the order is that of the numbers.
            let _ = self.changes.send(numbered);
        }
    }

    fn is_watched(&self) -> bool {
        self.changes.receiver_count() > 0
    }
}

/// Looks whenever something moved, for as long as it is polled.
pub(crate) async fn follow(hub: Arc<Hub>) {
    let mut news = hub.changes();
    let mut doings = hub.agents().doings().changes();
    loop {
        if !hub.events().is_watched() {
            hub.events().watched.notified().await;
        }
        news.borrow_and_update();
        doings.borrow_and_update();
        let sessions = hub.terminals().all();
        let moved = anything_printed(&sessions);
        {
            let events = hub.events();
            events.advance(&hub, &mut events.inner.lock());
        }
        tokio::select! {
            _ = news.changed() => {}
            _ = doings.changed() => {}
            () = moved => {}
            // A program that begins to ask for something tells nobody.
            () = tokio::time::sleep(AT_LEAST) => {}
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Resolves when one of the terminals gets further.
fn anything_printed(sessions: &[Arc<Session>]) -> impl Future<Output = ()> + Send + use<> {
    let running = sessions.iter().filter(|session| session.progress().running());
    let mut all: Vec<_> = running
        .map(|session| {
            let mut progress = session.follow();
            progress.borrow_and_update();
            Box::pin(async move { progress.changed().await })
        })
        .collect();
    std::future::poll_fn(move |context| {
        let moved = all.iter_mut().any(|changed| changed.as_mut().poll(context).is_ready());
        if moved { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
}
