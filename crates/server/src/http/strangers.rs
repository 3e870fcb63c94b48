//! Connections of which nobody has shown a token or a cookie yet. They have few places of their own, and the oldest gives way
//! to the next: whoever fills them keeps out nobody who has something to say.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// The places of a server.
#[derive(Debug)]
pub(super) struct Places {
    /// For those that have been let in.
    known: Arc<Semaphore>,
    /// How many strangers there may be.
    most: usize,
    strangers: Mutex<VecDeque<Arc<Standing>>>,
}

/// How it stands with one connection.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// It has to go.
    pub(super) hang_up: CancellationToken,
    /// A whole head of a request has come.
    heard: AtomicBool,
    hearing: Notify,
    place: Mutex<Option<OwnedSemaphorePermit>>,
}

/// A connection's part in its requests: with it the guard tells that it let somebody in.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    places: Arc<Places>,
    pub(super) standing: Arc<Standing>,
}

impl Places {
    pub(super) fn new(known: usize, strangers: usize) -> Arc<Self> {
        Arc::new(Places { known: Arc::new(Semaphore::new(known)), most: strangers, strangers: Mutex::default() })
    }

    /// A new connection. The oldest stranger goes when there are too many.
    pub(super) fn enter(self: &Arc<Self>) -> Visitor {
        let standing = Arc::new(Standing::default());
        let mut strangers = self.strangers.lock();
        strangers.push_back(Arc::clone(&standing));
        if strangers.len() > self.most
            && let Some(oldest) = strangers.pop_front()
        {
            oldest.hang_up.cancel();
        }
        Visitor { places: Arc::clone(self), standing }
    }

    fn forget(&self, standing: &Arc<Standing>) {
        self.strangers.lock().retain(|stranger| !Arc::ptr_eq(stranger, standing));
    }
}

impl Standing {
    /// Waits for the first whole head.
    pub(super) async fn is_heard(&self) {
        let hearing = self.hearing.notified();
        if !self.heard.load(Ordering::Acquire) {
            hearing.await;
        }
    }
}

impl Visitor {
    /// The head of a request has come.
    pub(super) fn heard(&self) {
        self.standing.heard.store(true, Ordering::Release);
        self.standing.hearing.notify_waiters();
    }

    /// It may stay. While there is no place among the known ones it is a stranger like others.
    pub(crate) fn let_in(&self) {
        let mut place = self.standing.place.lock();
        if place.is_none()
            && let Ok(free) = Arc::clone(&self.places.known).try_acquire_owned()
        {
            *place = Some(free);
            self.places.forget(&self.standing);
        }
    }

    /// It is over.
    pub(super) fn leave(&self) {
        self.places.forget(&self.standing);
        self.standing.place.lock().take();
    }
}
