//! What travels between hub and keeper: frames of a length (u32, little endian) and JSON.
//!
//! Requests name their kind as text and carry a body, so that a keeper can refuse a kind it does not know and go on.
//! Answers echo `seq`, events have none. A frame with `fd` brings one descriptor with its first byte.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::{Event, Exit, FollowSpec, OsBytes, Refusal, SessionId, SessionInfo, Size, SpawnSpec, Target, WhenStalled};

/// The version of what is said in this file. A keeper outlives many hubs, so raise it only when a new request kind
/// can't do.
pub const PROTOCOL: u32 = 1;

/// Longer frames are refused: the largest honest one is a spawn with a very large environment.
pub const MAX_FRAME: usize = 16 << 20;
/// The limit for who has only dialled the keeper's socket, which any program of the user can.
pub const MAX_DIALLED_FRAME: usize = 64 << 10;

const LEN_BYTES: usize = 4;

/// A request, as far as it can be read without knowing its kind.
#[derive(Deserialize)]
pub struct Envelope<'a> {
    pub seq: u64,
    #[serde(borrow)]
    pub kind: Cow<'a, str>,
    /// As it came: a start brings a whole environment, which is read once.
    #[serde(borrow, default)]
    pub body: Option<&'a RawValue>,
    /// When whoever asks stops waiting, in nanoseconds since boot: nothing is done after that.
    #[serde(default)]
    pub until: Option<u64>,
}

/// What a hub may ask, and at the end what others may.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", content = "body", rename_all = "snake_case")]
pub enum Request {
    Hello(Hello),
    Spawn(Box<SpawnSpec>),
    /// A spawn with a sandbox. A kind of its own, so that a keeper from before there were any refuses it: in a `Spawn`
    /// it would overlook the field, and run the program unconfined.
    SpawnConfined(Box<SpawnSpec>),
    /// Writes the log of a terminal that is not the keeper's own.
    Follow(Box<FollowSpec>),
    /// Says which process's end is the end of a followed terminal.
    Mind(Mind),
    Attach(Named),
    List(Nothing),
    Resize(Resize),
    Signal(Signal),
    Forget(Named),
    /// Closes the held standard input: the child sees its end when every copy is closed.
    CloseInput(Named),
    /// Has no answer, not even when the session is unknown.
    Watch(Watch),
    Shutdown(Nothing),
    /// The hub serves from now on.
    Serving(Nothing),
    /// Starts the hub unless one lives. Answered when it serves.
    StartHub(StartHub),
    /// From whoever started a hub in the foreground: answered when it has ended.
    AwaitHub(Nothing),
    /// From the same: ends it in order.
    StopHub(Nothing),
}

impl Request {
    pub fn parse(kind: &str, body: Option<&RawValue>) -> Result<Self, Refusal> {
        fn read<T: serde::de::DeserializeOwned>(body: Option<&RawValue>) -> Result<T, Refusal> {
            let body = body.map_or("null", RawValue::get);
            serde_json::from_str(body).map_err(|error| Refusal::Invalid { reason: error.to_string() })
        }
        match kind {
            "hello" => read(body).map(Self::Hello),
            "spawn" => read(body).map(Self::Spawn),
            "spawn_confined" => read(body).map(Self::SpawnConfined),
            "follow" => read(body).map(Self::Follow),
            "mind" => read(body).map(Self::Mind),
            "attach" => read(body).map(Self::Attach),
            "list" => Ok(Self::List(Nothing {})),
            "resize" => read(body).map(Self::Resize),
            "signal" => read(body).map(Self::Signal),
            "forget" => read(body).map(Self::Forget),
            "close_input" => read(body).map(Self::CloseInput),
            "watch" => read(body).map(Self::Watch),
            "shutdown" => Ok(Self::Shutdown(Nothing {})),
            "serving" => Ok(Self::Serving(Nothing {})),
            "start_hub" => read(body).map(Self::StartHub),
            "await_hub" => Ok(Self::AwaitHub(Nothing {})),
            "stop_hub" => Ok(Self::StopHub(Nothing {})),
            _ => Err(Refusal::Unsupported { kind: kind.chars().take(64).collect() }),
        }
    }
}

