//! The two loops of every watch: the latest state at a bounded pace, and changes in order with a snapshot for who is slow.
//! No command writes its own.

use std::time::Duration;

use serde::Serialize;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, watch};

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
    mut begin: impl FnMut() -> (Vec<E>, broadcast::Receiver<C>),
    mut events: impl FnMut(Vec<C>) -> Vec<E>,
) -> Result<(), Gone> {
    loop {
        let (first, mut changes) = begin();
        for event in &first {
            emit.send(event).await?;
        }
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
                    Err(TryRecvError::Empty | TryRecvError::Closed) => break false,
                }
            };
            if behind {
                break;
            }
            for event in &events(together) {
                emit.send(event).await?;
            }
        }
    }
}
