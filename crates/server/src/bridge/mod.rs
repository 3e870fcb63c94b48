//! The bridge between the hub of a container and the hub of its host: interactive work leaves the container, a person on the
//! host decides about it, and it runs there.
//!
//! ```text
//!   container: Hub ─► Adapter ─► Link ─► connect ══ TCP, encrypted lines ══► host: Listener ─► Visit ─► Hub::take_errand
//! ```

mod connect;
mod frames;
mod handshake;
mod host;
mod link;
mod seal;

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use flightdeck_contract::hub::BridgeStatus;
use flightdeck_contract::{Error, ErrorCode, pm};
use flightdeck_core::{Adapter, BridgeInputs, Connect, Doing, Errand, Hub, Sent, TokenSource, Way};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::auth::Token;
use handshake::Client;
pub use host::Listener;
use link::{Link, Order};

/// How many orders may wait for the connection.
const ORDERS: usize = 64;

type Answer = oneshot::Receiver<Result<Value, Error>>;

/// The way out of the container.
#[derive(Debug)]
pub struct ContainerBridge {
    inputs: Arc<BridgeInputs>,
    orders: mpsc::Sender<Order>,
    last: AtomicU64,
    answers: Mutex<HashMap<u64, Answer>>,
}

/// Gives the hub its way out of the container, where one is set up.
pub fn serve_container(hub: &Arc<Hub>) {
    let Ok(inputs) = hub.bridge_inputs() else { return };
    let inputs = Arc::new(inputs.clone());
    let client = Client {
        id: hub.bridge_name(),
        container: inputs.container.clone(),
        workspace: hub.workspace().root().to_string_lossy().into_owned(),
    };
    let (orders, received) = mpsc::channel(ORDERS);
    tokio::spawn(Link { inputs: Arc::clone(&inputs), client, orders: received }.run());
    let bridge = ContainerBridge { inputs, orders, last: AtomicU64::new(0), answers: Mutex::default() };
    hub.reach_people_by(Way::ContainerBridge, Arc::new(bridge));
}

/// Opens the door for hubs of containers, where the settings say so.
pub async fn serve_host(hub: &Arc<Hub>) -> io::Result<Option<Listener>> {
    let settings = &hub.settings().bridge;
    if !settings.enabled {
        return Ok(None);
    }
    let said = std::env::var(pm::HOST_PORT).ok().and_then(|port| port.trim().parse().ok());
    let address = SocketAddr::new(settings.address, settings.port.or(said).unwrap_or(pm::DEFAULT_HOST_PORT));
    let own = hub.workspace().state().join("bridge-token");
    let token = match &settings.token_file {
        Some(file) => TokenSource::File(file.clone()).read().map_err(io::Error::other)?,
        None => Token::open(&own)?.text().to_owned(),
    };
    let token_file = settings.token_file.clone().unwrap_or(own);
    let heartbeat = Duration::from_millis(settings.heartbeat_ms);
    let listener = Listener::bind(address, &token, heartbeat).await.map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::AddrNotAvailable => {
                "no network of this machine has that address now (one of podman's comes with its first container): set \
                 `bridge.address` in the settings, or name another one with --bridge"
            }
            _ => "another hub may serve it: set `bridge.port` in the settings, or end that one",
        };
        io::Error::new(error.kind(), format!("{address} can't be listened at: {error}; {hint}"))
    })?;
    let address = listener.address()?.to_string();
    hub.serves_bridge(BridgeStatus { address, token_file: token_file.to_string_lossy().into_owned() });
    Ok(Some(listener))
}

impl ContainerBridge {
    async fn order(&self, order: Order) -> Result<(), Error> {
        self.orders.send(order).await.map_err(|_| ended())
    }

    async fn preflight(&self) -> Result<(), Error> {
        let (asked, answer) = oneshot::channel();
        self.order(Order::Connect(asked)).await?;
        answer.await.unwrap_or_else(|_| Err(ended()))
    }

    async fn send(&self, errand: Errand) -> Result<Sent, Error> {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let (accepted, is_accepted) = oneshot::channel();
        let (answer, mut answered) = oneshot::channel();
        let mut given_up = GiveUp { id, orders: Some(self.orders.clone()) };
        self.order(Order::Request { id, errand, accepted, answer }).await?;
        let waited = tokio::time::timeout(self.inputs.request, async {
            tokio::select! {
                Ok(()) = is_accepted => None,
                answer = &mut answered => Some(answer),
            }
        });
        match waited.await {
            Ok(None) => {}
            Ok(Some(Ok(Err(error)))) => {
                given_up.orders = None;
                return Err(error);
            }
            Ok(Some(answer)) => {
                given_up.orders = None;
                let (again, receiver) = oneshot::channel();
                let _ = again.send(answer.unwrap_or_else(|_| Err(ended())));
                answered = receiver;
            }
            Err(_) => {
                let text = format!(
                    "the host did not confirm the request within {} ms: it is not known whether it runs there",
                    self.inputs.request.as_millis()
                );
                let hint = format!(
                    "send the same request_id again: it is not run twice; action list tells what runs on the host; {} is the time that was waited",
                    pm::REQUEST_TIMEOUT_MS
                );
                let details = json!({ "adapter": "container_bridge", "accepted": false });
                return Err(Error::new(ErrorCode::TimedOut, text).hint(hint).details(details));
            }
        }
        given_up.orders = None;
        self.answers.lock().insert(id, answered);
        Ok(Sent::There(id))
    }

    async fn answer(&self, id: u64) -> Result<Value, Error> {
        let Some(answer) = self.answers.lock().remove(&id) else { return Err(ended()) };
        let mut given_up = GiveUp { id, orders: Some(self.orders.clone()) };
        let answer = answer.await.unwrap_or_else(|_| Err(ended()));
        given_up.orders = None;
        answer
    }
}

/// Tells the host that nobody waits any more, unless the answer came.
struct GiveUp {
    id: u64,
    orders: Option<mpsc::Sender<Order>>,
}

impl Drop for GiveUp {
    fn drop(&mut self) {
        if let Some(orders) = self.orders.take() {
            let id = self.id;
            // A task, because the queue may be full and nobody is left to wait.
            tokio::spawn(async move { orders.send(Order::GiveUp { id }).await });
        }
    }
}

fn ended() -> Error {
    Error::new(ErrorCode::HubStopping, "the hub ends or restarts now").hint("connect again, and look with list")
}

impl Adapter for ContainerBridge {
    fn connect<'a>(&'a self, _: &'a Connect) -> Doing<'a, ()> {
        Box::pin(self.preflight())
    }

    fn health_check(&self) -> Doing<'_, ()> {
        Box::pin(self.preflight())
    }

    fn send_request(&self, errand: Errand) -> Doing<'_, Sent> {
        Box::pin(self.send(errand))
    }

    fn await_response(&self, ticket: u64) -> Doing<'_, Value> {
        Box::pin(self.answer(ticket))
    }

    fn recover<'a>(&'a self, _: &'a Connect) -> Doing<'a, ()> {
        Box::pin(self.preflight())
    }

    fn close(&self) {}
}
