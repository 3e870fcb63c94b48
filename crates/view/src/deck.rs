//! What is known of the hub, and the rows that lists show of it. Pure: events in, rows out.

use std::collections::BTreeMap;

use flightdeck_contract::TerminalId;
use flightdeck_contract::agents::{AgentState, Standing};
use flightdeck_contract::approval::{Approval, Subject};
use flightdeck_contract::consent::Consent;
use flightdeck_contract::events::{HubChange, HubEvent, HubSnapshot, TerminalState};
use flightdeck_contract::hub::{AuditCall, DatabaseProblem};
use flightdeck_contract::policy::{PolicyNotice, PolicyShown};
use flightdeck_contract::terminal::TerminalKind;
use serde::Serialize;

use crate::activity;
use crate::rows::Row;
use crate::shown::{Span, hidden, spans, visible, visible_lines};
use crate::words::{self, Actor, HUES};

/// How many entries of the audit log are kept to be shown.
const ENTRIES: usize = 500;
/// Names of agents whose colours are remembered.
const NAMES: usize = 64;

/// The lists of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum List {
    Terminals,
    Agents,
    Needs,
    Rules,
    Stances,
    Activity,
}

impl List {
    pub const ALL: [List; 6] = [List::Terminals, List::Agents, List::Needs, List::Rules, List::Stances, List::Activity];

    /// Its name in QML.
    pub fn name(self) -> &'static str {
        match self {
            List::Terminals => "terminals",
            List::Agents => "agents",
            List::Needs => "needs",
            List::Rules => "rules",
            List::Stances => "stances",
            List::Activity => "activity",
        }
    }

    pub fn named(name: &str) -> Option<List> {
        List::ALL.into_iter().find(|list| list.name() == name)
    }
}

/// Everything that is known.
#[derive(Clone, Debug, Default)]
pub struct Deck {
    /// The name of the person at this window: `window:anna`.
    pub me: String,
    /// The root folder of the workspace.
    pub root: String,
    /// Which life of the hub this is about, and the last change that is in it.
    pub at: Option<(u32, u64)>,
    pub terminals: BTreeMap<TerminalId, TerminalState>,
    pub agents: Vec<AgentState>,
    /// The names of all agents that were ever here, in the order in which they came: each keeps its colour when others go.
    names: Vec<String>,
    /// As `flightdeck.approval.watch` tells them, at once. What the hub's own watch says of them was looked at a moment earlier:
    /// taken as well, it would take back a request that has just come.
    pub approvals: Vec<Approval>,
    pub notices: Vec<PolicyNotice>,
    /// What has happened to the database.
    pub database: Vec<DatabaseProblem>,
    pub consent: Option<Consent>,
    pub policy: Option<PolicyShown>,
    pub audit: BTreeMap<u64, AuditCall>,
    pub audit_next: Option<u64>,
}

impl Deck {
    pub fn new(me: &str, root: &str) -> Self {
        Deck { me: me.to_owned(), root: root.to_owned(), ..Deck::default() }
    }

    /// Takes what the hub tells. Gives the lists that may look different now.
    pub fn take(&mut self, event: HubEvent) -> Vec<List> {
        match event {
            HubEvent::Snapshot { snapshot } => {
                self.replace(snapshot);
                vec![List::Terminals, List::Agents, List::Needs, List::Activity]
            }
            HubEvent::Changes { changes } => {
                let mut lists = Vec::new();
                for numbered in changes {
                    self.at = self.at.map(|(epoch, _)| (epoch, numbered.seq));
                    for list in self.change(numbered.change) {
                        if !lists.contains(list) {
                            lists.push(*list);
                        }
                    }
                }
                lists
            }
            HubEvent::Audit { calls, next } => {
                self.audit_next = Some(next);
                self.note(calls);
                vec![List::Activity, List::Agents]
            }
            HubEvent::Folders { .. } | HubEvent::List { .. } => Vec::new(),
        }
    }

    /// Entries of the audit log; one that is there already is replaced.
    pub fn note(&mut self, calls: Vec<AuditCall>) {
        self.audit.extend(calls.into_iter().map(|call| (call.seq, call)));
        while self.audit.len() > ENTRIES {
            self.audit.pop_first();
        }
    }

    fn replace(&mut self, snapshot: HubSnapshot) {
        self.at = Some((snapshot.epoch, snapshot.seq));
        self.terminals = snapshot.terminals.into_iter().map(|terminal| (terminal.id, terminal)).collect();
        self.agents = snapshot.agents;
        self.note_names();
        self.notices = snapshot.policy;
        self.database = snapshot.database;
    }

