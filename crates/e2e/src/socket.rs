//! The hub's socket, for tests: what the command line hides, and panics in place of errors.

use std::net::Shutdown;
use std::path::Path;

use flightdeck_client::blocking::{Connection, Message};
use flightdeck_contract::Error;
use flightdeck_contract::control::{CallId, Request};
use serde_json::Value;

use crate::SOON;

/// A connection to a hub.
#[derive(Debug)]
pub struct Socket(Connection);

/// What the hub sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    Welcome,
    /// An event of a call, with the bytes that belong to it.
    Event(CallId, Value, Vec<u8>),
    Done(CallId, Value),
    Failed(Option<CallId>, Error),
    /// The hub closed the connection.
    Closed,
}

impl Socket {
    /// Connects and says hello.
    pub fn connect(path: &Path) -> Self {
        let connection = Connection::open(path, "test").unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Socket::patient(connection)
    }

    /// Connects and says nothing.
    pub fn silent(path: &Path) -> Self {
        Socket::patient(Connection::silent(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    }

    fn patient(connection: Connection) -> Self {
        connection.set_patience(Some(SOON * 2)).expect("a timeout can be set");
        Socket(connection)
    }

    /// Grants no credit by itself from now on.
    pub fn grant_by_hand(&mut self) {
        self.0.grant_by_hand();
    }

    /// Sends a request.
    pub fn send(&mut self, request: &Request) {
        // The hub may have hung up in the middle of nonsense; what it said before that is read afterwards.
        let _ = self.0.send(request);
    }

    /// Sends bytes as they are, frame or not.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let _ = self.0.send_bytes(bytes);
    }

    /// Begins a call.
    #[expect(clippy::needless_pass_by_value, reason = "tests write their arguments where they call")]
    pub fn begin(&mut self, command: &str, args: Value) -> CallId {
        self.0.begin(command, &args).expect("the connection stands")
    }

    /// Calls a command and waits for its result. Events on the way are left out.
    pub fn call(&mut self, command: &str, args: Value) -> Result<Value, Error> {
        let wanted = self.begin(command, args);
        self.finish(wanted)
    }

    /// Waits for the result of a call.
    pub fn finish(&mut self, wanted: CallId) -> Result<Value, Error> {
        self.finish_stream(wanted).1
    }

    /// Waits for the result of a streaming call, with the bytes that came before it.
    pub fn finish_stream(&mut self, wanted: CallId) -> (Vec<u8>, Result<Value, Error>) {
        let mut bytes = Vec::new();
        loop {
            match self.next() {
                Event::Event(id, _, more) if id == wanted => bytes.extend(more),
                Event::Done(id, result) if id == wanted => return (bytes, Ok(result)),
                Event::Failed(id, error) if id.is_none_or(|id| id == wanted) => return (bytes, Err(error)),
                Event::Closed => panic!("the hub hung up before call {wanted} was answered"),
                _ => {}
            }
        }
    }

    /// Sends input to a call.
    pub fn input(&mut self, id: CallId, bytes: &[u8]) {
        self.0.input(id, bytes).expect("the connection stands");
    }

    /// Gives a call up.
    pub fn cancel(&mut self, id: CallId) {
        self.0.cancel(id).expect("the connection stands");
    }

    /// Says that nothing more will be sent.
    pub fn close_sending(&self) {
        self.0.stream().shutdown(Shutdown::Write).expect("the connection stands");
    }

    /// What the hub says next, but for credit. Panics when it says nothing for long.
    #[expect(clippy::should_implement_trait, reason = "it is no iterator: it never ends by itself")]
    pub fn next(&mut self) -> Event {
        loop {
            return match self.0.next() {
                Ok(Message::Credit(..)) => continue,
                Ok(Message::Welcome | Message::Mcp) => Event::Welcome,
                Ok(Message::Event(id, event, bytes)) => Event::Event(id, event, bytes),
                Ok(Message::Done(id, result)) => Event::Done(id, result),
                Ok(Message::Failed(id, error)) => Event::Failed(id, error),
                Err(flightdeck_client::Error::Gone) => Event::Closed,
                Err(error) => panic!("the hub did not answer: {error}"),
            };
        }
    }

    /// The next event of a call.
    #[track_caller]
    pub fn event(&mut self) -> (Value, Vec<u8>) {
        match self.next() {
            Event::Event(_, event, bytes) => (event, bytes),
            other => panic!("no event: {other:?}"),
        }
    }
}
