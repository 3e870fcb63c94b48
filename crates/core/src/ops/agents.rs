//! `flightdeck.agent.list`: the agents, with what each of them does or waits for.

use flightdeck_contract::agents::{ListAgents, ListedAgents};

use crate::registry::{Command, Effects, Family, define};

pub(crate) fn command() -> Command {
    define(
        Family::Hub,
        "flightdeck.agent.list",
        Effects::READS,
        "List agents",
        "Lists the agents with what each of them does or waits for, why, and since when: working, waits_for_approval, \
         waits_for_input, idle, failed or gone.",
    )
    .for_people()
    .aside(|hub, _, _: ListAgents| Ok(ListedAgents { agents: hub.agent_states() }))
}
