//! Lines that nobody without the token can make, change, replay or reorder.
//!
//! ```text
//!   {"mac":"<64 hex digits>","seq":7,"frame":{…}}\n
//!          └ HMAC-SHA256 over all that follows the comma
//! ```
//!
//! Each direction of each connection has a key and a count of its own, so a line is good once and in one place. The content can
//! be read on the way: the bridge joins a machine with a container on it, and a trace that people can read is worth more
//! there than secrecy from the machine itself.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// The longest line. A result of the contract holds a mebibyte of output at most, which JSON can make six times as long.
pub const LONGEST_LINE: usize = 16 << 20;

const HEAD: &[u8] = b"{\"mac\":\"";
const DIGITS: usize = 64;
/// Where the comma stands.
const COMMA: usize = HEAD.len() + DIGITS + 1;

/// A key of one direction.
#[derive(Clone)]
pub struct Key(pub [u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Why a line is not taken. The connection ends with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    #[error("a line is longer than {LONGEST_LINE} bytes")]
    TooLong,
    #[error("a line has no seal")]
    Unsealed,
    #[error("a line was not sealed with the key of this connection")]
    Forged,
    #[error("a line came twice, or one is missing")]
    OutOfOrder,
    #[error("a line holds nothing that is known")]
    Unknown,
}

/// HMAC-SHA256 of the parts, one after the other.
pub fn mac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length is taken");
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

/// Whether this is the HMAC of the parts, in hex, in a time that does not tell how much of it is right.
pub fn is_mac(key: &[u8], parts: &[&[u8]], given: &str) -> bool {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length is taken");
    for part in parts {
        mac.update(part);
    }
    unhex(given.as_bytes()).is_some_and(|given| mac.verify_slice(&given).is_ok())
}

/// Seals what one side says.
#[derive(Debug)]
pub struct Sealer {
    key: Key,
    next: u64,
}

#[derive(Serialize)]
struct Body<'a, T> {
    seq: u64,
    frame: &'a T,
}

#[derive(Deserialize)]
struct Opened<T> {
    seq: u64,
    frame: T,
}

impl Sealer {
    pub fn new(key: Key) -> Self {
        Sealer { key, next: 0 }
    }

    /// The next line, with its end.
    pub fn seal<T: Serialize>(&mut self, frame: &T) -> Result<Vec<u8>, Broken> {
        let body = serde_json::to_vec(&Body { seq: self.next, frame }).map_err(|_| Broken::Unknown)?;
        if body.len() + COMMA + 2 > LONGEST_LINE {
            return Err(Broken::TooLong);
        }
        self.next += 1;
        // The brace that opens the body makes room for the seal.
        let sealed = &body[1..];
        let mut line = Vec::with_capacity(body.len() + COMMA + 2);
        line.extend_from_slice(HEAD);
        line.extend_from_slice(hex(&mac(&self.key.0, &[sealed])).as_bytes());
        line.extend_from_slice(b"\",");
        line.extend_from_slice(sealed);
        line.push(b'\n');
        Ok(line)
    }
}

/// Opens what the other side says.
#[derive(Debug)]
pub struct Opener {
    key: Key,
    next: u64,
}

impl Opener {
    pub fn new(key: Key) -> Self {
        Opener { key, next: 0 }
    }

    /// What is in a line, without its end.
    pub fn open<T: DeserializeOwned>(&mut self, line: &mut [u8]) -> Result<T, Broken> {
        if line.len() <= COMMA || !line.starts_with(HEAD) || &line[COMMA - 1..=COMMA] != b"\"," {
            return Err(Broken::Unsealed);
        }
        let given = unhex(&line[HEAD.len()..HEAD.len() + DIGITS]).ok_or(Broken::Unsealed)?;
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key.0).expect("a key of any length is taken");
        mac.update(&line[COMMA + 1..]);
        // In a time that does not tell how much of it is right.
        mac.verify_slice(&given).map_err(|_| Broken::Forged)?;
        line[COMMA] = b'{';
        let Opened { seq, frame } = serde_json::from_slice(&line[COMMA..]).map_err(|_| Broken::Unknown)?;
        if seq != self.next {
            return Err(Broken::OutOfOrder);
        }
        self.next += 1;
        Ok(frame)
    }
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(digits: &[u8]) -> Option<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16).map(|value| value as u8);
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some(value(*high)? << 4 | value(*low)?)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn pair() -> (Sealer, Opener) {
        (Sealer::new(Key([7; 32])), Opener::new(Key([7; 32])))
    }

    fn line(sealer: &mut Sealer, frame: &Value) -> Vec<u8> {
        let mut line = sealer.seal(frame).unwrap();
        assert_eq!(line.pop(), Some(b'\n'));
        line
    }

    #[test]
    fn what_was_sealed_opens_and_is_json() {
        let (mut sealer, mut opener) = pair();
        for frame in [json!({ "a": 1 }), json!("ä\n\"\u{0}"), json!(null), json!({})] {
            let mut line = line(&mut sealer, &frame);
            let whole: Value = serde_json::from_slice(&line).unwrap();
            assert_eq!(whole["frame"], frame);
            assert!(!line.contains(&b'\n'));
            assert_eq!(opener.open::<Value>(&mut line).unwrap(), frame);
        }
    }

    #[test]
    fn the_mac_is_that_of_rfc_4231() {
        let digits = hex(&mac(b"Jefe", &[b"what do ya want ", b"for nothing?"]));
        assert_eq!(digits, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    #[test]
    fn every_changed_byte_is_noticed() {
        let (mut sealer, _) = pair();
        let good = line(&mut sealer, &json!({ "type": "cancel", "id": 3 }));
        for place in 0..good.len() {
            for change in [1, 0x20, 0x80] {
                let mut bad = good.clone();
                bad[place] ^= change;
                let opened = Opener::new(Key([7; 32])).open::<Value>(&mut bad);
                // The seal itself may be written in capitals.
                let same =
                    good[place].is_ascii_alphabetic() && change == 0x20 && (HEAD.len()..COMMA - 1).contains(&place);
                assert_eq!(opened.is_ok(), same, "byte {place} by {change}: {opened:?}");
            }
        }
    }

    #[test]
    fn replayed_reordered_missing_and_foreign_lines_are_refused() {
        let (mut sealer, mut opener) = pair();
        let lines: Vec<_> = (0..3).map(|n| line(&mut sealer, &json!(n))).collect();
        assert_eq!(opener.open::<Value>(&mut lines[0].clone()), Ok(json!(0)));
        assert_eq!(opener.open::<Value>(&mut lines[0].clone()), Err(Broken::OutOfOrder), "replayed");
        assert_eq!(opener.open::<Value>(&mut lines[2].clone()), Err(Broken::OutOfOrder), "one is missing");
        assert_eq!(opener.open::<Value>(&mut lines[1].clone()), Ok(json!(1)));
        let mut other = Opener::new(Key([8; 32]));
        assert_eq!(other.open::<Value>(&mut lines[0].clone()), Err(Broken::Forged));
        for garbage in [&b""[..], b"{}", b"GET / HTTP/1.1", &[0xff; 200], b"{\"mac\":\"\",\"seq\":0}"] {
            assert_eq!(opener.open::<Value>(&mut garbage.to_vec()), Err(Broken::Unsealed));
        }
    }

    #[test]
    fn a_line_has_a_limit() {
        let (mut sealer, _) = pair();
        assert_eq!(sealer.seal(&json!("x".repeat(LONGEST_LINE))), Err(Broken::TooLong));
        assert!(sealer.seal(&json!("x".repeat(LONGEST_LINE - 200))).is_ok());
    }
}
