//! Requests of the terminal contract that come over the bridge, each carried out at most once.
//!
//! ```text
//!   take ──► known? ── runs here ──────────► whoever asks again waits for the same end
//!              │  └──── ended ─────────────► the same answer again
//!              │  └──── begun by a hub that is gone ──► never again: it may have been started
//!              └─ no ─► noted ─► carried out ─► noted ─► answered
//! ```
//!
//! It goes on when its asker's connection breaks, but for a question to a person, which is withdrawn then.

use std::collections::HashMap;
use std::sync::Arc;

use flightdeck_contract::approval::Origin;
use flightdeck_contract::{Error, ErrorCode};
use parking_lot::Mutex;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::sync::watch;

use crate::actor::Surface;
use crate::agents::Arrival;
use crate::audit::now_ms;
use crate::call::Cancel;
use crate::convert;
use crate::hub::Hub;
use crate::progress::ProgressReport;
use crate::runtime::Errand;
use crate::store::{BeginErrand, Begun, ErrandChange, ErrandKey};
use crate::stream::Running;

/// What is called for all of them.
const COMMAND: &str = "memory_terminal_interactive";

/// Those that are under way.
#[derive(Debug, Default)]
pub(crate) struct Errands {
    live: Mutex<HashMap<ErrandKey, Arc<Live>>>,
}

/// One that is under way.
#[derive(Debug)]
struct Live {
    digest: String,
    answer: watch::Sender<Option<Result<Value, Error>>>,
    askers: watch::Sender<Askers>,
    progress: watch::Sender<ProgressReport>,
    cancel: Mutex<Option<Cancel>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Askers {
    here: usize,
    /// How often the last of them has gone.
    lost: u64,
}

/// Whether somebody still waits for a call that outlives its connection.
#[derive(Clone, Debug)]
pub struct Link(watch::Receiver<Askers>);

impl Link {
    /// Resolves when nobody waits, from the moment on in which this is called.
    pub(crate) async fn lost(mut self) {
        let before = self.0.borrow().lost;
        // An error means that the call itself is over.
        let _ = self.0.wait_for(|askers| askers.here == 0 || askers.lost != before).await;
    }
}

/// The place of somebody who waits for an answer.
#[derive(Debug)]
pub struct ErrandTicket {
    live: Arc<Live>,
    answer: watch::Receiver<Option<Result<Value, Error>>>,
}

impl ErrandTicket {
    fn new(live: Arc<Live>) -> Self {
        live.askers.send_modify(|askers| askers.here += 1);
        ErrandTicket { answer: live.answer.subscribe(), live }
    }

    /// How it ended.
    pub async fn answer(&mut self) -> Result<Value, Error> {
        let answer = self.answer.wait_for(Option::is_some).await.ok().and_then(|answer| answer.clone());
        answer.unwrap_or_else(|| Err(interrupted()))
    }

    /// What it does now.
    pub fn progress(&self) -> watch::Receiver<ProgressReport> {
        self.live.progress.subscribe()
    }

    /// Its asker wants it no more.
    pub fn give_up(&self) {
        if let Some(cancel) = &*self.live.cancel.lock() {
            cancel.cancel();
        }
    }
}

impl Drop for ErrandTicket {
    fn drop(&mut self) {
        self.live.askers.send_modify(|askers| {
            askers.here -= 1;
            askers.lost += u64::from(askers.here == 0);
        });
    }
}

impl Hub {
    /// Takes a request that came over the bridge.
    pub fn take_errand(self: &Arc<Self>, from: &Arc<Origin>, client: &str, errand: Errand) -> ErrandTicket {
        let digest = digest(&errand.request);
        let key = key(client, &errand);
        let mut all = self.errands().live.lock();
        if let Some(live) = all.get(&key) {
            if live.digest != digest {
                return ErrandTicket::new(settled(other()));
            }
            // Who asks again has lost the connection before, even if that was not noticed here.
            live.askers.send_modify(|askers| askers.lost += 1);
            return ErrandTicket::new(Arc::clone(live));
        }
        let live = Arc::new(Live {
            digest,
            answer: watch::Sender::new(None),
            askers: watch::Sender::default(),
            progress: watch::Sender::default(),
            cancel: Mutex::default(),
        });
        all.insert(key.clone(), Arc::clone(&live));
        drop(all);
        let ticket = ErrandTicket::new(Arc::clone(&live));
        let (hub, from) = (Arc::clone(self), Arc::clone(from));
        // In a task of its own: it does not end with its asker's connection.
        tokio::spawn(async move {
            let answer = hub.carry_out(&key, &live, from, errand).await;
            // Known to the store before it is forgotten here, so that it is always known.
            hub.errands().live.lock().remove(&key);
            live.answer.send_replace(Some(answer));
        });
        ticket
    }

