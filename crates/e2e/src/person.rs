//! A person at a front end: sees what waits for a yes as it comes, and answers it.

use flightdeck_contract::Error;
use flightdeck_contract::approval::{Approval, ApprovalEvent};
use serde_json::{Value, json};

use crate::Deck;
use crate::socket::Socket;

/// Somebody who is attached for as long as this lives.
#[derive(Debug)]
pub struct Person {
    events: Socket,
    calls: Socket,
}

impl Person {
    /// Attaches to the hub of a deck.
    pub fn at(deck: &Deck) -> Self {
        let mut events = deck.socket();
        events.begin("flightdeck.approval.watch", json!({ "attend": true }));
        let mut person = Person { events, calls: deck.socket() };
        // The first event tells that the hub has counted them in.
        let first = person.event();
        assert!(matches!(first, ApprovalEvent::Snapshot { .. }), "{first:?}");
        person
    }

    /// The next thing that happens.
    pub fn event(&mut self) -> ApprovalEvent {
        serde_json::from_value(self.events.event().0).expect("an event of this type")
    }

    /// Waits for something to decide about.
    pub fn asked(&mut self) -> Approval {
        loop {
            if let ApprovalEvent::Pending { approval } = self.event() {
                return *approval;
            }
        }
    }

    /// Answers.
    pub fn answer(&mut self, answer: Value) -> Result<Value, Error> {
        self.calls.call("flightdeck.approval.answer", answer)
    }

    /// Waits for the next request and says yes to it, once.
    pub fn approve_next(&mut self) -> Approval {
        let approval = self.asked();
        self.answer(json!({ "id": approval.id, "choice": "approve" })).expect("approved");
        approval
    }

    /// Waits for the next request and says no to it.
    pub fn decline_next(&mut self, reason: &str) -> Approval {
        let approval = self.asked();
        self.answer(json!({ "id": approval.id, "choice": "decline", "reason": reason })).expect("declined");
        approval
    }
}
