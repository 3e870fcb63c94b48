//! Requests that the hub of the container's host carries out. They go there as they are; what was made there has names that tell it
//! from what is made here.

use std::convert::Infallible;
use std::sync::Arc;

use flightdeck_contract::canonical::{
    AdapterOverride, Correlation, Failure, Identity, Item, Outcome, PmTerm, Request, Response, Target,
};
use flightdeck_contract::{Error, ErrorCode};
use serde_json::Value;
use tokio::sync::watch;

use super::{Known, told};
use crate::call::Call;
use crate::hub::Hub;
use crate::progress::ProgressReport;
use crate::runtime::{Errand, Sent, Way};

/// What the names of things on the host begin with.
const HOST: &str = "host:";

/// Whether something on the host is meant.
pub(super) fn is_there(target: &Target) -> bool {
    [&target.session_id, &target.terminal_id].into_iter().flatten().any(|id| id.starts_with(HOST))
}

/// Refuses a target that names two things: one here and one on the host, or a name that the host has not given.
pub(super) fn check(target: &Target) -> Result<(), Error> {
    let named: Vec<&String> = [&target.session_id, &target.terminal_id].into_iter().flatten().collect();
    if is_there(target) && !named.iter().all(|id| id.starts_with(HOST)) {
        let text = "session_id and terminal_id name two terminals: one of this container, and one of its host";
        return Err(Error::invalid("target", text).hint("give the identity of one answer as it is"));
    }
    if named.iter().any(|id| id.strip_prefix(HOST).is_some_and(|id| id.starts_with(HOST))) {
        return Err(not_there(target));
    }
    Ok(())
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
    Ok((items.unwrap_or_default(), warning.is_some()))
}

async fn send(hub: &Arc<Hub>, call: &Call, request: Request) -> Result<Response, Error> {
    let meant = outbound_target(&request.target);
    let adapter = hub.runtime().adapter(Way::ContainerBridge)?;
    let Correlation { request_id, trace_id, .. } = request.correlation.clone();
    let (reports, mut told_there) = watch::channel(ProgressReport::default());
    let errand = Errand {
        request_id,
        trace: trace_id,
        agent: call.caller.actor.agent_name().unwrap_or("a person").to_owned(),
        request: serde_json::to_value(outbound(request)).unwrap_or_default(),
        progress: reports,
    };
    let answer = async {
        match adapter.send_request(errand).await? {
            Sent::There(ticket) => adapter.await_response(ticket).await,
            Sent::Here => Err(unreadable()),
        }
    };
    let told_here = async {
        while told_there.changed().await.is_ok() {
            call.progress.report(named_here(told_there.borrow_and_update().clone()));
        }
        // The answer comes next.
        std::future::pending::<Infallible>().await
    };
    let answer = tokio::select! {
        biased;
        answer = answer => answer?,
        () = call.cancelled.clone().wait() => {
            return Err(Error::new(ErrorCode::Cancelled, "the call was given up: the host was told to stop it"));
        }
        never = told_here => match never {},
    };
    let response = serde_json::from_value(answer).map_err(|_| unreadable())?;
    Ok(here(response, &meant))
}

/// The request as the host gets it. It runs there before a person's eyes or not at all.
fn outbound(mut request: Request) -> Request {
    request.runtime.adapter_override = AdapterOverride::Auto;
    request.runtime.binary_path = None;
    request.runtime.workspace_id = None;
    request.runtime.allow_headless_fallback = false;
    request.target = outbound_target(&request.target);
    request
}

/// The target as the host names it.
fn outbound_target(target: &Target) -> Target {
    let there = |id: &Option<String>| id.as_ref().map(|id| id.strip_prefix(HOST).unwrap_or(id).to_owned());
    Target { session_id: there(&target.session_id), terminal_id: there(&target.terminal_id) }
}

/// What the host says of a call under way. The caller can't take what has an id there for something of this hub.
fn named_here(report: ProgressReport) -> ProgressReport {
    let subject = report.subject.map(|id| if id.starts_with(HOST) { id } else { format!("{HOST}{id}") });
    ProgressReport { subject, ..report }
}

