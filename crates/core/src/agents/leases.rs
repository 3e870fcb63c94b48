//! Who holds the controls of each terminal. A person can take them at any time; an agent only when they are free.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use flightdeck_contract::terminal::Holder;
use flightdeck_contract::{Error, ErrorCode, TerminalId};
use parking_lot::{Mutex, MutexGuard};
use serde_json::json;
use tokio::sync::watch;

use crate::actor::Actor;
use crate::agents::kept::{Kept, KeptLease};

/// The leases of all terminals. A terminal without one is free for everybody.
#[derive(Debug, Default)]
pub(crate) struct Leases {
    held: Mutex<HashMap<TerminalId, Lease>>,
    /// Grows whenever somebody takes the controls or hands them back, and by other news of the hub.
    news: Arc<watch::Sender<u64>>,
    serials: AtomicU64,
    /// Where those that were taken by word are kept for the next hub.
    kept: Option<Kept>,
}

#[derive(Clone, Debug)]
struct Lease {
    /// Which of all that were ever taken.
    serial: u64,
    actor: Actor,
    how: How,
    since: f64,
    reason: Option<String>,
}

/// How the controls were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// By word, until they are handed back by word.
    Word,
    /// By word, from an earlier hub. An agent that is not awaited as itself has its name, but no number before it is back.
    Earlier,
    /// By typing, until that window is left.
    Typing,
}

/// Who holds the controls of the user's own windows until they are handed over.
pub(crate) const USERS_OWN: &str = "tmux";

/// The number of an agent of which only the name is known.
const UNNUMBERED: u32 = 0;

impl Lease {
    fn is_users_own(&self) -> bool {
        matches!(&self.actor, Actor::Human(name) if name == USERS_OWN)
    }

    /// Whether this actor has it. An agent of an earlier hub is known by its name until it has a number.
    fn is_of(&self, actor: &Actor) -> bool {
        self.actor == *actor || actor.agent_name().is_some_and(|name| self.is_of_any(name))
    }

    /// Whether any agent of this name has it.
    fn is_of_any(&self, agent: &str) -> bool {
        self.how == How::Earlier && matches!(&self.actor, Actor::Agent { number: UNNUMBERED, name } if name == agent)
    }

    fn keepable(&self) -> KeptLease {
        let (actor, human, number) = match &self.actor {
            Actor::Human(name) => (name.clone(), true, None),
            Actor::Agent { name, number } => (name.clone(), false, Some(*number)),
        };
        let number = number.filter(|number| *number != UNNUMBERED);
        KeptLease { actor, human, number, since: self.since, reason: self.reason.clone() }
    }

    fn holder(&self) -> Holder {
        Holder {
            actor: self.actor.to_string(),
            human: self.actor.is_human(),
            since: self.since,
            reason: self.reason.clone(),
        }
    }
}

/// The controls for as long as a person types. They go back when this goes.
#[derive(Debug)]
pub(crate) struct Held {
    leases: Arc<Leases>,
    terminal: TerminalId,
    serial: u64,
}

impl Held {
    /// Whether they are still held so: they may have been handed back, or taken by word.
    pub(crate) fn lasts(&self) -> bool {
        self.leases.lock().get(&self.terminal).is_some_and(|lease| lease.serial == self.serial)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // One that was taken by word since then stays.
        self.leases.remove_if(self.terminal, |lease| lease.serial == self.serial);
    }
}

impl Leases {
    /// No leases; who takes or hands back the controls is told here.
    pub(crate) fn new(news: Arc<watch::Sender<u64>>, kept: Kept) -> Self {
        Leases { news, kept: Some(kept), ..Leases::default() }
    }

