//! The one thread that writes: it takes everything that waits and commits it in one transaction.
//!
//! Callers wait for the commit, not for the disk: with `synchronous=NORMAL` a commit is in the kernel's hands, and only
//! a checkpoint waits for the disk. Checkpoints come after the callers have their answers.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};
use std::{fmt, io};

use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, MAIN_DB, Transaction, TransactionBehavior};
use tokio::sync::{oneshot, watch};

use super::audit::{Head, Seq};
use super::error::StoreError;

/// How many writes may wait; so many are committed at once at most. Who comes when it is full waits for the commit
/// that is under way.
const QUEUE: usize = 1024;

/// How many pages of 4 KiB the write-ahead log holds before they are copied into the database.
const WAL_PAGES: i32 = 1000;

/// Something that can be written.
pub trait Work: Send + 'static {
    /// What its caller learns when it is committed.
    type Done: Send + 'static;

    /// Writes it. It may be called again, in another transaction, if the first one could not be committed.
    fn run(&self, ledger: &mut Ledger<'_>) -> rusqlite::Result<Self::Done>;
}

/// What a [`Work`] writes to: the transaction, and where the audit log stands in it.
#[derive(Debug)]
pub struct Ledger<'a> {
    pub(super) tx: &'a Transaction<'a>,
    pub(super) head: Head,
}

/// A write under way, for a caller on an async thread. It resolves when it is committed, and it is written even if
/// nobody waits for it.
#[must_use = "until it resolves, it is not known to be written"]
#[derive(Debug)]
pub struct Committed<T>(oneshot::Receiver<Result<T, StoreError>>);

impl<T> Future for Committed<T> {
    type Output = Result<T, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.0).poll(context).map(|answer| answer.unwrap_or(Err(StoreError::Closed)))
    }
}

/// The way to the writer. Dropping it waits until everything queued is committed and the database is closed.
#[derive(Debug)]
pub(super) struct Writer {
    /// `None` only while it is dropped.
    queue: Option<SyncSender<Box<dyn Queued>>>,
    thread: Option<JoinHandle<()>>,
    newest: watch::Receiver<Seq>,
}

impl Writer {
    pub(super) fn start(db: Connection, path: Arc<Path>, head: Head) -> io::Result<Self> {
        let (queue, jobs) = mpsc::sync_channel(QUEUE);
        let (tell, newest) = watch::channel(head.seq);
        let desk = Desk { db, path, head, newest: tell };
        let thread = thread::Builder::new().name("store".to_owned()).spawn(move || desk.serve(&jobs))?;
        Ok(Writer { queue: Some(queue), thread: Some(thread), newest })
    }

    /// The audit log's newest entry.
    pub(super) fn newest(&self) -> watch::Receiver<Seq> {
        self.newest.clone()
    }

    /// Writes, and blocks until it is committed.
    pub(super) fn write<W: Work>(&self, work: W) -> Result<W::Done, StoreError> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.queue(work, Reply::Thread(reply));
        answer.recv().unwrap_or(Err(StoreError::Closed))
    }

    /// Queues a write. It blocks only while the queue is full.
    pub(super) fn send<W: Work>(&self, work: W) -> Committed<W::Done> {
        let (reply, answer) = oneshot::channel();
        self.queue(work, Reply::Task(reply));
        Committed(answer)
    }

    fn queue<W: Work>(&self, work: W, reply: Reply<W::Done>) {
        if let Some(queue) = &self.queue {
            // Without a writer the job is dropped, and its caller learns that the store is closed.
            let _ = queue.send(Box::new(Job { work, done: None, reply }));
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // A panic was printed already, and whoever waited has been told.
            let _ = thread.join();
        }
    }
}

/// The writer's own side.
struct Desk {
    db: Connection,
    path: Arc<Path>,
    head: Head,
    newest: watch::Sender<Seq>,
}

impl Desk {
    fn serve(mut self, jobs: &Receiver<Box<dyn Queued>>) {
        if self.logged() == 0 {
            self.begin_log();
        }
        let mut group = Vec::new();
        while let Ok(first) = jobs.recv() {
            group.push(first);
            group.extend(jobs.try_iter().take(QUEUE - 1));
            self.commit_all(&mut group);
            self.checkpoint();
        }
    }

    fn commit_all(&mut self, group: &mut Vec<Box<dyn Queued>>) {
        if group.len() > 1 && self.commit(group).is_ok() {
            group.drain(..).for_each(|job| job.answer(Ok(())));
            return;
        }
        // One of them failed, or there is one only: each on its own, so that an error reaches the one it belongs to.
        for mut job in group.drain(..) {
            let outcome = self.commit(std::slice::from_mut(&mut job));
            job.answer(outcome.map_err(|error| StoreError::new(&self.path, error)));
        }
    }

    /// Commits all or none.
    fn commit(&mut self, jobs: &mut [Box<dyn Queued>]) -> rusqlite::Result<()> {
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut ledger = Ledger { tx: &tx, head: self.head };
        for job in jobs {
            job.run(&mut ledger)?;
        }
        let head = ledger.head;
        if head != self.head {
            head.save(&tx)?;
        }
        tx.commit()?;
        if head != self.head {
            self.head = head;
            self.newest.send_replace(head.seq);
        }
        Ok(())
    }

    /// How many pages are in the write-ahead log.
    fn logged(&self) -> i32 {
        self.db.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::NOOP).map_or(0, |(pages, _)| pages)
    }

    /// Copies the log's pages into the database when there are many.
    fn checkpoint(&self) {
        if self.logged() >= WAL_PAGES {
            // When it fails, for want of room or because someone reads, the pages stay in the log until the next time.
            let _ = self.db.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::PASSIVE);
            self.begin_log();
        }
    }

    /// Writes something that changes nothing: the first page of a log waits for the disk, and so no caller has to.
    fn begin_log(&self) {
        // Where it fails, the next write begins the log.
        let _ = Head::touch(&self.db);
    }
}

/// A write in the queue, whatever it writes.
trait Queued: Send {
    fn run(&mut self, ledger: &mut Ledger<'_>) -> rusqlite::Result<()>;
    fn answer(self: Box<Self>, outcome: Result<(), StoreError>);
}

struct Job<W: Work> {
    work: W,
    done: Option<W::Done>,
    reply: Reply<W::Done>,
}

enum Reply<T> {
    Thread(SyncSender<Result<T, StoreError>>),
    Task(oneshot::Sender<Result<T, StoreError>>),
}

impl<W: Work> Queued for Job<W> {
    fn run(&mut self, ledger: &mut Ledger<'_>) -> rusqlite::Result<()> {
        self.done = Some(self.work.run(ledger)?);
        Ok(())
    }

    fn answer(self: Box<Self>, outcome: Result<(), StoreError>) {
        let Job { done, reply, .. } = *self;
        let answer = outcome.and_then(|()| done.ok_or(StoreError::Closed));
        // Whoever asked need not wait for the answer.
        match reply {
            Reply::Thread(reply) => drop(reply.send(answer)),
            Reply::Task(reply) => drop(reply.send(answer)),
        }
    }
}

impl fmt::Debug for dyn Queued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Queued")
    }
}
