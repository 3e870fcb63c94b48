//! Requests that the hub of the container's host carries out. They go there as they are; what was made there has names that tell it
//! from what is made here.

use std::sync::Arc;

use flightdeck_contract::canonical::{
    AdapterOverride, Correlation, Failure, Identity, Item, Outcome, PmTerm, Request, Response, Target,
};
use flightdeck_contract::{Error, ErrorCode};
use serde_json::Value;

use super::{Known, told};
use crate::call::Call;
use crate::hub::Hub;
use crate::runtime::{Errand, Sent, Way};

/// What the names of things on the host begin with.
const HOST: &str = "host:";

/// Whether something on the host is meant.
pub(super) fn is_there(target: &Target) -> bool {
    [&target.session_id, &target.terminal_id].into_iter().flatten().any(|id| id.starts_with(HOST))
}

/// A target of this hub, where everything interactive is on the host.
pub(super) fn not_there(target: &Target) -> Error {
    let name = target.session_id.as_ref().or(target.terminal_id.as_ref()).map_or("", String::as_str);
    let shown: String = name.chars().take(80).collect();
    Error::new(ErrorCode::TerminalNotFound, format!("there is no interactive session {shown:?}"))
        .hint("interactive sessions are on the container's host; action list tells which there are")
}

/// Has it carried out there, and gives the response.
pub(super) async fn call(hub: &Arc<Hub>, call: &Call, request: Request, known: &Known) -> Result<Value, Error> {
    let Response { success, status, identity, result, error, resolved, .. } = send(hub, call, request).await?;
    let identity = identity.map(here);
    known.lock().resolved.mode = resolved.mode;
    if let (true, None) = (success, &error) {
        let context = known.lock();
        return Ok(told(&context.succeed(status, identity.unwrap_or_default(), result.unwrap_or_default())));
    }
    let mut context = known.lock();
    (context.identity, context.result) = (identity, result);
    Err(error.map_or_else(unreadable, failure))
}

/// What there is on the host, and whether it has left some out.
pub(super) async fn list(hub: &Arc<Hub>, call: &Call, request: Request) -> Result<(Vec<Item>, bool), Error> {
    let Response { result, error, .. } = send(hub, call, request).await?;
    if let Some(error) = error {
        return Err(failure(error));
    }
    let Outcome { items, warning, .. } = result.unwrap_or_default();
    let named = |item: Item| Item {
        session_id: format!("{HOST}{}", item.session_id),
        terminal_id: item.terminal_id.map(|id| format!("{HOST}{id}")),
        ..item
    };
    Ok((items.unwrap_or_default().into_iter().map(named).collect(), warning.is_some()))
}

async fn send(hub: &Arc<Hub>, call: &Call, request: Request) -> Result<Response, Error> {
    let adapter = hub.runtime().adapter(Way::ContainerBridge)?;
    let Correlation { request_id, trace_id, .. } = request.correlation.clone();
    let errand = Errand {
        request_id,
        trace: trace_id,
        agent: call.caller.actor.agent_name().unwrap_or("a person").to_owned(),
        request: serde_json::to_value(outbound(request)).unwrap_or_default(),
        progress: call.progress.0.clone(),
    };
    let answer = async {
        match adapter.send_request(errand).await? {
            Sent::There(ticket) => adapter.await_response(ticket).await,
            Sent::Here => Err(unreadable()),
        }
    };
    let answer = tokio::select! {
        biased;
        answer = answer => answer?,
        () = call.cancelled.clone().wait() => {
            return Err(Error::new(ErrorCode::Cancelled, "the call was given up: the host was told to stop it"));
        }
    };
    serde_json::from_value(answer).map_err(|_| unreadable())
}

/// The request as the host gets it. It runs there before a person's eyes or not at all.
fn outbound(mut request: Request) -> Request {
    request.runtime.adapter_override = AdapterOverride::Auto;
    request.runtime.binary_path = None;
    request.runtime.workspace_id = None;
    request.runtime.allow_headless_fallback = false;
    let there = |id: Option<String>| id.map(|id| id.strip_prefix(HOST).map_or(id.clone(), str::to_owned));
    request.target =
        Target { session_id: there(request.target.session_id), terminal_id: there(request.target.terminal_id) };
    request
}

fn here(identity: Identity) -> Identity {
    let here = |id: String| format!("{HOST}{id}");
    Identity { session_id: identity.session_id.map(here), terminal_id: identity.terminal_id.map(here) }
}

/// A failure on the host as one of this hub, so that it is told and noted like every other.
fn failure(Failure { code, message, details, .. }: Failure) -> Error {
    let Value::Object(mut details) = details else { return unreadable() };
    let reason = details.shift_remove("reason").and_then(|reason| serde_json::from_value(reason).ok());
    let hint = details.shift_remove("hint").and_then(|hint| hint.as_str().map(str::to_owned));
    let code = reason.unwrap_or(match code {
        PmTerm::GuiUnavailable => ErrorCode::ApprovalUnavailable,
        _ => ErrorCode::Internal,
    });
    let error = Error::new(code, message).details(Value::Object(details));
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

fn unreadable() -> Error {
    Error::new(ErrorCode::VersionMismatch, "the host's hub gave an answer that this one does not understand")
        .hint("install the same version of Flightdeck on both sides")
}
