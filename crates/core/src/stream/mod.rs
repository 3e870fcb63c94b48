//! A call with its streams: what comes out of it while it runs, and what goes in.
//!
//! ```text
//!   surface                      Running                         command
//!   events.recv()   ◄── mpsc (1) ◄── Emit<E>::send      the event type of its definition
//!   input.send()    ──► queue ─────► Received::recv     what was taken is granted again
//!   cancel          ──► watch ─────► Cancelled
//!   progress        ◄── watch ◄───── Progress
//!   result          ◄── the future of the call
//! ```
//!
//! Nothing here is unbounded: a surface that does not take events slows its own call, and one that sends more input than
//! it was granted is told so instead of being queued.

mod watching;

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;

use flightdeck_contract::control::WINDOW;
use flightdeck_contract::{Error, ErrorCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::{mpsc, watch};

use crate::actor::Caller;
use crate::approvals::permit::Permit;
use crate::call::{Call, Cancel, RunReport};
use crate::progress::{Progress, ProgressReport};

pub(crate) use watching::{Beat, Source, all, changes, gathered_changes, latest, whenever};

/// How many events may wait for a surface. Few, so that a viewer which is behind gets what is new and not what was.
const EVENTS: usize = 1;

/// Something that a command tells while it runs: a value of its event type, and bytes that belong to it.
#[derive(Clone, PartialEq, Eq)]
pub struct Event {
    /// JSON text of the event.
    pub json: Vec<u8>,
    /// Output, a screen, a picture; empty for most.
    pub bytes: Vec<u8>,
}

impl Event {
    /// The event as its type.
    pub fn read<E: DeserializeOwned>(&self) -> Result<E, Error> {
        serde_json::from_slice(&self.json).map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event({}, {} bytes)", String::from_utf8_lossy(&self.json), self.bytes.len())
    }
}

/// The way of a command's events to its caller.
pub(crate) struct Emit<E> {
    events: mpsc::Sender<Event>,
    event: PhantomData<fn(E)>,
}

/// Nobody takes events any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gone;

impl<E: Serialize> Emit<E> {
    pub(crate) fn of(call: &Call) -> Self {
        Emit { events: call.events.clone(), event: PhantomData }
    }

    /// Sends an event.
    pub(crate) async fn send(&self, event: &E) -> Result<(), Gone> {
        self.send_with(event, Vec::new()).await
    }

    /// Sends an event with the bytes that belong to it.
    pub(crate) async fn send_with(&self, event: &E, bytes: Vec<u8>) -> Result<(), Gone> {
        let json = serde_json::to_vec(event).map_err(|_| Gone)?;
        self.events.send(Event { json, bytes }).await.map_err(|_| Gone)
    }

    /// The same, from a thread of its own.
    pub(crate) fn send_blocking(&self, event: &E, bytes: Vec<u8>) -> Result<(), Gone> {
        let json = serde_json::to_vec(event).map_err(|_| Gone)?;
        self.events.blocking_send(Event { json, bytes }).map_err(|_| Gone)
    }

    /// Sends an event if it can go at once; for what may as well be told later, and in a thread that must not wait.
    pub(crate) fn try_send(&self, event: &E) -> bool {
        let Ok(place) = self.events.try_reserve() else { return false };
        let Ok(json) = serde_json::to_vec(event) else { return false };
        place.send(Event { json, bytes: Vec::new() });
        true
    }

    /// Resolves when nobody takes events any more.
    pub(crate) async fn gone(&self) {
        self.events.closed().await;
    }
}

/// A call under way, with the surface's end of everything.
pub struct Running {
    /// What it tells.
    pub events: mpsc::Receiver<Event>,
    /// What the caller sends to it.
    pub input: Input,
    /// How it is given up.
    pub cancel: Cancel,
    /// What it does now.
    pub progress: watch::Receiver<ProgressReport>,
    /// What comes of it. The call is carried out while this is polled.
    pub result: Pin<Box<dyn Future<Output = Result<Value, Error>> + Send>>,
}

/// What a call under way comes to next.
#[derive(Debug)]
pub enum Next {
    /// It tells something.
    Event(Event),
    /// It is over, and has told all.
    Done(Result<Value, Error>),
}

impl Running {
    /// Carries the call out until it tells something or is over. Safe to drop while it waits; not to be asked again after
    /// the end.
    pub async fn next(&mut self) -> Next {
        tokio::select! {
            biased;
            Some(event) = self.events.recv() => Next::Event(event),
            result = &mut self.result => match self.events.try_recv() {
                // The last that it had to tell.
                Ok(event) => {
                    self.result = Box::pin(std::future::ready(result));
                    Next::Event(event)
                }
                Err(_) => Next::Done(result),
            },
        }
    }

    /// Carries it out until it is ready, which its first event says. An error says why it never was.
    pub async fn ready(mut self) -> Result<Self, Error> {
        match self.next().await {
            Next::Event(_) => Ok(self),
            Next::Done(Err(error)) => Err(error),
            Next::Done(Ok(_)) => Err(Error::new(ErrorCode::Internal, "it ended before it began")),
        }
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").finish_non_exhaustive()
    }
}

/// The ends of a call but for its result: the surface's, and the command's.
pub(crate) struct Ends {
    pub events: mpsc::Receiver<Event>,
    pub input: Input,
    pub cancel: Cancel,
    pub progress: watch::Receiver<ProgressReport>,
    pub call: Call,
}

pub(crate) fn ends(caller: Caller) -> Ends {
    let (cancel, cancelled) = Cancel::pair();
    let (line, progress) = watch::channel(ProgressReport::default());
    let (sender, events) = mpsc::channel(EVENTS);
    let (input, received) = input();
    let call = Call {
        caller,
        cancelled,
        events: sender,
        input: received,
        progress: Progress(line),
        permit: Permit::FREE,
        report: RunReport::default(),
    };
    Ends { events, input, cancel, progress, call }
}

/// The caller's way to a command: a queue of bytes that holds no more than [`WINDOW`] of them.
#[derive(Debug)]
pub struct Input {
    /// Until the end of it.
    queue: Option<mpsc::UnboundedSender<Vec<u8>>>,
    sent: u64,
    taken: watch::Receiver<u64>,
}

impl Input {
    /// Sends bytes to the command, or none to say that no more will come. An error says that they are more than it was
    /// granted; nothing of them is taken.
    pub fn send(&mut self, bytes: Vec<u8>) -> Result<(), Error> {
        if bytes.is_empty() {
            self.queue = None;
            return Ok(());
        }
        let waiting = self.sent - *self.taken.borrow();
        if waiting + bytes.len() as u64 > u64::from(WINDOW) {
            let text = format!("{waiting} bytes of input wait already, and at most {WINDOW} may");
            return Err(Error::new(ErrorCode::InvalidArgument, text).hint("send more when the hub has granted it"));
        }
        self.sent += bytes.len() as u64;
        // A command that takes none has ended, or never will: as with a terminal that nobody reads.
        let _ = self.queue.as_ref().map(|queue| queue.send(bytes));
        Ok(())
    }

    /// A view of how much was taken.
    pub fn taken(&self) -> Taken {
        Taken { taken: self.taken.clone(), granted: 0 }
    }
}

/// Tells how much input a command has taken, for granting as much again. That also says what has arrived: a caller whose hub
/// dies sends the rest to the next one.
#[derive(Debug)]
pub struct Taken {
    taken: watch::Receiver<u64>,
    granted: u64,
}

impl Taken {
    /// Waits until something was taken, and gives how much since it was asked last. Never resolves when the command takes no
    /// more. Safe to drop while it waits.
    pub async fn more(&mut self) -> u32 {
        let granted = self.granted;
        if self.taken.wait_for(|taken| *taken > granted).await.is_err() {
            return std::future::pending().await;
        }
        self.rest()
    }

    /// How much was taken since it was asked last.
    pub fn rest(&mut self) -> u32 {
        let taken = *self.taken.borrow();
        // No more than one window waits at a time.
        (taken - std::mem::replace(&mut self.granted, taken)) as u32
    }
}

/// The command's end of the input.
#[derive(Debug)]
pub(crate) struct Received {
    queue: mpsc::UnboundedReceiver<Vec<u8>>,
    taken: watch::Sender<u64>,
    /// The length of what was given out last: it counts as taken when the next is asked for.
    last: u64,
}

impl Received {
    /// All of it, for whoever takes it beside the call.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, input().1)
    }

    /// The next bytes; `None` when no more will come.
    pub(crate) async fn recv(&mut self) -> Option<Vec<u8>> {
        let last = std::mem::take(&mut self.last);
        if last > 0 {
            self.taken.send_modify(|taken| *taken += last);
        }
        let bytes = self.queue.recv().await?;
        self.last = bytes.len() as u64;
        Some(bytes)
    }
}

