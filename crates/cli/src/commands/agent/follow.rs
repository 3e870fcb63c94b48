//! The terminals in tool calls, followed as they print.

use std::collections::BTreeMap;
use std::time::Duration;

use flightdeck_client::Client;
use flightdeck_contract::chat::{OfChatTerminal, ReadChatOutput, Transcript};
use flightdeck_contract::terminal::{Follow, TerminalEvent};
use flightdeck_contract::{ConversationId, TerminalId};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;

/// Pieces of output that may wait to be shown; then the hub waits.
const PIECES: usize = 64;

/// What a terminal tells.
#[derive(Clone, Debug)]
pub enum TerminalNews {
    Printed {
        terminal: TerminalId,
        text: String,
        next: u64,
    },
    Ended {
        terminal: TerminalId,
        exit_code: Option<i32>,
    },
    /// It can't be followed: the hub or the terminal is gone.
    Lost,
}

/// Follows terminals, each once.
#[derive(Debug)]
pub struct Followers {
    known: BTreeMap<TerminalId, Follower>,
    sender: mpsc::Sender<TerminalNews>,
    news: mpsc::Receiver<TerminalNews>,
}

#[derive(Debug)]
struct Follower {
    task: AbortHandle,
    next: u64,
    over: bool,
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Followers {
    pub fn new() -> Self {
        let (sender, news) = mpsc::channel(PIECES);
        Followers { known: BTreeMap::new(), sender, news }
    }

    /// Follows a terminal from its beginning, unless that was done.
    pub fn follow(&mut self, client: &Client, terminal: TerminalId) {
        if !self.known.contains_key(&terminal) {
            self.begin(client, terminal, 0);
        }
    }

    /// There is another hub: what has not ended goes on from where it was.
    pub fn resume(&mut self, client: &Client) {
        let open: Vec<_> = self.known.iter().filter(|(_, it)| !it.over).map(|(id, it)| (*id, it.next)).collect();
        for (terminal, next) in open {
            self.begin(client, terminal, next);
        }
    }

    fn begin(&mut self, client: &Client, terminal: TerminalId, from: u64) {
        let (client, sender) = (client.clone(), self.sender.clone());
        let task = tokio::spawn(async move {
            let over = follow(client, terminal, from, &sender).await;
            // Nobody listens any more when the window is left.
            let _ = sender.send(over.unwrap_or(TerminalNews::Lost)).await;
        });
        self.known.insert(terminal, Follower { task: task.abort_handle(), next: from, over: false });
    }

    /// What happens next. Safe to drop while it waits.
    pub async fn next(&mut self) -> TerminalNews {
        // It can't end: a sender is kept.
        let Some(news) = self.news.recv().await else { return std::future::pending().await };
        match &news {
            TerminalNews::Printed { terminal, next, .. } => {
                self.known.entry(*terminal).and_modify(|it| it.next = *next);
            }
            TerminalNews::Ended { terminal, .. } => drop(self.known.entry(*terminal).and_modify(|it| it.over = true)),
            TerminalNews::Lost => {}
        }
        news
    }

    /// Whether more is to come of a terminal.
    pub fn is_open(&self, terminal: TerminalId) -> bool {
        self.known.get(&terminal).is_some_and(|it| !it.over && (!it.task.is_finished() || !self.news.is_empty()))
    }

    /// Whether its program has ended, so that the rest of its output is a moment away.
    pub async fn has_ended(client: &Client, id: ConversationId, terminal: TerminalId) -> bool {
        let read = ReadChatOutput(OfChatTerminal { id, terminal });
        let read = client.call::<Transcript>("flightdeck.chat.output", &read);
        matches!(tokio::time::timeout(Duration::from_secs(1), read).await, Ok(Ok(Transcript { exit: Some(_), .. })))
    }
}

/// Follows one to its end.
async fn follow(
    client: Client,
    terminal: TerminalId,
    from: u64,
    sender: &mpsc::Sender<TerminalNews>,
) -> Option<TerminalNews> {
    let request = Follow { from: Some(from), follow: true, plain: true, ..Follow::of(terminal) };
    let mut stream = client.stream(&request).await.ok()?;
    let mut exit_code = None;
    while let Some((event, bytes)) = stream.next().await.ok()? {
        match event {
            TerminalEvent::Output { to, .. } => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                sender.send(TerminalNews::Printed { terminal, text, next: to }).await.ok()?;
            }
            TerminalEvent::Gap { from, to } => {
                let text = format!("[{} bytes are no longer there]\n", to.saturating_sub(from));
                sender.send(TerminalNews::Printed { terminal, text, next: to }).await.ok()?;
            }
            TerminalEvent::Ended { exit_code: code, .. } => exit_code = code,
            TerminalEvent::Attached { .. } | TerminalEvent::Snapshot { .. } | TerminalEvent::Resized { .. } => {}
        }
    }
    stream.end().await.ok()?;
    Some(TerminalNews::Ended { terminal, exit_code })
}