    /// Takes up what was taken by word at an earlier hub, of the terminals that are still there. An agent keeps its number
    /// that is awaited as itself. Gives the names of the agents among the holders.
    pub(crate) fn take_up(
        &self,
        is_there: impl Fn(TerminalId) -> bool,
        is_awaited: impl Fn(u32) -> bool,
    ) -> Vec<String> {
        let mut held = self.lock();
        for (terminal, kept) in self.kept.as_ref().map(Kept::load).unwrap_or_default() {
            if !is_there(terminal) {
                continue;
            }
            let KeptLease { actor, human, number, since, reason } = kept;
            let number = number.filter(|number| is_awaited(*number)).unwrap_or(UNNUMBERED);
            let actor = if human { Actor::Human(actor) } else { Actor::Agent { number, name: actor } };
            let serial = self.serials.fetch_add(1, Ordering::Relaxed);
            held.entry(terminal).or_insert(Lease { serial, actor, how: How::Earlier, since, reason });
        }
        let earlier = held.values().filter(|lease| lease.how == How::Earlier);
        earlier.filter_map(|lease| lease.actor.agent_name().map(str::to_owned)).collect()
    }

    /// An agent is here under this number: what it held at an earlier hub is its own again.
    pub(crate) fn inherit(&self, name: &str, number: u32) {
        let actor = Actor::Agent { number, name: name.to_owned() };
        let mut held = self.lock();
        let mut changed = false;
        for lease in held.values_mut().filter(|lease| lease.how == How::Earlier) {
            if lease.is_of(&actor) {
                lease.actor = actor.clone();
                lease.how = How::Word;
                changed = true;
            }
        }
        drop(held);
        if changed {
            self.tell();
        }
    }

    /// Frees what an agent of an earlier hub held that did not come back in time: this one, or one of its name.
    pub(crate) fn give_up(&self, name: &str, number: Option<u32>) {
        let number = number.unwrap_or(UNNUMBERED);
        let lost = Actor::Agent { number, name: name.to_owned() };
        self.free(|lease| lease.how == How::Earlier && lease.is_of(&lost));
    }

    /// Who holds the controls.
    pub(crate) fn holder(&self, terminal: TerminalId) -> Option<Holder> {
        self.lock().get(&terminal).map(Lease::holder)
    }

    /// Whether this actor may type: a person always, an agent when nobody else holds the controls.
    pub(crate) fn check(&self, terminal: TerminalId, actor: &Actor) -> Result<(), Error> {
        match self.lock().get(&terminal) {
            Some(lease) if !actor.is_human() && !lease.is_of(actor) => Err(refusal(terminal, lease)),
            _ => Ok(()),
        }
    }

    /// Takes the controls; gives the number of the lease.
    pub(crate) fn take(&self, terminal: TerminalId, actor: &Actor, reason: Option<String>) -> Result<u64, Error> {
        self.take_by(How::Word, terminal, actor, reason)
    }

    /// A window that the user has made elsewhere is the user's until they hand it over.
    pub(crate) fn take_for_user(&self, terminal: TerminalId) {
        let reason = "a window of the user's own tmux that was not handed over".to_owned();
        // A person is never refused.
        let _ = self.take(terminal, &Actor::Human(USERS_OWN.to_owned()), Some(reason));
    }

