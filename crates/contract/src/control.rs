//! The protocol that every front end speaks to the hub: calls, their events, their input, and credit for both.
//!
//! ```text
//!   u32 LE length │ u8 kind │ payload
//!                   0 message  JSON: a request, an answer, credit, a cancellation
//!                   1 event    u32 LE call id │ u32 LE length of the JSON │ JSON: the event │ bytes that belong to it
//!                   2 input    u32 LE call id │ bytes for the command
//! ```
//!
//! Many calls can be under way on one connection; each has an id that the caller chose. Nothing of one call waits for
//! another: events are sent only against credit that the reader granted, and input only against credit of the hub's.
//! A transport that keeps messages apart, as WebSockets do, carries the same frames without the length.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Error;
use crate::tool_names::ToolNames;

/// The version of this protocol. A hub answers calls of the same version only.
pub const VERSION: u32 = 2;
/// How many bytes of events, or of input, may be on their way before the first credit is granted.
pub const WINDOW: u32 = 256 * 1024;
/// The longest message that any surface reads: a file of the longest that can be written, with room for its escapes. A
/// caller of the private socket that sends a longer frame is cut off; others are answered.
pub const MAX_MESSAGE: usize = 48 << 20;

/// A call's number on its connection.
pub type CallId = u32;

/// What a caller sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// The first message: who calls, and in which version.
    Hello {
        /// [`VERSION`].
        version: u32,
        /// Who it is, for the records.
        actor: String,
    },
    /// Calls a command.
    Call {
        /// The call's number.
        id: CallId,
        /// What to do, such as `terminal.run`.
        command: String,
        /// Its arguments.
        #[serde(default)]
        args: Value,
        /// How many bytes of events may be sent before more is granted; [`WINDOW`] when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        credit: Option<u32>,
    },
    /// Grants more: so many bytes of the call's events were read.
    Credit {
        /// Which call.
        id: CallId,
        /// How many bytes.
        bytes: u32,
    },
    /// Gives a call up: what it runs is stopped.
    Cancel {
        /// Which call.
        id: CallId,
    },
    /// The last frame of a relay: from here on both directions carry MCP, one JSON message a line.
    Mcp {
        /// Families of tools; all of them when empty.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tools: Vec<String>,
        /// How tools are named; as suits the client when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool_names: Option<ToolNames>,
        /// Whether older names of tools are listed as well.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        compat_tools: bool,
        /// By what every hub knows this relay, so that its agent keeps its number.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        relay: Option<RelayId>,
    },
}

/// A relay's random name, the same for as long as it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct RelayId(u128);

/// Text that is no [`RelayId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a relay's id has 32 hexadecimal digits")]
pub struct InvalidRelayId;

impl RelayId {
    /// The one of these random bytes.
    pub fn new(bytes: [u8; 16]) -> Self {
        RelayId(u128::from_ne_bytes(bytes))
    }
}

impl From<RelayId> for String {
    fn from(id: RelayId) -> String {
        format!("{:032x}", id.0)
    }
}

impl TryFrom<String> for RelayId {
    type Error = InvalidRelayId;

    fn try_from(text: String) -> Result<Self, InvalidRelayId> {
        let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = is_hex.then(|| u128::from_str_radix(&text, 16).ok()).flatten();
        number.map(RelayId).ok_or(InvalidRelayId)
    }
}

/// What the hub sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply {
    /// The answer to `Hello`.
    Welcome {
        /// [`VERSION`] of the hub.
        version: u32,
        /// The hub's version.
        build: String,
        /// Whether input is granted again as soon as it is taken. What was not granted again when a connection ends has not
        /// arrived then, and can be sent on the next one.
        #[serde(default)]
        acknowledges_input: bool,
    },
    /// The answer to `Mcp`: lines follow.
    Mcp {},
    /// A call's result.
    Done {
        /// Which call.
        id: CallId,
        /// What came of it.
        result: Value,
    },
    /// So many bytes of the call's input were taken: they have arrived, and as many more may be sent.
    Credit {
        /// Which call.
        id: CallId,
        /// How many bytes.
        bytes: u32,
    },
    /// A call that failed. Without an id it is the connection that is refused.
    Failed {
        /// Which call.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<CallId>,
        /// Why.
        error: Error,
    },
}

/// One frame, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// JSON text of a [`Request`] or a [`Reply`].
    Message(Vec<u8>),
    /// Something that a call tells while it runs.
    Event {
        /// Which call.
        id: CallId,
        /// JSON text of the command's event type.
        event: Vec<u8>,
        /// Bytes that belong to it: output, a screen, a picture.
        bytes: Vec<u8>,
    },
    /// Bytes for a call.
    Input {
        /// Which call.
        id: CallId,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

/// Bytes that are no frame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Longer than [`MAX_MESSAGE`].
    #[error("a frame of {0} bytes is longer than the {MAX_MESSAGE} that are allowed")]
    TooLong(usize),
    /// An unknown kind, or a payload that is too short.
    #[error("a frame of an unknown kind")]
    Malformed,
}

