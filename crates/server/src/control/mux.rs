//! The calls of one connection, whatever carries its frames: many at once, none of which waits for another.
//!
//! ```text
//!   transport ──► Mux::take ──► Hub::begin ──► a task for each call: events against credit, input credit, the reply
//!       ▲                                             │
//!       └───────────────── Out (frames, in turn) ◄────┘
//! ```
//!
//! Taking a frame never waits for a call: input goes into the call's own bounded queue, events wait for the reader's
//! credit in the call's own task. Only a peer that does not read its connection at all holds up what it asked for itself.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use flightdeck_contract::control::{
    CallId, Frame, RelayId, Reply, Request, VERSION, WINDOW, encode_event, encode_message,
};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::{Caller, Cancel, Hub, Input, Order, Running, Taken};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::{oneshot, watch};

use crate::mcp::Selection;

/// How many calls one caller may have under way.
const CALLS: usize = 256;

/// The way to the caller. Frames are written whole, in turn, by whoever has one: there is no queue that could fill up.
pub(super) trait Out: Send + Sync + 'static {
    /// Sends a frame with its length before it. `false`: the caller is gone.
    fn send(&self, frame: Vec<u8>) -> impl Future<Output = bool> + Send;
}

/// Finds out who calls, from what they call themselves: when they have said hello, and again when more is known of agents.
pub(super) type Identify = Box<dyn Fn(String) -> Pin<Box<dyn Future<Output = Caller> + Send>> + Send + Sync>;

/// Who calls.
struct Identified {
    caller: Caller,
    /// What they call themselves.
    actor: String,
    /// What was known of agents when that was found out.
    generation: u64,
}

/// How a connection goes on after a frame.
pub(super) enum Next {
    Frame,
    Over,
    Mcp(Selection, Option<RelayId>),
}

/// A call under way, as frames reach it.
struct Open {
    cancel: Cancel,
    input: Input,
    /// All the credit that was ever granted for its events. `None`: they are not wanted any more.
    credit: Option<watch::Sender<u64>>,
    /// It broke the rules: how that is told in place of its result.
    broken: Option<Error>,
}

impl Open {
    /// Gives the call up. An event that waits for credit waits no more: nobody will grant it.
    fn give_up(&mut self) {
        self.cancel.cancel();
        self.credit = None;
    }
}

type Calls = Arc<Mutex<HashMap<CallId, Open>>>;

/// One connection.
pub(super) struct Mux<O> {
    hub: Arc<Hub>,
    out: Arc<O>,
    calls: Calls,
    identify: Identify,
    identified: Option<Identified>,
    order: Arc<Order>,
}

impl<O> Drop for Mux<O> {
    /// The caller is gone, and with it whoever wanted the results.
    fn drop(&mut self) {
        for (_, mut open) in self.calls.lock().drain() {
            open.give_up();
        }
    }
}

impl<O: Out> Mux<O> {
    pub(super) fn new(hub: Arc<Hub>, out: Arc<O>, identify: Identify) -> Self {
        Mux { hub, out, calls: Calls::default(), identify, identified: None, order: Arc::default() }
    }

    /// Finds out who it is.
    async fn identify(&mut self, actor: String) {
        // Before the look, so that what becomes known during it leads to another one.
        let generation = self.hub.identity_generation();
        let caller = (self.identify)(actor.clone()).await;
        self.identified = Some(Identified { caller, actor, generation });
    }

    /// Who it is by all that is known now; `None` before they have said hello.
    async fn caller(&mut self) -> Option<Caller> {
        let known = self.identified.as_ref()?;
        if known.generation != self.hub.identity_generation() {
            let actor = known.actor.clone();
            self.identify(actor).await;
        }
        self.identified.as_ref().map(|known| known.caller.clone())
    }

    /// Takes a frame.
    pub(super) async fn take(&mut self, frame: Frame) -> Next {
        match frame {
            Frame::Message(json) => match serde_json::from_slice(&json) {
                Ok(request) => self.handle(request).await,
                Err(error) => self.refuse(invalid(format!("not a request: {error}"))).await,
            },
            Frame::Input { id, bytes } => {
                if let Some(open) = self.calls.lock().get_mut(&id)
                    && let Err(error) = open.input.send(bytes)
                {
                    // What was typed is not dropped in silence: the call ends with the reason.
                    open.broken = Some(error);
                    open.give_up();
                }
                Next::Frame
            }
            Frame::Event { .. } => self.refuse(invalid("events come from the hub")).await,
        }
    }

