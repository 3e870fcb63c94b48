//! A connection for programs without a runtime: what is written and read happens in the calling thread.
//!
//! ```no_run
//! use flightdeck_client::blocking::Connection;
//! use flightdeck_client::contract::terminal::{List, Listed};
//! use flightdeck_client::find;
//!
//! # fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let hub = find::workspace(None)?.hub();
//! if !hub.is_there() {
//!     hub.start()?;
//! }
//! let mut connection = Connection::open(&hub.socket(), "my-tool")?;
//! let listed: Listed = connection.call("flightdeck.terminal.list", &List::default())?;
//! for terminal in listed.terminals {
//!     println!("{} {}", terminal.id, terminal.title);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Streams are begun with [`Connection::begin`] and read with [`Connection::next`], one message after the other.

use std::collections::HashMap;
use std::io::{BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use flightdeck_contract::control::{
    self, CallId, Frame, Reply, Request, VERSION, WINDOW, encode_input, encode_message, frame_length,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Error;

/// A connection to a hub.
#[derive(Debug)]
pub struct Connection {
    stream: BufReader<UnixStream>,
    last: CallId,
    /// What was read of each call and not granted again yet; `None` when credit is granted by hand.
    taken: Option<HashMap<CallId, u32>>,
}

/// What the hub sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// The answer to the hello.
    Welcome,
    /// Both directions carry lines of MCP from here on.
    Mcp,
    /// An event of a call, with the bytes that belong to it.
    Event(CallId, Value, Vec<u8>),
    /// More input may be sent.
    Credit(CallId, u32),
    /// A call's result.
    Done(CallId, Value),
    /// A call that failed, or the connection.
    Failed(Option<CallId>, flightdeck_contract::Error),
}

impl Connection {
    /// Connects and says hello.
    pub fn open(socket: &Path, actor: &str) -> Result<Self, Error> {
        let mut connection = Connection::silent(socket)?;
        connection.send(&Request::Hello { version: VERSION, actor: actor.to_owned() })?;
        match connection.next()? {
            Message::Welcome => Ok(connection),
            Message::Failed(_, error) => Err(error.into()),
            other => Err(Error::Protocol(format!("{other:?} came before the welcome"))),
        }
    }

    /// Connects and says nothing.
    pub fn silent(socket: &Path) -> Result<Self, Error> {
        Ok(Connection { stream: BufReader::new(UnixStream::connect(socket)?), last: 0, taken: Some(HashMap::new()) })
    }

    /// How long [`Connection::next`] waits for anything.
    pub fn set_patience(&self, patience: Option<Duration>) -> Result<(), Error> {
        Ok(self.stream.get_ref().set_read_timeout(patience)?)
    }

    /// The bare stream with what was read of it already, for a connection that goes on with lines.
    pub fn into_stream(self) -> BufReader<UnixStream> {
        self.stream
    }

    /// The bare stream.
    pub fn stream(&self) -> &UnixStream {
        self.stream.get_ref()
    }

    /// Sends a request.
    pub fn send(&mut self, request: &Request) -> Result<(), Error> {
        self.send_bytes(&encode_message(request))
    }

    /// Sends bytes as they are, frame or not.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.stream.get_mut().write_all(bytes).map_err(|_| Error::Gone)
    }

    /// Grants nothing by itself from now on: [`Request::Credit`] does.
    pub fn grant_by_hand(&mut self) {
        self.taken = None;
    }

    /// Begins a call; what comes of it is read by [`Connection::next`].
    pub fn begin(&mut self, command: &str, args: &impl Serialize) -> Result<CallId, Error> {
        self.last += 1;
        let args = serde_json::to_value(args)?;
        self.send(&Request::Call { id: self.last, command: command.to_owned(), args, credit: None })?;
        Ok(self.last)
    }

    /// Calls a command and waits for its result. Whatever comes of other calls meanwhile is left out.
    pub fn call<T: DeserializeOwned>(&mut self, command: &str, args: &impl Serialize) -> Result<T, Error> {
        let wanted = self.begin(command, args)?;
        loop {
            match self.next()? {
                Message::Done(id, result) if id == wanted => return Ok(serde_json::from_value(result)?),
                Message::Failed(id, error) if id.is_none_or(|id| id == wanted) => return Err(error.into()),
                _ => {}
            }
        }
    }

    /// Sends input to a call. The caller sees to it that it was granted.
    pub fn input(&mut self, id: CallId, bytes: &[u8]) -> Result<(), Error> {
        self.send_bytes(&encode_input(id, bytes))
    }

    /// Gives a call up.
    pub fn cancel(&mut self, id: CallId) -> Result<(), Error> {
        self.send(&Request::Cancel { id })
    }

    /// What the hub says next. Events that were read are granted again.
    #[expect(clippy::should_implement_trait, reason = "it is no iterator: it waits, and fails")]
    pub fn next(&mut self) -> Result<Message, Error> {
        Ok(match self.frame()? {
            Frame::Event { id, event, bytes } => {
                self.read(id, (event.len() + bytes.len()) as u32);
                Message::Event(id, serde_json::from_slice(&event)?, bytes)
            }
            Frame::Message(json) => match serde_json::from_slice(&json)? {
                Reply::Welcome { .. } => Message::Welcome,
                Reply::Mcp {} => Message::Mcp,
                Reply::Credit { id, bytes } => Message::Credit(id, bytes),
                Reply::Done { id, result } => Message::Done(id, result),
                Reply::Failed { id, error } => Message::Failed(id, error),
            },
            Frame::Input { .. } => return Err(Error::Protocol("input came from the hub".to_owned())),
        })
    }

    /// Grants again what was read, when it is worth a frame.
    fn read(&mut self, id: CallId, bytes: u32) {
        let Some(taken) = &mut self.taken else { return };
        let all = taken.remove(&id).unwrap_or(0) + bytes;
        if all < WINDOW / 2 {
            taken.insert(id, all);
        } else {
            // A hub that is gone says so at the next read.
            let _ = self.send(&Request::Credit { id, bytes: all });
        }
    }

    fn frame(&mut self) -> Result<Frame, Error> {
        let mut header = [0; 4];
        self.fill(&mut header)?;
        let mut body = vec![0; frame_length(header)?];
        self.fill(&mut body)?;
        Ok(control::decode(body)?)
    }

    fn fill(&mut self, buf: &mut [u8]) -> Result<(), Error> {
        self.stream.read_exact(buf).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::ConnectionReset => Error::Gone,
            _ => Error::Io(error),
        })
    }
}
