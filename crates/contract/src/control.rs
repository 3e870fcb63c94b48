//! The frames of the hub's private socket, which the command line speaks.
//!
//! ```text
//!   u32 LE length │ u8 kind │ payload
//!                   0 JSON    a request, an answer, a cancellation
//!                   1 stdout  u32 LE call id, then bytes: output to the caller, or input from it
//!                   2 stderr  the same for a command on pipes
//! ```
//!
//! Many calls can be under way on one connection; each has an id that the caller chose.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Error;

/// The version of this protocol. A hub answers calls of the same version only.
pub const VERSION: u32 = 1;
/// The longest message that any surface reads: a file of the longest that can be written, with room for its escapes. A
/// caller of the private socket that sends a longer frame is cut off; others are answered.
pub const MAX_MESSAGE: usize = 48 << 20;

/// A call's number on its connection.
pub type CallId = u32;

/// What a caller sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
        /// How tools are named.
        #[serde(default)]
        tool_names: ToolNames,
        /// Whether older names of tools are listed as well.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        compat_tools: bool,
    },
}

/// How the tools of MCP are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolNames {
    /// As the commands: `flightdeck.terminal.run`.
    #[default]
    Dotted,
    /// `flightdeck_terminal_run`, for clients that refuse dots.
    Underscore,
}

impl ToolNames {
    /// The name of a command's tool.
    pub fn name(self, id: &str) -> Cow<'_, str> {
        match self {
            ToolNames::Dotted => Cow::Borrowed(id),
            ToolNames::Underscore => Cow::Owned(id.replace('.', "_")),
        }
    }
}

/// What the hub sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply {
    /// The answer to `Hello`.
    Welcome {
        /// [`VERSION`] of the hub.
        version: u32,
        /// The hub's own version.
        build: String,
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
    /// A call that failed. Without an id it is the connection that is refused.
    Failed {
        /// Which call.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<CallId>,
        /// Why.
        error: Error,
    },
}

/// Which stream a data frame belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A terminal's output, or a command's stdout, or input.
    Main,
    /// A command's stderr.
    Stderr,
}

/// One frame, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// JSON text of a [`Request`] or a [`Reply`].
    Message(Vec<u8>),
    /// Bytes of a call.
    Data {
        /// Which call.
        id: CallId,
        /// Which stream.
        channel: Channel,
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

/// Encodes a message.
pub fn encode_message<T: Serialize>(message: &T) -> Vec<u8> {
    let mut frame = vec![0, 0, 0, 0, 0];
    // Our own types hold nothing that JSON can't say: string keys and finite numbers only.
    serde_json::to_writer(&mut frame, message).expect("contract types are JSON");
    finish(frame)
}

/// Encodes bytes of a call.
pub fn encode_data(id: CallId, channel: Channel, bytes: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(9 + bytes.len());
    frame.extend_from_slice(&[0, 0, 0, 0, if channel == Channel::Main { 1 } else { 2 }]);
    frame.extend_from_slice(&id.to_le_bytes());
    frame.extend_from_slice(bytes);
    finish(frame)
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
    let kind = *body.first().ok_or(FrameError::Malformed)?;
    let channel = match kind {
        0 => {
            body.remove(0);
            return Ok(Frame::Message(body));
        }
        1 => Channel::Main,
        2 => Channel::Stderr,
        _ => return Err(FrameError::Malformed),
    };
    let id = body.get(1..5).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes).ok_or(FrameError::Malformed)?;
    body.drain(..5);
    Ok(Frame::Data { id, channel, bytes: body })
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
        let call =
            Request::Call { id: 7, command: "flightdeck.terminal.run".into(), args: serde_json::json!({"id": "t1"}) };
        let Frame::Message(json) = decode(body(&encode_message(&call))).unwrap() else { panic!("no message") };
        assert_eq!(serde_json::from_slice::<Request>(&json).unwrap(), call);
        let data = Frame::Data { id: 9, channel: Channel::Stderr, bytes: b"\0\xff".to_vec() };
        assert_eq!(decode(body(&encode_data(9, Channel::Stderr, b"\0\xff"))).unwrap(), data);
    }

    #[test]
    fn relays_of_before_are_understood() {
        let request: Request = serde_json::from_str(r#"{"type": "mcp", "tool_names": "underscore"}"#).unwrap();
        let plain = Request::Mcp { tools: Vec::new(), tool_names: ToolNames::Underscore, compat_tools: false };
        assert_eq!(request, plain);
        let sent = serde_json::to_string(&plain).unwrap();
        assert!(!sent.contains("compat"), "a hub of before refuses fields that it does not know: {sent}");
    }

    #[test]
    fn garbage_is_refused() {
        for bytes in [&b""[..], b"\x03", b"\x01\x01", b"\xff\0\0\0\0"] {
            assert_eq!(decode(bytes.to_vec()), Err(FrameError::Malformed), "{bytes:?}");
        }
        assert_eq!(frame_length([0xff; 4]), Err(FrameError::TooLong(u32::MAX as usize)));
    }
}
