//! Who wants to know what changed, in both ages of the protocol.
//!
//! Until 2025-11-25 a client subscribes to resources one by one and is told of changed lists without asking; since
//! 2026-07-28 it opens a stream for what it names. Either way a watch of the hub drives the notifications, and a
//! client that does not read only holds up its own watch, which then skips to the newest.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;

use flightdeck_contract::events::WatchHub;
use flightdeck_contract::terminal::WatchTerminal;
use flightdeck_contract::{Error, ErrorCode, Streams};
use flightdeck_core::{Caller, Hub, Next, Running};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use parking_lot::Mutex;
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, SubscriptionSink};
use rmcp::{ErrorData, RoleServer};
use tokio::sync::watch::Receiver;
use tokio::task::AbortHandle;

use super::Service;
use super::resources::{self, Address};

/// How many resources one client may watch.
const SUBSCRIPTIONS: usize = 256;

/// Begins to watch something. It ends when it is dropped.
async fn watch<Q: Streams>(hub: &Arc<Hub>, caller: Caller, request: Q) -> Result<Running, Error> {
    let args = serde_json::to_value(request).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))?;
    hub.begin(caller, Q::COMMAND, args).ready().await
}

/// Where notifications go.
#[derive(Clone)]
enum Sink {
    /// To the client at large.
    Peer(Peer<RoleServer>),
    /// Into one stream of it.
    Stream(SubscriptionSink),
}

/// What a client is told.
enum Notice<'a> {
    Updated(&'a str),
    Resources,
    Tools,
    Prompts,
}

impl Sink {
    /// `false`: the client is gone.
    async fn tell(&self, notice: Notice<'_>) -> bool {
        match self {
            Sink::Peer(peer) => match notice {
                Notice::Updated(uri) => peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await,
                Notice::Resources => peer.notify_resource_list_changed().await,
                Notice::Tools => peer.notify_tool_list_changed().await,
                Notice::Prompts => peer.notify_prompt_list_changed().await,
            }
            .is_ok(),
            Sink::Stream(stream) => match notice {
                Notice::Updated(uri) => stream.notify_resource_updated(uri).await,
                Notice::Resources => stream.notify_resource_list_changed().await,
                Notice::Tools => stream.notify_tool_list_changed().await,
                Notice::Prompts => stream.notify_prompt_list_changed().await,
            }
            .is_ok(),
        }
    }
}

/// A task that ends with whoever holds it.
#[derive(Debug)]
struct Task(AbortHandle);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What one connection has subscribed to. All of it ends with the connection.
#[derive(Debug, Default)]
pub(super) struct Subscriptions {
    resources: Mutex<HashMap<String, Task>>,
    lists: Mutex<Option<Task>>,
}

impl Subscriptions {
    /// `resources/subscribe`.
    pub(super) async fn add(
        &self,
        service: &Service,
        caller: Caller,
        uri: String,
        peer: Peer<RoleServer>,
    ) -> Result<(), ErrorData> {
        if service.extras.as_ref().is_some_and(|extras| extras.has(&uri)) {
            return Ok(());
        }
        let full = {
            let mut resources = self.resources.lock();
            // Those of terminals that have ended say nothing more.
            resources.retain(|_, task| !task.0.is_finished());
            resources.len() >= SUBSCRIPTIONS && !resources.contains_key(&uri)
        };
        if full {
            let problem = format!("there are {SUBSCRIPTIONS} subscriptions already: unsubscribe from some");
            return Err(ErrorData::invalid_request(problem, None));
        }
        let terminal = Address::parse(&uri).and_then(|address| address.terminal());
        let id = terminal.ok_or_else(|| resources::not_found(&uri))?;
        let watch = watch(&service.hub, caller, WatchTerminal { id }).await;
        let watch = watch.map_err(|error| resources::failed(&error, Some(&uri)))?;
        let task = tokio::spawn(updates(watch, uri.clone(), Sink::Peer(peer)));
        let task = Task(task.abort_handle());
        self.resources.lock().insert(uri, task);
        Ok(())
    }