const MESSAGE: u8 = 0;
const EVENT: u8 = 1;
const INPUT: u8 = 2;

/// Encodes a message, with its length before it.
pub fn encode_message<T: Serialize>(message: &T) -> Vec<u8> {
    let mut frame = begin(MESSAGE, 128);
    // Our own types hold nothing that JSON can't say: string keys and finite numbers only.
    serde_json::to_writer(&mut frame, message).expect("contract types are JSON");
    finish(frame)
}

/// Encodes an event of a call, with its length before it.
pub fn encode_event(id: CallId, event: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut frame = begin(EVENT, 8 + event.len() + bytes.len());
    frame.extend_from_slice(&id.to_le_bytes());
    frame.extend_from_slice(&(event.len() as u32).to_le_bytes());
    frame.extend_from_slice(event);
    frame.extend_from_slice(bytes);
    finish(frame)
}

/// Encodes input for a call, with its length before it.
pub fn encode_input(id: CallId, bytes: &[u8]) -> Vec<u8> {
    let mut frame = begin(INPUT, 4 + bytes.len());
    frame.extend_from_slice(&id.to_le_bytes());
    frame.extend_from_slice(bytes);
    finish(frame)
}

fn begin(kind: u8, room: usize) -> Vec<u8> {
    let mut frame = Vec::with_capacity(5 + room);
    frame.extend_from_slice(&[0, 0, 0, 0, kind]);
    frame
}

fn finish(mut frame: Vec<u8>) -> Vec<u8> {
    let length = (frame.len() - 4) as u32;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    frame
}

/// The length that a frame's first four bytes announce.
pub fn frame_length(header: [u8; 4]) -> Result<usize, FrameError> {
    let length = u32::from_le_bytes(header) as usize;
    if length > MAX_MESSAGE { Err(FrameError::TooLong(length)) } else { Ok(length) }
}

/// Decodes what follows the length.
pub fn decode(mut body: Vec<u8>) -> Result<Frame, FrameError> {
    let number = |body: &[u8], at: usize| body.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
    match body.first() {
        Some(&MESSAGE) => {
            body.remove(0);
            Ok(Frame::Message(body))
        }
        Some(&EVENT) => {
            let id = number(&body, 1).ok_or(FrameError::Malformed)?;
            let length = number(&body, 5).ok_or(FrameError::Malformed)? as usize;
            let end = 9_usize.saturating_add(length);
            if end > body.len() {
                return Err(FrameError::Malformed);
            }
            let bytes = body.split_off(end);
            body.drain(..9);
            Ok(Frame::Event { id, event: body, bytes })
        }
        Some(&INPUT) => {
            let id = number(&body, 1).ok_or(FrameError::Malformed)?;
            body.drain(..5);
            Ok(Frame::Input { id, bytes: body })
        }
        _ => Err(FrameError::Malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(frame: &[u8]) -> Vec<u8> {
        let length = frame_length(frame[..4].try_into().unwrap()).unwrap();
        assert_eq!(length, frame.len() - 4);
        frame[4..].to_vec()
    }

    #[test]
    fn frames_survive_the_wire() {
        let args = serde_json::json!({"id": "t1"});
        let call = Request::Call { id: 7, command: "flightdeck.terminal.run".into(), args, credit: None };
        let Frame::Message(json) = decode(body(&encode_message(&call))).unwrap() else { panic!("no message") };
        assert_eq!(serde_json::from_slice::<Request>(&json).unwrap(), call);
        for (event, bytes) in [(&b"{}"[..], &b"\0\xff"[..]), (b"", b""), (b"{\"type\":\"gap\"}", b"")] {
            let frame = Frame::Event { id: 9, event: event.to_vec(), bytes: bytes.to_vec() };
            assert_eq!(decode(body(&encode_event(9, event, bytes))).unwrap(), frame);
        }
        let relay = Some(RelayId::new([7; 16]));
        let mcp = Request::Mcp { tools: Vec::new(), tool_names: None, compat_tools: false, relay };
        let Frame::Message(json) = decode(body(&encode_message(&mcp))).unwrap() else { panic!("no message") };
        assert_eq!(serde_json::from_slice::<Request>(&json).unwrap(), mcp);
        let input = Frame::Input { id: 9, bytes: b"\0\xff".to_vec() };
        assert_eq!(decode(body(&encode_input(9, b"\0\xff"))).unwrap(), input);
    }

    #[test]
    fn garbage_is_refused() {
        let lies = b"\x01\0\0\0\0\xff\xff\xff\xff{}";
        for bytes in [&b""[..], b"\x03", b"\x01\x01", b"\x02\x01", b"\xff\0\0\0\0", lies] {
            assert_eq!(decode(bytes.to_vec()), Err(FrameError::Malformed), "{bytes:?}");
        }
        assert_eq!(frame_length([0xff; 4]), Err(FrameError::TooLong(u32::MAX as usize)));
    }
}
