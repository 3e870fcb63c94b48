//! Requests for a person's yes.
//!
//! ```text
//!               ┌── answer: approve ──► approved (once, or with a grant / a rule for later)
//!   ask ──► pending ── answer: decline ─► declined, with the reason
//!               ├── time is up ─────────► expired: never a yes
//!               └── the agent gives up ─► withdrawn
//! ```
//!
//! The first answer counts; whoever comes second is told who was first. Nothing here waits: the [`Ticket`] does.

pub(crate) mod authorise;
pub(crate) mod consent;
mod grants;
pub(crate) mod intent;
pub(crate) mod permit;
pub(crate) mod policy;
pub(crate) mod standing;
mod surfaces;
pub(crate) mod whole;

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::approval::{Approval, ApprovalEvent, Choice, Outcome, Scope};
use flightdeck_contract::{ApprovalId, Error, ErrorCode};
use parking_lot::{Mutex, MutexGuard};
use serde_json::json;
use tokio::sync::{broadcast, oneshot};

use crate::actor::{Actor, person};
use crate::audit::mask;
use crate::store::{Change, Store};

pub(crate) use grants::{Asked, Grants};
pub use surfaces::StartedWindow;
pub(crate) use surfaces::Surfaces;

/// How many events a slow watcher may fall behind before it gets a snapshot instead.
const EVENTS: usize = 256;
/// How many answers are remembered, to tell whoever comes second.
const REMEMBERED: usize = 200;
/// So many numbers are noted at once; the rest of them is skipped by the next hub.
const RESERVED: u32 = 10;
const LAST: &str = "approvals.last";

/// Everything that waits for a person.
#[derive(Debug)]
pub(crate) struct Approvals {
    store: Arc<Store>,
    inner: Mutex<Inner>,
    events: broadcast::Sender<ApprovalEvent>,
}

#[derive(Debug, Default)]
struct Inner {
    last: u32,
    /// Numbers up to here are noted as given out.
    reserved: u32,
    pending: BTreeMap<ApprovalId, Waiting>,
    settled: VecDeque<Settled>,
    /// Agents whose clients have put the last question away themselves.
    dismissing: HashSet<Actor>,
}

/// So many are remembered; after that all are asked again.
const DISMISSING: usize = 1000;

#[derive(Debug)]
struct Waiting {
    approval: Approval,
    answer: oneshot::Sender<Answer>,
}

/// How one ended.
#[derive(Clone, Debug)]
struct Settled {
    id: ApprovalId,
    outcome: Outcome,
    by: Option<String>,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A person said yes.
    Approved {
        /// Who.
        by: String,
        /// How far it reaches.
        scope: Scope,
        /// What the person wrote in the place of the command.
        command: Option<String>,
    },
    /// A person said no.
    Declined {
        /// Who.
        by: String,
        /// Why.
        reason: Option<String>,
    },
    /// A person chose one of the answers to an agent's own question.
    Chosen {
        /// Who.
        by: String,
        /// The id of the option.
        option: String,
        /// Whether it is a yes or a no.
        choice: Choice,
        /// Why not.
        reason: Option<String>,
    },
    /// The question was put away by a client, and nobody said yes or no.
    Dismissed {
        /// Which client, and how.
        how: String,
    },
    /// Nobody said anything in time.
    Expired,
}

impl Answer {
    fn outcome(&self) -> Outcome {
        match self {
            Answer::Approved { .. } | Answer::Chosen { choice: Choice::Approve, .. } => Outcome::Approved,
            Answer::Declined { .. } | Answer::Chosen { choice: Choice::Decline, .. } => Outcome::Declined,
            Answer::Dismissed { .. } => Outcome::Dismissed,
            Answer::Expired => Outcome::Expired,
        }
    }

    fn words(&self) -> (Option<String>, Option<String>) {
        match self {
            Answer::Approved { by, .. } => (Some(by.clone()), None),
            Answer::Declined { by, reason } | Answer::Chosen { by, reason, .. } => (Some(by.clone()), reason.clone()),
            Answer::Dismissed { how } => (None, Some(how.clone())),
            Answer::Expired => (None, None),
        }
    }
}

/// The place of whoever waits for an answer. When it goes without one, the request is withdrawn.
#[derive(Debug)]
pub(crate) struct Ticket {
    pub id: ApprovalId,
    approvals: Arc<Approvals>,
    answer: oneshot::Receiver<Answer>,
}

impl Ticket {
    /// Waits for the answer, but no longer than this.
    pub(crate) async fn wait(mut self, time: Duration) -> Answer {
        match tokio::time::timeout(time, &mut self.answer).await {
            Ok(Ok(answer)) => answer,
            // An answer may have come at the last moment; then it counts.
            _ => match self.approvals.settle(self.id, Answer::Expired) {
                Ok(_) => Answer::Expired,
                Err(_) => self.answer.try_recv().unwrap_or(Answer::Expired),
            },
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.approvals.withdraw(self.id);
    }
}

impl Approvals {
    /// Numbers go on after those of earlier hubs, so that an answer can't meet another request than the one it was for.
    pub(crate) fn open(store: Arc<Store>) -> Arc<Self> {
        let last = store.fact(LAST).ok().flatten().and_then(|text| text.parse().ok()).unwrap_or(0);
        let inner = Mutex::new(Inner { last, reserved: last, ..Inner::default() });
        Arc::new(Approvals { store, inner, events: broadcast::Sender::new(EVENTS) })
    }

