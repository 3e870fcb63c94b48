//! What agents start shows itself to whoever looks: each terminal gets a tab in the background, once. Whoever closes it has
//! closed it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::TerminalId;
use flightdeck_contract::canonical::Mode;
use flightdeck_workbench::{Actor as Guest, BackgroundTab};

use crate::hub::Hub;
use crate::terminals::meta::Meta;

/// How long new terminals are gathered. Of many short commands only the last one is shown.
const GATHER: Duration = Duration::from_millis(150);
/// How many tabs one agent gets like this. Its other terminals are found by their names.
const MAX_TABS_OF_AGENT: usize = 12;

/// Shows new terminals of agents while somebody looks.
pub(crate) async fn show_terminals(hub: Arc<Hub>) {
    let (mut news, mut moved) = (hub.changes(), hub.workbench().moved());
    let mut offered = Offered::default();
    loop {
        news.borrow_and_update();
        moved.borrow_and_update();
        offered.offer(&hub);
        tokio::select! {
            _ = news.changed() => {}
            _ = moved.changed() => {}
        }
        tokio::time::sleep(GATHER).await;
    }
}

/// The terminals that need no tab any more: they had one, or will have none.
#[derive(Debug, Default)]
struct Offered {
    done: BTreeSet<TerminalId>,
    is_watched: bool,
}

/// A terminal that is to be shown.
struct New {
    meta: Arc<Meta>,
    agent: String,
}

impl Offered {
    fn offer(&mut self, hub: &Hub) {
        let was_watched = std::mem::replace(&mut self.is_watched, hub.workbench().is_watched());
        let ids = hub.known().ids();
        self.done.retain(|id| ids.binary_search(id).is_ok());
        // A person who has declined that agents move things on their screen is shown nothing.
        if !self.is_watched || hub.consents().check().is_err() {
            return;
        }
        let mut one_offs: BTreeMap<String, New> = BTreeMap::new();
        for id in ids {
            if !self.done.insert(id) {
                continue;
            }
            let Some(new) = hub.meta(id).and_then(New::of) else { continue };
            let runs = hub.session(id).is_ok_and(|session| session.progress().running());
            if is_one_off(&new.meta) {
                // A short command has ended by the time that it is looked at. Who has just come is shown what runs.
                if runs || was_watched {
                    one_offs.insert(new.agent.clone(), new);
                }
            } else if runs {
                show(hub, &new, None);
            }
        }
        for new in one_offs.into_values() {
            show(hub, &new, ended_one_off(hub, &new.agent));
        }
    }
}

impl New {
    /// Agents' terminals but for those that a conversation shows, and those that run unseen because they were asked to.
    fn of(meta: Arc<Meta>) -> Option<Self> {
        let (agent, _) = meta.created_by.rsplit_once('#')?;
        let is_unseen = meta.canonical.as_ref().is_some_and(|own| own.mode == Mode::Headless);
        let agent = agent.to_owned();
        (meta.conversation.is_none() && !is_unseen).then_some(New { meta, agent })
    }
}

/// It was started for one command.
fn is_one_off(meta: &Meta) -> bool {
    meta.transient || meta.canonical.as_ref().is_some_and(|own| own.spare)
}

/// A tab of this agent whose one command is over.
fn ended_one_off(hub: &Hub, agent: &str) -> Option<TerminalId> {
    let is_over = |id: TerminalId| hub.session(id).is_ok_and(|session| !session.progress().running());
    let shown = hub.workbench().terminals_of(agent).into_iter();
    shown.filter(|id| hub.meta(*id).is_some_and(|meta| is_one_off(&meta))).find(|id| is_over(*id))
}

fn show(hub: &Hub, new: &New, instead_of: Option<TerminalId>) {
    let workbench = hub.workbench();
    if instead_of.is_none() && workbench.terminals_of(&new.agent).len() >= MAX_TABS_OF_AGENT {
        return;
    }
    let tab = BackgroundTab { terminal: new.meta.id, title: new.meta.title.clone(), instead_of };
    if let Err(error) = workbench.change(|state| state.show_in_background(&Guest::Agent(new.agent.clone()), tab)) {
        // The terminal is there all the same.
        tracing::info!(%error, "a new terminal got no tab");
    }
}
