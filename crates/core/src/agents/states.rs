//! How it stands with each agent, put together from facts: its calls, what waits for a person, and what the kernel says of
//! the terminals it uses.
//!
//! ```text
//!   waits for approval ── before ── waits for input ── before ── working ── before ── failed ── before ── idle
//! ```

use flightdeck_contract::agents::{AgentState, Standing};
use flightdeck_contract::approval::Approval;
use flightdeck_term::facts::{Input, Look};

use crate::agents::doings::Doing;
use crate::conversations::standing;
use crate::convert;
use crate::hub::Hub;

impl Hub {
    /// The agents that are here, in the order of arrival, and then those that may come back.
    pub fn agent_states(&self) -> Vec<AgentState> {
        let pending = self.approvals().pending();
        let look = Look::new();
        let here = self.agents().here().into_iter();
        let mut states: Vec<_> = here.map(|(number, name)| self.agent_state(number, name, &pending, &look)).collect();
        states.extend(self.agents().departed());
        states
    }

    fn agent_state(&self, number: u32, name: String, pending: &[Approval], look: &Look) -> AgentState {
        if let Some(state) = standing::of_agent(self, number) {
            return state;
        }
        let doing = self.agents().doings().of(number);
        let shown = format!("{name}#{number}");
        let mut state = AgentState {
            name,
            number: Some(number),
            state: Standing::Idle,
            reason: "nothing of it is under way".to_owned(),
            since_ms: doing.since_ms,
            command: None,
            approval: None,
            terminal: None,
        };
        if let Some(approval) = pending.iter().find(|approval| approval.agent == shown) {
            state.state = Standing::WaitsForApproval;
            state.reason.clone_from(&approval.reason);
            state.since_ms = approval.asked_at_ms;
            state.command = Some(approval.call.clone());
            state.approval = Some(approval.id);
        } else if let Some(call) = doing.calls.values().next() {
            let more = doing.calls.len() - 1;
            state.state = Standing::Working;
            state.reason = match more {
                0 => "a call is under way".to_owned(),
                _ => format!("{} calls are under way, this one for the longest", more + 1),
            };
            state.since_ms = call.since_ms;
            state.command = Some(call.command.to_string());
            self.look_for_input(&mut state, &doing, &shown, look);
        } else if let Some(failed) = doing.failed {
            state.state = Standing::Failed;
            state.reason = failed.why;
            state.command = Some(failed.command.to_string());
        }
        state
    }

    /// Whether a program that the agent waits for waits for input itself: in a terminal that a call is about, or in one that
    /// a call has made.
    fn look_for_input(&self, state: &mut AgentState, doing: &Doing, shown: &str, look: &Look) {
        for session in self.terminals().all() {
            let Some(id) = convert::terminal_id(session.id()).filter(|_| session.progress().running()) else {
                continue;
            };
            let named = doing.calls.values().any(|call| call.terminal == Some(id));
            let made = || self.meta(id).is_some_and(|meta| meta.transient && meta.created_by == shown);
            if !named && !made() {
                continue;
            }
            let what = match session.facts_in(look).input {
                Input::Password => "a password",
                Input::Line => "a line",
                Input::Raw | Input::Busy | Input::None => continue,
            };
            state.state = Standing::WaitsForInput;
            state.reason = format!("the program in {id} asks for {what}");
            state.terminal = Some(id);
            return;
        }
    }
}
