//! Asks the person behind a client whether a command may run, by the protocol's elicitation.
//!
//! The person sees the command with nothing hidden in it, and nothing but an explicit yes is one.

use std::fmt::Write as _;
use std::pin::Pin;
use std::time::{Duration, Instant};

use flightdeck_contract::approval::{Approval, CommandSubject, Scope};
use flightdeck_core::{Answer, Asks};
use rmcp::RoleServer;
use rmcp::model::{ClientCapabilities, ElicitRequest, ElicitRequestParams, ServerRequest};
use rmcp::service::{Peer, PeerRequestOptions, RequestHandle};
use serde_json::{Value, json};

use crate::origin::Origin;

const ONCE: &str = "approve once";
const SESSION: &str = "approve for this session";
const DECLINE: &str = "decline";
/// The longest command that is shown whole.
const SHOWN: usize = 4000;
/// The longest dangerous piece of it.
const PIECE: usize = 300;
/// The longest reason that is passed on.
const REASON: usize = 500;

/// Whether a client can put a form before its user. Clients of before forms had a name say nothing of a mode.
pub(super) fn is_supported(client: Option<&ClientCapabilities>) -> bool {
    client
        .and_then(|client| client.elicitation.as_ref())
        .is_some_and(|elicitation| elicitation.form.is_some() || elicitation.url.is_none())
}

/// The person behind a client with a connection.
#[derive(Debug)]
pub(super) struct Elicitation {
    pub peer: Peer<RoleServer>,
    /// What the client calls itself.
    pub client: String,
    pub origin: Origin,
}

impl Asks for Elicitation {
    fn ask(&self, approval: Approval) -> Pin<Box<dyn Future<Output = Option<Answer>> + Send>> {
        let (peer, client, origin) = (self.peer.clone(), self.client.clone(), self.origin.clone());
        Box::pin(async move {
            if origin.client_entry().await.may_be_agent() {
                return None;
            }
            let request = ServerRequest::ElicitRequest(question(&approval)?);
            // The approval has a time limit; a shorter one here would answer in the person's place.
            let options = PeerRequestOptions::no_options();
            let mut open = Open(Some(peer.send_cancellable_request(request, options).await.ok()?));
            let asked = Instant::now();
            let given = open.answer().await?;
            answer(&given, asked.elapsed(), &approval, &client)
        })
    }
}

/// A question that the client shows. When nobody waits for its answer any more, the client is told.
struct Open(Option<RequestHandle<RoleServer>>);

impl Open {
    async fn answer(&mut self) -> Option<Value> {
        let given = (&mut self.0.as_mut()?.rx).await;
        self.0 = None;
        serde_json::to_value(given.ok()?.ok()?).ok()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if let (Some(handle), Ok(runtime)) = (self.0.take(), tokio::runtime::Handle::try_current()) {
            // A client that is gone shows nothing any more.
            runtime.spawn(async move { drop(handle.cancel(Some("it needs no answer any more".to_owned())).await) });
        }
    }
}

/// The question, as the protocol has it. Only commands are put to clients: what agents ask by themselves goes to front ends.
pub(super) fn question(approval: &Approval) -> Option<ElicitRequest> {
    let command = approval.subject.command()?;
    let params = json!({ "mode": "form", "message": message(approval, command), "requestedSchema": schema(approval) });
    serde_json::from_value::<ElicitRequestParams>(params).ok().map(ElicitRequest::new)
}

/// A no comes first: some clients choose the first of a list until their user chooses.
fn schema(approval: &Approval) -> Value {
    let mut choices = vec![DECLINE, ONCE];
    if approval.scopes.contains(&Scope::Session) {
        choices.push(SESSION);
    }
    json!({
        "type": "object",
        "properties": {
            "answer": { "type": "string", "title": "Answer", "enum": choices },
            "reason": { "type": "string", "title": "Reason", "description": "With a no: why, for the agent" },
        },
        "required": ["answer"],
    })
}

fn message(approval: &Approval, subject: &CommandSubject) -> String {
    let Approval { agent, terminal, reason, .. } = approval;
    let CommandSubject { text: command, cwd, env, pieces, .. } = subject;
    let danger = if approval.dangerous { "dangerous" } else { "not known to be safe" };
    let mut text = format!("{} wants to run a command that is {danger}:\n\n", plain(agent));
    // Each line is marked, so that none of them can pass for one of ours.
    let (shown, left) = cut(&command.split('\n').map(plain).collect::<Vec<_>>().join("\n"), SHOWN);
    for line in shown.split('\n') {
        let _ = writeln!(text, "> {line}");
    }
    if left > 0 {
        let _ = writeln!(text, "({left} more characters: `flightdeck approve --list` has all of it)");
    }
    let place = terminal.map_or_else(String::new, |id| format!(", in terminal {id}"));
    let _ = write!(text, "\nWhere: {}{place}\nWhy it asks: {}", plain(cwd), plain(reason));
    for variable in env {
        let _ = write!(text, "\nWith: {}", plain(variable));
    }
    for piece in pieces {
        if let Some(danger) = &piece.danger {
            let _ = write!(text, "\nDangerous: `{}`: {}", cut(&plain(&piece.text), PIECE).0, plain(danger));
        }
    }
    text
}

/// The beginning of a text, and how many characters are left of it.
fn cut(text: &str, length: usize) -> (String, usize) {
    match text.char_indices().nth(length) {
        None => (text.to_owned(), 0),
        Some((at, _)) => (format!("{}…", &text[..at]), text[at..].chars().count()),
    }
}

/// One line in which nothing hides: what can't be seen, or turns the text around, stands there as its code.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for char in text.chars() {
        match char {
            '\\' | '\'' | '"' => plain.push(char),
            other => plain.extend(other.escape_debug()),
        }
    }
    plain
}

/// No person has read a question so soon.
const TOO_SOON: Duration = Duration::from_millis(600);

/// What the person said; `None` when that can't be told. Some clients answer by themselves where no person is: only what
/// somebody can have chosen is told as a person's word.
pub(super) fn answer(given: &Value, after: Duration, approval: &Approval, client: &str) -> Option<Answer> {
    let by = format!("{client}'s user");
    let said = |field: &str| given["content"][field].as_str().map(str::trim).filter(|text| !text.is_empty());
    let reason = said("reason").map(|text| plain(text).chars().take(REASON).collect());
    // A yes that was chosen so soon is one that its user has told the client to give: it counts, as what it is.
    let chosen_by = if after < TOO_SOON { format!("{client} on its own") } else { by.clone() };
    let approved = |scope| Some(Answer::Approved { by: chosen_by, scope, command: None });
    let declined = |reason| Some(Answer::Declined { by: by.clone(), reason });
    let dismissed = |how: &str| Some(Answer::Dismissed { how: format!("{client} {how}") });
    match (given["action"].as_str()?, said("answer")) {
        ("accept", Some(ONCE)) => approved(Scope::Once),
        ("accept", Some(SESSION)) if approval.scopes.contains(&Scope::Session) => approved(Scope::Session),
        // A form that is sent as it came says no as well; only a person gives a reason.
        ("decline", _) | ("accept", Some(DECLINE)) if after < TOO_SOON && reason.is_none() => {
            dismissed("declined by itself, before anybody can have read the question")
        }
        ("accept", Some(DECLINE)) | ("decline", _) => declined(reason),
        ("accept", _) => dismissed("gave an answer that is none of those to choose from"),
        ("cancel", _) => dismissed("dismissed the question"),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
