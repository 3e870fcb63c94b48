//! Lines that nobody without the token can read, make, change, replay or reorder.
//!
//! ```text
//!   frame ─► JSON ─► pieces of 64 KiB ─► Noise messages, numbered ─► base64 ─► one line
//! ```
//!
//! Each direction of each connection has a key and a count of its own, which the handshake has made ([`super::handshake`]),
//! so a line is good once and in one place.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;
use serde::Serialize;
use serde::de::DeserializeOwned;
use snow::StatelessTransportState;

/// The longest frame. A result of the contract holds a mebibyte of output at most, which JSON can make six times as long.
const MAX_FRAME_BYTES: usize = 16 << 20;
/// The longest line: base64 makes four bytes of three.
pub const MAX_LINE_BYTES: usize = 24 << 20;

/// The longest message of Noise, and what its tag takes of it.
const MAX_MESSAGE_BYTES: usize = 65535;
const TAG_BYTES: usize = 16;
/// What of a frame goes into one message, beside the byte that says whether more follows.
const PIECE_BYTES: usize = MAX_MESSAGE_BYTES - TAG_BYTES - 1;

const LAST: u8 = 0;
const MORE: u8 = 1;

/// Why a line is not taken. The connection ends with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    #[error("a message is longer than {MAX_FRAME_BYTES} bytes")]
    TooLong,
    #[error("a line is no message of the bridge")]
    Unsealed,
    #[error("a line was changed, repeated or left out on its way")]
    Forged,
    #[error("a line holds nothing that is known")]
    Unknown,
}

/// Encrypts what one side says.
#[derive(Debug)]
pub struct Sealer {
    keys: Arc<StatelessTransportState>,
    next: u64,
}

impl Sealer {
    pub fn new(keys: Arc<StatelessTransportState>) -> Self {
        Sealer { keys, next: 0 }
    }

    /// The next line, with its end.
    pub fn seal<T: Serialize>(&mut self, frame: &T) -> Result<Vec<u8>, Broken> {
        let frame = serde_json::to_vec(frame).map_err(|_| Broken::Unknown)?;
        if frame.len() > MAX_FRAME_BYTES {
            return Err(Broken::TooLong);
        }
        let mut sealed = Vec::with_capacity(frame.len() + (frame.len() / PIECE_BYTES + 1) * (TAG_BYTES + 1));
        let mut pieces = frame.chunks(PIECE_BYTES).peekable();
        let mut plain = Vec::new();
        while let Some(piece) = pieces.next() {
            plain.clear();
            plain.push(if pieces.peek().is_some() { MORE } else { LAST });
            plain.extend_from_slice(piece);
            let start = sealed.len();
            sealed.resize(start + plain.len() + TAG_BYTES, 0);
            self.keys.write_message(self.next, &plain, &mut sealed[start..]).map_err(|_| Broken::TooLong)?;
            self.next += 1;
        }
        let mut line = BASE64.encode(sealed).into_bytes();
        line.push(b'\n');
        Ok(line)
    }
}

/// Decrypts what the other side says.
#[derive(Debug)]
pub struct Opener {
    keys: Arc<StatelessTransportState>,
    next: u64,
}

impl Opener {
    pub fn new(keys: Arc<StatelessTransportState>) -> Self {
        Opener { keys, next: 0 }
    }

