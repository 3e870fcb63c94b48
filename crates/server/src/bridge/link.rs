//! The container's connection to its host: one for all requests, made when it is needed, and made anew when it breaks while somebody
//! waits for an answer.
//!
//! ```text
//!   idle ──(request)──► connecting ──► connected ──(breaks, nobody waits)──► idle
//!     ▲                     ▲              │
//!     │ time is up          └─ resuming ◄──┘ breaks, somebody waits: the same requests are sent again, and the host
//!     └──────────────────────────┘           carries none of them out twice
//! ```

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::{BridgeInputs, Errand};
use serde_json::{Value, json};
use tokio::io::BufReader;
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::connect::{Connected, connect, is_lasting, tell};
use super::frames::{ClientSays, HostSays, MISSED, next_line};
use super::handshake::Client;
use super::host::send;
use super::seal::{MAX_LINE_BYTES, Opener};

/// How long it is tried to go on while somebody waits and nothing is answered: connections that can't be made, and
/// connections that break as soon as they are used. One that has held for so long begins the time anew.
const RESUME_TIMEOUT: Duration = Duration::from_secs(15);
/// Between the first two tries; each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(4);

/// What is asked of the connection.
#[derive(Debug)]
pub enum Order {
    /// See that there is one.
    Connect(oneshot::Sender<Result<(), Error>>),
    /// Send this.
    Request { id: u64, errand: Errand, accepted: oneshot::Sender<()>, answer: oneshot::Sender<Result<Value, Error>> },
    /// Nobody waits for this any more.
    GiveUp { id: u64 },
}

/// A request without an answer.
#[derive(Debug)]
struct Waiting {
    errand: Errand,
    accepted: Option<oneshot::Sender<()>>,
    answer: oneshot::Sender<Result<Value, Error>>,
    /// The host has it.
    arrived: bool,
}

/// Who holds the connection.
pub struct Link {
    pub inputs: Arc<BridgeInputs>,
    pub client: Client,
    pub orders: mpsc::Receiver<Order>,
}

/// The tries to go on since the last answer.
struct Retries {
    until: Instant,
    pause: Duration,
    made: u32,
}

impl Retries {
    fn begin() -> Self {
        Retries { until: Instant::now() + RESUME_TIMEOUT, pause: Duration::ZERO, made: 0 }
    }

    /// Waits until the next try; `false` when there is to be none.
    async fn wait(&mut self) -> bool {
        let next = Instant::now() + self.pause;
        if next > self.until {
            return false;
        }
        tokio::time::sleep_until(next).await;
        self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        self.made += 1;
        true
    }
}

/// Why a connection is no more.
enum Over {
    /// Nobody can ask for anything any more.
    Closed,
    Broken(String),
}

impl Link {
    /// Serves orders until nobody can give any.
    pub async fn run(mut self) {
        let mut waiting = BTreeMap::new();
        loop {
            let Some(order) = self.orders.recv().await else { return };
            let asked = match order {
                Order::GiveUp { .. } => continue,
                Order::Connect(asked) => Some(asked),
                Order::Request { id, errand, accepted, answer } => {
                    waiting.insert(id, Waiting { errand, accepted: Some(accepted), answer, arrived: false });
                    None
                }
            };
            let mut connected = match connect(&self.inputs, &self.client).await {
                Ok(connected) => connected,
                Err(error) => {
                    fail(&mut waiting, &error);
                    asked.map(|asked| asked.send(Err(error)));
                    continue;
                }
            };
            asked.map(|asked| asked.send(Ok(())));
            // As long as somebody waits, a connection that breaks is made anew.
            let mut retries = None;
            loop {
                let began = Instant::now();
                let mut answered = false;
                let reason = match self.hold(connected, &mut waiting, &mut answered).await {
                    Over::Closed => return,
                    Over::Broken(reason) => reason,
                };
                tell(&self.inputs, format_args!("the connection broke: {reason}; {} requests wait", waiting.len()));
                if waiting.is_empty() {
                    break;
                }
                if answered || began.elapsed() >= RESUME_TIMEOUT {
                    retries = None;
                }
                let retries = retries.get_or_insert_with(Retries::begin);
                match self.resume(&reason, retries, &mut waiting).await {
                    Some(again) => connected = again,
                    None => break,
                }
            }
        }
    }

