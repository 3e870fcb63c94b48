//! One conversation: its state behind a short lock, its watchers, and its place on disk.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use flightdeck_contract::chat::{Chat, ChatEvent, Entry};
use flightdeck_contract::{ConversationId, Error, ErrorCode, TerminalId};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::{broadcast, mpsc, oneshot, watch};

use super::answer_budget::AnswerBudget;
use super::instruction::{Instruction, Reply};
use super::kept::{Head, Kept};
use super::live::{Draft, Live};
use crate::agents::one::OneAgent;
use crate::store::{
    ConversationChange, ConversationNumber, Store, StoreError, StoredConversation, StoredEntry, StoredLine,
    StoredRequest,
};

/// How many changes a slow watcher may fall behind before it gets a snapshot instead.
const EVENTS: usize = 512;
/// How many entries stay in memory.
const IN_MEMORY: usize = 600;
/// How many entries are kept on disk.
const ON_DISK: u64 = 50_000;
/// How many orders may wait for whoever speaks with the agent.
const ORDERS: usize = 16;
/// How long after a failed write another one is tried.
const TRY_AGAIN: Duration = Duration::from_millis(500);

/// What is about to be put on disk, and what has to be tried again when that fails.
struct Unflushed {
    change: ConversationChange,
    numbers: Vec<u64>,
    lines: Vec<StoredLine>,
    requests: Vec<StoredRequest>,
    anew: bool,
}

/// One conversation.
#[derive(Debug)]
pub(crate) struct Conversation {
    id: ConversationId,
    store: Arc<Store>,
    live: Mutex<Live>,
    /// Its agent, which may use our tools beside what it says here.
    agent: OneAgent,
    events: broadcast::Sender<ChatEvent>,
    /// The way to whoever speaks with the agent, while somebody does.
    orders: Mutex<Option<mpsc::Sender<Instruction>>>,
    /// The way to the agent's input.
    lines: Mutex<Option<mpsc::UnboundedSender<StoredLine>>>,
    /// All bytes before this were taken by the agent's input.
    written: Arc<AtomicU64>,
    answers: Arc<AnswerBudget>,
    /// Held while something is put on disk, so that lines are sent in the order in which they were written down.
    flushing: tokio::sync::Mutex<()>,
    /// Held while what belongs together is written down, so that it is put on disk together.
    batch: Arc<Mutex<()>>,
    /// Whether somebody speaks with the agent.
    driven: watch::Sender<bool>,
    /// It was removed, and nothing of it is kept any more.
    forgotten: AtomicBool,
    /// Grows when any conversation stands otherwise than before.
    changes: Arc<watch::Sender<u64>>,
}

impl Conversation {
    pub(super) fn new(store: &Arc<Store>, chat: Chat, kept: Kept, changes: &Arc<watch::Sender<u64>>) -> Self {
        Self::with(store, Live::new(chat, kept, VecDeque::new()), changes)
    }

    /// As an earlier hub has kept it.
    pub(super) fn load(
        store: &Arc<Store>,
        stored: &StoredConversation,
        changes: &Arc<watch::Sender<u64>>,
    ) -> Result<Self, String> {
        let head: Head = serde_json::from_str(&stored.head).map_err(|error| error.to_string())?;
        let entries = store.entries_before(stored.number, u64::MAX, IN_MEMORY).map_err(|error| error.to_string())?;
        let entries = entries.iter().map(|entry| serde_json::from_str(&entry.json)).collect::<Result<_, _>>();
        let entries = entries.map_err(|error| error.to_string())?;
        Ok(Self::with(store, Live::new(head.chat, head.kept, entries), changes))
    }

    fn with(store: &Arc<Store>, live: Live, changes: &Arc<watch::Sender<u64>>) -> Self {
        Conversation {
            id: live.chat.id,
            store: Arc::clone(store),
            live: Mutex::new(live),
            agent: OneAgent::default(),
            events: broadcast::Sender::new(EVENTS),
            orders: Mutex::default(),
            lines: Mutex::default(),
            written: Arc::default(),
            answers: Arc::default(),
            flushing: tokio::sync::Mutex::default(),
            batch: Arc::default(),
            driven: watch::Sender::new(false),
            forgotten: AtomicBool::new(false),
            changes: Arc::clone(changes),
        }
    }

    pub(crate) fn id(&self) -> ConversationId {
        self.id
    }

    pub(super) fn number(&self) -> ConversationNumber {
        ConversationNumber(self.id.number())
    }

    /// How it stands.
    pub(crate) fn chat(&self) -> Chat {
        self.live.lock().chat.clone()
    }

    /// Its agent, as this hub knows it.
    pub(crate) fn agent(&self) -> &OneAgent {
        &self.agent
    }