    fn change(&mut self, change: HubChange) -> &'static [List] {
        match change {
            HubChange::TerminalCreated { terminal }
            | HubChange::TerminalChanged { terminal, .. }
            | HubChange::TerminalEnded { terminal } => {
                let asks = terminal.asks.is_some();
                let asked = self.terminals.insert(terminal.id, terminal).is_some_and(|before| before.asks.is_some());
                if asks || asked { &[List::Terminals, List::Needs] } else { &[List::Terminals] }
            }
            HubChange::TerminalGone { id } => {
                let asked = self.terminals.remove(&id).is_some_and(|before| before.asks.is_some());
                if asked { &[List::Terminals, List::Needs] } else { &[List::Terminals] }
            }
            HubChange::Agent { agent } => {
                let same = |known: &AgentState| known.name == agent.name && known.number == agent.number;
                match self.agents.iter_mut().find(|known| same(known)) {
                    Some(known) => *known = agent,
                    None => self.agents.push(agent),
                }
                self.note_names();
                &[List::Agents, List::Needs, List::Terminals]
            }
            HubChange::AgentForgotten { name, number } => {
                self.agents.retain(|known| (known.name.as_str(), known.number) != (name.as_str(), number));
                &[List::Agents, List::Needs]
            }
            HubChange::Approvals { .. } => &[],
            HubChange::Database { database } => {
                self.database = database;
                &[List::Needs]
            }
            HubChange::Policy { policy } => {
                self.notices = policy;
                &[List::Needs, List::Rules]
            }
        }
    }

    /// The rows of a list as it stands.
    pub fn rows(&self, list: List) -> Vec<Row> {
        let names = &self.names;
        match list {
            List::Terminals => self.terminals.values().map(|one| self.terminal_row(one, names)).collect(),
            List::Agents => self.agent_rows(names),
            List::Needs => self.need_rows(names),
            List::Rules => self.rule_rows(),
            List::Stances => self.stance_rows(),
            List::Activity => {
                let deeds = self.audit.values().rev().filter(|call| !activity::is_background(call));
                let shared = activity::shared_names(self.audit.values().map(|call| call.actor.as_str()));
                deeds.map(|call| activity::row(call, names, &shared)).collect()
            }
        }
    }

    fn note_names(&mut self) {
        for agent in &self.agents {
            if !self.names.contains(&agent.name) {
                self.names.push(agent.name.clone());
            }
        }
        // Whoever was here first is forgotten first, a whole round of colours at a time, so that the others keep theirs.
        while self.names.len() > NAMES {
            self.names.drain(..HUES);
        }
    }

    /// Whether the person here holds the controls of a terminal.
    pub fn holds(&self, id: TerminalId) -> bool {
        let lease = self.terminals.get(&id).and_then(|terminal| terminal.lease.as_ref());
        lease.is_some_and(|lease| lease.human && lease.actor == self.me)
    }

    fn terminal_row(&self, terminal: &TerminalState, names: &[String]) -> Row {
        let (mark, state, tone) = match (terminal.running, terminal.exit_code) {
            (false, Some(0)) => ("✓", "ended".to_owned(), "dim"),
            (false, Some(code)) => ("✗", format!("ended · exit {code}"), "danger"),
            (false, None) => ("–", "ended".to_owned(), "dim"),
            (true, _) if terminal.stalled => ("!", "the disk takes no more output".to_owned(), "warn"),
            (true, _) => match &terminal.running_command {
                Some(command) => ("●", words::short(&visible(command), 80), "agent"),
                None if terminal.kind != TerminalKind::Shell || !terminal.at_prompt => {
                    ("●", "running".to_owned(), "agent")
                }
                None => ("○", words::folder(&terminal.cwd, &self.root), "dim"),
            },
        };
        Row::new(
            terminal.id,
            &TerminalRow {
                id: terminal.id.to_string(),
                title: words::short(&visible(&terminal.title), 60),
                mark,
                state,
                tone,
                folder: words::folder(&terminal.cwd, &self.root),
                running: terminal.running,
                pipes: terminal.kind == TerminalKind::Pipes,
                holder: terminal.lease.as_ref().map(|lease| words::actor(&lease.actor, names)),
                mine: self.holds(terminal.id),
                why: terminal.lease.as_ref().and_then(|lease| lease.reason.as_deref()).map(visible),
                created_by: words::actor(&terminal.created_by, names),
                columns: terminal.size.cols,
                rows: terminal.size.rows,
                size_by: terminal.size_by.as_deref().map(|by| words::window_of(by, names)),
                bells: terminal.bells,
            },
        )
    }

    fn agent_rows(&self, names: &[String]) -> Vec<Row> {
        let mut agents: Vec<_> = self.agents.iter().collect();
        // What waits for a person comes first, what is gone last.
        agents.sort_by_key(|agent| match agent.state {
            Standing::WaitsForApproval | Standing::WaitsForInput => 0,
            Standing::Working | Standing::Idle | Standing::Done | Standing::Failed => 1,
            Standing::Gone => 2,
        });
        let row = |agent: &&AgentState| {
            let key = agent_key(agent);
            let (mark, word, tone) = words::standing(agent.state);
            let doing = match agent.state {
                Standing::Working => self.under_way(&key).unwrap_or_else(|| agent.reason.clone()),
                Standing::WaitsForInput | Standing::Failed => agent.reason.clone(),
                Standing::WaitsForApproval | Standing::Idle | Standing::Done | Standing::Gone => String::new(),
            };
            let shown = AgentRow {
                actor: words::actor(&key, names),
                mark,
                word,
                tone,
                doing: words::short(&visible(&doing), 120),
                since_ms: agent.since_ms,
                terminal: agent.terminal.map(|id| id.to_string()),
            };
            Row::new(&key, &shown)
        };
        agents.iter().map(row).collect()
    }

    /// What an agent does, by its last call that goes on: a command, where that is what it runs.
    fn under_way(&self, agent: &str) -> Option<String> {
        let call = self.audit.values().rev().find(|call| call.actor == agent && call.result == "running")?;
        Some(activity::under_way(call))
    }

    /// What needs a person, oldest first.
    fn need_rows(&self, names: &[String]) -> Vec<Row> {
        let mut rows: Vec<(i64, Row)> = Vec::new();
        for approval in &self.approvals {
            rows.push((
                approval.asked_at_ms,
                Row::new(approval.id, &Need::Approval(Box::new(self.asked(approval, names)))),
            ));
        }
        for terminal in self.terminals.values() {
            let Some(asks) = &terminal.asks else { continue };
            let need = Need::Input {
                actor: words::actor(&asks.agent, names),
                text: format!("the program in {} asks for {}", terminal.id, asks.kind.name()),
                terminal: Some(terminal.id.to_string()),
                since_ms: asks.since_ms,
            };
            rows.push((asks.since_ms, Row::new(format!("input-{}", terminal.id), &need)));
        }
        // What an agent asks in words of its own is asked in no terminal.
        let asks_itself = |agent: &&AgentState| agent.state == Standing::WaitsForInput && agent.terminal.is_none();
        for agent in self.agents.iter().filter(asks_itself) {
            let key = format!("input-{}", agent_key(agent));
            let need = Need::Input {
                actor: words::actor(&agent_key(agent), names),
                text: words::short(&visible(&agent.reason), 120),
                terminal: None,
                since_ms: agent.since_ms,
            };
            rows.push((agent.since_ms, Row::new(key, &need)));
        }
        for problem in &self.database {
            let need = Need::Database { text: visible(&problem.text), hint: visible(&problem.hint) };
            rows.push((problem.noticed_at_ms, Row::new(format!("database-{}", problem.kind.name()), &need)));
        }
        for notice in &self.notices {
            let need = Need::Policy { file: visible(&notice.file), text: visible(&notice.text) };
            rows.push((i64::MAX - 1, Row::new(format!("policy-{}", notice.file), &need)));
        }
        if let Some(consent) = self.consent.as_ref().filter(|consent| consent.ask) {
            rows.push((i64::MAX, Row::new("consent", &Need::Consent { text: consent.text.clone() })));
        }
        rows.sort_by_key(|(since, _)| *since);
        rows.into_iter().map(|(_, row)| row).collect()
    }

    fn asked(&self, approval: &Approval, names: &[String]) -> Asked {
        let command = approval.subject.command();
        let raw = match &approval.subject {
            Subject::Command(command) => &command.text,
            Subject::Permission(permission) => &permission.title,
            Subject::FileWrite(write) => &write.path,
        };
        let pieces = command.map(|command| command.pieces.as_slice()).unwrap_or_default();
        let diff = match &approval.subject {
            Subject::Command(_) => None,
            Subject::Permission(permission) => permission.diff.as_deref(),
            Subject::FileWrite(write) => Some(write.diff.as_str()),
        };
        let locations = match &approval.subject {
            Subject::Permission(permission) => permission.locations.as_slice(),
            Subject::Command(_) | Subject::FileWrite(_) => &[],
        };
        let scopes = approval.scopes.iter().filter(|scope| scope.name() != "always" || approval.offer.is_some());
        Asked {
            id: approval.id.to_string(),
            actor: words::actor(&approval.agent, names),
            heading: words::heading(approval),
            spans: spans(raw, pieces),
            unseen: hidden(raw) > 0,
            // What is edited is the text itself.
            text: if command.is_some() { raw.clone() } else { visible(raw) },
            locations: locations.iter().map(|path| words::folder(path, &self.root)).collect(),
            folder: command.map(|command| words::folder(&command.cwd, &self.root)),
            env: command.map(|command| command.env.iter().map(|one| visible(one)).collect()).unwrap_or_default(),
            editable: command.is_some_and(|command| command.editable),
            reason: words::reason(approval),
            rule: visible(&approval.rule),
            dangerous: approval.dangerous,
            terminal: approval.terminal.map(|id| id.to_string()),
            scopes: scopes
                .map(|scope| {
                    let (label, about) = words::scope(*scope, approval);
                    ScopeShown { name: scope.name(), label, about }
                })
                .collect(),
            offer: approval
                .offer
                .as_ref()
                .map(|offer| Offer { words: visible(&offer.words), toml: offer.toml.trim().to_owned() }),
            options: approval
                .subject
                .options()
                .iter()
                .map(|option| OptionShown {
                    id: option.id.clone(),
                    name: visible(&option.name),
                    yes: option.kind.choice() == flightdeck_contract::approval::Choice::Approve,
                    once: matches!(option.kind, flightdeck_contract::approval::OptionKind::RejectOnce),
                })
                .collect(),
            diff: diff.map(visible_lines),
            asked_at_ms: approval.asked_at_ms,
            expires_at_ms: approval.expires_at_ms,
        }
    }

    fn rule_rows(&self) -> Vec<Row> {
        let Some(policy) = &self.policy else { return Vec::new() };
        let row = |rule: &flightdeck_contract::policy::RuleShown| {
            let (verb, tone) = words::action(rule.action);
            Row::new(&rule.name, &RuleRow { verb, tone, rule })
        };
        policy.rules.iter().map(row).collect()
    }

    fn stance_rows(&self) -> Vec<Row> {
        let Some(policy) = &self.policy else { return Vec::new() };
        let row = |one: &flightdeck_contract::policy::SurfaceDefault| {
            let shown = StanceRow {
                surface: words::surface(&one.surface),
                stance: &one.stance,
                means: words::stance(&one.stance),
            };
            Row::new(&one.surface, &shown)
        };
        let mut rows: Vec<_> = policy.defaults.iter().map(row).collect();
        // It has no stance: it is strict for everybody.
        let headless =
            StanceRow { surface: words::surface("headless"), stance: "strict", means: words::stance("strict") };
        rows.push(Row::new("headless", &headless));
        rows
    }
}

