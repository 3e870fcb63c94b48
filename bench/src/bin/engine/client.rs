//! A blocking speaker of the hub's socket: one thread, one connection, no runtime in between.

use std::io::{BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use flightdeck_contract::control::{
    self, CallId, Channel, Frame, Reply, Request, VERSION, encode_data, encode_message, frame_length,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Longer than any measurement should take; a hub that hangs must not hang the benchmark.
const PATIENCE: Duration = Duration::from_mins(5);

#[derive(Debug)]
pub struct Client {
    stream: BufReader<UnixStream>,
    last: CallId,
}

/// A piece of an answer.
#[derive(Debug)]
pub enum Answer {
    Data(Vec<u8>),
    Done(Value),
}

impl Client {
    pub fn connect(socket: &Path) -> anyhow::Result<Self> {
        let stream = UnixStream::connect(socket).with_context(|| format!("no hub at {}", socket.display()))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut client = Client { stream: BufReader::new(stream), last: 0 };
        client.send(&encode_message(&Request::Hello { version: VERSION, actor: "bench".to_owned() }))?;
        match client.frame()? {
            Frame::Message(json) => match serde_json::from_slice(&json)? {
                Reply::Welcome { .. } => Ok(client),
                other => bail!("the hub did not welcome us: {other:?}"),
            },
            Frame::Data { .. } => bail!("the hub sent data before it was asked"),
        }
    }

    /// Calls a command and waits for its result.
    pub fn call<T: DeserializeOwned>(&mut self, command: &str, args: &impl Serialize) -> anyhow::Result<T> {
        self.begin(command, args)?;
        loop {
            if let Answer::Done(value) = self.next().with_context(|| command.to_owned())? {
                return serde_json::from_value(value).with_context(|| format!("the answer of {command}"));
            }
        }
    }

    /// Begins a call that streams.
    pub fn begin(&mut self, command: &str, args: &impl Serialize) -> anyhow::Result<CallId> {
        self.last += 1;
        let args = serde_json::to_value(args)?;
        self.send(&encode_message(&Request::Call { id: self.last, command: command.to_owned(), args }))?;
        Ok(self.last)
    }

    /// The next piece of the only call that is under way.
    pub fn next(&mut self) -> anyhow::Result<Answer> {
        match self.frame()? {
            Frame::Data { bytes, .. } => Ok(Answer::Data(bytes)),
            Frame::Message(json) => match serde_json::from_slice(&json)? {
                Reply::Done { result, .. } => Ok(Answer::Done(result)),
                Reply::Failed { error, .. } => Err(error.into()),
                Reply::Welcome { .. } | Reply::Mcp {} => bail!("the hub greeted twice"),
            },
        }
    }

    /// Sends input to a call.
    pub fn input(&mut self, id: CallId, bytes: &[u8]) -> anyhow::Result<()> {
        self.send(&encode_data(id, Channel::Main, bytes))
    }

    fn send(&mut self, frame: &[u8]) -> anyhow::Result<()> {
        self.stream.get_mut().write_all(frame).context("the hub is gone")
    }

    fn frame(&mut self) -> anyhow::Result<Frame> {
        let mut header = [0; 4];
        self.stream.read_exact(&mut header).context("the hub is gone or hangs")?;
        let mut body = vec![0; frame_length(header)?];
        self.stream.read_exact(&mut body).context("the hub is gone or hangs")?;
        Ok(control::decode(body)?)
    }
}
