//! One caller on the private socket, with any number of calls under way.

use std::collections::HashMap;
use std::sync::Arc;

use flightdeck_contract::control::{
    self, CallId, Frame, Reply, Request, VERSION, encode_data, encode_message, frame_length,
};
use flightdeck_contract::{Error, ErrorCode};
use flightdeck_core::{Caller, CancelSource, Entry, Hub, call};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc;

use super::entry;
use crate::mcp::{self, Selection};

/// How many calls one caller may have under way.
const CALLS: usize = 256;

type Calls = Arc<Mutex<HashMap<CallId, Open>>>;

/// A call under way.
struct Open {
    cancel: CancelSource,
    input: mpsc::Sender<Vec<u8>>,
}

pub(super) async fn serve(stream: UnixStream, hub: Arc<Hub>) {
    let peer = stream.peer_cred().ok().and_then(|peer| peer.pid());
    let (read, write) = stream.into_split();
    let out = Out(Arc::new(tokio::sync::Mutex::new(write)));
    let calls = Calls::default();
    let read = BufReader::new(read);
    let mut connection = Connection { read, out, calls: Arc::clone(&calls), hub, peer, caller: None };
    if let Some(selection) = connection.serve().await {
        let entry = connection.caller.map_or(Entry::INSIDE, |caller| caller.entry);
        mcp::serve_lines(connection.hub, selection, entry, connection.read, connection.out.0).await;
    }
    // The caller is gone, and with it whoever wanted the results.
    for open in lock(&calls).values() {
        open.cancel.cancel();
    }
}

/// How a connection goes on after a frame.
enum Next {
    Frame,
    Over,
    Mcp(Selection),
}

/// The way to the caller. Frames are written whole, by whoever has one: there is no queue that could fill up. A caller
/// that does not read makes its own calls wait, and nothing else.
#[derive(Clone)]
struct Out(Arc<tokio::sync::Mutex<OwnedWriteHalf>>);

impl Out {
    /// `false`: the caller is gone.
    async fn send(&self, frame: &[u8]) -> bool {
        self.0.lock().await.write_all(frame).await.is_ok()
    }
}

struct Connection {
    read: BufReader<OwnedReadHalf>,
    out: Out,
    calls: Calls,
    hub: Arc<Hub>,
    /// The process at the other end, when the kernel tells.
    peer: Option<i32>,
    /// Who it is, once it has said hello.
    caller: Option<Caller>,
}

impl Connection {
    /// Serves frames. A relay's last one says which tools its client gets.
    async fn serve(&mut self) -> Option<Selection> {
        while let Some(frame) = self.next().await {
            let next = match frame {
                Frame::Message(json) => match serde_json::from_slice::<Request>(&json) {
                    Ok(request) => self.handle(request).await,
                    Err(error) => {
                        self.refuse(Error::new(ErrorCode::InvalidArgument, format!("not a request: {error}"))).await
                    }
                },
                Frame::Data { id, bytes, .. } => {
                    let input = lock(&self.calls).get(&id).map(|open| open.input.clone());
                    if let Some(input) = input {
                        // A full queue makes this caller wait: the program it types into does not read.
                        let _ = input.send(bytes).await;
                    }
                    Next::Frame
                }
            };
            match next {
                Next::Frame => {}
                Next::Over => return None,
                Next::Mcp(selection) => return Some(selection),
            }
        }
        None
    }

    async fn next(&mut self) -> Option<Frame> {
        let mut header = [0; 4];
        self.read.read_exact(&mut header).await.ok()?;
        let length = match frame_length(header) {
            Ok(length) => length,
            Err(error) => {
                self.refuse(Error::new(ErrorCode::InvalidArgument, error.to_string())).await;
                return None;
            }
        };
        let mut body = vec![0; length];
        self.read.read_exact(&mut body).await.ok()?;
        match control::decode(body) {
            Ok(frame) => Some(frame),
            Err(error) => {
                self.refuse(Error::new(ErrorCode::InvalidArgument, error.to_string())).await;
                None
            }
        }
    }