    /// Its asker knows how it ended.
    pub async fn errand_delivered(&self, client: &str, agent: &str, request: &str) {
        let key = ErrandKey { client: format!("{client}/{agent}"), request: request.to_owned() };
        if let Err(error) = self.store().send(ErrandChange::Delivered(key)).await {
            tracing::warn!(%error, "that an answer has arrived could not be noted");
        }
    }

    async fn carry_out(
        self: &Arc<Self>,
        key: &ErrandKey,
        live: &Arc<Live>,
        from: Arc<Origin>,
        errand: Errand,
    ) -> Result<Value, Error> {
        let once = changes_something(&errand.request);
        if once {
            let begin = BeginErrand { key: key.clone(), digest: live.digest.clone(), at_ms: now_ms() };
            match self.store().send(begin).await.map_err(|error| convert::store_error(&error))? {
                Begun::Fresh => {}
                Begun::Answered(response) => return recalled(&response),
                Begun::Interrupted => return Err(interrupted()),
                Begun::Other => return Err(other()),
            }
        }
        let answer = self.run_errand(live, from, errand).await;
        if once {
            let lasting = answer.as_ref().is_ok_and(did_something);
            let response = answer.clone().unwrap_or_else(|error| json!({ "failed": error })).to_string();
            if let Err(error) = self.store().send(ErrandChange::End { key: key.clone(), response, lasting }).await {
                // It counts as interrupted from now on, and is never carried out again.
                tracing::error!(%error, "the end of a request could not be noted");
            }
        }
        answer
    }

    async fn run_errand(self: &Arc<Self>, live: &Live, from: Arc<Origin>, errand: Errand) -> Result<Value, Error> {
        let name = format!("{}@{}", errand.agent, from.container);
        let agent = self.agents().visit(&Arrival {
            name,
            version: String::new(),
            surface: Surface::Bridge,
            key: None,
            pid: None,
        });
        let mut caller = agent.caller();
        caller.trace = Some(errand.trace);
        caller.origin = Some(from);
        caller.link = Some(Link(live.askers.subscribe()));
        let Running { mut events, input: _input, cancel, mut progress, result } =
            self.begin(caller, COMMAND, errand.request);
        *live.cancel.lock() = Some(cancel);
        let told = async {
            while progress.changed().await.is_ok() {
                live.progress.send_replace(progress.borrow_and_update().clone());
            }
            std::future::pending::<()>().await;
        };
        let drained = async {
            // This command attaches nothing; one that would must not wait for us.
            while events.recv().await.is_some() {}
            std::future::pending::<()>().await;
        };
        tokio::select! {
            result = result => result,
            () = told => unreachable!("it never ends"),
            () = drained => unreachable!("it never ends"),
        }
    }
}

/// An answer as it was noted.
fn recalled(response: &str) -> Result<Value, Error> {
    let response: Value = serde_json::from_str(response).map_err(|_| interrupted())?;
    match response.get("failed") {
        Some(error) => Err(serde_json::from_value(error.clone()).unwrap_or_else(|_| interrupted())),
        None => Ok(response),
    }
}

fn settled(error: Error) -> Arc<Live> {
    Arc::new(Live {
        digest: String::new(),
        answer: watch::Sender::new(Some(Err(error))),
        askers: watch::Sender::default(),
        progress: watch::Sender::default(),
        cancel: Mutex::default(),
    })
}

fn key(client: &str, errand: &Errand) -> ErrandKey {
    ErrandKey { client: format!("{client}/{}", errand.agent), request: errand.request_id.clone() }
}

/// Whether doing it twice is another thing than doing it once.
fn changes_something(request: &Value) -> bool {
    !matches!(request["action"].as_str(), Some("read_output" | "list"))
}

/// Whether a response tells of something that was started or ended.
fn did_something(response: &Value) -> bool {
    response["success"] == true || response["identity"]["session_id"].is_string() || response["result"].is_object()
}

/// What a request asks for; its names may differ when it is sent again.
fn digest(request: &Value) -> String {
    let mut request = request.clone();
    if let Value::Object(fields) = &mut request {
        fields.shift_remove("correlation");
    }
    Sha256::digest(request.to_string()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn interrupted() -> Error {
    let text =
        "the hub of the host was ended while it carried this out: it may have been started, and is not run again";
    Error::new(ErrorCode::Disconnected, text)
        .hint("look with list whether it was started; send it under a new request_id to run it again")
}

fn other() -> Error {
    Error::invalid("correlation.request_id", "another request had this id: give each request one of its own")
}
