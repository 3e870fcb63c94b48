//! Newline-delimited JSON-RPC, as the relay of `flightdeck mcp` passes it on.
//!
//! Unlike the SDK's own transport, this one answers what it can't read, and reads no further while a client leaves its
//! answers unread: what waits for it is bounded.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use flightdeck_contract::control::MAX_MESSAGE;
use parking_lot::Mutex;
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, GetMeta, JsonRpcMessage, ProtocolVersion,
    RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde::Deserialize;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Notify, Semaphore};

use super::long_line::TopLevelId;

/// A line buffer that grew beyond this is given back.
const LINE_KEPT: usize = 64 << 10;
/// How many requests of one client may be open. The hub's own limits for calls are lower.
const REQUESTS: usize = 128;
/// How many complaints about lines may wait to be read.
const COMPLAINTS: usize = 8;

/// A connection.
pub(super) struct Lines {
    read: BufReader<OwnedReadHalf>,
    line: Vec<u8>,
    /// The rest of a line that is too long is on its way, and is only looked through.
    skipped: Option<TopLevelId>,
    /// A complaint that is to be sent before anything else is read.
    complaint: Option<Vec<u8>>,
    complaints: Arc<Semaphore>,
    /// Whether the client has said which version it speaks.
    begun: bool,
    open: Arc<Open>,
    write: Arc<tokio::sync::Mutex<OwnedWriteHalf>>,
}

/// Requests without an answer that has been written.
#[derive(Default)]
struct Open {
    ids: Mutex<HashSet<RequestId>>,
    fewer: Notify,
}

enum Line {
    Whole,
    TooLong(Option<RequestId>),
    End,
}

impl Lines {
    pub(super) fn new(read: BufReader<OwnedReadHalf>, write: Arc<tokio::sync::Mutex<OwnedWriteHalf>>) -> Self {
        Lines {
            read,
            line: Vec::new(),
            skipped: None,
            complaint: None,
            complaints: Arc::new(Semaphore::new(COMPLAINTS)),
            begun: false,
            open: Arc::default(),
            write,
        }
    }

    /// Reads up to the end of a line. It can be dropped and called again at any time: what was read stays.
    async fn next_line(&mut self) -> Line {
        loop {
            let Ok(bytes) = self.read.fill_buf().await else { return Line::End };
            if bytes.is_empty() {
                return Line::End;
            }
            let newline = bytes.iter().position(|byte| *byte == b'\n');
            let taken = newline.map_or(bytes.len(), |position| position + 1);
            if self.skipped.is_none() && self.line.len() + taken > MAX_MESSAGE {
                let mut skipped = TopLevelId::default();
                skipped.read(&std::mem::take(&mut self.line));
                self.skipped = Some(skipped);
            }
            match &mut self.skipped {
                Some(skipped) => skipped.read(&bytes[..taken]),
                None => self.line.extend_from_slice(&bytes[..taken]),
            }
            self.read.consume(taken);
            if newline.is_some() {
                return self.skipped.take().map_or(Line::Whole, |mut skipped| Line::TooLong(skipped.found()));
            }
        }
    }

    /// The message in the line; `None` for an empty line, or when there is a complaint about it.
    fn parse(&mut self) -> Option<ClientJsonRpcMessage> {
        let line = self.line.trim_ascii();
        let parsed = if line.is_empty() { Ok(None) } else { serde_json::from_slice(line).map(Some) };
        let parsed = parsed.map_err(|error| malformed(line, &error));
        if self.line.capacity() > LINE_KEPT {
            self.line = Vec::new();
        } else {
            self.line.clear();
        }
        parsed.unwrap_or_else(|complaint| {
            self.complaint = Some(complaint);
            None
        })
    }

    /// Whether the SDK is ready for a message. Before the first real request it hangs up on anything else.
    fn admits(&mut self, message: &ClientJsonRpcMessage) -> bool {
        match message {
            JsonRpcMessage::Request(request) => {
                let request = &request.request;
                let complete = request.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty();
                self.begun |= match request {
                    ClientRequest::InitializeRequest(_) => true,
                    ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => false,
                    _ => complete,
                };
                true
            }
            _ => self.begun,
        }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        let closing = answered.map(|id| Answered { open: Arc::clone(&self.open), id });
        let write = Arc::clone(&self.write);
        async move {
            let line = encode(&message)?;
            drop(message);
            write.lock().await.write_all(&line).await?;
            drop(closing);
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if self.complaint.is_some() {
                let place = Arc::clone(&self.complaints).acquire_owned().await.ok()?;
                let (complaint, write) = (self.complaint.take()?, Arc::clone(&self.write));
                // On its own, because this function may be dropped at any await, and half a line must not be.
                tokio::spawn(async move {
                    let _ = write.lock().await.write_all(&complaint).await;
                    drop(place);
                });
            }
            self.open.room().await;
            match self.next_line().await {
                Line::End => return None,
                Line::TooLong(id) => {
                    let problem = format!("a message may have {MAX_MESSAGE} bytes, and this one has more");
                    self.complaint = Some(refusal(&ErrorData::invalid_request(problem, None), id.as_ref()));
                }
                Line::Whole => {
                    let Some(message) = self.parse() else { continue };
                    if self.admits(&message) {
                        self.open.note(&message);
                        return Some(message);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.write.lock().await.shutdown().await
    }
}

impl Open {
    /// Waits until there is room for another request.
    async fn room(&self) {
        loop {
            let fewer = self.fewer.notified();
            if self.ids.lock().len() < REQUESTS {
                return;
            }
            fewer.await;
        }
    }

    fn note(&self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(request) => {
                self.ids.lock().insert(request.id.clone());
            }
            // The SDK sends no answer to what was cancelled.
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.close(id);
                }
            }
            _ => {}
        }
    }

    fn close(&self, id: &RequestId) {
        self.ids.lock().remove(id);
        self.fewer.notify_waiters();
    }
}

/// Closes a request when its answer is written, or can't be.
struct Answered {
    open: Arc<Open>,
    id: RequestId,
}

impl Drop for Answered {
    fn drop(&mut self) {
        self.open.close(&self.id);
    }
}

fn encode(message: &ServerJsonRpcMessage) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}

/// What to say about a line that is no message: its id is used where there is one.
fn malformed(line: &[u8], error: &serde_json::Error) -> Vec<u8> {
    #[derive(Deserialize)]
    struct Id {
        id: RequestId,
    }
    if matches!(error.classify(), serde_json::error::Category::Data) {
        let id = serde_json::from_slice::<Id>(line).ok().map(|id| id.id);
        return refusal(&ErrorData::invalid_request("this is not a message of MCP", None), id.as_ref());
    }
    refusal(&ErrorData::parse_error(format!("this line is not JSON: {error}"), None), None)
}

fn refusal(error: &ErrorData, id: Option<&RequestId>) -> Vec<u8> {
    // Written by hand: JSON-RPC wants `"id": null` where the id is not known, which the SDK leaves out.
    let mut line = json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string().into_bytes();
    line.push(b'\n');
    line
}
