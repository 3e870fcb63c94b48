//! A look at the hub, and the difference between two looks.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use flightdeck_contract::TerminalId;
use flightdeck_contract::agents::AgentState;
use flightdeck_contract::approval::Approval;
use flightdeck_contract::events::{Aspect, HubChange, HubSnapshot, InputRequest, TerminalState};
use flightdeck_contract::hub::DatabaseProblem;
use flightdeck_contract::policy::PolicyNotice;
use flightdeck_contract::terminal::InputKind;
use flightdeck_keeper::Exit;
use flightdeck_term::facts::Look;
use flightdeck_term::log::Offset;
use flightdeck_term::session::{Kind, Progress, Prompt, Session};

use crate::audit::now_ms;
use crate::convert;
use crate::hub::Hub;
use crate::terminals::asks;
use crate::terminals::meta::Meta;

/// How long what the kernel said of a program that prints nothing is taken for true: a little less than the time between
/// two looks while nothing moves.
const ASKED_AGAIN: Duration = Duration::from_millis(900);

/// The hub at one moment.
#[derive(Debug, Default)]
pub(super) struct State {
    terminals: BTreeMap<TerminalId, Seen>,
    agents: Vec<AgentState>,
    approvals: Vec<Approval>,
    policy: Vec<PolicyNotice>,
    database: Vec<DatabaseProblem>,
}

/// A terminal at one moment, and how far it had come then.
#[derive(Clone, Debug)]
struct Seen {
    state: TerminalState,
    progress: (Offset, u64),
    /// When the kernel was asked what its program waits for.
    asked_kernel: Instant,
}

impl State {
    /// The present. Of a terminal that printed nothing since `before` only what others change is looked at.
    pub(super) fn of(hub: &Hub, before: &State) -> Self {
        let terminals = hub.terminals().all();
        let look = Present { hub, look: Look::new(), waited_for: asks::waited_for(hub) };
        let seen = |session: &std::sync::Arc<Session>| {
            let id = convert::terminal_id(session.id())?;
            if hub.meta(id)?.holds_agent() {
                return None;
            }
            Some((id, Seen::of(&look, id, session, before.terminals.get(&id))?))
        };
        let terminals: BTreeMap<_, _> = terminals.iter().filter_map(seen).collect();
        let asked = |(id, seen): (&TerminalId, &Seen)| {
            seen.state.asks.as_ref().map(|asks| (*id, (asks.kind, asks.agent.clone())))
        };
        let asks = terminals.iter().filter_map(asked).collect();
        State {
            terminals,
            agents: hub.agent_states_with(&asks),
            approvals: hub.approvals().pending(),
            policy: hub.policy().files().notices(),
            database: hub.database_problems(),
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
            database: self.database.clone(),
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
        if self.database != before.database {
            changes.push(HubChange::Database { database: self.database.clone() });
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
        (Aspect::Asks, old.asks != new.asks),
    ]
    .into_iter()
    .filter_map(|(aspect, differs)| differs.then_some(aspect))
    .collect()
}

/// What one look at all terminals shares.
struct Present<'a> {
    hub: &'a Hub,
    look: Look,
    waited_for: asks::WaitedFor,
}

impl Seen {
    /// `None`: it was removed meanwhile.
    fn of(present: &Present<'_>, id: TerminalId, session: &Session, before: Option<&Seen>) -> Option<Self> {
        let hub = present.hub;
        let meta = hub.meta(id)?;
        let now = session.progress();
        let reached = (now.seen, now.marks);
        let same = before.filter(|before| before.progress == reached && before.state.running == now.running());
        let mut state =
            same.map_or_else(|| looked_at(id, session, &meta, before, &present.look), |before| before.state.clone());
        if let Some(title) = &meta.title {
            state.title.clone_from(title);
        }
        state.size = convert::window_size(session.size());
        state.size_by = hub.viewers().size_by(id);
        state.lease = hub.leases().holder(id);
        state.running = now.running();
        state.exit_code = now.exit.map(Exit::shell_code);
        state.stalled = now.stalled;
        // A program that begins to ask for something tells nobody. One that prints nothing is looked at with the pulse.
        let fresh = same.filter(|before| before.asked_kernel.elapsed() < ASKED_AGAIN);
        let asked_kernel = fresh.map_or_else(Instant::now, |before| before.asked_kernel);
        if fresh.is_none() {
            let asked_before = before.and_then(|before| before.state.asks.clone());
            state.asks = present.asks(id, session, &meta, &state).map(|(kind, agent)| match asked_before {
                Some(before) if (before.kind, &before.agent) == (kind, &agent) => before,
                _ => InputRequest { kind, agent, since_ms: now_ms() },
            });
        }
        Some(Seen { state, progress: reached, asked_kernel })
    }
}

impl Present<'_> {
    /// What the program in a terminal asks for. A shell at its prompt is no program, and nobody is asked about it.
    fn asks(
        &self,
        id: TerminalId,
        session: &Session,
        meta: &Meta,
        state: &TerminalState,
    ) -> Option<(InputKind, String)> {
        if !state.running || state.at_prompt {
            return None;
        }
        let agent = asks::agent_of(self.hub, id, session, meta, &self.waited_for)?;
        Some((asks::kind_of(session, &self.look)?, agent))
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
        asks: None,
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
