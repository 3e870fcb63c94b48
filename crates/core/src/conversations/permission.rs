//! An agent's own question whether it may, put to a person.

use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::approval::{Approval, Choice, Scope, Subject};
use flightdeck_contract::chat::{AskPermission, EntryContent, PermissionGiven};
use flightdeck_contract::{Error, ErrorCode};

use crate::approvals::Answer;
use crate::audit::now_ms;
use crate::call::Call;
use crate::hub::Hub;

/// How long it waits. An agent stands still meanwhile, and can do nothing else; a person may have gone home.
const PATIENCE: Duration = Duration::from_hours(24);
/// How much of the question stands in the reason, which is told with the state of the conversation as well. All of it is in
/// the subject.
const MAX_REASON_CHARS: usize = 200;

/// Asks, and waits for the answer.
pub(crate) async fn ask(hub: &Arc<Hub>, call: &Call, asked: AskPermission) -> Result<PermissionGiven, Error> {
    let conversation = hub.conversations().get(asked.id)?;
    let asked_at_ms = now_ms();
    let actor = call.actor();
    let scopes = vec![Scope::Once];
    let ticket = hub.approvals().ask(|id| Approval {
        origin: None,
        id,
        agent: actor,
        call: "session/request_permission".to_owned(),
        reason: reason_of(&asked.permission.title),
        subject: Subject::Permission(asked.permission),
        terminal: None,
        rule: "agent".to_owned(),
        dangerous: false,
        scopes,
        offer: None,
        asked_at_ms,
        expires_at_ms: asked_at_ms + PATIENCE.as_millis() as i64,
        trace: call.caller.trace.clone(),
    });
    let id = ticket.id;
    conversation
        .write_down(|draft| {
            draft.change(asked.entry, |content| {
                if let EntryContent::Permission(permission) = content {
                    permission.approval = Some(id);
                }
            })
        })
        .await;
    hub.agents().doings().tell();
    let answer = tokio::select! {
        biased;
        answer = ticket.wait(PATIENCE) => Ok(answer),
        () = call.cancelled.clone().wait() => Err(Error::new(ErrorCode::Cancelled, "the question was taken back")),
    };
    hub.agents().doings().tell();
    Ok(match answer? {
        Answer::Chosen { by, option, choice: Choice::Approve | Choice::Decline, .. } => {
            PermissionGiven { option: Some(option), by }
        }
        Answer::Approved { by, .. } | Answer::Declined { by, .. } => PermissionGiven { option: None, by },
        Answer::Dismissed { how } => PermissionGiven { option: None, by: how },
        Answer::Expired => PermissionGiven { option: None, by: "nobody answered in time".to_owned() },
    })
}

fn reason_of(title: &str) -> String {
    match title.char_indices().nth(MAX_REASON_CHARS) {
        Some((end, _)) => format!("the agent asks: {}…", &title[..end]),
        None => format!("the agent asks: {title}"),
    }
}