    /// `resources/unsubscribe`. Not to have subscribed is fine.
    pub(super) fn remove(&self, uri: &str) {
        self.resources.lock().remove(uri);
    }

    /// Tells the client of changed lists from now on.
    pub(super) fn follow_lists(&self, service: &Service, caller: Caller, peer: Peer<RoleServer>) {
        let service = service.clone();
        let task = tokio::spawn(async move {
            let sink = Sink::Peer(peer);
            tokio::join!(
                tool_changes(&service, &sink),
                prompt_changes(&service, &sink),
                terminal_changes(&service.hub, caller, &sink),
            );
        });
        *self.lists.lock() = Some(Task(task.abort_handle()));
    }
}

/// What of a filter there is to hear about.
pub(super) fn accepted(requested: &SubscriptionFilter, service: &Service) -> SubscriptionFilter {
    let mut accepted = requested.clone();
    if let Some(uris) = &mut accepted.resource_subscriptions {
        uris.retain(|uri| {
            let known = Address::parse(uri).is_some_and(|address| address.terminal().is_some());
            known || service.extras.as_ref().is_some_and(|extras| extras.has(uri))
        });
        uris.truncate(SUBSCRIPTIONS);
    }
    accepted
}

/// `subscriptions/listen`: feeds a stream for as long as it is polled.
pub(super) async fn listen(service: &Service, caller: Caller, stream: &SubscriptionSink) {
    let sink = Sink::Stream(stream.clone());
    let wanted = stream.accepted();
    let terminals: FuturesUnordered<_> = wanted
        .resource_subscriptions
        .iter()
        .flatten()
        .map(|uri| terminal_updates(&service.hub, caller.clone(), uri, sink.clone()))
        .collect();
    tokio::join!(
        asked(wanted.tools_list_changed, tool_changes(service, &sink)),
        asked(wanted.prompts_list_changed, prompt_changes(service, &sink)),
        asked(wanted.resources_list_changed, terminal_changes(&service.hub, caller.clone(), &sink)),
        terminals.collect::<()>(),
    );
    // Nothing is left to tell; the stream stays open until its client closes it.
    pending::<()>().await;
}

async fn asked(flag: Option<bool>, work: impl Future<Output = ()>) {
    if flag == Some(true) {
        work.await;
    }
}

async fn terminal_updates(hub: &Arc<Hub>, caller: Caller, uri: &str, sink: Sink) {
    let Some(id) = Address::parse(uri).and_then(|address| address.terminal()) else { return };
    // A terminal that is gone has nothing to tell, as one that goes later.
    if let Ok(watch) = watch(hub, caller, WatchTerminal { id }).await {
        updates(watch, uri.to_owned(), sink).await;
    }
}

async fn updates(mut watch: Running, uri: String, sink: Sink) {
    while let Next::Event(_) = watch.next().await {
        if !sink.tell(Notice::Updated(&uri)).await {
            return;
        }
    }
}

async fn terminal_changes(hub: &Arc<Hub>, caller: Caller, sink: &Sink) {
    let list = WatchHub { list: true, ..WatchHub::default() };
    let Ok(mut watch) = watch(hub, caller, list).await else { return };
    while matches!(watch.next().await, Next::Event(_)) && sink.tell(Notice::Resources).await {}
}

async fn tool_changes(service: &Service, sink: &Sink) {
    let further = service.extras.as_ref().and_then(|extras| extras.tool_changes());
    tokio::join!(
        versions(Some(service.hub.registry().changes()), || sink.tell(Notice::Tools)),
        versions(further, || sink.tell(Notice::Tools)),
    );
}

async fn prompt_changes(service: &Service, sink: &Sink) {
    let changes = service.extras.as_ref().and_then(|extras| extras.prompt_changes());
    versions(changes, || sink.tell(Notice::Prompts)).await;
}

/// Tells of each change until nobody listens.
async fn versions<F: Future<Output = bool>>(changes: Option<Receiver<u64>>, tell: impl Fn() -> F) {
    let Some(mut changes) = changes else { return };
    while changes.changed().await.is_ok() && tell().await {}
}