    /// Connects anew, or answers everybody that it is not possible. The first time at once, then after longer and longer
    /// pauses: a connection that is made may be one that breaks when it is used.
    async fn resume(
        &mut self,
        reason: &str,
        retries: &mut Retries,
        waiting: &mut BTreeMap<u64, Waiting>,
    ) -> Option<Connected> {
        let mut failed = None;
        loop {
            self.forget(waiting);
            if waiting.is_empty() || !retries.wait().await {
                break;
            }
            self.forget(waiting);
            match connect(&self.inputs, &self.client).await {
                Ok(connected) => return Some(connected),
                Err(error) => {
                    let is_lasting = is_lasting(&error);
                    failed = Some(error);
                    if is_lasting {
                        break;
                    }
                }
            }
        }
        for (_, Waiting { answer, arrived, .. }) in std::mem::take(waiting) {
            let _ = answer.send(Err(lost(reason, arrived, retries.made, failed.as_ref())));
        }
        None
    }

    /// Takes what was asked for meanwhile, and forgets what nobody waits for.
    fn forget(&mut self, waiting: &mut BTreeMap<u64, Waiting>) {
        while let Ok(order) = self.orders.try_recv() {
            match order {
                Order::Connect(asked) => {
                    // What it is for is sent as soon as there is a connection.
                    let _ = asked.send(Ok(()));
                }
                Order::Request { id, errand, accepted, answer } => {
                    waiting.insert(id, Waiting { errand, accepted: Some(accepted), answer, arrived: false });
                }
                Order::GiveUp { .. } => {}
            }
        }
        waiting.retain(|_, waiting| !waiting.answer.is_closed());
    }

    /// Uses a connection until it breaks. `answered` tells whether an answer came by it.
    async fn hold(&mut self, connected: Connected, waiting: &mut BTreeMap<u64, Waiting>, answered: &mut bool) -> Over {
        let Connected { read, mut write, agreed, heartbeat } = connected;
        let mut sealer = agreed.sealer;
        let (heard, mut hears) = mpsc::channel(16);
        // A task of its own, because half a line must not be lost when something else is to be done.
        let listener = tokio::spawn(listen(read, agreed.opener, heartbeat, heard));
        let _listener = AbortOnDrop(listener);
        let mut beat = tokio::time::interval(heartbeat);
        // The first line proves this side to the host, which takes no long one before that.
        let mut outgoing = vec![ClientSays::Beat];
        outgoing.extend(waiting.iter().map(|(id, waiting)| request(*id, &waiting.errand)));
        loop {
            for says in outgoing.drain(..) {
                tell(&self.inputs, format_args!("out {}", summary(&says)));
                let line = match sealer.seal(&says) {
                    Ok(line) => line,
                    Err(broken) => {
                        // What is too long for the bridge is so the next time as well.
                        if let ClientSays::Request { id, .. } = says
                            && let Some(waiting) = waiting.remove(&id)
                        {
                            let error =
                                Error::new(ErrorCode::TooLarge, broken.to_string()).hint("send a shorter request");
                            let _ = waiting.answer.send(Err(error.details(json!({ "started": false }))));
                        }
                        continue;
                    }
                };
                if let Err(error) = send(&mut write, &line, heartbeat).await {
                    return Over::Broken(error.to_string());
                }
            }
            tokio::select! {
                order = self.orders.recv() => match order {
                    None => return Over::Closed,
                    Some(Order::Connect(asked)) => drop(asked.send(Ok(()))),
                    Some(Order::GiveUp { id }) => {
                        if waiting.remove(&id).is_some() {
                            outgoing.push(ClientSays::Cancel { id });
                        }
                    }
                    Some(Order::Request { id, errand, accepted, answer }) => {
                        outgoing.push(request(id, &errand));
                        waiting.insert(id, Waiting { errand, accepted: Some(accepted), answer, arrived: false });
                    }
                },
                said = hears.recv() => match said {
                    Some(Ok(said)) => {
                        let acknowledged = take(said, waiting, &self.inputs);
                        *answered |= acknowledged.is_some();
                        outgoing.extend(acknowledged);
                    }
                    Some(Err(reason)) => return Over::Broken(reason),
                    None => return Over::Broken("the connection is gone".to_owned()),
                },
                _ = beat.tick() => outgoing.push(ClientSays::Beat),
            }
        }
    }
}

