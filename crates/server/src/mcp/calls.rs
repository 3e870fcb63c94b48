//! A tool call on its way: progress while it runs, and its end when the client gives it up or is gone.

use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flightdeck_contract::Error;
use flightdeck_core::{Caller, CancelSource, Command, Data, Hub};
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
    let (work, cancel) = begin(Arc::clone(hub), command, args, caller);
    let (result, attached) = end(pin!(work), &cancel, context).await;
    answer(command, &result, &attached, context)
}

/// A call that begins when it is polled.
pub(super) fn begin(
    hub: Arc<Hub>,
    command: &Command,
    args: Value,
    caller: Caller,
) -> (impl Future<Output = Outcome> + Send + use<>, CancelSource) {
    let (call, cancel, output, input) = flightdeck_core::call(caller);
    let id = command.id.clone();
    let work = async move {
        // Nothing is typed into a call of a tool.
        let _input = input;
        tokio::join!(hub.call(call, &id, args), attachment(output))
    };
    (work, cancel)
}

/// Waits for the end of a call, which comes soon when the client gives it up.
pub(super) async fn end<T>(
    mut work: impl Future<Output = T> + Unpin,
    cancel: &CancelSource,
    context: &RequestContext<RoleServer>,
) -> T {
    let mut reports = pin!(report(&context.peer, context.meta.get_progress_token(), cancel.progress()));
    let mut given_up = pin!(given_up(context));
    let mut wanted = true;
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            () = &mut given_up, if wanted => {
                // The command is stopped, and its end awaited: whatever it started is gone when the call is.
                wanted = false;
                cancel.cancel();
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
    if let (true, Ok(result)) = (knows_links(context), result) {
        answer.content.extend(results::links(command, result));
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
async fn attachment(mut output: mpsc::Receiver<Data>) -> Vec<u8> {
    let mut attached = Vec::new();
    while let Some(data) = output.recv().await {
        if attached.len() + data.bytes.len() <= ATTACHED {
            attached.extend_from_slice(&data.bytes);
        }
    }
    attached
}

/// Tells the client how the call stands, for as long as it is polled.
async fn report(peer: &Peer<RoleServer>, token: Option<ProgressToken>, line: watch::Receiver<String>) {
    let Some(token) = token else { return pending().await };
    let begun = Instant::now();
    let mut rest = FIRST_PROGRESS;
    loop {
        tokio::time::sleep(rest).await;
        rest = NEXT_PROGRESS;
        let seconds = begun.elapsed().as_secs_f64();
        let mut message = line.borrow().clone();
        if message.is_empty() {
            message = format!("running for {seconds:.0} s");
        }
        let progress = ProgressNotificationParam::new(token.clone(), seconds).with_message(message);
        if peer.notify_progress(progress).await.is_err() {
            return pending().await;
        }
    }
}
