//! The one connection that writes. While nobody else does, callers that want to know at once commit on their own thread, for
//! that takes less time than a change of threads. What comes meanwhile is queued, and a thread commits all that waits in
//! one transaction.
//!
//! Callers wait for the commit, not for the disk: with `synchronous=NORMAL` a commit is in the kernel's hands, and only
//! a checkpoint waits for the disk. Checkpoints are the thread's, after the callers have their answers.

use std::path::Path;
use std::pin::Pin;
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};
use std::{fmt, io};

use parking_lot::{Condvar, Mutex};
use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, MAIN_DB};
use tokio::sync::{oneshot, watch};

use super::audit::{Head, Seq};
use super::error::StoreError;
use super::incident::{self, Incident};
use super::witness::Witness;

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

/// What a [`Work`] writes to: the database, in a transaction, and where the audit log stands in it.
#[derive(Debug)]
pub struct Ledger<'a> {
    pub(super) db: &'a Connection,
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
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    newest: watch::Receiver<Seq>,
}

/// A part of the database that could not be read: the first one.
pub(super) type Damage = Arc<OnceLock<Incident>>;

/// What callers and the thread share.
#[derive(Debug)]
struct Shared {
    /// Whoever has it writes. `None` when the database is closed.
    desk: Mutex<Option<Desk>>,
    /// Locked after the desk by those who want both, so that what was queued is never overtaken.
    queue: Mutex<Queue>,
    /// There is something for the thread.
    work: Condvar,
    /// There is room in the queue again.
    room: Condvar,
    /// The end of the audit log, as it was committed last.
    written: Mutex<Head>,
    damage: Damage,
}

#[derive(Debug, Default)]
struct Queue {
    jobs: Vec<Box<dyn Queued>>,
    /// The log is long.
    checkpoint: bool,
    closed: bool,
}

impl Writer {
    pub(super) fn start(
        db: Connection,
        path: Arc<Path>,
        head: Head,
        witness: Option<Witness>,
        damage: Damage,
    ) -> io::Result<Self> {
        let (tell, newest) = watch::channel(head.seq);
        let desk = Mutex::new(Some(Desk { db, path, head, newest: tell, witness }));
        let (queue, work, room) = (Mutex::default(), Condvar::new(), Condvar::new());
        let shared = Arc::new(Shared { desk, queue, work, room, written: Mutex::new(head), damage });
        let own = Arc::clone(&shared);
        let thread = thread::Builder::new().name("store".to_owned()).spawn(move || own.serve())?;
        Ok(Writer { shared, thread: Some(thread), newest })
    }

    /// The audit log's newest entry.
    pub(super) fn newest(&self) -> watch::Receiver<Seq> {
        self.newest.clone()
    }

    /// The end of the audit log, as it was committed last.
    pub(super) fn written(&self) -> Head {
        *self.shared.written.lock()
    }

    /// Puts all that was committed on the disk, and lets the witness say so. Gives whether that is so.
    pub(super) fn settle(&self) -> bool {
        self.shared.desk.lock().as_mut().is_some_and(Desk::settle)
    }

    /// Writes, and blocks until it is committed.
    pub(super) fn write<W: Work>(&self, work: W) -> Result<W::Done, StoreError> {
        let (reply, answer) = mpsc::sync_channel(1);
        let job = Box::new(Job { work, done: None, reply: Reply::Thread(reply) });
        if let Some(job) = self.shared.write_now(job) {
            self.shared.put(job);
        }
        answer.recv().unwrap_or(Err(StoreError::Closed))
    }

    /// Queues a write. It blocks only while the queue is full.
    pub(super) fn send<W: Work>(&self, work: W) -> Committed<W::Done> {
        let (job, answer) = task(work);
        self.shared.put(job);
        answer
    }

