//! The hub's socket, spoken by hand: what the command line hides, tests want to see.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use flightdeck_contract::Error;
use flightdeck_contract::control::{
    self, CallId, Channel, Frame, Reply, Request, VERSION, encode_data, encode_message, frame_length,
};
use serde_json::Value;

use crate::SOON;

/// A connection to a hub.
#[derive(Debug)]
pub struct Socket {
    stream: UnixStream,
    last: CallId,
}

/// What the hub sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Welcome,
    Data(CallId, Channel, Vec<u8>),
    Done(CallId, Value),
    Failed(Option<CallId>, Error),
    /// The hub closed the connection.
    Closed,
}

impl Socket {
    /// Connects and says hello.
    pub fn connect(path: &Path) -> Self {
        let mut socket = Socket::silent(path);
        socket.send(&Request::Hello { version: VERSION, actor: "test".to_owned() });
        assert_eq!(socket.next(), Event::Welcome);
        socket
    }

    /// Connects and says nothing.
    pub fn silent(path: &Path) -> Self {
        let stream = UnixStream::connect(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        stream.set_read_timeout(Some(SOON * 2)).expect("a timeout can be set");
        Socket { stream, last: 0 }
    }

    /// Sends a request.
    pub fn send(&mut self, request: &Request) {
        self.send_bytes(&encode_message(request));
    }

    /// Sends bytes as they are, frame or not.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        // The hub may have hung up in the middle of nonsense; what it said before that is read afterwards.
        let _ = self.stream.write_all(bytes);
    }

    /// Begins a call.
    pub fn begin(&mut self, command: &str, args: Value) -> CallId {
        self.last += 1;
        self.send(&Request::Call { id: self.last, command: command.to_owned(), args });
        self.last
    }

    /// Calls a command and waits for its result. Data on the way is left out.
    pub fn call(&mut self, command: &str, args: Value) -> Result<Value, Error> {
        let wanted = self.begin(command, args);
        self.finish(wanted)
    }

    /// Waits for the result of a call.
    pub fn finish(&mut self, wanted: CallId) -> Result<Value, Error> {
        loop {
            match self.next() {
                Event::Done(id, result) if id == wanted => return Ok(result),
                Event::Failed(id, error) if id.is_none_or(|id| id == wanted) => return Err(error),
                Event::Closed => panic!("the hub hung up before call {wanted} was answered"),
                _ => {}
            }
        }
    }

    /// Waits for the result of a streaming call, with the bytes that came before it.
    pub fn finish_stream(&mut self, wanted: CallId) -> (Vec<u8>, Result<Value, Error>) {
        let mut bytes = Vec::new();
        loop {
            match self.next() {
                Event::Data(id, Channel::Main, more) if id == wanted => bytes.extend(more),
                Event::Done(id, result) if id == wanted => return (bytes, Ok(result)),
                Event::Failed(id, error) if id.is_none_or(|id| id == wanted) => return (bytes, Err(error)),
                Event::Closed => panic!("the hub hung up before call {wanted} was answered"),
                _ => {}
            }
        }
    }

    /// Sends input to a call.
    pub fn input(&mut self, id: CallId, bytes: &[u8]) {
        self.send_bytes(&encode_data(id, Channel::Main, bytes));
    }

    /// Gives a call up.
    pub fn cancel(&mut self, id: CallId) {
        self.send(&Request::Cancel { id });
    }

    /// Says that nothing more will be sent.
    pub fn close_sending(&self) {
        self.stream.shutdown(std::net::Shutdown::Write).expect("the connection stands");
    }

    /// What the hub says next. Panics when it says nothing for long.
    #[expect(clippy::should_implement_trait, reason = "it is no iterator: it never ends by itself")]
    pub fn next(&mut self) -> Event {
        let mut header = [0; 4];
        if !self.fill(&mut header) {
            return Event::Closed;
        }
        let mut body = vec![0; frame_length(header).expect("the hub sends frames")];
        assert!(self.fill(&mut body), "the hub hung up in the middle of a frame");
        match control::decode(body).expect("the hub sends frames") {
            Frame::Data { id, channel, bytes } => Event::Data(id, channel, bytes),
            Frame::Message(json) => match serde_json::from_slice(&json).expect("the hub sends replies") {
                Reply::Welcome { .. } | Reply::Mcp {} => Event::Welcome,
                Reply::Done { id, result } => Event::Done(id, result),
                Reply::Failed { id, error } => Event::Failed(id, error),
            },
        }
    }

    /// `false`: the connection is closed.
    fn fill(&mut self, buf: &mut [u8]) -> bool {
        let mut filled = 0;
        while filled < buf.len() {
            match self.stream.read(&mut buf[filled..]) {
                Ok(0) => return false,
                Ok(read) => filled += read,
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return false,
                Err(error) => panic!("the hub did not answer: {error}"),
            }
        }
        true
    }
}
