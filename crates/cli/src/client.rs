//! The command line's end of the hub's socket.

use std::path::Path;

use anyhow::{Context, bail};
use flightdeck_contract::control::{
    self, CallId, Channel, Frame, Reply, Request, VERSION, encode_data, encode_message, frame_length,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

/// A connection to a hub.
#[derive(Debug)]
pub struct Client {
    pub read: Receiver,
    pub write: Sender,
}

/// What comes from the hub.
#[derive(Debug)]
pub struct Receiver(BufReader<OwnedReadHalf>);

/// What goes to the hub.
#[derive(Debug)]
pub struct Sender {
    write: OwnedWriteHalf,
    last: CallId,
}

/// A piece of an answer.
#[derive(Debug)]
pub enum Answer {
    /// Bytes of a streaming command.
    Data(Channel, Vec<u8>),
    /// The end.
    Done(Value),
}

impl Client {
    /// Connects to the hub at this socket. An I/O error here means that none is there.
    pub async fn connect(socket: &Path) -> anyhow::Result<Self> {
        let stream = UnixStream::connect(socket).await?;
        let (read, write) = stream.into_split();
        let mut client = Client { read: Receiver(BufReader::new(read)), write: Sender { write, last: 0 } };
        let actor = format!("cli:{}", user());
        client.write.send(&Request::Hello { version: VERSION, actor }).await?;
        match client.read.reply().await? {
            Reply::Welcome { .. } => Ok(client),
            Reply::Failed { error, .. } => Err(error.into()),
            Reply::Done { .. } | Reply::Mcp {} => bail!("the hub answered before it was asked"),
        }
    }

    /// Calls a command and waits for its result.
    pub async fn call<T: DeserializeOwned>(&mut self, command: &str, args: &impl Serialize) -> anyhow::Result<T> {
        self.write.begin(command, args).await?;
        loop {
            if let Answer::Done(value) = self.read.next().await? {
                return serde_json::from_value(value).context("the hub's answer is not what this version expects");
            }
        }
    }
}

impl Sender {
    /// Begins a call; its answer comes on the receiving side.
    pub async fn begin(&mut self, command: &str, args: &impl Serialize) -> anyhow::Result<CallId> {
        self.last += 1;
        let args = serde_json::to_value(args)?;
        self.send(&Request::Call { id: self.last, command: command.to_owned(), args }).await?;
        Ok(self.last)
    }

    /// Gives a call up.
    pub async fn cancel(&mut self, id: CallId) -> anyhow::Result<()> {
        self.send(&Request::Cancel { id }).await
    }

    /// Sends input to a call.
    pub async fn input(&mut self, id: CallId, bytes: &[u8]) -> anyhow::Result<()> {
        Ok(self.write.write_all(&encode_data(id, Channel::Main, bytes)).await?)
    }

    async fn send(&mut self, request: &Request) -> anyhow::Result<()> {
        Ok(self.write.write_all(&encode_message(request)).await?)
    }
}

impl Receiver {
    /// The next piece of the answer. A failed call is an error. Not cancel-safe: keep one future going.
    pub async fn next(&mut self) -> anyhow::Result<Answer> {
        match self.frame().await? {
            Frame::Data { channel, bytes, .. } => Ok(Answer::Data(channel, bytes)),
            Frame::Message(json) => match serde_json::from_slice(&json)? {
                Reply::Done { result, .. } => Ok(Answer::Done(result)),
                Reply::Failed { error, .. } => Err(error.into()),
                Reply::Welcome { .. } | Reply::Mcp {} => bail!("the hub greeted twice"),
            },
        }
    }

    async fn reply(&mut self) -> anyhow::Result<Reply> {
        match self.frame().await? {
            Frame::Message(json) => Ok(serde_json::from_slice(&json)?),
            Frame::Data { .. } => bail!("the hub sent data before it was asked"),
        }
    }

    async fn frame(&mut self) -> anyhow::Result<Frame> {
        let mut header = [0; 4];
        self.0.read_exact(&mut header).await.context("the hub is gone")?;
        let mut body = vec![0; frame_length(header)?];
        self.0.read_exact(&mut body).await.context("the hub is gone")?;
        Ok(control::decode(body)?)
    }
}

fn user() -> String {
    std::env::var("USER").unwrap_or_else(|_| rustix::process::getuid().as_raw().to_string())
}
