//! What was done, by whom, and how it ended: every call, in a chain that shows if somebody changed it.

pub(crate) mod mask;
pub(crate) mod summary;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use flightdeck_contract::hub::AuditRun;
use flightdeck_contract::{Error, ErrorCode};
use parking_lot::Mutex;
use serde_json::Value;

use crate::actor::Caller;
use crate::call::Reported;
use crate::hub::Hub;
use crate::registry::Command;
use crate::store::{CallNumber, EntryKind, NewEntry, Store, StoreError};
use crate::terminals::named::TerminalRef;

/// How many entries wait in memory while the disk is full. Beyond it the oldest is written to the hub's log instead.
const BACKLOG: usize = 10_000;

/// The audit log of a hub.
#[derive(Debug)]
pub(crate) struct Audit {
    store: Arc<Store>,
    last: AtomicU64,
    /// Calls under way now.
    alive: Arc<Mutex<HashSet<CallNumber>>>,
    /// What could not be written yet.
    backlog: Mutex<VecDeque<NewEntry>>,
    /// Held by whoever writes what waits, so that it keeps its order.
    flushing: tokio::sync::Mutex<()>,
    /// The next hub may be writing.
    closed: Arc<AtomicBool>,
}

/// A call that is being noted. When it goes without an end, that is noted too.
#[derive(Debug)]
pub(crate) struct Noted {
    entry: NewEntry,
    begun: bool,
    ended: bool,
    /// Nothing of what was typed may be written, not even in an error.
    hidden: bool,
    /// It tells what is until nobody listens any more, which is no failure.
    is_watch: bool,
    /// What it ran.
    run: Option<AuditRun>,
    closed: Arc<AtomicBool>,
    store: Arc<Store>,
    alive: Arc<Mutex<HashSet<CallNumber>>>,
}

impl Noted {
    /// Notes what the policy said.
    pub(crate) fn decided(&mut self, decision: &str, rule: &str, reason: &str) {
        decision.clone_into(&mut self.entry.decision);
        rule.clone_into(&mut self.entry.rule);
        // A reason may name a part of the command.
        self.entry.reason = mask::text(reason).into_owned();
    }

    /// What was decided so far.
    pub(crate) fn decision(&self) -> &str {
        &self.entry.decision
    }

    /// Notes the id by which the caller follows the call.
    pub(crate) fn traced(&mut self, trace: String) {
        self.entry.trace = Some(trace);
    }

    /// Notes the terminal that it is about: by its id, where the call names a tab or a title that there is.
    pub(crate) fn about(&mut self, hub: &Hub, terminal: &TerminalRef) {
        let name = || terminal.to_string().chars().take(80).collect();
        self.entry.terminal = Some(terminal.id(hub).map_or_else(name, |id| id.to_string()));
    }

    /// What is typed may be a password: of the arguments only the names are left, and of an error its code.
    pub(crate) fn hide(&mut self) {
        self.hidden = true;
        // It was written by us just now.
        let args = serde_json::from_str(&self.entry.args).unwrap_or_default();
        self.entry.args = hidden(&args).to_string();
    }

    /// Notes the command that a person has put in the place of the one that was asked for.
    pub(crate) fn edited(&mut self, command: &str) {
        self.run.get_or_insert_default().edited = Some(mask::text(command).into_owned());
    }

    /// Notes what it did, and how what it ran ended.
    pub(crate) fn did(&mut self, Reported { terminal, run }: Reported) {
        if let Some(run) = run {
            let edited = self.run.take().and_then(|run| run.edited);
            self.run = Some(AuditRun { edited, ..run });
        }
        if let Some(terminal) = terminal {
            self.entry.terminal.get_or_insert_with(|| terminal.to_string());
        }
    }

    /// Nothing of it is written down, however it ends.
    pub(crate) fn leave_out(&mut self) {
        self.ended = true;
    }

    /// Its number.
    pub(crate) fn number(&self) -> CallNumber {
        self.entry.call
    }

    /// The entry that ends the call.
    fn end(&mut self, result: String, error: Option<String>, took: Duration) -> NewEntry {
        self.ended = true;
        let duration_us = Some(took.as_micros() as u64);
        if self.begun {
            let NewEntry { call, trace, terminal, .. } = self.entry.clone();
            let run = self.run.take().and_then(|run| serde_json::to_string(&run).ok());
            NewEntry {
                kind: EntryKind::End,
                call,
                at_ms: now_ms(),
                result,
                error,
                duration_us,
                trace,
                terminal,
                run,
                ..NewEntry::default()
            }
        } else {
            NewEntry { kind: EntryKind::Single, result, error, duration_us, ..self.entry.clone() }
        }
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        if !self.ended && !self.closed.load(Ordering::SeqCst) {
            let (result, error) =
                if self.is_watch { ("ok", None) } else { ("abandoned", Some("its caller went away".to_owned())) };
            let entry = self.end(result.to_owned(), error, Duration::ZERO);
            // It is written although nobody waits for it.
            drop(self.store.append(entry));
        }
        self.alive.lock().remove(&self.entry.call);
    }
}

impl Audit {
    pub(crate) fn open(store: Arc<Store>) -> Result<Self, StoreError> {
        let last = store.last_call()?;
        Ok(Audit {
            store,
            last: AtomicU64::new(last.0),
            alive: Arc::default(),
            backlog: Mutex::default(),
            flushing: tokio::sync::Mutex::default(),
            closed: Arc::default(),
        })
    }

    /// Begins to note a call.
    pub(crate) fn draft(&self, caller: &Caller, command: &Command, args: &Value) -> Noted {
        let mut noted = match command.unread {
            [] => self.note(caller, &command.id, args),
            unread => self.note(caller, &command.id, &lengths(args, unread)),
        };
        noted.is_watch = command.is_watch();
        noted
    }