fn input() -> (Input, Received) {
    let (queue, received) = mpsc::unbounded_channel();
    let (sender, taken) = watch::channel(0);
    (Input { queue: Some(queue), sent: 0, taken }, Received { queue: received, taken: sender, last: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_told_with_the_last_breath_comes_before_the_result() {
        let Ends { events, input, cancel, progress, call } = ends(Caller::human("anna"));
        let emit = Emit::<u32>::of(&call);
        let result = Box::pin(async move {
            emit.send(&7).await.unwrap();
            drop(call);
            Ok(Value::Null)
        });
        let mut running = Running { events, input, cancel, progress, result };
        let told = running.next().await;
        assert!(matches!(&told, Next::Event(event) if event.read::<u32>() == Ok(7)), "{told:?}");
        let over = running.next().await;
        assert!(matches!(over, Next::Done(Ok(Value::Null))), "{over:?}");
    }

    #[tokio::test]
    async fn what_ends_before_it_told_anything_was_never_ready() {
        let Ends { events, input, cancel, progress, call } = ends(Caller::human("anna"));
        let result = Box::pin(async move {
            drop(call);
            Err(Error::new(ErrorCode::BridgeGone, "nobody"))
        });
        let running = Running { events, input, cancel, progress, result };
        assert_eq!(running.ready().await.unwrap_err().code, ErrorCode::BridgeGone);
    }

    #[tokio::test]
    async fn input_is_bounded_and_granted_again() {
        let (mut input, mut received) = input();
        let mut taken = input.taken();
        input.send(vec![1; WINDOW as usize]).unwrap();
        assert_eq!(input.send(vec![2]).unwrap_err().code, ErrorCode::InvalidArgument);
        assert_eq!(received.recv().await.unwrap().len(), WINDOW as usize);
        // It counts as taken only when the command comes back for more.
        assert!(input.send(vec![2]).is_err());
        let ((), more) = tokio::join!(
            async {
                tokio::select! {
                    biased;
                    _ = received.recv() => panic!("nothing was sent"),
                    () = std::future::ready(()) => {}
                }
            },
            taken.more(),
        );
        assert_eq!(more, WINDOW);
        input.send(vec![3]).unwrap();
        assert_eq!(received.recv().await.unwrap(), [3]);
        assert_eq!(taken.rest(), 0, "it may not be written yet");
        input.send(vec![4, 5]).unwrap();
        assert_eq!(received.recv().await.unwrap(), [4, 5]);
        assert_eq!(taken.more().await, 1, "a single key is told of as well");
        input.send(Vec::new()).unwrap();
        assert_eq!(received.recv().await, None, "nothing is the end");
    }
}