    /// The same for a caller that waits for it. It is committed by then, unless others write.
    pub(super) fn send_now<W: Work>(&self, work: W) -> Committed<W::Done> {
        let (job, answer) = task(work);
        if let Some(job) = self.shared.write_now(job) {
            self.shared.put(job);
        }
        answer
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.queue.lock().closed = true;
        self.shared.work.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic was printed already, and whoever waited has been told.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// Commits a write on this thread, unless somebody else writes or waits to: then it is given back.
    fn write_now(&self, job: Box<dyn Queued>) -> Option<Box<dyn Queued>> {
        let mut desk = match self.desk.try_lock() {
            Some(desk) if self.queue.lock().jobs.is_empty() => desk,
            _ => return Some(job),
        };
        if let Some(desk) = &mut *desk {
            self.commit_all(desk, &mut vec![job]);
            if desk.logged() >= WAL_PAGES {
                self.queue.lock().checkpoint = true;
                self.work.notify_one();
            }
        }
        None
    }

    fn commit_all(&self, desk: &mut Desk, group: &mut Vec<Box<dyn Queued>>) {
        desk.commit_all(group, &self.damage);
        *self.written.lock() = desk.head;
    }

    fn put(&self, job: Box<dyn Queued>) {
        let mut queue = self.queue.lock();
        while queue.jobs.len() >= QUEUE && !queue.closed {
            self.room.wait(&mut queue);
        }
        if queue.closed {
            // It is dropped, and so its caller learns that the store is closed.
            return;
        }
        queue.jobs.push(job);
        self.work.notify_one();
    }

    /// The thread's work, until the writer goes.
    fn serve(&self) {
        if let Some(desk) = &*self.desk.lock()
            && desk.logged() == 0
        {
            desk.begin_log();
        }
        let _closing = Closing(self);
        while self.wait() {
            if let Some(desk) = &mut *self.desk.lock() {
                let mut group = std::mem::take(&mut self.queue.lock().jobs);
                self.room.notify_all();
                self.commit_all(desk, &mut group);
                desk.checkpoint();
            }
        }
    }

    /// Waits for something to do; `false` when there will be nothing more.
    fn wait(&self) -> bool {
        let mut queue = self.queue.lock();
        loop {
            if !queue.jobs.is_empty() || std::mem::take(&mut queue.checkpoint) {
                return true;
            }
            if queue.closed {
                return false;
            }
            self.work.wait(&mut queue);
        }
    }
}

/// Closes the database when the thread ends, however it does: nobody would write what is queued after that.
struct Closing<'a>(&'a Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        let mut desk = self.0.desk.lock();
        if let Some(desk) = &mut *desk {
            desk.settle();
        }
        *desk = None;
        drop(desk);
        let mut queue = self.0.queue.lock();
        queue.closed = true;
        queue.jobs.clear();
        self.0.room.notify_all();
    }
}

/// The connection, and where the audit log stands.
#[derive(Debug)]
struct Desk {
    db: Connection,
    path: Arc<Path>,
    head: Head,
    newest: watch::Sender<Seq>,
    /// None where its file could not be made.
    witness: Option<Witness>,
}

impl Desk {
    fn commit_all(&mut self, group: &mut Vec<Box<dyn Queued>>, damage: &Damage) {
        if group.len() > 1 && self.commit(group).is_ok() {
            group.drain(..).for_each(|job| job.answer(Ok(())));
            return;
        }
        // One of them failed, or there is one only: each on its own, so that an error reaches the one it belongs to.
        for mut job in group.drain(..) {
            let outcome = self.commit(std::slice::from_mut(&mut job));
            job.answer(outcome.map_err(|error| StoreError::new(&self.path, error).seen_by(damage)));
        }
    }

    /// Commits all or none.
    fn commit(&mut self, jobs: &mut [Box<dyn Queued>]) -> rusqlite::Result<()> {
        let transaction = Open::begin(&self.db)?;
        let mut ledger = Ledger { db: &self.db, head: self.head };
        for job in jobs {
            job.run(&mut ledger)?;
        }
        let head = ledger.head;
        if head != self.head {
            head.save(&self.db)?;
        }
        transaction.commit()?;
        if head != self.head {
            self.head = head;
            if let Some(witness) = &mut self.witness {
                witness.committed(head);
            }
            self.newest.send_replace(head.seq);
        }
        Ok(())
    }

    /// How many pages are in the write-ahead log.
    fn logged(&self) -> i32 {
        self.db.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::NOOP).map_or(0, |(pages, _)| pages)
    }

    /// Copies the log's pages into the database when there are many.
    fn checkpoint(&mut self) {
        if self.logged() >= WAL_PAGES {
            self.settle();
            self.begin_log();
        }
    }

    /// Copies all of the log's pages into the database, which waits for the disk. Gives whether all is there.
    fn settle(&mut self) -> bool {
        // When it fails, for want of room or because someone reads, the pages stay in the log until the next time.
        let settled = self.db.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::PASSIVE);
        if !settled.is_ok_and(|(pages, copied)| pages >= 0 && pages == copied) {
            return false;
        }
        let Some(witness) = &mut self.witness else { return true };
        if witness.on_disk(self.head).is_err() {
            return false;
        }
        if !witness.announced && witness.sync().is_ok() {
            // From here on a witness that is not there was removed.
            witness.announced = incident::announce_witness(&self.db).is_ok();
        }
        true
    }

    /// Writes something that changes nothing: the first page of a log waits for the disk, and so no caller has to.
    fn begin_log(&self) {
        // Where it fails, the next write begins the log.
        let _ = Head::touch(&self.db);
    }
}

/// A transaction that is rolled back unless it is committed. Its statements are read by SQLite once, not each time, which
/// took a tenth of a short commit.
struct Open<'a>(&'a Connection);

impl<'a> Open<'a> {
    fn begin(db: &'a Connection) -> rusqlite::Result<Self> {
        db.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        Ok(Open(db))
    }

    fn commit(self) -> rusqlite::Result<()> {
        self.0.prepare_cached("COMMIT")?.execute([]).map(drop)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        // A commit that went well has left it already, and so has SQLite after some errors.
        if !self.0.is_autocommit() {
            let _ = self.0.execute_batch("ROLLBACK");
        }
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

/// A write of an async caller.
fn task<W: Work>(work: W) -> (Box<dyn Queued>, Committed<W::Done>) {
    let (reply, answer) = oneshot::channel();
    (Box::new(Job { work, done: None, reply: Reply::Task(reply) }), Committed(answer))
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