    /// What is in a line, without its end.
    pub fn open<T: DeserializeOwned>(&mut self, line: &[u8]) -> Result<T, Broken> {
        let sealed = BASE64.decode(line).map_err(|_| Broken::Unsealed)?;
        let mut frame = Vec::with_capacity(sealed.len());
        let mut messages = sealed.chunks(MAX_MESSAGE_BYTES).peekable();
        if messages.peek().is_none() {
            return Err(Broken::Unsealed);
        }
        let mut plain = vec![0; MAX_MESSAGE_BYTES];
        while let Some(message) = messages.next() {
            let length = self.keys.read_message(self.next, message, &mut plain).map_err(|_| Broken::Forged)?;
            self.next += 1;
            let more = if messages.peek().is_some() { MORE } else { LAST };
            match plain[..length].split_first() {
                Some((flag, piece)) if *flag == more => frame.extend_from_slice(piece),
                _ => return Err(Broken::Forged),
            }
        }
        serde_json::from_slice(&frame).map_err(|_| Broken::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::handshake::tests::pair;
    use super::*;

    fn line(sealer: &mut Sealer, frame: &Value) -> Vec<u8> {
        let mut line = sealer.seal(frame).unwrap();
        assert_eq!(line.pop(), Some(b'\n'));
        line
    }

    #[test]
    fn what_was_sealed_opens_and_can_not_be_read_on_the_way() {
        let (mut client, mut host) = pair();
        let long = "word ".repeat(60_000);
        let most = "x".repeat(PIECE_BYTES - 2);
        for text in ["", "ä\n\"\u{0}", "a secret word", &long, &most, &format!("{most}y")] {
            let frame = json!(text);
            let line = line(&mut client.sealer, &frame);
            assert!(line.iter().all(u8::is_ascii_graphic), "it is one line of text");
            let bytes = BASE64.decode(&line).unwrap();
            let shows = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
            assert!(!shows(b"secret") && !shows(b"word word"));
            assert_eq!(host.opener.open::<Value>(&line).unwrap(), frame);
        }
        assert_eq!(client.sealer.seal(&"x".repeat(MAX_FRAME_BYTES)), Err(Broken::TooLong));
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let (mut client, mut host) = pair();
        let good = line(&mut client.sealer, &json!({ "type": "cancel", "id": 3 }));
        for place in 0..good.len() {
            for change in [1, 0x20, 0x80] {
                let mut bad = good.clone();
                bad[place] ^= change;
                assert!(host.opener.open::<Value>(&bad).is_err(), "byte {place} by {change}");
            }
        }
        assert!(host.opener.open::<Value>(&good).is_ok(), "a line that was refused does not count");
    }

    #[test]
    fn replayed_reordered_missing_and_foreign_lines_are_refused() {
        let (mut client, mut host) = pair();
        let lines: Vec<_> = (0..3).map(|n| line(&mut client.sealer, &json!(n))).collect();
        assert_eq!(host.opener.open::<Value>(&lines[0]), Ok(json!(0)));
        assert_eq!(host.opener.open::<Value>(&lines[0]), Err(Broken::Forged), "replayed");
        assert_eq!(host.opener.open::<Value>(&lines[2]), Err(Broken::Forged), "one is missing");
        assert_eq!(host.opener.open::<Value>(&lines[1]), Ok(json!(1)));
        assert_eq!(client.opener.open::<Value>(&lines[2]), Err(Broken::Forged), "sent back");
        let (_, mut other) = pair();
        assert_eq!(other.opener.open::<Value>(&lines[0]), Err(Broken::Forged), "of another connection");
        for garbage in [&b""[..], b"{}", b"GET / HTTP/1.1", &[0xff; 200], b"{\"mac\":\"\",\"seq\":0}"] {
            assert_eq!(host.opener.open::<Value>(garbage), Err(Broken::Unsealed));
        }
    }

    #[test]
    fn the_pieces_of_a_line_can_not_be_put_together_otherwise() {
        let (mut client, mut host) = pair();
        let long = line(&mut client.sealer, &json!("x".repeat(PIECE_BYTES * 2)));
        let short = line(&mut client.sealer, &json!("next"));
        let (long, short) = (BASE64.decode(long).unwrap(), BASE64.decode(short).unwrap());
        let cut = BASE64.encode(&long[..MAX_MESSAGE_BYTES]);
        assert_eq!(host.opener.open::<Value>(cut.as_bytes()), Err(Broken::Forged), "its beginning alone");
        let (mut client, mut host) = pair();
        let first = BASE64.decode(line(&mut client.sealer, &json!(1))).unwrap();
        let second = BASE64.decode(line(&mut client.sealer, &json!(2))).unwrap();
        let both = BASE64.encode([&first[..], &second[..]].concat());
        assert_eq!(host.opener.open::<Value>(both.as_bytes()), Err(Broken::Forged), "two in one");
        assert!(!short.is_empty());
    }
}