    fn take_by(&self, how: How, terminal: TerminalId, actor: &Actor, reason: Option<String>) -> Result<u64, Error> {
        let mut held = self.lock();
        if let Some(lease) = held.get(&terminal)
            && !actor.is_human()
            && !lease.is_of(actor)
        {
            return Err(refusal(terminal, lease));
        }
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64());
        let serial = self.serials.fetch_add(1, Ordering::Relaxed);
        held.insert(terminal, Lease { serial, actor: actor.clone(), how, since, reason });
        self.keep(&held);
        drop(held);
        self.tell();
        Ok(serial)
    }

    /// Takes the controls for as long as the result lives, unless this actor has them anyway, or a person by word.
    pub(crate) fn hold(self: &Arc<Self>, terminal: TerminalId, actor: &Actor) -> Option<Held> {
        let stays = |lease: &Lease| lease.is_of(actor) || lease.how != How::Typing && lease.actor.is_human();
        if self.lock().get(&terminal).is_some_and(stays) {
            return None;
        }
        let serial = self.take_by(How::Typing, terminal, actor, None).ok()?;
        Some(Held { leases: Arc::clone(self), terminal, serial })
    }

    /// Hands the controls back. An agent can do so for itself only; a person for anybody.
    pub(crate) fn release(&self, terminal: TerminalId, actor: &Actor) -> Result<(), Error> {
        self.check(terminal, actor)?;
        self.remove_if(terminal, |_| true);
        Ok(())
    }

    /// Frees what an agent holds that is no longer here. One of an earlier hub has its time to come back.
    pub(crate) fn retain(&self, here: impl Fn(u32) -> bool) {
        self.free(|lease| match lease.actor {
            Actor::Human(_) => false,
            Actor::Agent { number, .. } => lease.how != How::Earlier && !here(number),
        });
    }

    fn free(&self, over: impl Fn(&Lease) -> bool) {
        let mut held = self.lock();
        let before = held.len();
        held.retain(|_, lease| !over(lease));
        let fewer = held.len() < before;
        if fewer {
            self.keep(&held);
        }
        drop(held);
        if fewer {
            self.tell();
        }
    }

    /// The terminal is gone.
    pub(crate) fn forget(&self, terminal: TerminalId) {
        self.remove_if(terminal, |_| true);
    }

    /// A window of the user's has ended.
    pub(crate) fn forget_users_own(&self, terminal: TerminalId) {
        self.remove_if(terminal, Lease::is_users_own);
    }

    /// Grows whenever a lease changes.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    fn remove_if(&self, terminal: TerminalId, wanted: impl Fn(&Lease) -> bool) {
        let mut held = self.lock();
        if held.get(&terminal).is_some_and(wanted) {
            held.remove(&terminal);
            self.keep(&held);
            drop(held);
            self.tell();
        }
    }

    /// Keeps what was taken by word. The user's own windows are known by other means.
    fn keep(&self, held: &HashMap<TerminalId, Lease>) {
        let Some(kept) = &self.kept else { return };
        let lasting = held.iter().filter(|(_, lease)| lease.how != How::Typing && !lease.is_users_own());
        kept.save(lasting.map(|(terminal, lease)| (*terminal, lease.keepable())).collect());
    }

    fn tell(&self) {
        self.news.send_modify(|news| *news += 1);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TerminalId, Lease>> {
        self.held.lock()
    }
}

/// Whoever holds the controls, as texts for agents call them.
pub(crate) fn holder_name(holder: &Holder) -> &str {
    if holder.human { "the user" } else { &holder.actor }
}

