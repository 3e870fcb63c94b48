//! A connection with any number of calls under way, for programs with a runtime.
//!
//! One task reads the socket and hands each frame to its call; what a call has not taken yet is bounded by the credit it
//! was granted, so that one stream which is not read holds up no other.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use flightdeck_contract::Streams;
use flightdeck_contract::control::{
    self, CallId, Frame, Reply, Request, VERSION, WINDOW, encode_input, encode_message, frame_length,
};
use parking_lot::Mutex;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{mpsc, oneshot, watch};

use crate::Error;

/// A connection to a hub. Clones share it; it closes with the last one and the last call.
#[derive(Clone, Debug)]
pub struct Client {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    write: tokio::sync::Mutex<OwnedWriteHalf>,
    calls: Arc<Mutex<Calls>>,
}

#[derive(Debug, Default)]
struct Calls {
    last: CallId,
    open: HashMap<CallId, Slot>,
    /// The connection has ended.
    over: bool,
}

/// Where the frames of one call go.
#[derive(Debug)]
struct Slot {
    events: mpsc::UnboundedSender<(Vec<u8>, Vec<u8>)>,
    done: oneshot::Sender<Result<Value, flightdeck_contract::Error>>,
    granted: watch::Sender<u64>,
}

impl Client {
    /// Connects to the hub at this socket, as `actor` in its records; [`Hub`](crate::Hub) knows the socket of a folder. An
    /// [`Error::Io`] here means that none is there.
    pub async fn connect(socket: &Path, actor: &str) -> Result<Self, Error> {
        let (read, mut write) = UnixStream::connect(socket).await?.into_split();
        let hello = Request::Hello { version: VERSION, actor: actor.to_owned() };
        write.write_all(&encode_message(&hello)).await?;
        let mut read = BufReader::new(read);
        match frame(&mut read).await? {
            Frame::Message(json) => match serde_json::from_slice(&json)? {
                Reply::Welcome { .. } => {}
                Reply::Failed { error, .. } => return Err(error.into()),
                other => return Err(Error::Protocol(format!("{other:?} came before the welcome"))),
            },
            _ => return Err(Error::Protocol("an event came before the welcome".to_owned())),
        }
        let calls = Arc::new(Mutex::new(Calls::default()));
        tokio::spawn(receive(read, Arc::clone(&calls)));
        Ok(Client { shared: Arc::new(Shared { write: tokio::sync::Mutex::new(write), calls }) })
    }

    /// Calls a command by its id and waits for its result, whatever time that takes. Given up when it is dropped.
    pub async fn call<T: DeserializeOwned>(&self, command: &str, args: &impl Serialize) -> Result<T, Error> {
        let Running { mut events, result, handle: _handle } = self.begin(command, args).await?;
        // Events are not wanted; they are taken all the same, so that the command can go on.
        while events.take().await?.is_some() {}
        result.typed().await
    }

    /// Begins a call whose request says what it tells and what comes of it.
    pub async fn stream<Q: Streams>(&self, request: &Q) -> Result<Stream<Q>, Error> {
        Ok(Stream { running: self.begin(Q::COMMAND, request).await?, request: PhantomData })
    }

    /// Begins a call of any command, known or not. It is given up when its [`Handle`]s are dropped.
    pub async fn begin(&self, command: &str, args: &impl Serialize) -> Result<Running, Error> {
        let args = serde_json::to_value(args)?;
        let (events, received) = mpsc::unbounded_channel();
        let (done, result) = oneshot::channel();
        let (granted, credit) = watch::channel(u64::from(WINDOW));
        let id = {
            let mut calls = self.shared.calls.lock();
            if calls.over {
                return Err(Error::Gone);
            }
            calls.last = calls.last.wrapping_add(1);
            let id = calls.last;
            calls.open.insert(id, Slot { events, done, granted });
            id
        };
        let handle = Handle(Arc::new(Call {
            id,
            shared: Arc::clone(&self.shared),
            credit: tokio::sync::Mutex::new(Credit { granted: credit, sent: 0 }),
        }));
        self.shared.send(&Request::Call { id, command: command.to_owned(), args, credit: None }).await?;
        let events = Events { received, taken: 0, handle: handle.clone() };
        Ok(Running { events, result: Outcome { result, _handle: handle.clone() }, handle })
    }
}