    /// Records something that nobody has called: it has happened.
    pub(crate) fn happened(&self, what: &str, result: &str, words: String) -> Result<(), StoreError> {
        let entry = NewEntry {
            at_ms: now_ms(),
            actor: "hub".to_owned(),
            command: what.to_owned(),
            args: "{}".to_owned(),
            result: result.to_owned(),
            error: Some(words),
            ..NewEntry::default()
        };
        self.store.write(entry).map(drop)
    }

    /// Notes a call of a command that does not exist.
    pub(crate) async fn refused(&self, caller: &Caller, command: &str, args: &Value, error: &Error) {
        let command: String = command.chars().filter(|c| !c.is_control()).take(80).collect();
        let noted = self.note(caller, &command, args);
        // Whether it could be noted or not, the caller is refused.
        let _ = self.end(noted, &Err(error.clone()), Duration::ZERO).await;
    }

    fn note(&self, caller: &Caller, command: &str, args: &Value) -> Noted {
        let call = CallNumber(self.last.fetch_add(1, Ordering::Relaxed) + 1);
        self.alive.lock().insert(call);
        Noted {
            entry: NewEntry {
                call,
                at_ms: now_ms(),
                actor: caller.actor.to_string(),
                surface: caller.way(),
                command: command.to_owned(),
                args: mask::arguments(args),
                trace: caller.trace.clone(),
                ..NewEntry::default()
            },
            begun: false,
            ended: false,
            hidden: false,
            is_watch: false,
            run: None,
            closed: Arc::clone(&self.closed),
            store: Arc::clone(&self.store),
            alive: Arc::clone(&self.alive),
        }
    }

    /// Notes that a call is carried out now, before it is. Nothing is executed that could not be noted; what only ends
    /// or changes something of our own goes on, because that is how a full disk is helped.
    pub(crate) async fn begin(&self, noted: &mut Noted, executes: bool) -> Result<(), Error> {
        let entry = NewEntry { kind: EntryKind::Begin, ..noted.entry.clone() };
        if !executes {
            noted.begun = true;
            // It waits for room if there is none.
            let _ = self.write(entry).await;
            return Ok(());
        }
        let begun = match self.flush().await {
            Ok(()) => self.store.append(entry).await.map(drop),
            full => full,
        };
        match begun {
            Ok(()) => {
                noted.begun = true;
                Ok(())
            }
            Err(error) => {
                // There is no beginning, so the end tells all of it.
                Err(Error::new(
                    ErrorCode::Storage,
                    format!("nothing was executed, because it could not be noted: {error}"),
                )
                .hint("the audit log comes first; make room on the disk and try again"))
            }
        }
    }

    /// Notes how a call ended.
    pub(crate) async fn end(
        &self,
        mut noted: Noted,
        result: &Result<Value, Error>,
        took: Duration,
    ) -> Result<(), StoreError> {
        let (outcome, words) = match result {
            Ok(_) => ("ok".to_owned(), None),
            Err(error) if noted.is_watch && error.code == ErrorCode::Cancelled => ("ok".to_owned(), None),
            Err(error) if noted.hidden => (error.code.name(), None),
            Err(error) => (error.code.name(), Some(mask::text(&error.message).into_owned())),
        };
        let entry = noted.end(outcome, words, took);
        self.write(entry).await
    }

    /// The calls that are under way.
    pub(crate) fn alive(&self) -> HashSet<CallNumber> {
        self.alive.lock().clone()
    }

    /// The database.
    pub(crate) fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// How many entries wait for room on the disk.
    pub(crate) fn waiting(&self) -> usize {
        self.backlog.lock().len()
    }

    /// Nothing is written from here on.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }

    /// Writes an entry after those that wait, or lets it wait too.
    async fn write(&self, entry: NewEntry) -> Result<(), StoreError> {
        if self.closed.load(Ordering::SeqCst) {
            return Err(StoreError::Closed);
        }
        if self.waiting() == 0 {
            let written = self.store.append(entry.clone()).await.map(drop);
            if written.is_err() {
                self.keep(entry);
            }
            return written;
        }
        self.keep(entry);
        self.flush().await
    }

    /// Writes what waits, oldest first. An entry waits on until it is written.
    async fn flush(&self) -> Result<(), StoreError> {
        if self.waiting() == 0 {
            return Ok(());
        }
        let _turn = self.flushing.lock().await;
        loop {
            let Some(oldest) = self.backlog.lock().front().cloned() else {
                return Ok(());
            };
            self.store.append(oldest).await?;
            self.backlog.lock().pop_front();
        }
    }

    fn keep(&self, entry: NewEntry) {
        let mut backlog = self.backlog.lock();
        if backlog.len() >= BACKLOG
            && let Some(oldest) = backlog.pop_front()
        {
            tracing::error!(?oldest, "an audit entry could not be written");
        }
        backlog.push_back(entry);
    }
}

/// The arguments with the lengths of these fields in place of what is in them.
fn lengths(args: &Value, unread: &[&str]) -> Value {
    let Value::Object(fields) = args else { return mask::HIDDEN.into() };
    let shown = fields.iter().map(|(name, value)| {
        let length = match value {
            _ if !unread.contains(&name.as_str()) => return (name.clone(), value.clone()),
            Value::String(text) => text.len(),
            other => other.to_string().len(),
        };
        (name.clone(), format!("[{length} bytes]").into())
    });
    Value::Object(shown.collect())
}

/// The arguments with nothing but their names left.
fn hidden(args: &Value) -> Value {
    let Value::Object(fields) = args else { return mask::HIDDEN.into() };
    Value::Object(fields.keys().map(|name| (name.clone(), mask::HIDDEN.into())).collect())
}

pub(crate) fn now_ms() -> i64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}
