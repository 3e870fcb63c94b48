//! What the hub tells a watcher, across the hub's own restarts.

use flightdeck_client::{Client, Live, Moment};
use flightdeck_contract::approval::{ApprovalEvent, WatchApprovals};
use flightdeck_core::Workspace;
use tokio::sync::mpsc;

use crate::find;

/// News that may wait for the person; the hub sends a snapshot to a watcher that is slower.
const NEWS: usize = 64;

/// What a watcher is told.
#[derive(Debug)]
pub enum News {
    /// Something at the hub.
    Event(ApprovalEvent),
    /// The hub is gone.
    Gone,
    /// There is one again; answers go this way. An answer never reaches another hub than the one that asked.
    Back(Client),
    /// It can't go on.
    Failed(anyhow::Error),
}

/// Begins to watch, as somebody who will answer. No hub is started for it: nothing could wait at one that nobody else needs.
pub fn start(workspace: &Workspace) -> anyhow::Result<mpsc::Receiver<News>> {
    let live = Live::new(find::hub_of(workspace)?, &find::actor(), WatchApprovals { attend: true });
    let (sender, news) = mpsc::channel(NEWS);
    tokio::spawn(async move {
        if let Err(error) = watch(live, &sender).await {
            // Whoever listened may be gone already.
            let _ = sender.send(News::Failed(error)).await;
        }
    });
    Ok(news)
}

async fn watch(mut live: Live<WatchApprovals>, sender: &mpsc::Sender<News>) -> anyhow::Result<()> {
    let mut is_there = true;
    while let Some(moment) = live.next().await? {
        let was_there = std::mem::replace(&mut is_there, !matches!(moment, Moment::Away));
        let news = match moment {
            Moment::Event(event, _) => News::Event(event),
            // It is said once.
            Moment::Away if !was_there => continue,
            Moment::Away => News::Gone,
            Moment::Back => match live.handle() {
                Some(handle) => News::Back(handle.client()),
                None => continue,
            },
        };
        if sender.send(news).await.is_err() {
            return Ok(());
        }
    }
    Ok(())
}