    /// The newest entries, and everything that happens after that.
    pub(crate) fn watch(&self, last: usize) -> (ChatEvent, broadcast::Receiver<ChatEvent>) {
        let live = self.live.lock();
        let skip = live.entries.len().saturating_sub(last);
        let entries: Vec<Entry> = live.entries.iter().skip(skip).cloned().collect();
        let earlier = entries.first().is_some_and(|entry| entry.number > oldest(live.chat.last_entry));
        let snapshot = ChatEvent::Snapshot { chat: Box::new(live.chat.clone()), entries, earlier };
        (snapshot, self.events.subscribe())
    }

    /// Entries before this one, oldest first, and whether there are earlier ones. It reads the disk.
    pub(crate) fn read(&self, before: Option<u64>, limit: usize) -> Result<(Vec<Entry>, bool), Error> {
        let (in_memory, last) = {
            let live = self.live.lock();
            let before = before.unwrap_or(u64::MAX);
            let wanted: Vec<Entry> = live.entries.iter().filter(|entry| entry.number < before).cloned().collect();
            (wanted, live.chat.last_entry)
        };
        let mut entries = in_memory;
        if entries.len() > limit {
            entries.drain(..entries.len() - limit);
        }
        let first = entries.first().map_or(before.unwrap_or(u64::MAX), |entry| entry.number);
        if entries.len() < limit && first > 1 {
            let older = self.store.entries_before(self.number(), first, limit - entries.len());
            let older = older.map_err(|error| crate::convert::store_error(&error))?;
            let older: Vec<Entry> = older.iter().filter_map(|entry| serde_json::from_str(&entry.json).ok()).collect();
            entries.splice(0..0, older);
        }
        let earlier = entries.first().is_some_and(|entry| entry.number > oldest(last));
        Ok((entries, earlier))
    }

