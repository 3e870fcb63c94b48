//! Frames over the private Unix socket, for the user's own processes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use flightdeck_contract::control::{self, Frame, frame_length};
use flightdeck_core::{Caller, Entry, Hub};
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use super::mux::{Identify, Mux, Next, Out, invalid};
use super::peer::Connected;

use crate::mcp;

struct Writer(Arc<tokio::sync::Mutex<OwnedWriteHalf>>);

impl Out for Writer {
    async fn send(&self, frame: Vec<u8>) -> bool {
        self.0.lock().await.write_all(&frame).await.is_ok()
    }
}

pub(super) async fn serve(stream: UnixStream, peer: Connected, hub: Arc<Hub>) {
    let (read, write) = stream.into_split();
    let mut read = BufReader::new(read);
    let write = Arc::new(tokio::sync::Mutex::new(write));
    let mut mux =
        Mux::new(Arc::clone(&hub), Arc::new(Writer(Arc::clone(&write))), identify(Arc::clone(&hub), peer.clone()));
    let next = loop {
        let next = match frame(&mut read).await {
            Ok(Some(frame)) => mux.take(frame).await,
            Ok(None) => Next::Over,
            Err(error) => mux.refuse(invalid(error.to_string())).await,
        };
        if !matches!(next, Next::Frame) {
            break next;
        }
    };
    if let Next::Mcp(selection, relay) = next {
        let relay = mcp::Relay { id: relay, pid: peer.pid() };
        // Before its first word: what the client starts from now on is an agent's.
        let own = Arc::clone(&hub);
        let known = tokio::task::spawn_blocking(move || match peer {
            Connected::By(peer) => peer.mcp_entry(&own),
            Connected::ByNobody | Connected::Untold => Entry::Unknown,
        });
        let entry = known.await.unwrap_or(Entry::Unknown);
        mcp::serve_lines(hub, selection, entry, relay, read, write).await;
    }
}

/// The next frame; `None` when the caller has hung up.
async fn frame(read: &mut BufReader<OwnedReadHalf>) -> Result<Option<Frame>, control::FrameError> {
    let mut header = [0; 4];
    if read.read_exact(&mut header).await.is_err() {
        return Ok(None);
    }
    let mut body = vec![0; frame_length(header)?];
    if read.read_exact(&mut body).await.is_err() {
        return Ok(None);
    }
    control::decode(body).map(Some)
}

/// A person, when the process at the other end is known to be a person's, or the kernel does not say which it is and a person
/// has paired the connection.
fn identify(hub: Arc<Hub>, peer: Connected) -> Identify {
    let paired = Arc::new(AtomicBool::new(false));
    Box::new(move |actor| {
        let (hub, peer, paired) = (Arc::clone(&hub), peer.clone(), Arc::clone(&paired));
        Box::pin(async move {
            let mut caller = Caller::human(actor);
            let peer = match peer {
                Connected::By(peer) => peer,
                Connected::ByNobody => {
                    caller.entry = Entry::Unknown;
                    return caller;
                }
                Connected::Untold => {
                    caller.entry = if paired.load(Ordering::Acquire) { Entry::Socket } else { Entry::Unknown };
                    caller.peer = Some(flightdeck_core::Peer::Connection(paired));
                    return caller;
                }
            };
            caller.peer = Some(peer.process());
            // It reads of many processes. If it panics, nobody is taken for a person.
            let known = tokio::task::spawn_blocking(move || peer.entry(&hub)).await;
            (caller.entry, caller.session) = known.unwrap_or((Entry::Unknown, None));
            caller
        })
    })
}