/// An empty body.
#[derive(Debug, Serialize, Deserialize)]
pub struct Nothing {}

#[derive(Debug, Serialize, Deserialize)]
pub struct Hello {
    pub min_protocol: u32,
    pub max_protocol: u32,
    pub build: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Named {
    pub id: SessionId,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Mind {
    pub id: SessionId,
    pub pid: u32,
    #[serde(default)]
    pub when_stalled: WhenStalled,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Resize {
    pub id: SessionId,
    pub size: Size,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Signal {
    pub id: SessionId,
    pub number: i32,
    pub target: Target,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Watch {
    pub id: SessionId,
    pub from: u64,
}

/// All that a program that is not the hub can ask a keeper for.
#[derive(Debug, Serialize, Deserialize)]
pub struct StartHub {
    /// Who asks. The keeper starts its own program only; another one is told which that is.
    pub program: OsBytes,
    /// Handed to the hub as they are. Their meaning is a matter between two runs of the same program.
    #[serde(default)]
    pub options: String,
    /// The hub ends in order when this connection closes.
    #[serde(default)]
    pub foreground: bool,
}

/// The answer to `StartHub`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct HubStarted {
    pub pid: u32,
    /// By this request. Otherwise it was there before, or somebody else was faster.
    pub started: bool,
}

/// The answer to `AwaitHub`.
#[derive(Debug, Serialize, Deserialize)]
pub struct HubEnded {
    pub exit: Exit,
}

/// The answer to `Hello`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Welcome {
    pub protocol: u32,
    pub pid: u32,
    pub build: String,
}

/// The answer to `Spawn` and `Attach`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Started {
    pub pid: u32,
    /// The descriptor that comes with it is the child's standard input, and no terminal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stdin: bool,
}

/// The answer to `List`.
#[derive(Debug, Serialize, Deserialize)]
pub struct Listing {
    pub sessions: Vec<SessionInfo>,
}

/// A request as the client writes it.
#[derive(Serialize)]
pub struct Outgoing<'a> {
    pub seq: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    #[serde(flatten)]
    pub request: &'a Request,
}

/// Anything a keeper sends.
#[derive(Default, Serialize, Deserialize)]
pub struct Reply {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Value>,
    /// The same refusal in words, for a hub that does not know its code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// One descriptor came with this frame.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fd: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<Value>,
    /// The keeper ends in order. A connection that closes without this word is a keeper that was lost.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ending: bool,
}

impl Reply {
    pub fn ok(seq: u64, answer: impl Serialize) -> Self {
        match serde_json::to_value(answer) {
            Ok(value) => Self { seq: Some(seq), ok: Some(value), ..Self::default() },
            Err(error) => Self::refused(seq, &Refusal::Other { text: error.to_string() }),
        }
    }

    pub fn refused(seq: u64, refusal: &Refusal) -> Self {
        Self {
            seq: Some(seq),
            error: Some(serde_json::to_value(refusal).unwrap_or_default()),
            message: Some(refusal.to_string()),
            ..Self::default()
        }
    }

    /// The refusal in this reply; one with a code from the future keeps its words.
    pub fn refusal(&mut self) -> Option<Refusal> {
        let error = self.error.take()?;
        let text = self.message.take().unwrap_or_default();
        Some(serde_json::from_value(error).unwrap_or(Refusal::Other { text }))
    }
}

/// Events are written without a detour over `Value`: this is the path of every keystroke's echo.
#[derive(Serialize)]
struct EventFrame<'a> {
    event: &'a Event,
}

pub fn event_frame(event: &Event) -> Vec<u8> {
    frame(&EventFrame { event })
}

