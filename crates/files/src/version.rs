//! The version of a file: a hash of its bytes, so it needs no memory of who wrote when.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// The SHA-256 of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Digest([u8; 32]);

/// The first half of the hash: 128 bits are short enough to quote, and too many for two texts with one version to be
/// found on purpose, which 64 would not be.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Version([u8; 16]);

/// A version that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bad version {0:?}: take it as it is from a result of read, write or list")]
pub struct BadVersion(String);

const PREFIX: &str = "sha256:";

impl Digest {
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    pub fn finish(hasher: Sha256) -> Self {
        Self(hasher.finalize().into())
    }

    pub fn version(&self) -> Version {
        let mut half = [0; 16];
        half.copy_from_slice(&self.0[..16]);
        Version(half)
    }
}

impl Version {
    /// The version of a file with these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Digest::of(bytes).version()
    }
}

fn unhex(text: &str, into: &mut [u8]) -> Option<()> {
    let text = text.as_bytes();
    if text.len() != into.len() * 2 {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).filter(|_| !byte.is_ascii_uppercase());
    for (byte, pair) in into.iter_mut().zip(text.chunks_exact(2)) {
        *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
    }
    Some(())
}

fn hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(f, &self.0)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(f, &self.0)
    }
}

impl FromStr for Digest {
    type Err = BadVersion;

    fn from_str(text: &str) -> Result<Self, BadVersion> {
        let mut bytes = [0; 32];
        unhex(text, &mut bytes).ok_or_else(|| BadVersion(text.to_owned()))?;
        Ok(Self(bytes))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        hex(f, &self.0)
    }
}

impl fmt::Debug for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Version {
    type Err = BadVersion;

    fn from_str(text: &str) -> Result<Self, BadVersion> {
        let mut bytes = [0; 16];
        text.strip_prefix(PREFIX)
            .and_then(|digits| unhex(digits, &mut bytes))
            .ok_or_else(|| BadVersion(text.to_owned()))?;
        Ok(Self(bytes))
    }
}

macro_rules! as_text {
    ($type:ty) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

as_text!(Digest);
as_text!(Version);
