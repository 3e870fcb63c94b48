//! What is known of the terminals beside their sessions, and the numbers that they were given.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::sync::Arc;

use flightdeck_contract::{Error, TerminalId};
use parking_lot::Mutex;

use super::meta::Meta;
use super::quota::Starting;
use crate::actor::Actor;
use crate::convert;
use crate::hub::Hub;
use crate::store::{Change, Store, StoreError, TerminalNumber};

/// What is kept in the store: the last number.
const LAST: &str = "terminals.last";
/// How many numbers are reserved at once; so many are skipped when a hub is killed.
const RESERVE: u32 = 32;

/// The terminals that a hub knows.
#[derive(Debug)]
pub(crate) struct Known {
    metas: Mutex<HashMap<TerminalId, Arc<Meta>>>,
    numbers: Mutex<Numbers>,
    starting: Starting,
    store: Arc<Store>,
}

/// The numbers of terminals. Some are reserved on disk ahead, so that not every start has to write there.
#[derive(Debug)]
struct Numbers {
    last: u32,
    reserved: u32,
}

impl Known {
    /// The numbers as the last hub has left them, and no terminal yet.
    pub(crate) fn open(store: Arc<Store>) -> Result<Self, StoreError> {
        let last = store.fact(LAST)?.and_then(|text| text.parse().ok()).unwrap_or(0);
        let numbers = Mutex::new(Numbers { last, reserved: last });
        Ok(Known { metas: Mutex::default(), numbers, starting: Starting::default(), store })
    }

    /// Notes the last number. Without it the reserved ones are skipped.
    pub(crate) fn close(&self) {
        let last = self.numbers.lock().last;
        let _ = self.reserve(last);
    }

    /// A number that was never given out before, not even to a terminal that is long gone.
    pub(crate) fn next_id(&self) -> Result<TerminalId, Error> {
        let mut numbers = self.numbers.lock();
        if numbers.last == numbers.reserved {
            self.reserve(numbers.reserved + RESERVE).map_err(|error| convert::store_error(&error))?;
            numbers.reserved += RESERVE;
        }
        numbers.last += 1;
        Ok(TerminalId::new(numbers.last))
    }

    /// This number is taken already.
    pub(crate) fn skip(&self, number: u32) {
        let mut numbers = self.numbers.lock();
        numbers.last = numbers.last.max(number);
        numbers.reserved = numbers.reserved.max(number);
    }

    fn reserve(&self, last: u32) -> Result<(), StoreError> {
        self.store.write(Change::PutFact(LAST.to_owned(), last.to_string()))
    }

    /// Those that agents start now.
    pub(crate) fn starting(&self) -> &Starting {
        &self.starting
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.metas.lock().len()
    }

    /// The ids of all, oldest first.
    pub(crate) fn ids(&self) -> Vec<TerminalId> {
        let mut ids: Vec<_> = self.metas.lock().keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// What is known of all, oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<Meta>> {
        let mut all: Vec<_> = self.metas.lock().values().cloned().collect();
        all.sort_unstable_by_key(|meta| meta.id);
        all
    }

    /// What is known of one.
    pub(crate) fn get(&self, id: TerminalId) -> Option<Arc<Meta>> {
        self.metas.lock().get(&id).cloned()
    }

    /// Notes one, or what has changed of it. Nobody is told.
    pub(crate) fn put(&self, meta: Meta) {
        self.metas.lock().insert(meta.id, Arc::new(meta));
    }
}

/// Notes a terminal that was started now.
pub(crate) fn remember(hub: &Hub, meta: Meta, actor: &Actor) {
    if meta.owner.is_some() {
        hub.agents().own(meta.id, actor);
    }
    note(hub, meta);
}

/// Notes a terminal that is nobody's, or what has changed of one.
pub(crate) fn note(hub: &Hub, meta: Meta) {
    hub.known().put(meta);
    hub.tell();
}

/// Keeps a terminal although its agent leaves, or lets it go with the agent that asks for that.
pub(crate) fn pin(hub: &Hub, id: TerminalId, keep: bool, actor: &Actor) -> Result<(), Error> {
    let Some(meta) = hub.meta(id) else { return Ok(()) };
    let owner = actor.agent_name().filter(|_| !keep).map(str::to_owned);
    let own = owner.as_ref().is_some_and(|name| meta.created_by.starts_with(&format!("{name}#")));
    if !keep && !own {
        return Err(Error::invalid("keep", "only the agent that started a terminal can let it go with itself"));
    }
    let meta = Meta { owner, ..(*meta).clone() };
    meta.save(hub.store()).map_err(|error| convert::store_error(&error))?;
    if keep {
        hub.agents().disown(id);
    }
    remember(hub, meta, actor);
    Ok(())
}

/// Removes a terminal that has ended, with everything that is on disk.
pub(crate) fn discard(hub: &Hub, id: TerminalId) -> io::Result<()> {
    let session = hub.terminals().remove(&convert::session_id(id));
    hub.known().metas.lock().remove(&id);
    hub.agents().disown(id);
    hub.leases().forget(id);
    hub.typing().forget(id);
    hub.reading().forget(id);
    hub.workbench().terminal_gone(id);
    // Nobody waits for it, so that many go in one commit. A row that stays is found without its folder by the next hub, and
    // goes then.
    drop(hub.store().send(Change::RemoveTerminal(TerminalNumber(id.number()))));
    hub.tell();
    // After the end of its output nobody writes there any more.
    if session.is_some_and(|session| session.progress().eof) && hub.spares().keep(&hub.dir(id)) {
        return Ok(());
    }
    match fs::remove_dir_all(hub.dir(id)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
