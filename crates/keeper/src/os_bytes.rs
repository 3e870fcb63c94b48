//! Bytes the operating system takes as they are (arguments, environment, paths), readable on the wire where they
//! are text.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A Unix string: any bytes. Text travels as a JSON string, anything else as an array of numbers.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct OsBytes(Vec<u8>);

impl OsBytes {
    pub fn as_os_str(&self) -> &OsStr {
        OsStr::from_bytes(&self.0)
    }

    pub fn as_path(&self) -> &Path {
        Path::new(self.as_os_str())
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for OsBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_os_str(), f)
    }
}

impl fmt::Display for OsBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.as_os_str().display(), f)
    }
}

impl From<&str> for OsBytes {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<String> for OsBytes {
    fn from(text: String) -> Self {
        Self(text.into_bytes())
    }
}

impl From<&OsStr> for OsBytes {
    fn from(text: &OsStr) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

impl From<OsString> for OsBytes {
    fn from(text: OsString) -> Self {
        Self(text.into_vec())
    }
}

impl From<&Path> for OsBytes {
    fn from(path: &Path) -> Self {
        path.as_os_str().into()
    }
}

impl From<PathBuf> for OsBytes {
    fn from(path: PathBuf) -> Self {
        path.into_os_string().into()
    }
}

impl From<Vec<u8>> for OsBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl Serialize for OsBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.collect_seq(&self.0),
        }
    }
}

impl<'de> Deserialize<'de> for OsBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Bytes)
    }
}

struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = OsBytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an array of bytes")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<OsBytes, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<OsBytes, A::Error> {
        let mut bytes = Vec::new();
        while let Some(byte) = seq.next_element::<u8>()? {
            bytes.push(byte);
        }
        Ok(OsBytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_a_string_and_other_bytes_are_an_array() {
        let cases: [(&[u8], &str); 4] =
            [(b"", r#""""#), (b"ls", r#""ls""#), ("ä".as_bytes(), r#""ä""#), (&[0x66, 0xff], "[102,255]")];
        for (bytes, json) in cases {
            let value = OsBytes::from(bytes.to_vec());
            assert_eq!(serde_json::to_string(&value).expect("serialises"), json);
            assert_eq!(serde_json::from_str::<OsBytes>(json).expect("parses"), value);
        }
        assert!(serde_json::from_str::<OsBytes>("[256]").is_err());
        assert!(serde_json::from_str::<OsBytes>("{}").is_err());
    }
}
