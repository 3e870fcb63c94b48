//! A look at the hub, and the difference between two looks.

use std::collections::BTreeMap;

use flightdeck_contract::TerminalId;
use flightdeck_contract::agents::AgentState;
use flightdeck_contract::approval::Approval;
use flightdeck_contract::events::{Aspect, HubChange, HubSnapshot, TerminalState};
use flightdeck_contract::policy::PolicyNotice;
use flightdeck_keeper::Exit;
use flightdeck_term::facts::Look;
use flightdeck_term::log::Offset;
use flightdeck_term::session::{Kind, Progress, Prompt, Session};

use crate::convert;
use crate::hub::Hub;
use crate::terminals::meta::Meta;

/// The hub at one moment.
#[derive(Debug, Default)]
pub(super) struct State {
    terminals: BTreeMap<TerminalId, Seen>,
    agents: Vec<AgentState>,
    approvals: Vec<Approval>,
    policy: Vec<PolicyNotice>,
}

/// A terminal at one moment, and how far it had come then.
#[derive(Clone, Debug)]
struct Seen {
    state: TerminalState,
    progress: (Offset, u64),
}

impl State {
    /// The present. Of a terminal that printed nothing since `before` only what others change is looked at.
    pub(super) fn of(hub: &Hub, before: &State) -> Self {
        let terminals = hub.terminals().all();
        let look = Look::new();
        let seen = |session: &std::sync::Arc<Session>| {
            let id = convert::terminal_id(session.id())?;
            if hub.meta(id)?.holds_agent() {
                return None;
            }
            Some((id, Seen::of(hub, id, session, before.terminals.get(&id), &look)?))
        };
        State {
            terminals: terminals.iter().filter_map(seen).collect(),
            agents: hub.agent_states(),
            approvals: hub.approvals().pending(),
            policy: hub.policy().files().notices(),
        }
    }

    pub(super) fn snapshot(&self, epoch: u32, seq: u64) -> HubSnapshot {
        HubSnapshot {
            epoch,
            seq,
            terminals: self.terminals.values().map(|seen| seen.state.clone()).collect(),
            agents: self.agents.clone(),
            approvals: self.approvals.clone(),
            policy: self.policy.clone(),
        }
    }

    /// What is different from before.
    pub(super) fn changes_since(&self, before: &State) -> Vec<HubChange> {
        let mut changes = Vec::new();
        for (id, Seen { state, .. }) in &self.terminals {
            let terminal = || state.clone();
            match before.terminals.get(id).map(|seen| &seen.state) {
                None => changes.push(HubChange::TerminalCreated { terminal: terminal() }),
                Some(old) if old.running && !state.running => {
                    changes.push(HubChange::TerminalEnded { terminal: terminal() });
                }
                Some(old) => {
                    let aspects = aspects(old, state);
                    if !aspects.is_empty() {
                        changes.push(HubChange::TerminalChanged { terminal: terminal(), aspects });
                    }
                }
            }
        }
        let gone = before.terminals.keys().filter(|id| !self.terminals.contains_key(id));
        changes.extend(gone.map(|id| HubChange::TerminalGone { id: *id }));
        let other = self.agents.iter().filter(|agent| !before.agents.contains(agent));
        changes.extend(other.map(|agent| HubChange::Agent { agent: agent.clone() }));
        let same = |a: &AgentState, b: &AgentState| (&a.name, a.number) == (&b.name, b.number);
        let forgotten = before.agents.iter().filter(|old| !self.agents.iter().any(|agent| same(agent, old)));
        changes.extend(
            forgotten.map(|agent| HubChange::AgentForgotten { name: agent.name.clone(), number: agent.number }),
        );
        if self.approvals != before.approvals {
            changes.push(HubChange::Approvals { approvals: self.approvals.clone() });
        }
        if self.policy != before.policy {
            changes.push(HubChange::Policy { policy: self.policy.clone() });
        }
        changes
    }
}

fn aspects(old: &TerminalState, new: &TerminalState) -> Vec<Aspect> {
    [
        (Aspect::Title, old.title != new.title),
        (Aspect::Size, (old.size, &old.size_by) != (new.size, &new.size_by)),
        (Aspect::Folder, old.cwd != new.cwd),
        (Aspect::Prompt, old.at_prompt != new.at_prompt),
        (Aspect::Command, old.running_command != new.running_command),
        (Aspect::Bell, old.bells != new.bells),
        (Aspect::Lease, old.lease != new.lease),
        (Aspect::Stall, old.stalled != new.stalled),
    ]
    .into_iter()
    .filter_map(|(aspect, differs)| differs.then_some(aspect))
    .collect()
}

impl Seen {
    /// `None`: it was removed meanwhile.
    fn of(hub: &Hub, id: TerminalId, session: &Session, before: Option<&Seen>, look: &Look) -> Option<Self> {
        let meta = hub.meta(id)?;
        let now = session.progress();
        let reached = (now.seen, now.marks);
        let same = before.filter(|before| before.progress == reached && before.state.running == now.running());
        let mut state = same.map_or_else(|| looked_at(id, session, &meta, before, look), |before| before.state.clone());
        if let Some(title) = &meta.title {
            state.title.clone_from(title);
        }
        state.size = convert::window_size(session.size());
        state.size_by = hub.viewers().size_by(id);
        state.lease = hub.leases().holder(id);
        state.running = now.running();
        state.exit_code = now.exit.map(Exit::shell_code);
        state.stalled = now.stalled;
        Some(Seen { state, progress: reached })
    }
}

/// What a terminal's own output changes.
fn looked_at(id: TerminalId, session: &Session, meta: &Meta, before: Option<&Seen>, look: &Look) -> TerminalState {
    let now = session.progress();
    let (screen_title, bells) = shown(session, now).unwrap_or_default();
    let is_shell = matches!(session.kind(), Kind::Shell(_));
    let at_prompt = is_shell && now.running() && matches!(session.prompt_in(look), Prompt::Ready { .. });
    let running_command = (is_shell && now.running() && !at_prompt).then(|| open_command(session)).flatten();
    TerminalState {
        id,
        title: meta.shown_title(screen_title),
        kind: convert::terminal_kind(session.kind()),
        cwd: session.cwd_in(look).unwrap_or_else(|| meta.cwd.clone()).to_string_lossy().into_owned(),
        size: meta.size,
        size_by: None,
        at_prompt,
        running_command,
        bells: bells.max(before.map_or(0, |before| before.state.bells)),
        lease: None,
        running: now.running(),
        exit_code: None,
        stalled: now.stalled,
        created_by: meta.created_by.clone(),
    }
}

/// The title and the bells of a screen that is there anyway.
fn shown(session: &Session, now: Progress) -> Option<(Option<String>, u64)> {
    now.running().then(|| session.screen(|screen| (screen.title().map(str::to_owned), screen.bells()))).flatten()
}

/// The command that the shell has begun and not ended.
fn open_command(session: &Session) -> Option<String> {
    let last = session.records().pop()?;
    last.end.is_none().then_some(last.text).flatten()
}