    /// Notes whether a person was behind the last answer of an agent's client.
    pub(crate) fn note_presence(&self, actor: &Actor, answer: &Answer) {
        let mut inner = self.lock();
        if !matches!(answer, Answer::Dismissed { .. }) {
            inner.dismissing.remove(actor);
        } else if inner.dismissing.len() < DISMISSING {
            inner.dismissing.insert(actor.clone());
        } else {
            inner.dismissing.clear();
        }
    }

    /// Whether the client of an agent has put the last question away itself: it can be asked, and nobody is behind it.
    pub(crate) fn is_dismissed_by(&self, actor: &Actor) -> bool {
        self.lock().dismissing.contains(actor)
    }

    /// Asks about any subject. `make` gets the id.
    pub(crate) fn ask(self: &Arc<Self>, make: impl FnOnce(ApprovalId) -> Approval) -> Ticket {
        let (answer, receiver) = oneshot::channel();
        let mut inner = self.lock();
        if inner.last == inner.reserved {
            inner.reserved += RESERVED;
            // Without it a hub after this one could give a number out again.
            drop(self.store.send(Change::PutFact(LAST.to_owned(), inner.reserved.to_string())));
        }
        inner.last += 1;
        let id = ApprovalId::new(inner.last);
        let approval = make(id);
        inner.pending.insert(id, Waiting { approval: approval.clone(), answer });
        // Told under the lock, so that a snapshot and the events after it never overlap.
        self.tell(ApprovalEvent::Pending { approval: Box::new(approval) });
        drop(inner);
        Ticket { id, approvals: Arc::clone(self), answer: receiver }
    }

    /// What waits, oldest first.
    pub(crate) fn pending(&self) -> Vec<Approval> {
        self.lock().pending.values().map(|waiting| waiting.approval.clone()).collect()
    }

    /// One that waits; an error says how it ended if it did.
    pub(crate) fn get(&self, id: ApprovalId) -> Result<Approval, Error> {
        let inner = self.lock();
        inner.pending.get(&id).map(|waiting| waiting.approval.clone()).ok_or_else(|| gone(&inner, id))
    }

    /// What waits, and everything that happens after that.
    pub(crate) fn watch(&self) -> (Vec<Approval>, broadcast::Receiver<ApprovalEvent>) {
        let inner = self.lock();
        let events = self.events.subscribe();
        (inner.pending.values().map(|waiting| waiting.approval.clone()).collect(), events)
    }

    /// Answers. The first answer counts.
    pub(crate) fn settle(&self, id: ApprovalId, answer: Answer) -> Result<Approval, Error> {
        let mut inner = self.lock();
        let Some(waiting) = inner.pending.remove(&id) else { return Err(gone(&inner, id)) };
        let outcome = answer.outcome();
        let (by, reason) = answer.words();
        let edited = match &answer {
            Answer::Approved { command, .. } => command.as_deref().map(|command| mask::text(command).into_owned()),
            _ => None,
        };
        inner.remember(Settled { id, outcome, by: by.clone() });
        // The asker may be leaving at this moment; then nothing runs, and nothing is lost.
        let _ = waiting.answer.send(answer);
        self.tell(ApprovalEvent::Settled { id, outcome, by, reason, edited });
        Ok(waiting.approval)
    }

    fn withdraw(&self, id: ApprovalId) {
        let mut inner = self.lock();
        if inner.pending.remove(&id).is_some() {
            inner.remember(Settled { id, outcome: Outcome::Withdrawn, by: None });
            let outcome = Outcome::Withdrawn;
            self.tell(ApprovalEvent::Settled { id, outcome, by: None, reason: None, edited: None });
        }
    }

    fn tell(&self, event: ApprovalEvent) {
        // Nobody watching is fine.
        let _ = self.events.send(event);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock()
    }
}

impl Inner {
    fn remember(&mut self, settled: Settled) {
        if self.settled.len() == REMEMBERED {
            self.settled.pop_front();
        }
        self.settled.push_back(settled);
    }
}

fn gone(inner: &Inner, id: ApprovalId) -> Error {
    let Some(settled) = inner.settled.iter().find(|settled| settled.id == id) else {
        return Error::new(ErrorCode::ApprovalNotFound, format!("nothing waits under the id {id}"))
            .hint("`flightdeck approve --list` lists what waits");
    };
    let by = settled.by.as_ref().map_or_else(String::new, |by| format!(" by {}", person(by)));
    let text = format!("{id} was {} already{by}: this answer came too late", settled.outcome.name());
    Error::new(ErrorCode::ApprovalSettled, text)
        .hint("`flightdeck approve --list` lists what waits")
        .details(json!({ "outcome": settled.outcome, "by": settled.by }))
}

#[cfg(test)]
mod tests;