fn refusal(terminal: TerminalId, lease: &Lease) -> Error {
    let holder = lease.holder();
    let why = lease.reason.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
    let text = format!("{} holds the controls of {terminal}{why}", holder_name(&holder));
    let id = terminal.to_string();
    let hint = if lease.is_users_own() {
        format!(
            "reading still works; your user hands the window over with `flightdeck lease {id} release`, from outside of \
             that tmux, or use a tab that create_tab makes"
        )
    } else {
        format!(
            "reading still works; flightdeck.terminal.lease with action \"wait\" and id {id:?} waits until they are \
             handed back, or use another terminal"
        )
    };
    Error::new(ErrorCode::LeaseHeld, text).hint(hint).details(json!({ "holder": holder }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Surroundings;

    const T: fn() -> TerminalId = || TerminalId::new(1);

    fn agent(number: u32) -> Actor {
        Actor::Agent { number, name: "codex".into() }
    }

    fn person() -> Actor {
        Actor::Human("cli:anna".into())
    }

    #[test]
    fn a_person_takes_over_and_the_agent_is_told_who() {
        let leases = Leases::default();
        leases.take(T(), &agent(1), None).unwrap();
        leases.take(T(), &person(), Some("looking at the logs".into())).unwrap();
        let refused = leases.check(T(), &agent(1)).unwrap_err();
        assert_eq!(refused.code, ErrorCode::LeaseHeld);
        assert_eq!(refused.message, "the user holds the controls of t1 (looking at the logs)");
        assert_eq!(refused.details.unwrap()["holder"]["human"], true);
        assert!(leases.take(T(), &agent(1), None).is_err());
        assert!(leases.release(T(), &agent(1)).is_err());
        leases.release(T(), &person()).unwrap();
        leases.check(T(), &agent(1)).unwrap();
    }

    #[test]
    fn agents_do_not_take_from_each_other() {
        let leases = Leases::default();
        leases.take(T(), &agent(1), None).unwrap();
        assert!(leases.take(T(), &agent(2), None).is_err());
        assert!(leases.check(T(), &agent(2)).is_err());
        leases.check(T(), &person()).unwrap();
        leases.retain(|number| number != 1);
        leases.take(T(), &agent(2), None).unwrap();
    }

    #[test]
    fn typing_holds_the_controls_and_hands_them_back() {
        let leases = Arc::new(Leases::default());
        let held = leases.hold(T(), &person());
        assert!(leases.check(T(), &agent(1)).is_err());
        drop(held);
        leases.check(T(), &agent(1)).unwrap();
        leases.take(T(), &person(), None).unwrap();
        drop(leases.hold(T(), &person()));
        assert!(leases.check(T(), &agent(1)).is_err(), "what was taken by word is not handed back by leaving");
        leases.release(T(), &person()).unwrap();
        let held = leases.hold(T(), &person());
        leases.take(T(), &person(), None).unwrap();
        drop(held);
        assert!(leases.check(T(), &agent(1)).is_err(), "nor what was taken by word while typing");
    }

    #[test]
    fn what_was_taken_by_word_is_there_again_with_the_next_hub() {
        let dir = tempfile::tempdir().unwrap();
        let open = || {
            let store = Arc::new(crate::store::Store::open(dir.path(), &Surroundings::default()).unwrap().store);
            (Arc::new(Leases::new(Arc::default(), Kept::new(Arc::clone(&store)))), store)
        };
        // What is written is written in order: when this is there, so is all before it.
        let settle = |store: &crate::store::Store| {
            store.write(crate::store::Change::PutFact("settled".into(), String::new())).unwrap();
        };
        let [theirs, agents, typed, gone] = [1, 2, 3, 4].map(TerminalId::new);
        let (leases, store) = open();
        leases.take(theirs, &person(), Some("mine".into())).unwrap();
        leases.take(agents, &agent(7), None).unwrap();
        leases.take(gone, &person(), None).unwrap();
        let _window = leases.hold(typed, &person());
        settle(&store);
        drop((leases, store));

        let (leases, store) = open();
        assert_eq!(leases.take_up(|id| id != gone, |_| false), ["codex"]);
        assert!(leases.holder(typed).is_none() && leases.holder(gone).is_none());
        assert_eq!(leases.holder(theirs).unwrap().reason.as_deref(), Some("mine"));
        leases.retain(|_| false);
        let other = Actor::Agent { number: 1, name: "other".into() };
        assert!(leases.check(agents, &other).is_err(), "it is not back yet, but may be soon");
        leases.inherit("codex", 1);
        leases.check(agents, &agent(1)).unwrap();
        assert!(leases.check(theirs, &agent(1)).is_err());
        settle(&store);
        drop((leases, store));

        let (leases, store) = open();
        leases.take_up(|_| true, |_| false);
        leases.give_up("codex", None);
        assert!(leases.holder(agents).is_none() && leases.holder(theirs).is_some());
        settle(&store);
        drop((leases, store));
        assert_eq!(open().0.take_up(|_| true, |_| false), Vec::<String>::new(), "what was given up stays so");
    }

    #[test]
    fn a_window_of_the_users_is_handed_over_by_word_alone() {
        let leases = Arc::new(Leases::default());
        leases.take_for_user(T());
        assert!(leases.release(T(), &agent(1)).is_err());
        assert!(leases.hold(T(), &agent(1)).is_none());
        drop(leases.hold(T(), &person()));
        let refused = leases.check(T(), &agent(1)).unwrap_err();
        assert_eq!(refused.details.unwrap()["holder"]["actor"], "tmux");
        assert!(refused.hint.unwrap().contains("flightdeck lease t1 release"));
        leases.release(T(), &person()).unwrap();
        leases.check(T(), &agent(1)).unwrap();
    }
}
