//! How it stands with each agent, put together from facts: its calls, what waits for a person, and what the kernel says of
//! the terminals it uses.
//!
//! ```text
//!   waits for approval ── before ── waits for input ── before ── working ── before ── failed ── before ── idle
//! ```

use flightdeck_contract::TerminalId;
use flightdeck_contract::agents::{AgentState, Standing};
use flightdeck_contract::approval::Approval;
use flightdeck_contract::terminal::InputKind;

use crate::agents::doings::Doing;
use crate::conversations::standing;
use crate::hub::Hub;
use crate::terminals::asks::{self, Asks};

impl Hub {
    /// The agents that are here, in the order of arrival, and then those that may come back.
    pub fn agent_states(&self) -> Vec<AgentState> {
        self.agent_states_with(&asks::all(self))
    }

    /// The same, for whoever knows already what their programs ask for.
    pub(crate) fn agent_states_with(&self, asks: &Asks) -> Vec<AgentState> {
        let pending = self.approvals().pending();
        let here = self.agents().here().into_iter();
        let mut states: Vec<_> = here.map(|(number, name)| self.agent_state(number, name, &pending, asks)).collect();
        states.extend(self.agents().departed());
        states
    }

    fn agent_state(&self, number: u32, name: String, pending: &[Approval], asks: &Asks) -> AgentState {
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
            asks: None,
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
            self.awaited_question(&doing, &shown, asks).inspect(|asked| waits_for_input(&mut state, *asked));
        } else if let Some((id, (kind, _))) = asks.iter().find(|(_, (_, agent))| *agent == shown) {
            // Its call has returned, and the program waits on.
            waits_for_input(&mut state, (*id, *kind));
        } else if let Some(failed) = doing.failed {
            state.state = Standing::Failed;
            state.reason = failed.why;
            state.command = Some(failed.command.to_string());
        }
        state
    }

    /// What a program asks for that one of these calls waits for: in a terminal that the call is about, or in one that it
    /// has made.
    fn awaited_question(&self, doing: &Doing, shown: &str, asks: &Asks) -> Option<(TerminalId, InputKind)> {
        let named = |id: TerminalId| doing.calls.values().any(|call| call.terminal == Some(id));
        let made = |id, agent: &str| agent == shown && self.meta(id).is_some_and(|meta| meta.transient);
        let mut asked = asks.iter().filter(|(id, (_, agent))| named(**id) || made(**id, agent));
        asked.next().map(|(id, (kind, _))| (*id, *kind))
    }
}

fn waits_for_input(state: &mut AgentState, (id, kind): (TerminalId, InputKind)) {
    state.state = Standing::WaitsForInput;
    state.reason = format!("the program in {id} asks for {}", kind.name());
    state.terminal = Some(id);
    state.asks = Some(kind);
}
