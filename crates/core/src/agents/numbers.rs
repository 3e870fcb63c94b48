//! The numbers of agents, on disk: one that comes back to the next hub has the number that it had, and nobody else gets it.

use std::sync::Arc;

use flightdeck_contract::TerminalId;
use flightdeck_contract::control::RelayId;
use serde::{Deserialize, Serialize};

use super::Arrival;
use crate::identity::process::{ProcessId, ProcessStat};
use crate::store::{Change, Store};

const AGENTS: &str = "agents";

/// By what an agent is known when it comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKey {
    /// By its relay, which connects to one hub after the other.
    Relay(RelayId),
    /// By the terminal that holds its process: an agent that hubs run themselves.
    Process(TerminalId),
}

/// An agent that has a number.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Numbered {
    number: u32,
    name: String,
    /// `None`: one that is known by its name alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<AgentKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    relay: Option<ProcessId>,
    /// It was connected to an earlier hub, and has not come to this one yet.
    #[serde(skip)]
    is_expected: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    last: u32,
    agents: Vec<Numbered>,
}

/// Who has which number.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    kept: Kept,
    store: Option<Arc<Store>>,
}

impl Numbers {
    /// As the last hub has left them. An agent whose relay has ended can't come back as itself.
    pub(super) fn open(store: Arc<Store>) -> Self {
        let text = store.fact(AGENTS).ok().flatten();
        let mut kept: Kept = text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        kept.agents.retain(|agent| agent.relay.is_none_or(ProcessId::is_alive));
        kept.agents.iter_mut().for_each(|agent| agent.is_expected = true);
        Numbers { kept, store: Some(store) }
    }

    /// The agents of an earlier hub that may come back, with their names, but for those whose process has ended.
    pub(super) fn expected(&mut self, runs: impl Fn(TerminalId) -> bool) -> Vec<(u32, String)> {
        self.kept.agents.retain(|agent| match agent.key {
            Some(AgentKey::Process(terminal)) => runs(terminal),
            Some(AgentKey::Relay(_)) | None => true,
        });
        self.kept.agents.iter().map(|agent| (agent.number, agent.name.clone())).collect()
    }

    /// The number is an agent's already, of whom something is left.
    pub(super) fn skip(&mut self, number: u32) {
        self.kept.last = self.kept.last.max(number);
    }

    /// The number of an agent that comes: the one that it had, unless somebody is here with it, or else a new one.
    pub(super) fn give(&mut self, arrival: &Arrival, name: &str, is_here: impl Fn(u32) -> bool) -> u32 {
        let is_same = |agent: &&mut Numbered| {
            // Those without a key are told apart by nothing, so within one hub's life each connection is a new one.
            agent.name == name && agent.key == arrival.key && (agent.key.is_some() || agent.is_expected)
        };
        let relay = arrival.pid.and_then(ProcessStat::of).map(|stat| stat.id);
        let known = self.kept.agents.iter_mut().filter(|agent| !is_here(agent.number)).find(is_same);
        let number = if let Some(agent) = known {
            agent.is_expected = false;
            agent.relay = relay;
            agent.number
        } else {
            self.kept.last += 1;
            let number = self.kept.last;
            let name = name.to_owned();
            self.kept.agents.push(Numbered { number, name, key: arrival.key, relay, is_expected: false });
            number
        };
        self.save();
        number
    }

    /// Whether an agent of an earlier hub may come back as itself, and not just as one of its name.
    pub(super) fn is_awaited(&self, number: u32) -> bool {
        self.of(number).is_some_and(|agent| agent.is_expected && agent.key.is_some())
    }

    /// By what this agent is known.
    pub(super) fn key(&self, number: u32) -> Option<AgentKey> {
        self.of(number)?.key
    }

    /// Forgets who has these numbers no more and can't come back for them.
    pub(super) fn retain(&mut self, counts: impl Fn(u32) -> bool) {
        let before = self.kept.agents.len();
        let may_return = |agent: &Numbered| agent.relay.is_some_and(ProcessId::is_alive);
        self.kept.agents.retain(|agent| counts(agent.number) || may_return(agent));
        if self.kept.agents.len() < before {
            self.save();
        }
    }

    fn of(&self, number: u32) -> Option<&Numbered> {
        self.kept.agents.iter().find(|agent| agent.number == number)
    }

    /// It is on disk before any terminal that the agent starts from now on: what is written is written in order.
    fn save(&self) {
        let Some(store) = &self.store else { return };
        match serde_json::to_string(&self.kept) {
            Ok(text) => drop(store.send(Change::PutFact(AGENTS.to_owned(), text))),
            Err(error) => tracing::error!(%error, "the numbers of agents can't be kept"),
        }
    }
}
