//! What the hub tells a watcher, across the hub's own restarts.

use std::time::Duration;

use flightdeck_client::Client;
use flightdeck_contract::ErrorCode;
use flightdeck_contract::approval::{ApprovalEvent, WatchApprovals};
use flightdeck_contract::terminal::Done;
use flightdeck_core::Workspace;
use tokio::sync::mpsc;

use crate::find;

/// How often a hub that is gone is looked for. It may take hours, so this costs next to nothing.
const LOOK: Duration = Duration::from_millis(100);
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

/// Begins to watch, as somebody who will answer.
pub fn start(workspace: Workspace, client: Client) -> mpsc::Receiver<News> {
    let (sender, news) = mpsc::channel(NEWS);
    tokio::spawn(async move {
        if let Err(error) = watch(&workspace, client, &sender).await {
            // Whoever listened may be gone already.
            let _ = sender.send(News::Failed(error)).await;
        }
    });
    news
}

async fn watch(workspace: &Workspace, mut client: Client, sender: &mpsc::Sender<News>) -> anyhow::Result<()> {
    loop {
        match until_gone(&client, sender).await {
            Err(error) if refused(&error) => return Err(error),
            // A closed connection and a call that ended both mean that the hub is on its way out.
            _ if sender.send(News::Gone).await.is_err() => return Ok(()),
            _ => {}
        }
        let answers;
        (client, answers) = successor(workspace).await?;
        if sender.send(News::Back(answers)).await.is_err() {
            return Ok(());
        }
    }
}

async fn until_gone(client: &Client, sender: &mpsc::Sender<News>) -> anyhow::Result<()> {
    let mut running = client.begin("flightdeck.approval.watch", &WatchApprovals { attend: true }).await?;
    while let Some((event, _)) = running.events.next().await? {
        if sender.send(News::Event(event)).await.is_err() {
            return Ok(());
        }
    }
    running.result.typed::<Done>().await?;
    Ok(())
}

/// The hub that comes next. None is started here: nothing could wait at one that nobody else needs.
async fn successor(workspace: &Workspace) -> anyhow::Result<(Client, Client)> {
    loop {
        tokio::time::sleep(LOOK).await;
        match both(workspace).await {
            Err(error) if refused(&error) => return Err(error),
            Err(_) => {}
            Ok(clients) => return Ok(clients),
        }
    }
}

async fn both(workspace: &Workspace) -> anyhow::Result<(Client, Client)> {
    let (socket, actor) = (workspace.socket(), find::actor());
    Ok((Client::connect(&socket, &actor).await?, Client::connect(&socket, &actor).await?))
}

/// The hub understood, and said no.
fn refused(error: &anyhow::Error) -> bool {
    find::refusal(error).is_some_and(|error| error.code != ErrorCode::HubStopping)
}
