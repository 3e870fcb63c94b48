//! Keeps watch over the servers whose windows agents can use, and over their clients.

use std::sync::Arc;
use std::time::Duration;

use crate::aside::aside;
use crate::hub::Hub;
use crate::store::Change;
use crate::terminals::ground::Seen;

/// What is kept in the store: the user's servers that were ever attached to, as far as they live.
pub(crate) const SERVERS: &str = "tmux.servers";
/// How often clients are looked for, so that one is known before it runs another program in its own place.
const WATCHING: Duration = Duration::from_millis(500);
/// How long changes are gathered while there is no server.
const GATHERING: Duration = Duration::from_millis(20);

/// The servers and clients as they are now. What is new is noted for the next hub.
pub(crate) fn look_at_servers(hub: &Hub) -> Seen {
    let seen = hub.tabs().grounds.servers();
    if let Some(news) = &seen.news {
        // Nobody waits for it: this hub knows it in any case.
        drop(hub.store().send(Change::PutFact(SERVERS.to_owned(), news.clone())));
    }
    seen
}

/// Looks again and again, so that clients are known before they turn into something else.
pub(crate) async fn watch_servers(hub: Arc<Hub>) {
    let mut changes = hub.terminals().changes();
    loop {
        changes.borrow_and_update();
        let own = Arc::clone(&hub);
        // If it panics, the next look does the same.
        let seen = aside(move || look_at_servers(&own)).await;
        if seen.is_ok_and(|seen| seen.is_nobody()) {
            // A server of ours comes with its first tab, and until then a hub that is idle does not wake up.
            if changes.changed().await.is_err() {
                return;
            }
            // Many commands may end at once; one look is enough for all.
            tokio::time::sleep(GATHERING).await;
        } else {
            tokio::time::sleep(WATCHING).await;
        }
    }
}
