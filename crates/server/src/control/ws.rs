//! Frames over a WebSocket, for browsers: each message is one frame without its length, JSON as text, the rest as bytes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use flightdeck_contract::control::{self, Frame};
use flightdeck_core::{Caller, Hub};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio_util::sync::CancellationToken;

use super::mux::{Mux, Next, Out, invalid};

/// How often a browser is asked whether it is there, and how long it may be silent.
const PING: Duration = Duration::from_secs(15);
const SILENCE: Duration = Duration::from_secs(40);

struct Writer(tokio::sync::Mutex<SplitSink<WebSocket, Message>>);

impl Out for Writer {
    async fn send(&self, frame: Vec<u8>) -> bool {
        // The length and the kind of a frame; text has its own kind of message.
        let message = match frame.get(4) {
            Some(0) => match String::from_utf8(frame[5..].to_vec()) {
                Ok(text) => Message::text(text),
                Err(_) => return false,
            },
            _ => Message::binary(Bytes::from(frame).slice(4..)),
        };
        self.0.lock().await.send(message).await.is_ok()
    }
}

/// Serves a front end that came in by a WebSocket. Who it is was found out at the door; what it calls itself is not asked.
pub(crate) async fn serve(socket: WebSocket, hub: Arc<Hub>, caller: Caller, closing: CancellationToken) {
    let (sink, mut messages) = socket.split();
    let out = Arc::new(Writer(tokio::sync::Mutex::new(sink)));
    let identify = Box::new(move |_| -> std::pin::Pin<Box<dyn Future<Output = Caller> + Send>> {
        Box::pin(std::future::ready(caller.clone()))
    });
    let mut mux = Mux::new(hub, Arc::clone(&out), identify);
    let mut pings = tokio::time::interval(PING);
    let mut heard = Instant::now();
    loop {
        let next = tokio::select! {
            () = closing.cancelled() => Next::Over,
            _ = pings.tick() => {
                // One that does not read holds up what is sent to it, and its going must not wait for that.
                let ping = async { out.0.lock().await.send(Message::Ping(Bytes::new())).await.is_ok() };
                let sent = tokio::time::timeout(PING, ping).await.unwrap_or(false);
                if sent && heard.elapsed() < SILENCE { Next::Frame } else { Next::Over }
            }
            received = receive(&mut messages) => {
                heard = Instant::now();
                match received {
                    Received::Frame(frame) => mux.take(frame).await,
                    Received::Nothing => Next::Frame,
                    Received::Garbage(problem) => mux.refuse(invalid(problem)).await,
                    Received::Over => Next::Over,
                }
            }
        };
        match next {
            Next::Frame => {}
            // MCP has a door of its own.
            Next::Over | Next::Mcp(..) => break,
        }
    }
    // Its calls end first, and with them what still waits to be sent. Gone already is what we want.
    drop(mux);
    let _ = tokio::time::timeout(PING, async { out.0.lock().await.close().await }).await;
}

enum Received {
    Frame(Frame),
    Nothing,
    Garbage(String),
    Over,
}

async fn receive(messages: &mut SplitStream<WebSocket>) -> Received {
    match messages.next().await {
        Some(Ok(Message::Text(text))) => Received::Frame(Frame::Message(text.as_bytes().to_vec())),
        Some(Ok(Message::Binary(bytes))) => match control::decode(bytes.into()) {
            Ok(frame) => Received::Frame(frame),
            Err(error) => Received::Garbage(error.to_string()),
        },
        // Pings are answered by the library, and answers to ours say that it is there.
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Received::Nothing,
        Some(Ok(Message::Close(_)) | Err(_)) | None => Received::Over,
    }
}
