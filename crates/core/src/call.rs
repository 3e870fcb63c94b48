//! A call on its way through the hub: who makes it, how it is given up, and where its bytes go.

use flightdeck_contract::control::Channel;
use tokio::sync::{mpsc, watch};

use crate::actor::Caller;
use crate::approvals::permit::Permit;

/// Bytes for the caller beside the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// Which stream.
    pub channel: Channel,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The caller's side of a call, as the command sees it.
#[derive(Debug)]
pub struct Call {
    /// Who calls.
    pub caller: Caller,
    /// Whether the caller still wants it.
    pub cancelled: Cancelled,
    /// Where a command sends bytes. Bounded: a slow caller slows its own stream, nothing else.
    pub output: mpsc::Sender<Data>,
    /// What the caller sends to an attached terminal.
    pub input: mpsc::Receiver<Vec<u8>>,
    /// A line that says what the command does now.
    pub progress: Progress,
    /// What the gate said.
    pub(crate) permit: Permit,
}

impl Call {
    /// The caller's name, for records.
    pub(crate) fn actor(&self) -> String {
        self.caller.actor.to_string()
    }
}

/// Tells the caller what a command does now. Only the last line counts.
#[derive(Clone, Debug)]
pub struct Progress(watch::Sender<String>);

impl Progress {
    /// Says it.
    pub fn say(&self, line: impl Into<String>) {
        self.0.send_replace(line.into());
    }
}

/// Gives a call up, and sees how it goes on.
#[derive(Debug)]
pub struct CancelSource {
    cancel: watch::Sender<bool>,
    progress: watch::Receiver<String>,
}

impl CancelSource {
    /// Tells the command to stop.
    pub fn cancel(&self) {
        self.cancel.send_replace(true);
    }

    /// What the command does now; empty until it says something.
    pub fn progress(&self) -> watch::Receiver<String> {
        self.progress.clone()
    }
}

/// Learns that a call was given up.
#[derive(Clone, Debug)]
pub struct Cancelled(watch::Receiver<bool>);

impl Cancelled {
    /// Resolves when the caller gives up, or is gone.
    pub async fn wait(mut self) {
        // An error means that the source is gone, and with it the caller.
        let _ = self.0.wait_for(|given_up| *given_up).await;
    }
}

/// How many frames may wait for a caller that does not read.
const OUTPUT_FRAMES: usize = 8;
/// How many frames of input may wait for a program that does not read.
const INPUT_FRAMES: usize = 16;

/// A call with the surface's ends of it: how to give it up, its output, its input.
pub fn call(caller: Caller) -> (Call, CancelSource, mpsc::Receiver<Data>, mpsc::Sender<Vec<u8>>) {
    let (cancel, cancelled) = watch::channel(false);
    let (line, progress) = watch::channel(String::new());
    let (output, received) = mpsc::channel(OUTPUT_FRAMES);
    let (sender, input) = mpsc::channel(INPUT_FRAMES);
    let call =
        Call { caller, cancelled: Cancelled(cancelled), output, input, progress: Progress(line), permit: Permit::FREE };
    (call, CancelSource { cancel, progress }, received, sender)
}