    /// Changes it, and tells watchers.
    pub(crate) fn write<T>(&self, write: impl FnOnce(&mut Draft<'_>) -> T) -> T {
        let mut live = self.live.lock();
        let mut draft = Draft::new(&mut live);
        let result = write(&mut draft);
        let (events, changed) = draft.finish();
        for event in events {
            // Nobody may be watching. It is sent under the lock, so that a snapshot and what follows never overlap.
            let _ = self.events.send(event);
        }
        drop(live);
        if changed {
            self.changes.send_modify(|changes| *changes += 1);
        }
        result
    }

    /// Changes it and puts it on disk.
    pub(crate) async fn write_down<T>(&self, write: impl FnOnce(&mut Draft<'_>) -> T) -> T {
        let result = self.write(write);
        self.flush().await;
        result
    }

    pub(super) fn is_urgent(&self) -> bool {
        !self.live.lock().lines.is_empty()
    }

    /// Puts on disk what has changed, and then sends what is to be sent. On a full disk it waits until there is room: an
    /// agent that is answered before that is known would be answered twice.
    pub(super) async fn flush(&self) {
        let _whole = self.flushing.lock().await;
        while !self.forgotten.load(Ordering::Acquire) {
            let Some(Unflushed { change, numbers, lines, requests, anew }) = self.take_change() else { return };
            match self.store.send(change).await {
                Ok(()) => {
                    if let Some(way) = &*self.lines.lock() {
                        // Whoever writes them may have ended with the agent.
                        for line in lines {
                            drop(way.send(line));
                        }
                    }
                    self.let_go();
                    return;
                }
                Err(StoreError::Closed) => return,
                Err(error) => {
                    tracing::error!(id = %self.id, %error, "a conversation can't be kept; it is tried again");
                    let mut live = self.live.lock();
                    live.changed.extend(numbers);
                    live.head_changed = true;
                    live.anew |= anew;
                    live.lines.splice(0..0, lines);
                    for StoredRequest { id, json } in requests {
                        // What has become of it since then counts.
                        live.requests.entry(id).or_insert(json);
                    }
                }
            }
            tokio::time::sleep(TRY_AGAIN).await;
        }
    }

    fn take_change(&self) -> Option<Unflushed> {
        let _whole = self.batch.lock();
        let mut live = self.live.lock();
        if !live.head_changed && live.changed.is_empty() && live.lines.is_empty() {
            return None;
        }
        let head = Head { chat: live.chat.clone(), kept: live.kept.clone() };
        let lines = std::mem::take(&mut live.lines);
        let requests = std::mem::take(&mut live.requests);
        let requests: Vec<_> = requests.into_iter().map(|(id, json)| StoredRequest { id, json }).collect();
        let numbers: Vec<u64> = std::mem::take(&mut live.changed).into_iter().collect();
        live.head_changed = false;
        let anew = std::mem::take(&mut live.anew);
        let first = live.entries.front().map_or(0, |entry| entry.number);
        let json = |entry: &Entry| serde_json::to_string(entry).unwrap_or_default();
        let entries = numbers
            .iter()
            .filter_map(|number| live.entries.get(number.checked_sub(first)? as usize))
            .map(|entry| StoredEntry { number: entry.number, json: json(entry) })
            .collect();
        let change = ConversationChange::Put {
            conversation: StoredConversation {
                number: self.number(),
                head: serde_json::to_string(&head).unwrap_or_default(),
            },
            entries,
            oldest: oldest(live.chat.last_entry),
            lines: lines.clone(),
            requests: requests.clone(),
            anew,
            written: self.written.load(Ordering::Acquire),
        };
        Some(Unflushed { change, numbers, lines, requests, anew })
    }

    /// Lets go of old entries, which are on disk.
    fn let_go(&self) {
        let mut live = self.live.lock();
        while live.entries.len() > IN_MEMORY {
            let first = live.entries.front().map_or(0, |entry| entry.number);
            if live.changed.contains(&first) {
                break;
            }
            live.forget_oldest();
        }
    }

    pub(super) async fn forget(&self) -> Result<(), StoreError> {
        let _whole = self.flushing.lock().await;
        self.forgotten.store(true, Ordering::Release);
        let removed = self.store.send(ConversationChange::Remove(self.number())).await;
        let _ = self.events.send(ChatEvent::Removed { id: self.id });
        removed
    }

    pub(super) fn memory(&self) -> Value {
        self.live.lock().kept.memory.clone()
    }

    pub(super) fn kept(&self) -> Kept {
        self.live.lock().kept.clone()
    }

    pub(super) fn process(&self) -> Option<TerminalId> {
        self.live.lock().kept.process
    }

    pub(super) fn stopped_by(&self) -> Option<String> {
        self.live.lock().kept.stopped_by.clone()
    }

    /// Another process was started.
    pub(super) fn begin_anew(&self, process: TerminalId) {
        self.written.store(0, Ordering::Release);
        self.answers.clear();
        let mut live = self.live.lock();
        let env = std::mem::take(&mut live.kept.env);
        live.kept = Kept { process: Some(process), env, ..Kept::default() };
        (live.anew, live.head_changed) = (true, true);
        live.lines.clear();
        live.requests.clear();
    }

    /// What is held while what belongs together is written down.
    pub(super) fn batch(&self) -> &Arc<Mutex<()>> {
        &self.batch
    }

    /// Changes what is kept beside what people see.
    pub(super) fn keep(&self, change: impl FnOnce(&mut Kept)) {
        let mut live = self.live.lock();
        change(&mut live.kept);
        live.head_changed = true;
    }

    /// All bytes before this were taken by the agent's input.
    pub(super) fn written(&self) -> &Arc<AtomicU64> {
        &self.written
    }

    pub(super) fn answers(&self) -> &Arc<AnswerBudget> {
        &self.answers
    }

    /// Opens the ways to whoever speaks with the agent, and to its input.
    pub(super) fn connect(
        &self,
        waiting: Vec<StoredLine>,
    ) -> (mpsc::Receiver<Instruction>, mpsc::UnboundedReceiver<StoredLine>) {
        let (orders, receiver) = mpsc::channel(ORDERS);
        let (lines, input) = mpsc::unbounded_channel();
        self.answers.take_over(&waiting);
        // What an earlier hub has written down and not sent comes first.
        for line in waiting {
            drop(lines.send(line));
        }
        *self.orders.lock() = Some(orders);
        *self.lines.lock() = Some(lines);
        self.driven.send_replace(true);
        (receiver, input)
    }

    pub(super) fn disconnect(&self) {
        *self.orders.lock() = None;
        *self.lines.lock() = None;
        self.answers.clear();
    }

    /// Nobody speaks with the agent any more, and all of that is noted.
    pub(super) fn is_over(&self) {
        self.driven.send_replace(false);
    }

    pub(super) fn is_driven(&self) -> bool {
        *self.driven.borrow()
    }

    /// Resolves when nobody speaks with the agent any more.
    pub(super) async fn over(&self) {
        // It never goes before this does.
        let _ = self.driven.subscribe().wait_for(|driven| !driven).await;
    }

    /// Gives an order, and waits for the answer.
    pub(crate) async fn order<T>(&self, order: impl FnOnce(Reply<T>) -> Instruction) -> Result<T, Error> {
        let (reply, answer): (Reply<T>, oneshot::Receiver<Result<T, Error>>) = Reply::channel();
        let Some(orders) = self.orders.lock().clone() else { return Err(self.gone()) };
        orders.send(order(reply)).await.map_err(|_| self.gone())?;
        answer.await.unwrap_or_else(|_| Err(self.gone()))
    }

    fn gone(&self) -> Error {
        let chat = self.chat();
        Error::new(ErrorCode::ChatNotReady, format!("the agent of {} is gone: {}", self.id, chat.reason))
            .hint("flightdeck.chat.restart starts it again")
    }
}

/// The oldest entry that is kept.
fn oldest(last: u64) -> u64 {
    last.saturating_sub(ON_DISK - 1).max(1)
}