/// A whole frame, ready to be sent.
pub fn frame(message: &impl Serialize) -> Vec<u8> {
    let mut bytes = vec![0; LEN_BYTES];
    // Our own types have only string keys and no failing serialisers, so an error here is impossible; an empty
    // frame would be refused by the other side, which is what should happen if it were not.
    if serde_json::to_writer(&mut bytes, message).is_err() {
        bytes.truncate(LEN_BYTES);
    }
    let len = (bytes.len() - LEN_BYTES) as u32;
    bytes[..LEN_BYTES].copy_from_slice(&len.to_le_bytes());
    bytes
}

/// A frame that announces more than the limit: whatever is at the other end does not speak this protocol.
#[derive(Debug, thiserror::Error)]
#[error("a frame of {len} bytes is over the limit of {max}")]
pub struct FrameTooLong {
    len: usize,
    max: usize,
}

/// Bytes as they came, given out as whole frames. Holds at most one frame and what one read brought beyond it.
pub struct FrameBuffer {
    bytes: Vec<u8>,
    taken: usize,
    max: usize,
}

impl Default for FrameBuffer {
    fn default() -> Self {
        Self::with_limit(MAX_FRAME)
    }
}

impl FrameBuffer {
    /// For frames of `max` bytes at most.
    pub fn with_limit(max: usize) -> Self {
        Self { bytes: Vec::new(), taken: 0, max }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The body of the next whole frame.
    pub fn next(&mut self) -> Result<Option<&[u8]>, FrameTooLong> {
        let rest = &self.bytes[self.taken..];
        let Some((len, rest)) = rest.split_first_chunk::<LEN_BYTES>() else {
            self.compact();
            return Ok(None);
        };
        let len = u32::from_le_bytes(*len) as usize;
        if len > self.max {
            return Err(FrameTooLong { len, max: self.max });
        }
        if rest.len() < len {
            self.compact();
            return Ok(None);
        }
        let start = self.taken + LEN_BYTES;
        self.taken = start + len;
        Ok(Some(&self.bytes[start..start + len]))
    }

    fn compact(&mut self) {
        self.bytes.drain(..self.taken);
        self.taken = 0;
        if self.bytes.is_empty() {
            // One large frame must not keep its memory for the life of the connection.
            self.bytes.shrink_to(64 << 10);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_out_whole_however_they_are_cut() {
        let messages: Vec<Vec<u8>> = ["", "a", "a longer message"].iter().map(frame).collect();
        let stream = messages.concat();
        for cut in 1..=stream.len() {
            let mut buffer = FrameBuffer::default();
            let mut seen = Vec::new();
            for piece in stream.chunks(cut) {
                buffer.push(piece);
                while let Some(body) = buffer.next().expect("short frames") {
                    seen.push(body.to_vec());
                }
            }
            let expected: Vec<_> = messages.iter().map(|m| m[LEN_BYTES..].to_vec()).collect();
            assert_eq!(seen, expected, "in pieces of {cut}");
        }
    }

    #[test]
    fn a_frame_over_the_limit_is_refused_before_it_is_read() {
        let mut buffer = FrameBuffer::default();
        buffer.push(&(MAX_FRAME as u32 + 1).to_le_bytes());
        assert!(buffer.next().is_err());
    }

    #[test]
    fn a_refusal_with_an_unknown_code_keeps_its_words() {
        let refusal = Refusal::CwdMissing { path: "/x".into() };
        let mut reply = Reply::refused(1, &refusal);
        assert_eq!(reply.refusal(), Some(refusal));
        let mut reply =
            Reply { error: Some(serde_json::json!({"code": "new"})), message: Some("why".into()), ..Reply::default() };
        assert_eq!(reply.refusal(), Some(Refusal::Other { text: "why".into() }));
    }

    #[test]
    fn every_request_is_an_envelope() {
        let request = Request::List(Nothing {});
        let bytes = frame(&Outgoing { seq: 7, until: None, request: &request });
        let envelope: Envelope<'_> = serde_json::from_slice(&bytes[LEN_BYTES..]).expect("an envelope");
        assert_eq!(envelope.seq, 7);
        assert!(matches!(Request::parse(&envelope.kind, envelope.body), Ok(Request::List(_))));
    }
}
