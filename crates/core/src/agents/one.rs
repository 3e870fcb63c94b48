//! One agent that comes by several doors: the first makes it known, the others find it here.

use std::sync::Arc;

use parking_lot::Mutex;

use super::{Agent, Agents, Arrival};

/// An agent that is one, by whichever door it comes, and in whichever order.
#[derive(Debug, Default)]
pub(crate) struct OneAgent(Mutex<Option<u32>>);

impl OneAgent {
    /// It comes by a door.
    pub(crate) fn arrive(&self, agents: &Arc<Agents>, arrival: &Arrival) -> Agent {
        let mut number = self.0.lock();
        let here = number.and_then(|number| agents.again(number, arrival.surface));
        let agent = here.unwrap_or_else(|| agents.arrive(arrival));
        *number = Some(agent.number());
        agent
    }

    /// Its number, once it has come.
    pub(crate) fn number(&self) -> Option<u32> {
        *self.0.lock()
    }

    /// It is over; another run of it is another agent.
    pub(crate) fn ended(&self) {
        *self.0.lock() = None;
    }
}
