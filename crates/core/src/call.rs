//! A call on its way through the hub: who makes it, how it is given up, and where its bytes go.

use flightdeck_contract::control::Channel;
use tokio::sync::{mpsc, watch};

/// Bytes for the caller of a streaming command.
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
    pub actor: String,
    /// Whether the caller still wants it.
    pub cancelled: Cancelled,
    /// Where a streaming command sends its bytes. Bounded: a slow caller slows its own stream, nothing else.
    pub output: mpsc::Sender<Data>,
    /// What the caller sends to an attached terminal.
    pub input: mpsc::Receiver<Vec<u8>>,
}

/// Gives a call up.
#[derive(Debug)]
pub struct CancelSource(watch::Sender<bool>);

impl CancelSource {
    /// Tells the command to stop.
    pub fn cancel(&self) {
        self.0.send_replace(true);
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
pub fn call(actor: impl Into<String>) -> (Call, CancelSource, mpsc::Receiver<Data>, mpsc::Sender<Vec<u8>>) {
    let (source, cancelled) = watch::channel(false);
    let (output, received) = mpsc::channel(OUTPUT_FRAMES);
    let (sender, input) = mpsc::channel(INPUT_FRAMES);
    let call = Call { actor: actor.into(), cancelled: Cancelled(cancelled), output, input };
    (call, CancelSource(source), received, sender)
}