fn agent_key(agent: &AgentState) -> String {
    agent.number.map_or_else(|| agent.name.clone(), |number| format!("{}#{number}", agent.name))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TerminalRow {
    id: String,
    title: String,
    mark: &'static str,
    state: String,
    tone: &'static str,
    folder: String,
    running: bool,
    pipes: bool,
    holder: Option<Actor>,
    mine: bool,
    why: Option<String>,
    created_by: Actor,
    columns: u16,
    rows: u16,
    size_by: Option<String>,
    bells: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AgentRow {
    actor: Actor,
    mark: &'static str,
    word: &'static str,
    tone: &'static str,
    doing: String,
    since_ms: i64,
    terminal: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Need {
    Approval(Box<Asked>),
    Input { actor: Actor, text: String, terminal: Option<String>, since_ms: i64 },
    Database { text: String, hint: String },
    Policy { file: String, text: String },
    Consent { text: String },
}

/// A request as a person sees it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "it is when it was asked")]
struct Asked {
    id: String,
    actor: Actor,
    heading: &'static str,
    text: String,
    spans: Vec<Span>,
    unseen: bool,
    /// The files that it is about.
    locations: Vec<String>,
    folder: Option<String>,
    env: Vec<String>,
    editable: bool,
    reason: String,
    rule: String,
    dangerous: bool,
    terminal: Option<String>,
    scopes: Vec<ScopeShown>,
    offer: Option<Offer>,
    options: Vec<OptionShown>,
    diff: Option<String>,
    asked_at_ms: i64,
    expires_at_ms: i64,
}

#[derive(Serialize)]
struct ScopeShown {
    name: &'static str,
    label: &'static str,
    about: String,
}

#[derive(Serialize)]
struct Offer {
    words: String,
    toml: String,
}

#[derive(Serialize)]
struct OptionShown {
    id: String,
    name: String,
    yes: bool,
    /// It says what Deny says already.
    once: bool,
}

#[derive(Serialize)]
struct RuleRow<'a> {
    verb: &'static str,
    tone: &'static str,
    #[serde(flatten)]
    rule: &'a flightdeck_contract::policy::RuleShown,
}

#[derive(Serialize)]
struct StanceRow<'a> {
    surface: &'a str,
    stance: &'a str,
    means: &'static str,
}

#[cfg(test)]
mod tests;