impl Shared {
    async fn send(self: &Arc<Self>, request: &Request) -> Result<(), Error> {
        self.write_frame(encode_message(request)).await
    }

    /// Writes a frame whole, in a task of its own: whoever wants it may give up in the middle, and the rest of a frame would
    /// be read as the next one.
    async fn write_frame(self: &Arc<Self>, frame: Vec<u8>) -> Result<(), Error> {
        let shared = Arc::clone(self);
        let writing = tokio::spawn(async move { shared.write.lock().await.write_all(&frame).await });
        writing.await.map_err(|_| Error::Gone)?.map_err(|_| Error::Gone)
    }
}

/// A call under way, with the types of its request.
#[derive(Debug)]
pub struct Stream<Q> {
    running: Running,
    request: PhantomData<fn() -> Q>,
}

impl<Q: Streams> Stream<Q> {
    /// The next event with the bytes that belong to it; `None` at the end. Safe to drop while it waits.
    pub async fn next(&mut self) -> Result<Option<(Q::Event, Vec<u8>)>, Error> {
        self.running.events.next().await
    }

    /// Waits for the result. Events that were not taken are left out.
    pub async fn end(self) -> Result<Q::Result, Error> {
        let Running { mut events, result, handle: _handle } = self.running;
        while events.take().await?.is_some() {}
        result.typed().await
    }

    /// The way to the call, for input and for further ones.
    pub fn handle(&self) -> Handle {
        self.running.handle.clone()
    }
}

/// A call under way, of which nothing is known but its name.
#[derive(Debug)]
pub struct Running {
    /// What it tells.
    pub events: Events,
    /// What goes to it.
    pub handle: Handle,
    /// What comes of it.
    pub result: Outcome,
}

/// The way to a call. When the last one is dropped, events and outcome included, the call is given up.
#[derive(Clone, Debug)]
pub struct Handle(Arc<Call>);

#[derive(Debug)]
struct Call {
    id: CallId,
    shared: Arc<Shared>,
    credit: tokio::sync::Mutex<Credit>,
}

#[derive(Debug)]
struct Credit {
    granted: watch::Receiver<u64>,
    sent: u64,
}

impl Drop for Call {
    fn drop(&mut self) {
        let open = self.shared.calls.lock().open.remove(&self.id).is_some();
        // Without a runtime the connection is about to close, which gives the call up as well.
        if open && let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (shared, id) = (Arc::clone(&self.shared), self.id);
            runtime.spawn(async move { shared.send(&Request::Cancel { id }).await });
        }
    }
}

impl Handle {
    /// Sends input to the call, at the pace at which it is taken there.
    pub async fn input(&self, mut bytes: &[u8]) -> Result<(), Error> {
        let mut credit = self.0.credit.lock().await;
        while !bytes.is_empty() {
            let sent = credit.sent;
            let granted = credit.granted.wait_for(|granted| *granted > sent).await;
            // The call has ended: what is typed into it has no reader, as on any terminal.
            let Ok(granted) = granted.map(|granted| *granted) else { return Ok(()) };
            let room = usize::try_from(granted - sent).unwrap_or(usize::MAX).min(bytes.len());
            let (now, rest) = bytes.split_at(room);
            self.0.shared.write_frame(encode_input(self.0.id, now)).await?;
            credit.sent += now.len() as u64;
            bytes = rest;
        }
        Ok(())
    }

    /// Says that no more input will come.
    pub async fn end_input(&self) -> Result<(), Error> {
        self.0.shared.write_frame(encode_input(self.0.id, &[])).await
    }