    async fn handle(&mut self, request: Request) -> Next {
        match request {
            Request::Hello { version, actor } if version == VERSION => {
                let mut caller = Caller::human(actor);
                let (hub, peer) = (Arc::clone(&self.hub), self.peer);
                // It reads of many processes. If it panics, nobody is taken for a person.
                let entry = tokio::task::spawn_blocking(move || entry::of(&hub, peer)).await;
                caller.entry = entry.unwrap_or(Entry::INSIDE);
                self.caller = Some(caller);
                self.send(&Reply::Welcome { version: VERSION, build: env!("CARGO_PKG_VERSION").to_owned() }).await
            }
            Request::Hello { version, .. } => {
                let text = format!(
                    "this hub speaks version {VERSION} of its socket's protocol, the caller {version}: \
                     run `flightdeck stop` and try again; terminals go on"
                );
                self.refuse(Error::new(ErrorCode::VersionMismatch, text)).await
            }
            Request::Call { .. } | Request::Mcp { .. } if self.caller.is_none() => {
                self.refuse(Error::new(ErrorCode::InvalidArgument, "say hello first")).await
            }
            Request::Mcp { tools, tool_names, compat_tools } => match Selection::parse(&tools, tool_names) {
                Ok(selection) => match self.send(&Reply::Mcp {}).await {
                    Next::Frame => Next::Mcp(selection.with_compat(compat_tools)),
                    over => over,
                },
                Err(error) => self.refuse(error).await,
            },
            Request::Call { id, command, args } => self.begin(id, command, args).await,
            Request::Cancel { id } => {
                if let Some(open) = lock(&self.calls).get(&id) {
                    open.cancel.cancel();
                }
                Next::Frame
            }
        }
    }

    async fn begin(&mut self, id: CallId, command: String, args: Value) -> Next {
        let problem = {
            let calls = lock(&self.calls);
            if calls.contains_key(&id) {
                Some(format!("call {id} is under way already"))
            } else if calls.len() >= CALLS {
                Some(format!("{CALLS} calls are under way: wait for some to end"))
            } else {
                None
            }
        };
        if let Some(problem) = problem {
            let error = Error::new(ErrorCode::InvalidArgument, problem);
            return self.send(&Reply::Failed { id: Some(id), error }).await;
        }
        let Some(caller) = self.caller.clone() else { return Next::Over };
        let (call, cancel, mut output, input) = call(caller);
        lock(&self.calls).insert(id, Open { cancel, input });
        let (hub, out, calls) = (Arc::clone(&self.hub), self.out.clone(), Arc::clone(&self.calls));
        tokio::spawn(async move {
            let forward = async {
                while let Some(data) = output.recv().await {
                    if !out.send(&encode_data(id, data.channel, &data.bytes)).await {
                        return;
                    }
                }
            };
            // The command drops its end of the output when it is done, which ends the forwarding after the last byte.
            let (result, ()) = tokio::join!(hub.call(call, &command, args), forward);
            lock(&calls).remove(&id);
            let reply = match result {
                Ok(result) => Reply::Done { id, result },
                Err(error) => Reply::Failed { id: Some(id), error },
            };
            // Nobody there to hear it any more is fine.
            out.send(&encode_message(&reply)).await;
        });
        Next::Frame
    }

    async fn refuse(&self, error: Error) -> Next {
        self.send(&Reply::Failed { id: None, error }).await;
        Next::Over
    }

    async fn send(&self, reply: &Reply) -> Next {
        if self.out.send(&encode_message(reply)).await { Next::Frame } else { Next::Over }
    }
}

fn lock(calls: &Calls) -> parking_lot::MutexGuard<'_, HashMap<CallId, Open>> {
    calls.lock()
}