    async fn handle(&mut self, request: Request) -> Next {
        match request {
            Request::Hello { version, actor } if version == VERSION => {
                if self.identified.is_some() {
                    return self.refuse(invalid("hello was said already")).await;
                }
                self.identify(actor).await;
                self.send(&Reply::Welcome {
                    version: VERSION,
                    build: env!("CARGO_PKG_VERSION").to_owned(),
                    acknowledges_input: true,
                })
                .await
            }
            Request::Hello { version, .. } => {
                let text = format!("this hub speaks version {VERSION} of its protocol, the caller {version}");
                let error = Error::new(ErrorCode::VersionMismatch, text)
                    .hint("`flightdeck restart` of the newer release ends the older hub; terminals go on");
                self.refuse(error).await
            }
            Request::Call { .. } | Request::Mcp { .. } if self.identified.is_none() => {
                self.refuse(invalid("say hello first")).await
            }
            Request::Mcp { tools, tool_names, compat_tools, relay } => match Selection::parse(&tools, tool_names) {
                Ok(selection) => match self.send(&Reply::Mcp {}).await {
                    Next::Frame => Next::Mcp(selection.with_compat(compat_tools), relay),
                    over => over,
                },
                Err(error) => self.refuse(error).await,
            },
            Request::Call { id, command, args, credit } => {
                self.begin(id, &command, args, credit.unwrap_or(WINDOW)).await
            }
            Request::Credit { id, bytes } => {
                if let Some(Open { credit: Some(credit), .. }) = self.calls.lock().get(&id) {
                    credit.send_modify(|credit| *credit = credit.saturating_add(bytes.into()));
                }
                Next::Frame
            }
            Request::Cancel { id } => {
                if let Some(open) = self.calls.lock().get_mut(&id) {
                    open.give_up();
                }
                Next::Frame
            }
        }
    }

    async fn begin(&mut self, id: CallId, command: &str, args: Value, credit: u32) -> Next {
        let Some(mut caller) = self.caller().await else { return Next::Over };
        let problem = {
            let calls = self.calls.lock();
            if calls.contains_key(&id) {
                Some(format!("call {id} is under way already"))
            } else if calls.len() >= CALLS {
                Some(format!("{CALLS} calls are under way: wait for some to end"))
            } else {
                None
            }
        };
        if let Some(problem) = problem {
            return self.send(&Reply::Failed { id: Some(id), error: invalid(problem) }).await;
        }
        caller.ticket = Some(Arc::new(self.order.ticket()));
        let Running { events, input, cancel, result, .. } = self.hub.begin(caller, command, args);
        let (credit, granted) = watch::channel(credit.into());
        let taken = input.taken();
        self.calls.lock().insert(id, Open { cancel, input, credit: Some(credit), broken: None });
        let (out, calls) = (Arc::clone(&self.out), Arc::clone(&self.calls));
        tokio::spawn(async move {
            let telling = tell(&*out, id, events, granted);
            let (over, ended) = oneshot::channel::<()>();
            // The command drops its end of the events when it is done, which ends the telling after the last one.
            let carrying_out = async {
                let (result, ()) = tokio::join!(result, telling);
                drop(over);
                result
            };
            let (result, ()) = tokio::join!(carrying_out, grant(&*out, id, taken, ended));
            let broken = calls.lock().remove(&id).and_then(|open| open.broken);
            let reply = match broken.map_or(result, Err) {
                Ok(result) => Reply::Done { id, result },
                Err(error) => Reply::Failed { id: Some(id), error },
            };
            // Nobody there to hear it any more is fine.
            out.send(encode_message(&reply)).await;
        });
        Next::Frame
    }

    /// Refuses the connection.
    pub(super) async fn refuse(&self, error: Error) -> Next {
        self.send(&Reply::Failed { id: None, error }).await;
        Next::Over
    }

    async fn send(&self, reply: &Reply) -> Next {
        if self.out.send(encode_message(reply)).await { Next::Frame } else { Next::Over }
    }
}

pub(super) fn invalid(text: impl Into<String>) -> Error {
    Error::new(ErrorCode::InvalidArgument, text)
}

/// Sends events while there is credit for them. One may exceed it, so that none is too large to be sent.
async fn tell(
    out: &impl Out,
    id: CallId,
    mut events: tokio::sync::mpsc::Receiver<flightdeck_core::Event>,
    mut granted: watch::Receiver<u64>,
) {
    let mut sent = 0;
    while let Some(event) = events.recv().await {
        // The next ones wait in the command, which knows what is too old to be of use.
        if granted.wait_for(|granted| *granted > sent).await.is_err() {
            return;
        }
        sent += (event.json.len() + event.bytes.len()) as u64;
        if !out.send(encode_event(id, &event.json, &event.bytes)).await {
            return;
        }
    }
}

/// Grants as much input again as the command has taken, until it has ended; the last of it before its result is told.
async fn grant(out: &impl Out, id: CallId, mut taken: Taken, mut ended: oneshot::Receiver<()>) {
    loop {
        let (bytes, is_last) = tokio::select! {
            bytes = taken.more() => (bytes, false),
            _ = &mut ended => (taken.rest(), true),
        };
        // A frame is sent whole, or what follows would be read as the rest of it.
        if (bytes > 0 && !out.send(encode_message(&Reply::Credit { id, bytes })).await) || is_last {
            return;
        }
    }
}
