//! The loops of every watch. No command writes its own.
//!
//! - [`latest`]: a state that says itself when it changed, at a bounded pace.
//! - [`whenever`]: a state that has to be looked at, whenever it is another one.
//! - [`changes`]: changes in order, with a snapshot for who is slow.
//! - [`all`]: whatever a source has, one after the other.

use std::time::Duration;

use flightdeck_contract::Error;
use serde::Serialize;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, timeout_at};

use super::{Emit, Gone};

/// The least time between two events about a state. The first comes at once, and the last is never left out.
const PAUSE: Duration = Duration::from_millis(100);
/// How many changes are told at once.
const AT_ONCE: usize = 256;

/// Tells what a state is now, and again whenever it has changed. It ends with the event after which `over` says so, and when
/// the state goes.
pub(crate) async fn latest<T: Clone, E: Serialize>(
    emit: &Emit<E>,
    mut state: watch::Receiver<T>,
    event: impl Fn(&T) -> E,
    over: impl Fn(&T) -> bool,
) -> Result<(), Gone> {
    loop {
        let now = state.borrow_and_update().clone();
        emit.send(&event(&now)).await?;
        if over(&now) {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
        if state.changed().await.is_err() {
            return Ok(());
        }
    }
}

/// Tells what `begin` gives and then the changes, as many together as there are. A caller that falls behind begins again.
pub(crate) async fn changes<C: Clone, E: Serialize>(
    emit: &Emit<E>,
    begin: impl FnMut() -> (Vec<E>, broadcast::Receiver<C>),
    events: impl FnMut(Vec<C>) -> Vec<E>,
) -> Result<(), Gone> {
    gathered_changes(emit, Duration::ZERO, begin, events).await
}

/// The same for changes that come in floods: the first after a rest is told at once, and those that follow are gathered for so
/// long.
pub(crate) async fn gathered_changes<C: Clone, E: Serialize>(
    emit: &Emit<E>,
    gather: Duration,
    mut begin: impl FnMut() -> (Vec<E>, broadcast::Receiver<C>),
    mut events: impl FnMut(Vec<C>) -> Vec<E>,
) -> Result<(), Gone> {
    loop {
        let (first, mut changes) = begin();
        for event in &first {
            emit.send(event).await?;
        }
        let mut next = Instant::now();
        loop {
            let mut together = match changes.recv().await {
                Ok(change) => vec![change],
                Err(RecvError::Lagged(_)) => break,
                Err(RecvError::Closed) => return Ok(()),
            };
            let behind = loop {
                if together.len() >= AT_ONCE {
                    break false;
                }
                match changes.try_recv() {
                    Ok(change) => together.push(change),
                    Err(TryRecvError::Lagged(_)) => break true,
                    // They are taken as they come, so that none is lost while others are gathered.
                    Err(TryRecvError::Empty) => match timeout_at(next, changes.recv()).await {
                        Ok(Ok(change)) => together.push(change),
                        Ok(Err(RecvError::Lagged(_))) => break true,
                        Ok(Err(RecvError::Closed)) | Err(_) => break false,
                    },
                    Err(TryRecvError::Closed) => break false,
                }
            };
            if behind {
                break;
            }
            for event in &events(together) {
                emit.send(event).await?;
            }
            next = Instant::now() + gather;
        }
    }
}

/// When a state is looked at again.
pub(crate) enum Beat {
    /// When something has moved, and so long after it: more may move at the same time.
    Moved(watch::Receiver<u64>, Duration),
    /// So often: whoever changes it tells nobody.
    Every(Duration),
}

impl Beat {
    /// From here on what moves counts as new.
    fn begin(&mut self) {
        if let Beat::Moved(news, _) = self {
            news.borrow_and_update();
        }
    }

    /// Waits for the next look; `false` when nothing will move any more.
    async fn next(&mut self) -> bool {
        match self {
            Beat::Moved(news, gather) => {
                let moved = news.changed().await.is_ok();
                tokio::time::sleep(*gather).await;
                moved
            }
            Beat::Every(pause) => {
                tokio::time::sleep(*pause).await;
                true
            }
        }
    }
}

/// Tells what is found by looking, and again whenever that is something else than what was `told`.
pub(crate) async fn whenever<T: PartialEq + Clone, E: Serialize>(
    emit: &Emit<E>,
    mut beat: Beat,
    mut told: Option<T>,
    look: impl Fn() -> T,
    event: impl Fn(T) -> E,
) -> Result<(), Gone> {
    loop {
        beat.begin();
        let now = look();
        if told.as_ref() != Some(&now) {
            emit.send(&event(now.clone())).await?;
            told = Some(now);
        }
        if !beat.next().await {
            return Ok(());
        }
    }
}

/// Where events come from, one after the other.
pub(crate) trait Source: Send {
    /// What comes.
    type Event;

    /// The next one; `None` at the end.
    fn next(&mut self) -> impl Future<Output = Result<Option<Self::Event>, Error>> + Send;
}

/// Without a source nothing comes, and nothing ends.
impl<S: Source> Source for Option<S> {
    type Event = S::Event;

    async fn next(&mut self) -> Result<Option<S::Event>, Error> {
        match self {
            Some(source) => source.next().await,
            None => std::future::pending().await,
        }
    }
}

/// Tells all that comes from a source, until nobody takes it any more.
pub(crate) async fn all<S: Source>(emit: &Emit<S::Event>, mut source: S) -> Result<(), Error>
where
    S::Event: Serialize,
{
    while let Some(event) = source.next().await? {
        if emit.send(&event).await == Err(Gone) {
            break;
        }
    }
    Ok(())
}