/// The host's response with every name of something there as it is named here: what a caller finds in it can be a target of
/// the next call, and must never be taken for something of this hub.
fn here(response: Response, meant: &Target) -> Response {
    let names = Names::of(&response, meant);
    let Response { identity, result, error, fallback, .. } = response;
    let identity = identity.map(|Identity { session_id, terminal_id }| Identity {
        session_id: session_id.map(|id| names.id(id)),
        terminal_id: terminal_id.map(|id| names.id(id)),
    });
    let result = result.map(|result| Outcome {
        // What is printed stays as it is.
        warning: result.warning.map(|text| names.text(&text)),
        // The resources of this hub are not those of the host: `read_output` gets the rest.
        whole_output: None,
        items: result.items.map(|items| items.into_iter().map(|item| names.item(item)).collect()),
        ..result
    });
    let error = error.map(|failure| Failure {
        message: names.text(&failure.message),
        details: names.value(failure.details),
        ..failure
    });
    Response { identity, result, error, fallback, ..response }
}

/// Names of things on the host that a response is about.
struct Names(Vec<String>);

impl Names {
    fn of(response: &Response, meant: &Target) -> Self {
        let identity = response.identity.iter().flat_map(|identity| [&identity.session_id, &identity.terminal_id]);
        let items = response.result.iter().flat_map(|result| result.items.iter().flatten());
        let listed = items.flat_map(|item| [Some(&item.session_id), item.terminal_id.as_ref()]).flatten();
        let target = response.error.iter().filter_map(|failure| failure.details.get("target")?.as_str());
        let meant = [&meant.session_id, &meant.terminal_id].into_iter().flatten();
        let known = identity.flatten().chain(listed).chain(meant).map(String::as_str).chain(target);
        let mut names: Vec<String> = known.filter(|name| !name.is_empty()).map(str::to_owned).collect();
        names.sort_unstable();
        names.dedup();
        Names(names)
    }

    fn id(&self, id: String) -> String {
        debug_assert!(self.0.contains(&id), "every id of a response is known");
        if id.starts_with(HOST) { id } else { format!("{HOST}{id}") }
    }

    fn item(&self, item: Item) -> Item {
        let terminal_id = item.terminal_id.map(|id| self.id(id));
        Item { session_id: self.id(item.session_id), terminal_id, ..item }
    }

    /// Text for people and agents, where a name stands as a word of its own.
    fn text(&self, text: &str) -> String {
        let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '/');
        let mut told = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_of_word) {
            let (before, word_on) = rest.split_at(start);
            let length = word_on.find(|c| !is_of_word(c)).unwrap_or(word_on.len());
            let (word, after) = word_on.split_at(length);
            told.push_str(before);
            // A sentence may end with it.
            if self.0.iter().any(|name| name == word.trim_end_matches(['.', ':'])) {
                told.push_str(HOST);
            }
            told.push_str(word);
            rest = after;
        }
        told + rest
    }

    /// The facts of an error: whatever is in them, a name of something there is told as one.
    fn value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(&text)),
            Value::Array(values) => values.into_iter().map(|value| self.value(value)).collect(),
            Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, self.value(value))).collect(),
            other => other,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_target_is_here_or_on_the_host() {
        let target = |session: Option<&str>, terminal: Option<&str>| Target {
            session_id: session.map(str::to_owned),
            terminal_id: terminal.map(str::to_owned),
        };
        for (target, code) in [
            (target(Some("t1"), Some("t1")), None),
            (target(Some("host:t1"), Some("host:t1")), None),
            (target(None, Some("host:t1")), None),
            (target(Some("t2"), Some("host:t2")), Some(ErrorCode::InvalidArgument)),
            (target(Some("host:t2"), Some("t2")), Some(ErrorCode::InvalidArgument)),
            (target(Some("host:host:t2"), None), Some(ErrorCode::TerminalNotFound)),
        ] {
            assert_eq!(check(&target).err().map(|error| error.code), code, "{target:?}");
        }
    }

    #[test]
    fn every_name_of_something_on_the_host_is_told_as_one() {
        let names = Names(vec!["t2".to_owned()]);
        for (text, told) in [
            ("t2", "host:t2"),
            ("stop t2, then t22", "stop host:t2, then t22"),
            ("t2 has ended.", "host:t2 has ended."),
            ("it ended: t2.", "it ended: host:t2."),
            ("`t2`: \"t2\" (t2)", "`host:t2`: \"host:t2\" (host:t2)"),
            ("host:t2 at2 t2x /t2 a.t2", "host:t2 at2 t2x /t2 a.t2"),
            ("ä t2", "ä host:t2"),
            ("", ""),
        ] {
            assert_eq!(names.text(text), told);
        }
        let details = json!({ "target": "t2", "timeout_ms": 5, "hint": "read t2", "more": [{ "id": "t2" }, "t3"] });
        let told = json!({ "target": "host:t2", "timeout_ms": 5, "hint": "read host:t2", "more": [{ "id": "host:t2" }, "t3"] });
        assert_eq!(names.value(details), told);
    }
}