    /// The connection that the call is on, for further ones.
    pub fn client(&self) -> Client {
        Client { shared: Arc::clone(&self.0.shared) }
    }

    /// Gives the call up. Its result says so.
    pub async fn cancel(&self) -> Result<(), Error> {
        self.0.shared.send(&Request::Cancel { id: self.0.id }).await
    }
}

/// What a call tells while it runs.
#[derive(Debug)]
pub struct Events {
    received: mpsc::UnboundedReceiver<(Vec<u8>, Vec<u8>)>,
    /// Read, and not granted again yet.
    taken: u32,
    handle: Handle,
}

impl Events {
    /// The next event with the bytes that belong to it; `None` at the end. Safe to drop while it waits.
    pub async fn next<E: DeserializeOwned>(&mut self) -> Result<Option<(E, Vec<u8>)>, Error> {
        let Some((event, bytes)) = self.take().await? else { return Ok(None) };
        Ok(Some((serde_json::from_slice(&event)?, bytes)))
    }

    async fn take(&mut self) -> Result<Option<(Vec<u8>, Vec<u8>)>, Error> {
        // Granted when the reader comes back: what it was given last is done with.
        if self.taken >= WINDOW / 2 {
            let grant = Request::Credit { id: self.handle.0.id, bytes: self.taken };
            self.handle.0.shared.send(&grant).await?;
            self.taken = 0;
        }
        let Some((event, bytes)) = self.received.recv().await else { return Ok(None) };
        self.taken += (event.len() + bytes.len()) as u32;
        Ok(Some((event, bytes)))
    }
}

/// The end of a call.
#[derive(Debug)]
pub struct Outcome {
    result: oneshot::Receiver<Result<Value, flightdeck_contract::Error>>,
    _handle: Handle,
}

impl Outcome {
    /// Waits for the result.
    pub async fn typed<T: DeserializeOwned>(self) -> Result<T, Error> {
        let value = self.result.await.map_err(|_| Error::Gone)??;
        Ok(serde_json::from_value(value)?)
    }
}

/// Hands frames to their calls until the connection ends.
async fn receive(mut read: BufReader<OwnedReadHalf>, calls: Arc<Mutex<Calls>>) {
    while let Ok(frame) = frame(&mut read).await {
        let mut calls = calls.lock();
        match frame {
            Frame::Event { id, event, bytes } => {
                if let Some(slot) = calls.open.get(&id) {
                    // Whoever began the call may want no events.
                    let _ = slot.events.send((event, bytes));
                }
            }
            Frame::Message(json) => match serde_json::from_slice(&json) {
                Ok(Reply::Done { id, result }) => end(&mut calls, id, Ok(result)),
                Ok(Reply::Failed { id: Some(id), error }) => end(&mut calls, id, Err(error)),
                Ok(Reply::Credit { id, bytes }) => {
                    if let Some(slot) = calls.open.get(&id) {
                        slot.granted.send_modify(|granted| *granted += u64::from(bytes));
                    }
                }
                _ => break,
            },
            Frame::Input { .. } => break,
        }
    }
    let mut calls = calls.lock();
    calls.over = true;
    // Whoever waits learns that the other end of its channel is gone.
    calls.open.clear();
}

fn end(calls: &mut Calls, id: CallId, result: Result<Value, flightdeck_contract::Error>) {
    if let Some(slot) = calls.open.remove(&id) {
        let _ = slot.done.send(result);
    }
}

async fn frame(read: &mut BufReader<OwnedReadHalf>) -> Result<Frame, Error> {
    let mut header = [0; 4];
    read.read_exact(&mut header).await.map_err(|_| Error::Gone)?;
    let mut body = vec![0; frame_length(header)?];
    read.read_exact(&mut body).await.map_err(|_| Error::Gone)?;
    Ok(control::decode(body)?)
}
