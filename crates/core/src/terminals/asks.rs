//! What the programs that agents run ask somebody to type. It stays so until it is answered, whether or not a call of the
//! agent still waits for the program.

use std::collections::BTreeMap;

use flightdeck_contract::TerminalId;
use flightdeck_contract::terminal::InputKind;
use flightdeck_term::facts::{Input, Look};
use flightdeck_term::session::{Kind, Prompt, Session};

use super::meta::Meta;
use crate::convert;
use crate::hub::Hub;

/// What programs ask for, and the agents that run them.
pub(crate) type Asks = BTreeMap<TerminalId, (InputKind, String)>;

/// The terminals that calls of agents are about right now, with the agents.
pub(crate) type WaitedFor = BTreeMap<TerminalId, String>;

pub(crate) fn waited_for(hub: &Hub) -> WaitedFor {
    let mut all = WaitedFor::new();
    for (number, name) in hub.agents().here() {
        let doing = hub.agents().doings().of(number);
        all.extend(doing.calls.values().filter_map(|call| call.terminal).map(|id| (id, format!("{name}#{number}"))));
    }
    all
}

/// The agent whose program runs in a terminal; `None` when it is a person's.
pub(crate) fn agent_of(
    hub: &Hub,
    id: TerminalId,
    session: &Session,
    meta: &Meta,
    waited_for: &WaitedFor,
) -> Option<String> {
    if let Some(agent) = waited_for.get(&id) {
        return Some(agent.clone());
    }
    let open = session.records().pop().filter(|record| record.end.is_none());
    if let Some(actor) = open.and_then(|record| record.actor) {
        return Some(actor).filter(|actor| is_agent(actor));
    }
    match hub.leases().holder(id) {
        Some(holder) if !holder.human => Some(holder.actor),
        _ => Some(meta.created_by.clone()).filter(|actor| is_agent(actor)),
    }
}

/// No name of a person holds a `#`.
pub(crate) fn is_agent(actor: &str) -> bool {
    actor.contains('#')
}

/// What a program asks for right now, as the kernel tells.
pub(crate) fn kind_of(session: &Session, look: &Look) -> Option<InputKind> {
    if matches!(session.kind(), Kind::Shell(_)) && matches!(session.prompt_in(look), Prompt::Ready { .. }) {
        return None;
    }
    match session.facts_in(look).input {
        Input::Password => Some(InputKind::Password),
        Input::Line => Some(InputKind::Line),
        Input::Raw | Input::Busy | Input::None => None,
    }
}

/// All that agents' programs ask for now.
pub(crate) fn all(hub: &Hub) -> Asks {
    let (look, waited_for) = (Look::new(), waited_for(hub));
    let asked = |session: &std::sync::Arc<Session>| {
        let id = convert::terminal_id(session.id()).filter(|_| session.progress().running())?;
        let meta = hub.meta(id).filter(|meta| !meta.holds_agent())?;
        let agent = agent_of(hub, id, session, &meta, &waited_for)?;
        Some((id, (kind_of(session, &look)?, agent)))
    };
    hub.terminals().all().iter().filter_map(asked).collect()
}