struct AbortOnDrop(tokio::task::JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn request(id: u64, errand: &Errand) -> ClientSays {
    ClientSays::Request {
        id,
        request_id: errand.request_id.clone(),
        trace: errand.trace.clone(),
        agent: errand.agent.clone(),
        request: errand.request.clone(),
    }
}

/// Hands over what the host said; what is to be said to that is given back.
fn take(said: HostSays, waiting: &mut BTreeMap<u64, Waiting>, inputs: &BridgeInputs) -> Option<ClientSays> {
    let (id, answer) = match said {
        HostSays::Beat => return None,
        HostSays::Accepted { id } => {
            tell(inputs, format_args!("in accepted {id}"));
            if let Some(waiting) = waiting.get_mut(&id) {
                waiting.arrived = true;
                waiting.accepted.take().map(|accepted| accepted.send(()));
            }
            return None;
        }
        HostSays::Progress { id, report } => {
            if let Some(waiting) = waiting.get(&id) {
                waiting.errand.progress.send_replace(report);
            }
            return None;
        }
        HostSays::Response { id, response } => (id, Ok(response)),
        HostSays::Failed { id, error } => (id, Err(error)),
    };
    tell(inputs, format_args!("in {} {id}", if answer.is_ok() { "response" } else { "failed" }));
    if let Some(waiting) = waiting.remove(&id) {
        waiting.accepted.map(|accepted| accepted.send(()));
        // Whoever gave up in this moment knows that it may have been carried out.
        let _ = waiting.answer.send(answer);
    }
    Some(ClientSays::Ack { id })
}

fn summary(says: &ClientSays) -> String {
    match says {
        ClientSays::Request { id, request_id, trace, agent, .. } => {
            format!("request {id} {request_id} {trace} of {agent}")
        }
        ClientSays::Cancel { id } => format!("cancel {id}"),
        ClientSays::Ack { id } => format!("ack {id}"),
        ClientSays::Beat => "beat".to_owned(),
    }
}

/// Reads what the host says until the connection breaks.
async fn listen(
    mut read: BufReader<OwnedReadHalf>,
    mut opener: Opener,
    heartbeat: Duration,
    heard: mpsc::Sender<Result<HostSays, String>>,
) {
    let mut line = Vec::new();
    loop {
        let said = match next_line(&mut read, &mut line, MAX_LINE_BYTES, heartbeat * MISSED).await {
            Ok(true) => opener.open(&line).map_err(|broken| broken.to_string()),
            Ok(false) => Err("the host hung up".to_owned()),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => Err("the host was silent for too long".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        let over = said.is_err();
        if heard.send(said).await.is_err() || over {
            return;
        }
    }
}

/// Everybody who waits learns that there is no connection.
fn fail(waiting: &mut BTreeMap<u64, Waiting>, error: &Error) {
    for (_, Waiting { answer, .. }) in std::mem::take(waiting) {
        let _ = answer.send(Err(error.clone()));
    }
}

/// The connection broke while the answer was awaited, and going on with a new one did not help either.
fn lost(reason: &str, arrived: bool, retries: u32, failed: Option<&Error>) -> Error {
    let (what, hint) = if arrived {
        (
            "the host has the request, and a command that was started goes on there; a question to a person is withdrawn",
            "when the host can be reached again, look with list, or send the same request_id again: it is not run twice",
        )
    } else {
        ("it is not known whether the host has the request", "send the same request_id again: it is not run twice")
    };
    let details = failed.and_then(|failed| failed.details.as_deref());
    let attempts = details.and_then(|details| details.get("attempts")).cloned();
    Error::new(ErrorCode::Disconnected, format!("the connection to the host broke ({reason}): {what}"))
        .hint(hint)
        .details(
            json!({ "adapter": "container_bridge", "attempts": attempts, "reconnects": retries, "accepted": arrived }),
        )
}
