//! How it stands with agents that the hub runs, put together from facts: what waits for a person, and what the kernel says of
//! the terminals that they use.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::TerminalId;
use flightdeck_contract::agents::{AgentState, Standing};
use flightdeck_contract::chat::{Chat, ChatState};
use flightdeck_term::facts::Look;

use super::conversation::Conversation;
use super::terminals;
use crate::hub::Hub;
use crate::terminals::asks;

/// How often it is looked whether a program asks for something: nobody tells that.
const LOOK: Duration = Duration::from_secs(1);
/// The least time between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Keeps the states of conversations right, for as long as it is polled.
pub(crate) async fn follow(hub: Arc<Hub>) {
    let mut doings = hub.agents().doings().changes();
    let mut changes = hub.conversations().changes();
    loop {
        doings.borrow_and_update();
        changes.borrow_and_update();
        let busy: Vec<_> =
            hub.conversations().all().into_iter().filter(|conversation| conversation.chat().state.is_busy()).collect();
        for conversation in &busy {
            look(&hub, conversation);
        }
        let again =
            async { if busy.is_empty() { std::future::pending().await } else { tokio::time::sleep(LOOK).await } };
        tokio::select! {
            _ = doings.changed() => {}
            _ = changes.changed() => {}
            () = again => {}
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn look(hub: &Hub, conversation: &Conversation) {
    let Some(number) = conversation.agent().number() else { return };
    let pending = hub.approvals().pending();
    let is_its = |agent: &str| agent.rsplit_once('#').is_some_and(|(_, of)| of.parse() == Ok(number));
    let approval = pending.iter().find(|approval| is_its(&approval.agent)).map(|it| (it.id, it.reason.clone()));
    let asking = if approval.is_some() { None } else { asking(hub, conversation) };
    conversation.write(|draft| draft.waits(approval, asking));
}

/// A terminal of its agent that asks for something.
fn asking(hub: &Hub, conversation: &Conversation) -> Option<(TerminalId, String)> {
    let running = terminals::running(hub, conversation.id());
    if running.is_empty() {
        return None;
    }
    let look = Look::new();
    running.into_iter().find_map(|(id, session)| {
        let kind = asks::kind_of(&session, &look)?;
        Some((id, format!("the program in {id} asks for {}", kind.name())))
    })
}

/// How it stands with an agent, in the words for all agents.
pub(crate) fn of_agent(hub: &Hub, number: u32) -> Option<AgentState> {
    let Chat { agent, state, reason, since_ms, approval, terminal, .. } =
        hub.conversations().with_agent(number)?.chat();
    let standing = match state {
        ChatState::Starting | ChatState::Working => Standing::Working,
        ChatState::WaitsForApproval => Standing::WaitsForApproval,
        ChatState::WaitsForInput | ChatState::WaitsForSignIn => Standing::WaitsForInput,
        ChatState::Ready => Standing::Idle,
        ChatState::Done => Standing::Done,
        ChatState::Failed => Standing::Failed,
        ChatState::Gone => Standing::Gone,
    };
    Some(AgentState {
        name: agent.name,
        number: Some(number),
        state: standing,
        reason,
        since_ms,
        command: None,
        approval,
        terminal,
        asks: terminal.and_then(|id| asks::kind_of(&*hub.session(id).ok()?, &Look::new())),
    })
}
