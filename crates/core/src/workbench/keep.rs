//! Writing the workbench down soon after it changed, and telling the panes once a second at most: at once when they have
//! not changed for a while, and always what they are at the end.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::aside::aside;
use crate::hub::Hub;
use crate::timestamp::rfc3339;

/// How soon a change is written down that follows another one: many come at once, while somebody types. The first is written
/// at once.
const SOON: Duration = Duration::from_millis(250);
/// When it is tried again after that failed.
const AGAIN: Duration = Duration::from_secs(2);
/// The least time between two tellings of the panes.
const PERIOD: Duration = Duration::from_secs(1);

/// Writes the workbench down whenever it has changed.
pub(crate) async fn keep_workbench(hub: Arc<Hub>) {
    let mut moved = hub.workbench().moved();
    while moved.changed().await.is_ok() {
        while !kept(&hub).await {
            // The disk may be full: what is new is only in memory until there is room.
            tokio::time::sleep(AGAIN).await;
        }
        tokio::time::sleep(SOON).await;
    }
}

async fn kept(hub: &Arc<Hub>) -> bool {
    let own = Arc::clone(hub);
    let problem = match aside(move || own.workbench().keep()).await {
        Ok(Ok(())) => return true,
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    };
    tracing::error!(problem, "the workbench could not be written down; it is tried again");
    false
}

/// Tells the panes to whoever wants to know.
pub(crate) async fn publish_panes(hub: Arc<Hub>) {
    let mut moved = hub.workbench().moved();
    let mut last: Option<Instant> = None;
    loop {
        if let Some(last) = last {
            tokio::time::sleep_until(last + PERIOD).await;
        }
        moved.borrow_and_update();
        let state = hub.workbench().look(|state| state.pane_state(rfc3339(std::time::SystemTime::now())));
        let told = hub.workbench().published.send_if_modified(|published| {
            let same =
                published.as_ref().is_some_and(|old| old.panes == state.panes && old.active_pane == state.active_pane);
            if !same {
                *published = Some(state);
            }
            !same
        });
        if told {
            last = Some(Instant::now());
        }
        if moved.changed().await.is_err() {
            return;
        }
    }
}
