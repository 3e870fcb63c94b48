//! Random names that nobody can guess: the nonce of a terminal's marks and the id of one run.

use std::{fmt, io};

/// Tells the marks of one terminal from text that merely looks like them. 128 bits, hex.
///
/// It is stored with the session, so that records can be rebuilt from the log.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Nonce(String);

/// Names one run of a command in a shell. 64 bits, hex.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(String);

/// The text is not an id of this kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected} lower-case hex digits, got {got:?}")]
pub struct ParseIdError {
    expected: usize,
    got: String,
}

impl Nonce {
    pub fn random() -> io::Result<Self> {
        Ok(Self(random_hex::<16>()?))
    }

    pub fn parse(text: &str) -> Result<Self, ParseIdError> {
        hex_of_length(text, 32).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Debug output ends up in logs and terminals, where the nonce must not leak.
impl fmt::Debug for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Nonce(..)")
    }
}

impl RunId {
    pub fn random() -> io::Result<Self> {
        Ok(Self(random_hex::<8>()?))
    }

    pub fn parse(text: &str) -> Result<Self, ParseIdError> {
        hex_of_length(text, 16).map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn random_hex<const N: usize>() -> io::Result<String> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect())
}

fn hex_of_length(text: &str, expected: usize) -> Result<String, ParseIdError> {
    let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if text.len() == expected && text.bytes().all(is_hex) {
        Ok(text.to_owned())
    } else {
        let got = text.chars().take(64).collect();
        Err(ParseIdError { expected, got })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_ids_parse_and_differ() {
        let nonce = Nonce::random().expect("entropy");
        assert_eq!(Nonce::parse(nonce.as_str()), Ok(nonce.clone()));
        assert_ne!(nonce, Nonce::random().expect("entropy"));
        let run = RunId::random().expect("entropy");
        assert_eq!(RunId::parse(run.as_str()), Ok(run));
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "abc", "ABCDEF0123456789", "abcdef012345678g", "abcdef01234567890"] {
            assert!(RunId::parse(text).is_err(), "{text:?}");
        }
    }
}
