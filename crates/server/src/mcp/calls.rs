//! A tool call on its way: progress while it runs, and its end when the client gives it up or is gone.

use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_contract::Error;
use flightdeck_core::{Caller, Cancel, Command, Event, Hub, ProgressReport, Running};
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, ProgressNotificationParam, ProgressToken, ProtocolVersion};
use rmcp::service::{Peer, RequestContext};
use serde_json::Value;
use tokio::sync::{mpsc, watch};

use super::results;
use super::watched::Ended;

/// Clients time out after a minute of silence. The first word comes soon, so that a person sees that something runs.
const FIRST_PROGRESS: Duration = Duration::from_secs(1);
const NEXT_PROGRESS: Duration = Duration::from_secs(4);
/// How much a command may attach to its result.
const ATTACHED: usize = 16 << 20;

/// What came of a call, and what was attached to it.
pub(super) type Outcome = (Result<Value, Error>, Vec<u8>);

/// Calls a command and waits for its end.
pub(super) async fn call(
    hub: &Arc<Hub>,
    command: &Command,
    args: Value,
    caller: Caller,
    context: &RequestContext<RoleServer>,
) -> CallToolResult {
    let (work, handle) = begin(hub, command, args, caller);
    let (result, attached) = end(pin!(work), &handle, context).await;
    answer(command, &result, &attached, context)
}

/// How a call that is under way is given up, and how it goes on.
#[derive(Debug)]
pub(super) struct Handle {
    cancel: Cancel,
    progress: watch::Receiver<ProgressReport>,
}

/// A call that begins when it is polled.
pub(super) fn begin(
    hub: &Arc<Hub>,
    command: &Command,
    args: Value,
    caller: Caller,
) -> (impl Future<Output = Outcome> + Send + use<>, Handle) {
    // Nothing is typed into a call of a tool.
    let Running { events, input: _, cancel, progress, result } = hub.begin(caller, &command.id, args);
    (async move { tokio::join!(result, attachment(events)) }, Handle { cancel, progress })
}

/// Waits for the end of a call, which comes soon when the client gives it up.
pub(super) async fn end<T>(
    mut work: impl Future<Output = T> + Unpin,
    handle: &Handle,
    context: &RequestContext<RoleServer>,
) -> T {
    let mut reports = pin!(report(&context.peer, context.meta.get_progress_token(), handle.progress.clone()));
    let mut given_up = pin!(given_up(context));
    let mut wanted = true;
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            () = &mut given_up, if wanted => {
                // The command is stopped, and its end awaited: whatever it started is gone when the call is.
                wanted = false;
                handle.cancel.cancel();
            }
            () = &mut reports, if wanted => {}
        }
    }
}

/// The result for the client.
pub(super) fn answer(
    command: &Command,
    result: &Result<Value, Error>,
    attached: &[u8],
    context: &RequestContext<RoleServer>,
) -> CallToolResult {
    let mut answer = results::result(command, result, attached);
    // Older clients refuse a result that holds a kind of content which they don't know.
    if knows_links(context) {
        // A failure may hold output as well: a wait that was over before its command was.
        let told = result.as_ref().ok().or(answer.structured_content.as_ref());
        let links = told.map(|told| results::links(command, told)).unwrap_or_default();
        answer.content.extend(links);
    }
    answer
}

fn knows_links(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version.as_str() >= ProtocolVersion::V_2025_06_18.as_str())
}

/// Resolves when nobody waits for the answer any more.
pub(super) async fn given_up(context: &RequestContext<RoleServer>) {
    match context.extensions.get::<Ended>() {
        Some(ended) => tokio::select! {
            () = context.ct.cancelled() => {}
            () = ended.wait() => {}
        },
        None => context.ct.cancelled().await,
    }
}

/// What the command sends beside its result. All of it is read, so that the command never waits for us.
async fn attachment(mut events: mpsc::Receiver<Event>) -> Vec<u8> {
    let mut attached = Vec::new();
    while let Some(event) = events.recv().await {
        if attached.len() + event.bytes.len() <= ATTACHED {
            attached.extend_from_slice(&event.bytes);
        }
    }
    attached
}

/// Tells the client how the call stands, for as long as it is polled.
async fn report(peer: &Peer<RoleServer>, token: Option<ProgressToken>, reports: watch::Receiver<ProgressReport>) {
    let Some(token) = token else { return pending().await };
    let begun = Instant::now();
    let mut rest = FIRST_PROGRESS;
    loop {
        tokio::time::sleep(rest).await;
        rest = NEXT_PROGRESS;
        let seconds = begun.elapsed().as_secs_f64();
        let told = reports.borrow().clone();
        let message = if told.text.is_empty() { format!("running for {seconds:.0} s") } else { told.to_string() };
        let progress = ProgressNotificationParam::new(token.clone(), seconds).with_message(message);
        if peer.notify_progress(progress).await.is_err() {
            return pending().await;
        }
    }
}
